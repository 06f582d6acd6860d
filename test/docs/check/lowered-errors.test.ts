import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type DiagnosticCode, diagnosticCodes } from '../../../src/diagnostics/diagnostic.ts'
import { findBlockingCode, lowerableCodes } from '../../../src/diagnostics/finish-diagnostics.ts'
import type { Update } from '../../../src/docs/types.ts'
import { runInFolder } from '../../cli/run-in-folder.ts'
import { applyToTree, settle, type Tree, updateTree } from '../../support/memory-tree.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const docsConfig = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } })
const fine = "responses: {'200': {description: ok}}"
const parameter = (name: string) => `[{name: ${name}, in: path, required: true, schema: {type: string}}]`
const idParameter = parameter('id')
const toDocument = (more: string) => `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths:
  /pets:
    get: {summary: List pets, ${fine}}
  /pets/{id}:
    get: {summary: Get a pet, parameters: ${idParameter}, ${fine}}
  /shops:
    get: {summary: List shops, ${fine}}
${more}
`
/** Both documents of a pair, changed in the same way. */
const toPair = (wrong: string, right: string, change = (text: string, _isWrong: boolean) => text) =>
  [change(toDocument(wrong), true), change(toDocument(right), false)] as const

/** A document with an error of each code that rules may lower, and the same document without it. */
const documents: { readonly [code: string]: readonly [wrong: string, right: string] } = {
  'wrong-name': toPair('components: {schemas: {New Pet: {type: object}}}', 'components: {schemas: {NewPet: {type: object}}}'),
  'entry-unique': toPair(
    'components: {schemas: {Pet: {required: [id, id], properties: {id: {type: string}}}}}',
    'components: {schemas: {Pet: {required: [id], properties: {id: {type: string}}}}}',
  ),
  'operation-id-unique': toPair('', '', (text, isWrong) =>
    text.replaceAll('get: {', (found, at: number) => `${found}operationId: ${isWrong ? 'same' : `id${at}`}, `),
  ),
  'path-parameter': toPair('', '', (text, isWrong) => (isWrong ? text.replace(idParameter, '[]') : text)),
  'path-template': toPair('', '', (text, isWrong) => {
    const path = isWrong ? '/pets/{name}' : '/pets/named/{name}'
    const more = `  ${path}:\n    get: {summary: Find a pet, parameters: ${parameter('name')}, ${fine}}\n  /shops:`
    return text.replace('  /shops:', more)
  }),
  'security-scheme': toPair(
    'security: [{key: []}]',
    'security: [{key: []}]\ncomponents: {securitySchemes: {key: {type: http, scheme: basic}}}',
  ),
}

test('has a document for each code', () => {
  expect(Object.keys(documents)).toEqual(lowerableCodes)
})

test('each code of an error in a document has a decision', () => {
  const codes = Object.keys(diagnosticCodes) as DiagnosticCode[]
  const ofDocuments = codes.slice(0, codes.indexOf('ruleset'))
  const errors = ofDocuments.filter((code) => diagnosticCodes[code].severity === 'error')
  expect(codes.filter((code) => findBlockingCode(code))).toEqual([...errors, 'mass-removal', 'pages-left-out'])
})

describe.each(Object.entries(documents))('%s', (code, [wrong, right]) => {
  const tree = { 'docs.json': docsConfig, 'openapi.yaml': wrong }
  const lowered: Tree = { ...tree, 'openapi-pages.config.yaml': `rules: {${code}: warning}\n` }

  test('stops pages as an error, and none as a warning', async () => {
    const listProblems = ({ diagnostics }: Update) =>
      new Set(diagnostics.flatMap((found) => (found.severity === 'info' ? [] : `${found.severity} ${found.code}`)))
    const strict = await updateTree(tree)
    expect([strict.changes, strict.documents[0]?.valid]).toEqual([[], false])
    expect(listProblems(strict)).toEqual(new Set([`error ${code}`]))
    const update = await updateTree(lowered)
    expect(listProblems(update)).toEqual(new Set([`warning ${code}`]))
    expect(update.documents[0]).toMatchObject({ valid: true, errorCount: 0 })
  })

  test('the pages do not change when the error is fixed', async () => {
    const before = (await settle(lowered)).tree
    const pages = Object.keys(before).filter((path) => path.endsWith('.mdx'))
    expect(pages.length).toBe(code === 'path-template' ? 4 : 3)
    expect((await updateTree(before)).changes).toEqual([])
    const fixed = await updateTree({ ...before, 'openapi.yaml': right })
    const after = applyToTree({ ...before, 'openapi.yaml': right }, fixed.changes)
    for (const path of pages) {
      // The path itself is the error.
      const expected = code === 'path-template' ? before[path]?.replace('/pets/{name}', '/pets/named/{name}') : before[path]
      expect(after[path]).toBe(expected)
    }
  })

  test('`openapi-file` writes nothing, whatever the rules are', async () => {
    const folder = makeTemporaryFolder(lowered)
    const run = await runInFolder(folder, ['openapi-file', 'openapi.yaml', '-o', 'pages'])
    expect([run.exitCode, run.stdout]).toEqual([1, ''])
    expect(run.stderr).toContain('no pages written')
  })
})

test.each([
  [
    'unknown-field',
    'warning',
    'Cannot set `unknown-field` to `warning`: pages would lack a part of the document, so it is always an error',
  ],
  ['security-scheme', 'off', 'Cannot set `security-scheme` to `off`: it makes a document invalid'],
])('refuses `%s: %s` and says what to do', async (code, level, message) => {
  const tree = {
    'docs.json': docsConfig,
    'openapi.yaml': toDocument(''),
    'openapi-pages.config.yaml': `rules: {${code}: ${level}}\n`,
  }
  const { diagnostics, changes } = await updateTree(tree)
  expect([changes, diagnostics.map((found) => found.message)]).toEqual([[], [message]])
  expect(diagnostics[0]?.hint).toContain(level === 'off' ? 'Use `security-scheme: warning`' : '`update.onError: operation`')
})

test('docs/diagnostics.md lists the codes', () => {
  const text = readFileSync(new URL('../../../docs/diagnostics.md', import.meta.url), 'utf8')
  for (const code of lowerableCodes) expect(text).toMatch(new RegExp(`^\\| \\[\`${code}\`\\]`, 'm'))
})
