import { expect, test } from 'vitest'
import { collectTags } from '../../../src/openapi/read/collect-operations.ts'
import { settle } from '../../support/memory-tree.ts'

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

/** A document with one operation for each tag, such as `pets`, or `pets: { parent: 'animals' }`, and the groups of the navigation. */
interface Tagged {
  /** Tags of operations, in order. */
  readonly used: readonly string[]
  readonly tags?: readonly object[]
  readonly groups?: readonly object[]
}

function describeTagged({ used, tags = [], groups }: Tagged): string {
  const paths = Object.fromEntries(
    used.map((tag, index) => [
      `/${tag}${index}`,
      { get: { summary: `Get ${index}`, tags: [tag], responses: { '200': { description: 'Fine' } } } },
    ]),
  )
  const declared = [
    ...tags,
    ...[...new Set(used)].filter((name) => !tags.some((tag) => 'name' in tag && tag.name === name)).map((name) => ({ name })),
  ]
  return JSON.stringify({
    openapi: '3.2.0',
    info: { title: 'Shop', version: '1' },
    tags: declared,
    ...(groups && { 'x-tagGroups': groups }),
    paths,
  })
}

/** The groups of docs.json in short: `pets(get-0 dogs(get-1))`. */
function toShort(groups: unknown): string {
  if (!Array.isArray(groups)) return String(groups)
  return groups
    .map((entry: string | { group: string; pages: unknown[] }) =>
      typeof entry === 'string' ? entry.slice(entry.lastIndexOf('/') + 1) : `${entry.group}(${toShort(entry.pages)})`,
    )
    .join(' ')
}

async function settleTagged(tagged: Tagged, tree: object = { 'docs.json': docsJson }) {
  const settled = await settle({ ...tree, 'a.yaml': describeTagged(tagged) })
  const { groups } = JSON.parse(settled.tree['docs.json'] ?? '').navigation.tabs[0]
  return { tree: settled.tree, groups: toShort(groups), codes: settled.update.diagnostics.map(({ code }) => code) }
}

const animals = { name: 'Animals', tags: ['dogs', 'cats'] }

test.each<[string, Tagged, string]>([
  [
    'x-tagGroups, in their order',
    { used: ['cats', 'dogs', 'trees', 'cats'], groups: [animals] },
    'Animals(dogs(get-1) cats(get-0 get-3)) trees(get-2)',
  ],
  [
    'a group of x-tagGroups with one tag of the same name',
    { used: ['dogs'], groups: [{ name: 'Dogs', tags: ['dogs'] }] },
    'dogs(get-0)',
  ],
  [
    'a tag that two groups name',
    { used: ['dogs', 'cats'], groups: [animals, { name: 'More', tags: ['cats'] }] },
    'Animals(dogs(get-0) cats(get-1))',
  ],
  [
    'parents of tags',
    {
      used: ['dogs', 'animals', 'cats', 'puppies'],
      tags: [
        { name: 'animals' },
        { name: 'dogs', parent: 'animals' },
        { name: 'puppies', parent: 'dogs' },
        { name: 'cats', parent: 'animals' },
      ],
    },
    'animals(get-1 dogs(get-0 puppies(get-3)) cats(get-2))',
  ],
  [
    'a parent without operations',
    {
      used: ['dogs'],
      tags: [
        { name: 'animals', summary: 'All animals' },
        { name: 'dogs', parent: 'animals' },
      ],
    },
    'All animals(dogs(get-0))',
  ],
  [
    'parents inside x-tagGroups',
    { used: ['dogs'], tags: [{ name: 'cats' }, { name: 'dogs', parent: 'cats' }], groups: [{ name: 'Animals', tags: ['cats'] }] },
    'Animals(cats(dogs(get-0)))',
  ],
  [
    'wrong shapes',
    { used: ['dogs'], groups: [{ name: ' ', tags: ['dogs'] }, { tags: 'dogs' }, { name: 'A', tags: [1] }] },
    'dogs(get-0)',
  ],
])('nests groups by %s', async (_, tagged, expected) => {
  expect((await settleTagged(tagged)).groups).toBe(expected)
})

