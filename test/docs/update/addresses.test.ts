import { expect, test } from 'vitest'
import { siteOf } from '../../site/make/site-of.ts'
import { applyToTree, settle, type Tree, updateTree } from '../../support/memory-tree.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

const responses = { 200: { description: 'Fine' } }
const petsDocument = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: { summary: 'List pets', tags: ['Pets'], responses },
      post: { summary: 'Add a pet', tags: ['Pets'], responses, 'x-mint': { href: '/add' } },
    },
  },
})

/** The pages of a tree except those of people. */
const pagesOf = (tree: Tree) => Object.keys(tree).filter((path) => path.endsWith('.mdx') && path !== 'index.mdx')

function treeOf(navigation: object, more: Tree = {}): Tree {
  return { 'docs.json': JSON.stringify({ navigation }), 'index.mdx': '# Hello\n', 'pets.json': petsDocument, ...more }
}

const versionOf = (version: string, more: object = {}) => ({
  version,
  ...more,
  groups: [{ group: `API ${version}`, openapi: { source: 'pets.json', directory: 'api' } }],
})

test('gives the default version the plain addresses, and every other a folder', async () => {
  const { tree } = await settle(treeOf({ versions: [versionOf('v4'), versionOf('v5', { default: true }), versionOf('v3')] }))
  expect(pagesOf(tree)).toEqual([
    'add.mdx',
    'api/pets/list-pets.mdx',
    'v3/add.mdx',
    'v3/api/pets/list-pets.mdx',
    'v4/add.mdx',
    'v4/api/pets/list-pets.mdx',
  ])
  expect(tree['v3/add.mdx']).toContain('version: v3\n')
  expect((await updateTree(tree)).changes).toEqual([])
})

test.each([
  ['languages', 'language'],
  ['versions', 'version'],
  ['products', 'product'],
])('writes one page for each operation in each of several %s, and lists it there once', async (key, label) => {
  const branches = ['a', 'b'].map((name) => {
    const openapi = { source: 'pets.json', directory: 'api' }
    return {
      [label]: name,
      tabs: [
        { tab: 'API', openapi },
        { tab: 'Guides', pages: ['index'] },
      ],
    }
  })
  const { tree } = await settle(treeOf({ [key]: branches }))
  const pages = { a: ['add', 'api/pets/list-pets'], b: ['b/add', 'b/api/pets/list-pets'] }
  expect(pagesOf(tree)).toEqual([...pages.a, ...pages.b].map((path) => `${path}.mdx`))
  const listed: object[] = JSON.parse(tree['docs.json'] ?? '').navigation[key]
  const entriesIn = (branch: object) =>
    [...JSON.stringify(branch).matchAll(/"((?:b\/)?(?:add|api\/[^"]*))"/g)].map(([, path]) => path)
  expect(listed.map((branch) => entriesIn(branch).sort())).toEqual([pages.a, pages.b])
  expect((await updateTree(tree)).changes).toEqual([])
})

test('names the language and the version of a page, unless they are the defaults', async () => {
  const versions = [versionOf('2'), versionOf('1')]
  const { tree } = await settle(treeOf({ languages: ['en', 'fr'].map((language) => ({ language, versions })) }))
  const folders = ['', '1/', 'fr/', 'fr/1/']
  expect(pagesOf(tree)).toEqual(folders.flatMap((folder) => [`${folder}add.mdx`, `${folder}api/pets/list-pets.mdx`]).sort())
})

test('keeps the addresses of pages when another version becomes the default', async () => {
  const first = await settle(treeOf({ versions: [versionOf('v1')] }))
  const docs = JSON.parse(first.tree['docs.json'] ?? '')
  docs.navigation.versions.unshift(versionOf('v2'))
  const { tree } = await settle({ ...first.tree, 'docs.json': JSON.stringify(docs) })
  expect(pagesOf(tree)).toEqual(['add.mdx', 'api/pets/list-pets.mdx', 'v2/add.mdx', 'v2/api/pets/list-pets.mdx'])
  expect(tree['api/pets/list-pets.mdx']).toBe(first.tree['api/pets/list-pets.mdx'])
  expect((await updateTree(tree)).changes).toEqual([])
})

