import { expect, test } from 'vitest'
import { readPageBinding } from '../../../src/docs/pages/page-bindings.ts'
import { settle, type Tree, updateTree } from '../../support/memory-tree.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

/** How many cases of each; more in a soak. */
/** Few names, so that they collide: exactly, in case, or as slugs. */
const summary = fc.constantFrom(
  undefined,
  'List',
  'LIST',
  'list ',
  'List 1',
  'Über',
  'u\u0308ber',
  '',
  '()',
  'a: b',
  'con',
  '1.0',
)
const tag = fc.constantFrom(undefined, 'A.B', 'AB', 'ab', 'Pets', '"', 'x/y')
const flag = fc.constantFrom(undefined, false, true, 'no')

const operation = fc.record({ summary, tag, hidden: flag, excluded: flag, described: fc.option(fc.string(), { nil: undefined }) })
type OperationSpec = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

const description = fc.record({
  operations: fc.dictionary(
    fc.constantFrom('/a', '/b', '/c', '/d/{x}'),
    fc.dictionary(fc.constantFrom('get', 'put', 'post'), operation),
  ),
  webhooks: fc.dictionary(fc.constantFrom('hook', 'Hook', 'other hook'), operation),
})
type DescriptionSpec = typeof description extends fc.Arbitrary<infer Value> ? Value : never

function toOperation({ summary: text, tag: name, hidden, excluded, described }: OperationSpec, index: number, path = '') {
  return {
    ...(text === undefined ? {} : { summary: text }),
    ...(name === undefined ? {} : { tags: [name] }),
    ...(described === undefined ? {} : { description: described }),
    ...(hidden === undefined ? {} : { 'x-hidden': hidden }),
    ...(excluded === undefined ? {} : { 'x-excluded': excluded }),
    ...(index % 2 === 0 ? {} : { operationId: `operation${index}` }),
    ...(path.includes('{x}') ? { parameters: [{ name: 'x', in: 'path', required: true, schema: { type: 'string' } }] } : {}),
    responses: { 200: { description: 'Fine' } },
  }
}

function toDocument({ operations, webhooks }: DescriptionSpec): string {
  let count = 0
  const paths = Object.entries(operations).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, spec]) => [method, toOperation(spec, count++, path)])),
  ])
  const hooks = Object.entries(webhooks).map(([name, spec]) => [name, { post: toOperation(spec, count++) }])
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: Object.fromEntries(paths),
    webhooks: Object.fromEntries(hooks),
  })
}

const source = fc.constantFrom<unknown>(
  'one.json',
  '/two.json',
  { source: './two.json', directory: '' },
  { source: 'one.json', directory: 'Ref' },
  ['one.json', { source: 'two.json' }],
)
const entry = fc.constantFrom('index', 'GET /a', 'one.json put /b', 'two.json GET /a', 'mine')

const group = fc.record({
  group: fc.constantFrom('G', 'AB'),
  pages: fc.array(entry, { maxLength: 2 }),
  openapi: fc.option(source, { nil: undefined }),
})
const tab = fc.record(
  { tab: fc.constantFrom('T', 'U'), openapi: source, groups: fc.array(group, { maxLength: 2 }), version: fc.constant('v1') },
  { requiredKeys: ['tab'] },
)
const docs = fc.record({ tabs: fc.array(tab, { maxLength: 3 }), indent: fc.constantFrom(0, 2, '\t') })

const ownPages = fc.subarray([
  ['mine.mdx', '---\nopenapi: one.json GET /a\n---\n'],
  ['api-reference/list.mdx', '---\ntitle: Not about the API\n---\n'],
  ['api-reference/ab/List.md', '---\nopenapi: two.json GET /a\n---\n'],
  ['ref/pets/list.mdx', '---\nopenapi: get /a\n---\n'],
] as const)
const unlisted = fc.constantFrom('report', 'add', 'ignore')

const world = fc.record({ one: description, two: description, docs, ownPages, unlisted })
type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never