test('reports a cycle of parents, and lists its tags without parents', async () => {
  const tags = [
    { name: 'dogs', parent: 'cats' },
    { name: 'cats', parent: 'dogs' },
    { name: 'puppies', parent: 'dogs' },
  ]
  // A document with errors gets no pages.
  const { groups, codes } = await settleTagged({ used: ['dogs', 'cats', 'puppies'], tags })
  expect([groups, codes]).toEqual(['undefined', ['tag-parent']])
})

test('reads tags that are nested too deeply in little time', async () => {
  const tags = Array.from({ length: 3000 }, (_, index) => ({ name: `t${index}`, parent: `t${index + 1}` }))
  const { groups } = await settleTagged({ used: ['t0'], tags: [...tags, { name: 't3000' }] })
  expect(groups.replace(/\(.*/, '')).toBe('t0')
})

test('moves entries when groups are nested, and back', async () => {
  const flat: Tagged = { used: ['dogs', 'cats', 'trees'] }
  const first = await settleTagged(flat)
  expect(first.groups).toBe('dogs(get-0) cats(get-1) trees(get-2)')
  const nested = await settleTagged({ ...flat, groups: [animals] }, first.tree)
  expect(nested.groups).toBe('Animals(dogs(get-0) cats(get-1)) trees(get-2)')
  const renamed = await settleTagged({ ...flat, groups: [animals], tags: [{ name: 'dogs', summary: 'All dogs' }] }, nested.tree)
  expect(renamed.groups).toBe('Animals(All dogs(get-0) cats(get-1)) trees(get-2)')
  expect((await settleTagged(flat, renamed.tree)).groups).toBe('dogs(get-0) cats(get-1) trees(get-2)')
})

test('adds new groups next to those in the same group, and removes empty ones', async () => {
  const groups = [{ name: 'Animals', tags: ['dogs', 'cats', 'birds'] }]
  const first = await settleTagged({ used: ['dogs', 'birds', 'trees'], groups })
  expect(first.groups).toBe('Animals(dogs(get-0) birds(get-1)) trees(get-2)')
  const more = await settleTagged({ used: ['dogs', 'birds', 'trees', 'cats', 'rocks'], groups }, first.tree)
  expect(more.groups).toBe('Animals(dogs(get-0) cats(get-3) birds(get-1)) trees(get-2) rocks(get-4)')
  expect((await settleTagged({ used: ['trees'], groups }, more.tree)).groups).toMatch(/^trees\(get-\d\)$/)
})

test('adds the operations of a group that had only inner groups, and new groups inside of one', async () => {
  const tags = [
    { name: 'animals' },
    { name: 'dogs', parent: 'animals' },
    { name: 'cats', parent: 'animals' },
    { name: 'kittens', parent: 'cats' },
  ]
  const first = await settleTagged({ used: ['dogs'], tags })
  expect(first.groups).toBe('animals(dogs(get-0))')
  const more = await settleTagged({ used: ['dogs', 'animals', 'kittens'], tags }, first.tree)
  expect(more.groups).toBe('animals(get-1 dogs(get-0) cats(kittens(get-2)))')
  expect((await settleTagged({ used: ['dogs', 'animals', 'kittens', 'cats'], tags }, more.tree)).groups).toBe(
    'animals(get-1 dogs(get-0) cats(get-3 kittens(get-2)))',
  )
})

test('keeps groups that were moved manually', async () => {
  const first = await settleTagged({ used: ['dogs', 'cats'], groups: [animals] })
  const moved = {
    ...first.tree,
    'docs.json': JSON.stringify({
      navigation: {
        tabs: [
          {
            tab: 'API',
            groups: [
              { group: 'cats', pages: ['api-reference/cats/get-1'] },
              { group: 'Zoo', pages: [{ group: 'dogs', pages: ['api-reference/dogs/get-0'] }] },
            ],
          },
        ],
      },
      api: { openapi: 'a.yaml' },
    }),
  }
  const after = await settleTagged({ used: ['dogs', 'cats', 'dogs'], groups: [animals] }, moved)
  expect(after.groups).toBe('cats(get-1) Zoo(dogs(get-0 get-2))')
})