test('leaves versions with directories of their own where they are', async () => {
  const inFolder = (version: string) => ({ version, openapi: { source: 'pets.json', directory: `ref/${version}` } })
  const { tree } = await settle(treeOf({ versions: [inFolder('a'), inFolder('b')] }))
  expect(pagesOf(tree)).toEqual(['add.mdx', 'b/add.mdx', 'ref/a/pets/list-pets.mdx', 'ref/b/pets/list-pets.mdx'])
})

test('links from a page to the page of the default version, if it has the same content', async () => {
  const versions = [versionOf('v2'), versionOf('v1')]
  const { tree } = await settle(treeOf({ versions }))
  const edited = { ...tree, 'v1/add.mdx': `${tree['v1/add.mdx']}\nBy hand.\n` }
  const { files } = await siteOf(edited, { url: 'https://docs.example.com/' })
  const canonicalOf = (route: string) => /<link rel="canonical" href="([^"]*)"/.exec(files[`${route}/index.html`] ?? '')?.[1]
  expect(canonicalOf('api/pets/list-pets')).toBe('https://docs.example.com/api/pets/list-pets/')
  expect(canonicalOf('v1/api/pets/list-pets')).toBe('https://docs.example.com/api/pets/list-pets/')
  expect(canonicalOf('v1/add')).toBe('https://docs.example.com/v1/add/')
})

const operation = fc.record({
  path: fc.constantFrom('/a', '/b', '/pets', '/pets/{id}', '/stores'),
  method: fc.constantFrom('get', 'put', 'post'),
  summary: fc.constantFrom(undefined, 'List', 'LIST', 'Get a pet', '()'),
  tag: fc.constantFrom(undefined, 'Pets', 'pets', 'A/B'),
  href: fc.constantFrom(undefined, undefined, '/x/y', 'api/list'),
  part: fc.nat(2),
})

test('with and without `pages`, the addresses and contents of operations are the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(operation, { selector: ({ path, method }) => `${method} ${path}`, minLength: 1, maxLength: 8 }),
      fc.constantFrom([''], ['v2', 'v1'], ['v3', 'v2', 'v1']),
      async (operations, versions) => {
        const paths: { [path: string]: { [method: string]: unknown } } = {}
        for (const { path, method, summary, tag, href } of operations) {
          const mint = { metadata: { icon: 'cat' }, content: `Words of ${method}.`, ...(href === undefined ? {} : { href }) }
          const more = { ...(summary === undefined ? {} : { summary }), ...(tag === undefined ? {} : { tags: [tag] }) }
          const parameters = path.includes('{id}') ? [{ name: 'id', in: 'path', required: true, schema: {} }] : []
          paths[path] = { ...paths[path], [method]: { ...more, parameters, responses, 'x-mint': mint } }
        }
        const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths })
        const openapi = { source: 'one.json', directory: 'api' }
        const list = (part: number) =>
          operations.flatMap((one) => (one.part === part ? `${one.method.toUpperCase()} ${one.path}` : []))
        const parts = [0, 1, 2].filter((part) => list(part).length > 0)
        const groups = parts.map((part) => ({ group: `Part ${part}`, openapi, pages: list(part).reverse() }))
        const inVersions = (content: object) =>
          versions.length === 1 ? content : { versions: versions.map((version) => ({ version, ...content })) }
        const addressesOf = async (navigation: object) => {
          const before = { 'docs.json': JSON.stringify({ navigation }), 'one.json': document }
          const { changes } = await updateTree(before, { pagesFor: 'site', materialize: true })
          const tree = applyToTree(before, changes)
          return Object.fromEntries(pagesOf(tree).map((path) => [path, tree[path]]))
        }
        const whole = await addressesOf(inVersions({ groups: [{ group: 'All', openapi }] }))
        expect(Object.keys(whole)).toHaveLength(operations.length * versions.length)
        expect(await addressesOf(inVersions({ groups }))).toEqual(whole)
      },
    ),
    { numRuns: propertyRuns(20) },
  )
})
