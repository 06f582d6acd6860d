import { expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { settle, type Tree, toAccess } from '../../support/memory-tree.ts'

const document =
  'openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths: {/pets: {get: {operationId: list, responses: {"200": {description: Fine}}}}}\n'
const docsJson = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'api.yaml' }] } }, undefined, 2)

const check = (tree: Tree, ...entries: string[]) => runCheck({ entries }, toAccess(tree))

test('checks each document once, in order', async () => {
  const { documents, diagnostics } = await check(
    { 'b.yaml': document, 'a/a.yaml': document.replace('title: T, ', '') },
    'b.yaml',
    'a/a.yaml',
    'b.yaml',
  )
  expect(documents).toMatchObject([
    { path: 'b.yaml', valid: true, version: '3.0.3', operationCount: 1, errorCount: 0 },
    { path: 'a/a.yaml', valid: false, errorCount: 1 },
  ])
  expect(diagnostics).toMatchObject([{ code: 'missing-field', file: 'a/a.yaml', range: { start: { line: 2 } } }])
})

test.each([
  ['nothing.yaml', 'file-missing'],
  ['../outside.yaml', 'file-outside-boundary'],
  ['https://example.com/x.yaml', 'url-refused'],
])('reports %s', async (entry, code) => {
  const { documents, diagnostics } = await check({}, entry)
  expect(documents).toMatchObject([{ path: entry, valid: false }])
  expect(diagnostics).toMatchObject([{ code, file: entry }])
})

test('reports a directory without `docs.json` and suggests to write one', async () => {
  const { diagnostics } = await check({ 'docs/spec/api.yaml': document }, 'docs')
  expect(diagnostics).toMatchObject([{ code: 'docs-config-missing', file: 'docs/docs.json' }])
  expect(diagnostics[0]?.hint).toBe('Run `openapi-pages init` to write one')
})

test.each([
  ['docs', 'docs.json', '../docs.json'],
  ['a/b', 'docs.json', '../../docs.json'],
  ['', 'docs/docs.json', 'docs/docs.json'],
  ['a', 'a/b/c/docs.json', 'b/c/docs.json'],
])('suggests %s below %j', async (root, near, shown) => {
  const tree = { [near]: docsJson, [`${root}/x.md`]: '', 'z/y/x/docs.json': docsJson, 'api.yaml': document }
  const { diagnostics } = await check(tree, root)
  expect(diagnostics).toMatchObject([
    { code: 'docs-config-missing', hint: `Did you mean the directory of \`${shown}\`?`, related: [{ file: near }] },
  ])
})

test('checks the documents of a docs directory and every page bound to them', async () => {
  const { documents, diagnostics } = await check(
    { 'docs/docs.json': docsJson, 'docs/api.yaml': document, 'docs/x.mdx': '---\ntitle: x\nopenapi: GET /petz\n---\n' },
    'docs',
  )
  expect(documents).toMatchObject([{ path: 'docs/api.yaml', valid: true }])
  expect(diagnostics).toMatchObject([
    {
      code: 'binding-unresolved',
      severity: 'error',
      file: 'docs/x.mdx',
      range: { start: { line: 3, column: 10 }, end: { line: 3, column: 19 } },
      hint: 'Did you mean `GET /pets`?',
    },
  ])
})

test('suggests the new operation for an edited page whose operation has moved', async () => {
  const { tree } = await settle({ 'docs.json': docsJson, 'api.yaml': document })
  const edited = {
    ...tree,
    'api-reference/get-pets.mdx': '---\nopenapi: api.yaml GET /pets\n---\nMine\n',
    'api.yaml': document.replace('/pets', '/animals'),
  }
  const { diagnostics } = await check(edited, '')
  expect(diagnostics).toMatchObject([
    { code: 'binding-unresolved', severity: 'error', hint: 'Use `GET /animals`, which now has the `operationId` `list`' },
  ])
})

test('accepts the bindings of generated pages', async () => {
  const { tree } = await settle({ 'docs.json': docsJson, 'api.yaml': document })
  const { diagnostics } = await check(tree, '')
  expect(diagnostics).toEqual([])
})

const withUnused = `${document}components: {schemas: {Pet: {}, Cat: {}}}\n`

test('applies the rules of the nearest configuration file', async () => {
  const tree = {
    'openapi-pages.config.yaml': 'rules: { unused-component: error }\n',
    'a/openapi-pages.config.json':
      '{"rules": {"unused-component": "warning"}, "ignore": [{"path": "b/x.yaml", "pointer": "/components/schemas/Pet"}]}',
    'a/b/x.yaml': withUnused,
    'a/b/y.yaml': withUnused,
    'z.yaml': withUnused,
  }
  const { diagnostics, documents } = await check(tree, 'a/b/x.yaml', 'a/b/y.yaml', 'z.yaml')
  expect(diagnostics.map(({ file, severity, pointer }) => `${file} ${severity} ${pointer}`)).toEqual([
    'a/b/x.yaml warning /components/schemas/Cat',
    'a/b/y.yaml warning /components/schemas/Pet',
    'a/b/y.yaml warning /components/schemas/Cat',
    'z.yaml error /components/schemas/Pet',
    'z.yaml error /components/schemas/Cat',
  ])
  expect(documents.map(({ valid, warningCount, errorCount }) => [valid, warningCount, errorCount])).toEqual([
    [true, 1, 0],
    [true, 2, 0],
    [false, 0, 2],
  ])
})

test('reports errors in a configuration file once, at their location', async () => {
  const tree = { 'openapi-pages.config.yaml': 'rules:\n  missing-field: off\n', 'a.yaml': document, 'b.yaml': document }
  const { diagnostics, sourceOf } = await check(tree, 'a.yaml', 'b.yaml')
  expect(diagnostics).toMatchObject([
    { file: 'openapi-pages.config.yaml', code: 'wrong-value', range: { start: { line: 2, column: 18 } } },
  ])
  expect(sourceOf('openapi-pages.config.yaml')?.text).toContain('missing-field')
  expect(sourceOf('a.yaml')?.text).toBe(document)
})

test('applies the configuration of a docs directory to its documents and pages', async () => {
  const tree = {
    'docs/docs.json': docsJson,
    'docs/api.yaml': withUnused,
    'docs/page.mdx': '---\ntitle: A\nopenapi: GET /petz\n---\n',
    'docs/openapi-pages.config.yaml': 'rules: { unused-component: off, binding-unresolved: info }\n',
  }
  const { diagnostics } = await check(tree, 'docs')
  expect(diagnostics.map(({ file, code, severity }) => [file, code, severity])).toEqual([
    ['docs/page.mdx', 'binding-unresolved', 'info'],
  ])
})

test('an update applies the same rules, and does not update pages of documents with errors', async () => {
  const tree = {
    'docs.json': docsJson,
    'api.yaml': withUnused,
    'openapi-pages.config.yaml': 'rules: { unused-component: error }\n',
  }
  const { update } = await settle(tree)
  expect(update.documents).toMatchObject([{ valid: false, errorCount: 2 }])
  expect(update.changes).toEqual([])
})
