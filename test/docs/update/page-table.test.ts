import { expect, test } from 'vitest'
import { runAdopt, runStatus } from '../../../src/docs/update/docs-status.ts'
import { applyToTree, settle, type Tree, toAccess, updateTree } from '../../support/memory-tree.ts'

const fine = { responses: { 200: { description: 'Fine' } } }
const toDocument = (paths: object, more: object = {}) =>
  JSON.stringify({ openapi: '3.0.3', info: { title: 'T', version: '1' }, paths, ...more })
const toDocs = (tab: object) => JSON.stringify({ navigation: { tabs: [{ tab: 'API', ...tab }] } })

async function listRows(tree: Tree): Promise<string[]> {
  const { table } = await runStatus({ root: '' }, toAccess(tree))
  return table.map(({ document, operation, page, state, reason }) => `${document} ${operation} ${page} ${state}: ${reason}`)
}

test('has the operations that only a site shows, and counts them', async () => {
  const more = { 'x-webhooks': { shipped: { post: fine }, secret: { post: { ...fine, 'x-hidden': true } } } }
  const tree = { 'docs.json': toDocs({ openapi: 'api.json' }), 'api.json': toDocument({ '/a': { get: fine } }, more) }
  const { tree: after, update } = await settle(tree)
  expect(update.documents).toMatchObject([{ operationCount: 1, webhookCount: 2 }])
  expect(update.pages.map(({ path }) => path)).toEqual(['api-reference/get-a.mdx'])
  expect(await listRows(after)).toEqual([
    'api.json GET /a api-reference/get-a.mdx generated: up to date',
    'api.json webhook shipped null hidden: only sites show `x-webhooks`',
    'api.json webhook secret null hidden: the document has `x-hidden`',
  ])
})

test('has the entry of a document that is not the one of its group, for which a site has a page', async () => {
  const group = { group: 'G', openapi: 'api.json', pages: ['GET /a', 'other.json GET /b'] }
  const tree = {
    'docs.json': toDocs({ groups: [group] }),
    'api.json': toDocument({ '/a': { get: fine } }),
    'other.json': toDocument({ '/b': { get: fine }, '/c': { get: fine } }),
  }
  expect(await listRows(tree)).toEqual([
    'api.json GET /a null entry: a navigation entry',
    'other.json GET /b null entry: a navigation entry',
  ])
  const { pages } = await updateTree(tree, { pagesFor: 'site' })
  expect(pages.map(({ path }) => path)).toEqual(['api-reference/get-a.mdx', 'api-reference/get-b.mdx'])
})

test('says of an operation that no group lists what the responsible group says of it', async () => {
  const groups = ['One', 'Two'].map((group) => ({ group, openapi: 'api.json', pages: [group === 'One' ? 'GET /a' : 'GET /b'] }))
  const operations = { '/a': { get: fine }, '/b': { get: fine }, '/c': { get: { responses: 'none' } } }
  const tree = { 'docs.json': toDocs({ groups }), 'api.json': toDocument(operations) }
  expect(await listRows(tree)).toContain('api.json GET /c null error: its document has errors')
})

test('keeps the pages of a document if a person adds an entry to a key that is left for another', async () => {
  const files = { 'one.json': toDocument({ '/a': { get: fine } }), 'two.json': toDocument({}) }
  const { tree } = await settle({ 'docs.json': toDocs({ openapi: ['one.json', 'two.json'] }), ...files })
  const page = '"api-reference/get-a"'
  const { tree: after } = await settle({ ...tree, 'docs.json': (tree['docs.json'] ?? '').replace(page, `"GET /x",${page}`) })
  expect(await listRows(after)).toEqual(['one.json GET /a api-reference/get-a.mdx generated: up to date'])
})

test('has the page of a document that is gone', async () => {
  const { tree } = await settle({ 'docs.json': toDocs({ openapi: 'api.json' }), 'api.json': toDocument({ '/a': { get: fine } }) })
  const path = 'api-reference/get-a.mdx'
  const { 'api.json': _, ...without } = tree
  expect(await listRows(without)).toEqual([`api.json GET /a ${path} error: its document has errors`])
})

test('leaves a tab with only a key to sites if another page of its document is adopted', async () => {
  const tree = {
    'docs.json': toDocs({ openapi: 'api.json' }),
    'api.json': toDocument({ '/a': { get: fine }, '/b': { get: fine }, '/c': { get: fine } }),
    'own/a.mdx': '---\ntitle: A\nopenapi: api.json GET /a\n---\n',
  }
  const { changes } = await runAdopt({ root: '', documents: [], directory: 'api-reference' }, toAccess(tree))
  const after = applyToTree(tree, changes)
  expect((await updateTree(after)).changes).toEqual([])
  expect(await listRows(after)).toEqual([
    'api.json GET /a null generated: the site makes its page',
    'api.json GET /a own/a.mdx unlisted: the navigation shows it too',
    'api.json GET /b null generated: the site makes its page',
    'api.json GET /c null generated: the site makes its page',
  ])
  const { pages } = await updateTree(after, { pagesFor: 'site', materialize: true })
  expect(pages.map(({ operation }) => operation)).toEqual(expect.arrayContaining(['GET /a', 'GET /b', 'GET /c']))
})
