import { expect, test } from 'vitest'
import { describeUnlocks, findUnlocks } from '../../../src/docs/update/docs-status.ts'
import { runUpdate } from '../../../src/docs/update/run-update.ts'
import { type Tree, toAccess, updateTree } from '../../support/memory-tree.ts'

const ok = "responses: {'200': {description: ok}}"
const toDocument = (more: string) => `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths:
  /pets: {get: {summary: List pets, ${ok}}}
  /shops: {get: {summary: List shops, security: [{key: []}], ${ok}}}
  /cats: {get: {summary: List cats, ${more}${ok}}}
`
const docsConfig = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } })
const options = { root: '', documents: [], directory: 'api-reference' }

async function list(tree: Tree) {
  const access = toAccess(tree)
  return await findUnlocks(await runUpdate(options, access), options, access)
}

test.each([
  ['', [2, 3]],
  ['sumary: x, ', [1]],
])('counts the pages that each setting adds: %j', async (more, counts) => {
  const tree = { 'docs.json': docsConfig, 'openapi.yaml': toDocument(more) }
  const unlocks = await list(tree)
  expect(unlocks.map(({ pageCount }) => pageCount)).toEqual(counts)
  for (const { setting, pageCount } of unlocks) {
    const { pages } = await updateTree({ ...tree, 'openapi-pages.config.yaml': `${setting}\n` })
    expect(pages.filter(({ kind }) => kind === 'added').length).toBe(pageCount)
  }
})

test('finds nothing for a document without errors, and after pages were generated', async () => {
  const tree = { 'docs.json': docsConfig, 'openapi.yaml': toDocument('') }
  expect(await list({ ...tree, 'openapi.yaml': tree['openapi.yaml'].replace('security: [{key: []}], ', '') })).toEqual([])
  expect(await list({ ...tree, 'openapi-pages.lock.json': '{"version": 1, "divisions": {}, "pages": {}}' })).toEqual([])
})

test('describes the settings', async () => {
  expect(describeUnlocks(await list({ 'docs.json': docsConfig, 'openapi.yaml': toDocument('') }))).toEqual([
    '`update: { onError: operation }`: 2 pages',
    '`rules: { security-scheme: warning }`: 3 pages',
  ])
})
