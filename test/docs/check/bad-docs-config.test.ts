import { describe, expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { settle, type Tree, toAccess, updateTree } from '../../support/memory-tree.ts'

const document = `openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {summary: A, responses: {'200': {description: ok}}}}}\n`
const good = '{ "navigation": { "tabs": [{ "tab": "API", "openapi": "a.yaml" }] } }'

const levels = (count: number) => `${'{ "group": "G", "pages": ['.repeat(count)}${']}'.repeat(count)}`

describe('reports an unusable docs.json once and changes nothing', () => {
  test.each<[string, string, string]>([
    ['empty', '', 'empty-document'],
    ['with a comment', `{ // ours\n${good.slice(1)}`, 'json-syntax'],
    ['with a comment before all', `// ours\n${good}`, 'wrong-type'],
    ['with a comma too many', good.replace('] }', '], }'), 'json-syntax'],
    ['of another shape', '[]', 'wrong-type'],
    ['with a list for navigation', '{ "navigation": [] }', 'wrong-type'],
    ['without navigation', '{ "name": "x" }', 'missing-field'],
    ['with a key twice', good.replace('"tab": "API"', '"tab": "API", "tab": "B"'), 'duplicate-key'],
    ['with a merge conflict', `<<<<<<< ours\n${good}\n=======\n${good}\n>>>>>>> theirs\n`, 'wrong-type'],
    ['of 101 levels', `{ "navigation": { "groups": [${levels(101)}] } }`, 'too-complex'],
    ['of 50,000 levels', `{ "navigation": { "groups": [${levels(50_000)}] } }`, 'too-complex'],
    ['that is larger than 16 MiB', `{ "navigation": {} }${' '.repeat(16 * 1024 * 1024)}`, 'file-too-large'],
    ['with a part that is missing', '{ "navigation": { "$ref": "navigation.json" } }', 'docs-reference'],
  ])('%s', async (_, text, code) => {
    // Pages that were written before stay what they are.
    const { tree } = await settle({ 'docs.json': good, 'a.yaml': document })
    const broken: Tree = { ...tree, 'docs.json': text }
    const { changes, diagnostics } = await updateTree(broken)
    expect(changes).toEqual([])
    expect(
      diagnostics.filter(({ severity }) => severity === 'error').map((diagnostic) => [diagnostic.file, diagnostic.code]),
    ).toEqual([['docs.json', code]])
    const check = await runCheck({ entries: [''] }, toAccess(broken))
    expect(check.diagnostics.filter(({ severity }) => severity === 'error').map((diagnostic) => diagnostic.code)).toEqual([code])
  })
})

test('accepts and keeps a byte order mark and 100 levels', async () => {
  const deep = `\uFEFF{ "navigation": { "groups": [${levels(99).replace('"pages": []', '"openapi": "a.yaml", "pages": []')}] } }`
  const { tree, update } = await settle({ 'docs.json': deep, 'a.yaml': document })
  expect(update.diagnostics).toEqual([])
  expect(Object.keys(tree)).toContain('api-reference/a.mdx')
  expect(tree['docs.json']?.startsWith('\uFEFF{')).toBe(true)
  expect(tree['docs.json']).toContain('"api-reference/a"')
  expect((await updateTree(tree)).changes).toEqual([])
})

test('ignores a mint.json next to a docs.json, and a manifest of the Mint language', async () => {
  const beside = await updateTree({ 'docs.json': good, 'mint.json': '{ "navigation": 1 }', 'a.yaml': document })
  expect(beside.diagnostics).toEqual([])
  const manifest = await updateTree({ 'mint.json': '{ "name": "app", "source-directories": ["source"] }' })
  expect(manifest.diagnostics.map(({ code }) => code)).toEqual(['docs-config-missing'])
})