function toTree({ one, two, docs: { tabs, indent }, ownPages: pages, unlisted: setting }: World): Tree {
  return {
    'one.json': toDocument(one),
    'two.json': toDocument(two),
    'docs.json': JSON.stringify({ name: 'T', navigation: { tabs } }, undefined, indent),
    'openapi-pages.config.yaml': `unlisted: ${setting}\n`,
    ...Object.fromEntries(pages),
  }
}

function listPages(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((element) => (typeof element === 'string' ? [element] : listPages(element)))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, element]) =>
    ['navigation', 'tabs', 'groups', 'pages'].includes(key) ? listPages(element) : [],
  )
}

test('a second update changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (spec) => {
      const { tree } = await settle(toTree(spec))
      const again = await updateTree(tree)
      expect(again.changes).toEqual([])
      expect(again.materialized).toEqual([])
    }),
    { numRuns: propertyRuns(12) },
  )
})

test('keeps hand-written pages, uses unique paths, and lists and binds each new page once', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (spec) => {
      const before = toTree(spec)
      const { tree, update } = await settle(before)
      for (const [path, content] of spec.ownPages) expect(tree[path]).toBe(content)
      const folded = Object.keys(tree).map((path) =>
        path
          .replace(/\.mdx?$/, '')
          .normalize('NFC')
          .toLowerCase(),
      )
      expect(new Set(folded).size).toBe(folded.length)
      const listed = listPages(JSON.parse(tree['docs.json'] ?? ''))
      const added = update.pages.filter(({ kind }) => kind === 'added')
      for (const { path, operation } of added) {
        expect(listed.filter((page) => `${page}.mdx` === path)).toHaveLength(1)
        const reading = readPageBinding(tree[path] ?? '')
        expect(reading).toMatchObject({ kind: 'bound', binding: { file: expect.stringMatching(/^(one|two)\.json$/) } })
        expect(operation).toMatch(/^([A-Z]+ \/|webhook )/)
      }
      expect(update.navigation.added).toBe(listed.length - listPages(JSON.parse(before['docs.json'] ?? '')).length)
    }),
    { numRuns: propertyRuns(12) },
  )
})

test('a second update after an edit of the documents changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(world, description, description, async (spec, one, two) => {
      const { tree } = await settle(toTree(spec))
      const edited = await settle({ ...tree, 'one.json': toDocument(one), 'two.json': toDocument(two) })
      expect((await updateTree(edited.tree)).changes).toEqual([])
    }),
    { numRuns: propertyRuns(10) },
  )
})

/** Summaries, and so paths, are their own; all tags are declared, so that the order of groups does not depend on what is there. */
const tags = ['Pets', 'Stores', 'Über']
const all = Array.from({ length: 10 }, (_, index) => ({
  path: `/p${index}`,
  summary: `Operation ${index}`,
  tag: tags[index % 4],
}))
const some = fc.subarray(all, { minLength: 1 })

function toPlainDocument(operations: typeof all): string {
  const paths = operations.map(({ path, summary: text, tag: name }) => {
    return [path, { get: { summary: text, ...(name ? { tags: [name] } : {}), responses: { 200: { description: 'Fine' } } } }]
  })
  const info = { title: 'T', version: '1' }
  return JSON.stringify({ openapi: '3.1.0', info, tags: tags.map((name) => ({ name })), paths: Object.fromEntries(paths) })
}

test('adding and removing operations gives the same result as a fresh update', async () => {
  const docsJson = JSON.stringify(
    {
      navigation: {
        tabs: [
          { tab: 'Guides', pages: ['index'] },
          { tab: 'API', openapi: 'api.json' },
        ],
      },
    },
    undefined,
    2,
  )
  await fc.assert(
    fc.asyncProperty(some, some, async (before, after) => {
      const { tree } = await settle({ 'docs.json': docsJson, 'api.json': toPlainDocument(before) })
      const edited = await settle({ ...tree, 'api.json': toPlainDocument(after) })
      const fresh = await settle({ 'docs.json': docsJson, 'api.json': toPlainDocument(after) })
      expect(edited.tree).toEqual(fresh.tree)
    }),
    { numRuns: propertyRuns(10) },
  )
})
