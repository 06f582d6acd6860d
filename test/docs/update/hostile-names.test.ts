import { expect, test } from 'vitest'
import { readPageBinding } from '../../../src/docs/pages/page-bindings.ts'
import { settle, updateTree } from '../../support/memory-tree.ts'
import { lockOf } from './sequence-model.ts'

const toDocs = (openapi: unknown) => `${JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi }] } }, undefined, 2)}\n`

function toDocument(operations: readonly object[]): string {
  const paths = Object.fromEntries(
    operations.map((operation, index) => [`/a${index}`, { get: { ...operation, responses: { 200: { description: 'Fine' } } } }]),
  )
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths })
}

const names = [
  '../../../etc/passwd',
  '/etc/passwd',
  'C:\\Windows\\system32',
  'nul\u0000byte',
  'x'.repeat(300),
  'ü'.repeat(300),
  'CON',
  'lpt1.txt',
  '🐶🐱',
  '\u202egnp.exe\u202c',
  '\u200b\u200e',
  '!!!',
  '()',
  '...',
  '- --',
  'Straße',
  'STRASSE',
  'Über',
  'u\u0308ber',
  'ÜBER',
  'docs.json',
  'openapi-pages.lock.json',
  'index',
  '__proto__',
  'constructor',
  '<script>alert(1)</script>',
  '[x](/y)',
  '{{ evil }}',
  '---\nopenapi: other.json GET /x\n---',
  '\ud800',
  '\r\n::error::x',
]

test.each(['summary', 'tag', 'href'] as const)(
  'a hostile %s: every operation has a page, which is bound, listed and in its folder',
  async (kind) => {
    const operations = names.map((name) => {
      if (kind === 'href') return { summary: 'A', 'x-mint': { href: name } }
      return kind === 'summary' ? { summary: name } : { summary: 'A', tags: [name] }
    })
    const before = { 'docs.json': toDocs('api.json'), 'api.json': toDocument(operations), 'index.mdx': '# Mine\n' }
    const { tree, update } = await settle(before)
    expect(tree['index.mdx']).toBe('# Mine\n')
    const pages = Object.keys(tree).filter((path) => path.endsWith('.mdx') && path !== 'index.mdx')
    expect(pages).toHaveLength(names.length)
    const folded = new Set(pages.map((path) => path.normalize('NFC').toLowerCase()))
    expect(folded.size).toBe(names.length)
    for (const path of pages) {
      expect(path.split('/')).not.toContain('..')
      for (const step of path.split('/')) {
        expect(step).not.toMatch(/[<>:"|?*\\%#\u0000-\u001f\u200b-\u200f\u202a-\u202e]|^\.|[. ]$|^(con|nul|lpt1)(\.|$)/)
        expect(Buffer.byteLength(step)).toBeLessThan(256)
      }
      if (kind !== 'href') expect(path).toMatch(/^api-reference\//)
      expect(readPageBinding(tree[path] ?? '')).toMatchObject({ kind: 'bound', binding: { file: 'api.json', method: 'get' } })
      expect(tree['docs.json']).toContain(JSON.stringify(path.replace(/\.mdx$/, '')))
    }
    expect(new Set([...lockOf({ tree }).values()].map(({ operation }) => operation)).size).toBe(names.length)
    expect(update.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    const refused = update.diagnostics.filter(({ code }) => code === 'page-href')
    if (kind === 'href') expect(refused.length).toBeGreaterThan(3)
    expect((await updateTree(tree)).changes).toEqual([])
  },
)

test.each([
  ['of objects', [{ name: 'Pets' }]],
  ['that are no list', 'Pets'],
  ['of numbers', [1]],
])('tags %s: reports one diagnostic and does not update the pages', async (_, tags) => {
  const { tree } = await settle({ 'docs.json': toDocs('api.json'), 'api.json': toDocument([{ summary: 'A', tags: ['Pets'] }]) })
  const update = await updateTree({ ...tree, 'api.json': toDocument([{ summary: 'A', tags }]) })
  expect(update.changes).toEqual([])
  expect(update.diagnostics).toMatchObject([{ code: 'wrong-type', severity: 'error', file: 'api.json' }])
})

test('reports a `directory` inside `.git` at its location', async () => {
  for (const directory of ['.git/hooks', 'a/.GIT', '.git']) {
    const docsJson = toDocs({ source: 'api.json', directory })
    const { changes, diagnostics } = await updateTree({ 'docs.json': docsJson, 'api.json': toDocument([{ summary: 'A' }]) })
    expect(changes).toEqual([])
    expect(diagnostics).toMatchObject([{ code: 'wrong-value', file: 'docs.json', message: expect.stringContaining('git') }])
  }
})

test('writes pages for ten thousand operations with the same name, with the same result in a second run and without the lock file', async () => {
  const operations = Array.from({ length: 10_000 }, () => ({ summary: 'List', tags: ['Things'] }))
  const before = { 'docs.json': toDocs('api.json'), 'api.json': toDocument(operations) }
  const { tree } = await settle(before)
  expect(tree['api-reference/things/list-9999.mdx']).toContain('GET /a9999\n')
  expect((await updateTree(tree)).changes).toEqual([])
  const { 'openapi-pages.lock.json': lock, ...lost } = tree
  const { tree: found } = await settle({ ...lost, 'docs.json': before['docs.json'] })
  expect(found).toEqual(tree)
  expect(lock).toBeDefined()
})
