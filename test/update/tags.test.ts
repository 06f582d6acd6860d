import { expect, test } from 'vitest'
import { collectTags } from '../../src/openapi/to-description.ts'
import { settle } from '../support/memory-tree.ts'

const fine = '{"200": {description: Fine}}'

/** A document whose tags have all that OpenAPI 3.2 lets them have. */
const document = `openapi: 3.2.0
info: {title: Shop, version: "1"}
tags:
  - {name: pets, summary: All pets, kind: nav}
  - {name: stores, summary: Stores of the town, x-group: Shops}
  - {name: beta, summary: In trial, kind: badge}
paths:
  /pets: {get: {summary: List, tags: [beta, pets], responses: ${fine}}}
  /stores: {get: {summary: Find, tags: [beta, stores], responses: ${fine}}}
  /health: {get: {summary: Health, tags: [beta], responses: ${fine}}}
  /more: {get: {summary: More, tags: [undeclared, pets], responses: ${fine}}}
`
const docsJson = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'a.yaml' }] } })

async function listGroups(): Promise<unknown> {
  const { tree } = await settle({ 'docs.json': docsJson, 'a.yaml': document })
  return JSON.parse(tree['docs.json'] ?? '').navigation.tabs[0].groups
}

test('uses tag summaries as group labels in OpenAPI 3.2, and ignores tags of other kinds', async () => {
  expect(await listGroups()).toEqual([
    { group: 'All pets', pages: ['api-reference/pets/list', 'api-reference/pets/more'] },
    { group: 'Shops', pages: ['api-reference/stores/find'] },
    { group: 'API Reference', pages: ['api-reference/health'] },
  ])
})

test.each(['3.0', '3.1'] as const)('ignores these fields in %s', (release) => {
  const tags = [{ name: 'pets', summary: 'All pets', kind: 'badge' }]
  expect(collectTags({ file: 'a.yaml', pointer: '', value: { tags } }, release)).toMatchObject([
    { name: 'pets', group: undefined, kind: undefined },
  ])
})

test('renames a group if its tag summary changes, and keeps its pages', async () => {
  const { tree } = await settle({ 'docs.json': docsJson, 'a.yaml': document })
  const { tree: renamed, update } = await settle({ ...tree, 'a.yaml': document.replace('All pets', 'Every pet') })
  expect(JSON.parse(renamed['docs.json'] ?? '').navigation.tabs[0].groups[0].group).toBe('Every pet')
  expect(update.changes.map(({ path }) => path)).not.toContain('api-reference/pets/list.mdx')
})
