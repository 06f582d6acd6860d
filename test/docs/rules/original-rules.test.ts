import { describe, expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import type { DivisionKind } from '../../../src/docs/navigation/docs-config.ts'
import { childKeys, divisionKeys, docsConfigKeys } from '../../../src/docs/navigation/key-support.ts'
import { divisionLists } from '../../../src/docs/navigation/read-divisions.ts'
import { settle, type Tree, toAccess, updateTree } from '../../support/memory-tree.ts'

// How the original makes pages from a `docs.json`, as observed. Titles of intended differences begin with "better"; `docs/migrating.md` lists
// them.

/** A document by `METHOD /path` or `webhook name`. */
function toDocument(operations: { readonly [target: string]: object }, more: object = {}): string {
  const paths: Record<string, Record<string, object>> = {}
  const webhooks: Record<string, Record<string, object>> = {}
  for (const [target, operation] of Object.entries(operations)) {
    const [method = '', name = ''] = target.split(' ')
    const [at, key] = method === 'webhook' ? [webhooks, 'post'] : [paths, method.toLowerCase()]
    const parameters = Array.from(name.matchAll(/\{(.*?)\}/g), ([, parameter]) => ({
      name: parameter,
      in: 'path',
      required: true,
      schema: {},
    }))
    at[name] = { ...at[name], [key]: { ...operation, parameters, responses: { 200: { description: 'ok' } } } }
  }
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, webhooks, ...more })
}

const pets = toDocument({
  'GET /pets': { summary: 'List all pets', tags: ['Pets'] },
  'POST /pets': { summary: 'Add a pet', tags: ['Pets'] },
  'GET /health': { summary: 'Health' },
})

async function update(navigation: unknown, files: Tree = {}, top: object = {}) {
  const tree = { 'docs.json': JSON.stringify({ ...top, navigation }), 'pets.json': pets, ...files }
  const { tree: after, update: done } = await settle(tree)
  // It is ours, and was a docs.json before.
  const docs = JSON.parse(after['docs.json'] ?? '') as { navigation: unknown; api?: unknown }
  const pages = Object.keys(after).filter((path) => path.endsWith('.mdx'))
  const findings = done.diagnostics.map(({ code, message, hint }) => [code, message, hint ?? ''].join(' | '))
  return { after, pages, navigation: docs.navigation, api: docs.api, findings, update: done }
}

const usual = [
  { group: 'Pets', pages: ['api-reference/pets/list-all-pets', 'api-reference/pets/add-a-pet'] },
  { group: 'API Reference', pages: ['api-reference/health'] },
]
const usualPages = ['api-reference/health.mdx', 'api-reference/pets/add-a-pet.mdx', 'api-reference/pets/list-all-pets.mdx']

describe('generates pages for every kind of division', () => {
  test.each(Object.entries(divisionLists))('%s', async (list, label) => {
    const { pages, navigation } = await update({ [list]: [{ [label]: 'A', openapi: 'pets.json' }] })
    expect(pages).toEqual(usualPages)
    expect(navigation).toEqual({ [list]: [{ [label]: 'A', [label === 'group' ? 'pages' : 'groups']: usual }] })
  })

  test('better: reports `openapi` on `navigation` next to other divisions, and creates no orphans', async () => {
    const { pages, findings } = await update({ openapi: 'pets.json', tabs: [{ tab: 'A', pages: [] }] })
    expect(pages).toEqual([])
    expect(findings).toEqual([expect.stringMatching(/^navigation-openapi/)])
  })
})

describe('`openapi` is', () => {
  test.each<[string, unknown, string]>([
    ['a path', 'pets.json', 'api-reference'],
    ['an object', { source: 'pets.json' }, 'api-reference'],
    ['an object with a directory', { source: 'pets.json', directory: 'ref' }, 'ref'],
  ])('%s', async (_, openapi, folder) => {
    const { pages } = await update({ tabs: [{ tab: 'A', openapi }] })
    expect(pages).toEqual(usualPages.map((path) => path.replace('api-reference', folder)))
  })

  test('a list; better: uses every entry', async () => {
    const files = { 'more.json': toDocument({ 'GET /more': { summary: 'More' } }) }
    const { pages } = await update(
      { tabs: [{ tab: 'A', openapi: ['pets.json', { source: 'more.json', directory: 'm' }] }] },
      files,
    )
    expect(pages).toEqual([...usualPages, 'm/more.mdx'])
  })
})

describe('the source', () => {
  test.each(['/pets.json', './pets.json', 'x/../pets.json'])('%s is the same path', async (openapi) => {
    expect((await update({ tabs: [{ tab: 'A', openapi }] })).pages).toEqual(usualPages)
  })

  test('is a URL that pages are bound to', async () => {
    const tree = { 'docs.json': '{"navigation": {"tabs": [{"tab": "A", "openapi": "https://example.com/pets.json"}]}}' }
    const access = toAccess(tree)
    const { runUpdate } = await import('../../../src/docs/update/run-update.ts')
    const fetchDocument = async () => ({ kind: 'loaded', bytes: Buffer.from(pets) }) as const
    const options = { root: '', documents: [], directory: 'api-reference' }
    const { changes } = await runUpdate(options, { ...access, fetchDocument })
    const page = changes.find(({ path }) => path.endsWith('add-a-pet.mdx'))
    expect(page).toMatchObject({ content: expect.stringContaining('openapi: https://example.com/pets.json POST /pets\n') })
  })
})

describe('one group per first tag', () => {
  test('is added after existing groups, and the key is removed', async () => {
    const mine = { group: 'Mine', pages: ['mine'] }
    const files = { 'mine.mdx': '' }
    const tab = await update({ tabs: [{ tab: 'A', openapi: 'pets.json', groups: [mine] }] }, files)
    expect(tab.navigation).toEqual({ tabs: [{ tab: 'A', groups: [mine, ...usual] }] })
    const group = await update({ groups: [{ group: 'A', openapi: 'pets.json', pages: ['mine'] }] }, files)
    expect(group.navigation).toEqual({ groups: [{ group: 'A', pages: ['mine', ...usual] }] })
    const beside = await update({ tabs: [{ tab: 'A', openapi: 'pets.json', pages: ['mine'] }] }, files)
    expect(beside.navigation).toEqual({ tabs: [{ tab: 'A', pages: ['mine'], groups: usual }] })
  })

  test('treats a nested division with its own document separately', async () => {
    const files = { 'more.json': toDocument({ 'GET /more': { summary: 'More' } }) }
    const inner = { group: 'Inner', openapi: { source: 'more.json', directory: 'inner' } }
    const { navigation } = await update({ tabs: [{ tab: 'A', openapi: 'pets.json', groups: [inner] }] }, files)
    const made = { group: 'Inner', pages: [{ group: 'API Reference', pages: ['inner/more'] }] }
    expect(navigation).toEqual({ tabs: [{ tab: 'A', groups: [made, ...usual] }] })
  })

  test('better: in the order of `tags`, then of first use, with `x-group` as label', async () => {
    const operations = { 'GET /a': { tags: ['a'], summary: 'A' }, 'GET /b': { tags: ['b'], summary: 'B' } }
    const files = { 'pets.json': toDocument(operations, { tags: [{ name: 'b', 'x-group': 'All b' }] }) }
    const { navigation } = await update({ tabs: [{ tab: 'A', openapi: 'pets.json' }] }, files)
    const groups = [
      { group: 'All b', pages: ['api-reference/b/b'] },
      { group: 'a', pages: ['api-reference/a/a'] },
    ]
    expect(navigation).toEqual({ tabs: [{ tab: 'A', groups }] })
  })
})

describe('the directory', () => {
  test.each([
    ['Ref/V1', 'ref/v1/health.mdx'],
    ['', 'health.mdx'],
    ['/x/y/', 'x/y/health.mdx'],
  ])('%j gives %s', async (directory, path) => {
    expect((await update({ tabs: [{ tab: 'A', openapi: { source: 'pets.json', directory } }] })).pages).toContain(path)
  })

  test('is not inherited by a division that has its own document', async () => {
    const files = { 'more.json': toDocument({ 'GET /more': { summary: 'More' } }) }
    const inner = { group: 'Inner', openapi: 'more.json' }
    const { pages } = await update(
      { tabs: [{ tab: 'A', openapi: { source: 'pets.json', directory: 'ref' }, groups: [inner] }] },
      files,
    )
    expect(pages).toEqual(['api-reference/more.mdx', 'ref/health.mdx', 'ref/pets/add-a-pet.mdx', 'ref/pets/list-all-pets.mdx'])
  })
})

describe('entries for operations', () => {
  test('are kept: method in any case, with or without a file, trailing slash, webhooks', async () => {
    const files = { 'pets.json': toDocument({ 'GET /pets': {}, 'POST /pets': {}, 'webhook sold': {} }) }
    const pages = ['get /pets/', 'pets.json POST /pets', '/pets webhook sold', 'WEBHOOK sold']
    const { navigation, findings } = await update({ tabs: [{ tab: 'A', openapi: 'pets.json', pages }] }, files)
    expect(navigation).toEqual({ tabs: [{ tab: 'A', openapi: 'pets.json', pages }] })
    expect(findings).toEqual([])
  })

  test('use the document of the nearest division; better: reports a missing one', async () => {
    const group = { group: 'B', pages: ['GET /pets'] }
    expect((await update({ tabs: [{ tab: 'A', groups: [group] }] })).findings).toEqual([
      expect.stringMatching(/^entry-without-document/),
    ])
    const files = { 'more.json': toDocument({ 'GET /more': {} }) }
    const { findings } = await update(
      { tabs: [{ tab: 'A', openapi: 'more.json', groups: [{ ...group, openapi: 'pets.json' }] }] },
      files,
    )
    expect(findings.filter((line) => !line.startsWith('unlisted'))).toEqual([])
  })

  test('treat any other text as the path of a page', async () => {
    const { findings } = await update({ pages: ['/pets', 'list /pets', 'GET'] })
    expect(findings).toHaveLength(3)
    expect(findings.every((line) => line.startsWith('page-missing'))).toBe(true)
  })
})

describe('an entry that inherits its document', () => {
  test('disables automatic pages of the division with the key, and keeps the key', async () => {
    const { pages, navigation, findings } = await update({
      tabs: [{ tab: 'A', openapi: 'pets.json', groups: [{ group: 'B', pages: ['GET /pets'] }] }],
    })
    expect(pages).toEqual([])
    expect(navigation).toMatchObject({ tabs: [{ openapi: 'pets.json' }] })
    expect(findings.map((line) => line.split(' | ')[0])).toEqual(['unlisted-operation'])
  })

  test('an entry with a file does not disable automatic pages', async () => {
    const { pages } = await update({ tabs: [{ tab: 'A', openapi: 'pets.json', pages: ['pets.json GET /pets'] }] })
    expect(pages).toEqual(['api-reference/health.mdx', 'api-reference/pets/add-a-pet.mdx'])
  })
})

test('an entry can show a hidden operation, but not an excluded one', async () => {
  const files = { 'pets.json': toDocument({ 'GET /a': { 'x-hidden': true }, 'GET /b': { 'x-excluded': true } }) }
  const { findings } = await update({ tabs: [{ tab: 'A', openapi: 'pets.json', pages: ['GET /a', 'GET /b'] }] }, files)
  expect(findings).toEqual([expect.stringMatching(/^entry-unresolved \| Unexpected binding to `GET \/b`.*`x-excluded`/)])
})

describe('reports a missing operation with the file and the nearest one', () => {
  test.each<[string, unknown, RegExp]>([
    ['a path', 'GET /petz', /^entry-unresolved \| Cannot find `GET \/petz` in `pets.json` \| Did you mean `GET \/pets`\?/],
    [
      'a method',
      'PUT /pets',
      /^entry-unresolved \| Cannot find `PUT \/pets` in `pets.json` \| Did you mean `(GET|POST) \/pets`\?/,
    ],
    [
      'a webhook',
      'webhook sol',
      /^entry-unresolved \| Cannot find `webhook sol` in `pets.json` \| Did you mean `webhook sold`\?/,
    ],
    ['a file of an entry', 'nope.yaml GET /pets', /^entry-unresolved \| Cannot find document `nope.yaml`/],
  ])('%s', async (_, entry, expected) => {
    const files = {
      'pets.json': toDocument({ 'GET /pets': {}, 'POST /pets': {}, 'webhook sold': {} }),
      'openapi-pages.config.yaml': 'renames: false\n',
    }
    const { findings } = await update({ tabs: [{ tab: 'A', openapi: 'pets.json', pages: [entry] }] }, files)
    expect(findings.filter((line) => !line.startsWith('unlisted'))).toEqual([expect.stringMatching(expected)])
  })

  test('a document; better: updates the others', async () => {
    const missing = await update({
      tabs: [
        { tab: 'A', openapi: 'pet.json' },
        { tab: 'B', openapi: 'pets.json' },
      ],
    })
    expect(missing.findings).toEqual([expect.stringMatching(/^file-missing \| .*`pet.json`.* \| Did you mean `pets.json`\?/)])
    expect(missing.pages).toEqual(usualPages)
    const broken = await update(
      {
        tabs: [
          { tab: 'A', openapi: 'bad.json' },
          { tab: 'B', openapi: 'pets.json' },
        ],
      },
      { 'bad.json': '{"openapi": "3.1.0"}' },
    )
    expect(broken.findings).toEqual(expect.arrayContaining([expect.stringMatching(/^missing-field/)]))
    expect(broken.pages).toEqual(usualPages)
  })
})

describe('page content', () => {
  test.each<[string, string, object, readonly string[]]>([
    ['the summary as its title', 'GET /a', { summary: 'All of A' }, ['title: All of A']],
    ['better: method and path in words without one', 'GET /users/{userId}', {}, ['title: Get users by user id']],
    ['better: the summary of a webhook', 'webhook sold', { summary: 'A pet was sold' }, ['title: A pet was sold']],
    ['the description', 'GET /a', { summary: 'A', description: 'What it does' }, ['description: What it does']],
    ['that it is deprecated', 'GET /a', { summary: 'A', deprecated: true }, ['deprecated: true']],
    ['the title of its metadata', 'GET /a', { summary: 'A', 'x-mint': { metadata: { title: 'Mine' } } }, ['title: Mine']],
    ['better: the version of the division around it', 'GET /a', { summary: 'A' }, ['version: v2']],
  ])('%s', async (_, target, operation, lines) => {
    const files = { 'pets.json': toDocument({ [target]: operation }) }
    const { after, pages } = await update({ versions: [{ version: 'v2', openapi: 'pets.json' }] }, files)
    const text = after[pages[0] ?? ''] ?? ''
    for (const line of lines) expect(text).toContain(`${line}\n`)
  })
})

test('the binding contains the file', async () => {
  const { after } = await update({ tabs: [{ tab: 'A', openapi: '/pets.json' }] })
  expect(after['api-reference/health.mdx']).toBe('---\ntitle: Health\nopenapi: pets.json GET /health\n---\n')
})

test('keeps a hand-written page at the same path', async () => {
  const mine = '---\nopenapi: pets.json GET /health\n---\n\nMine.\n'
  const { after, navigation } = await update({ tabs: [{ tab: 'A', openapi: 'pets.json' }] }, { 'api-reference/health.mdx': mine })
  expect(after['api-reference/health.mdx']).toBe(mine)
  expect(navigation).toMatchObject({ tabs: [{ groups: usual }] })
})

describe('better: loses no page', () => {
  test('of two documents with the same tags and summaries in one directory', async () => {
    const { pages, navigation } = await update(
      {
        tabs: [
          { tab: 'A', openapi: 'pets.json' },
          { tab: 'B', openapi: 'other.json' },
        ],
      },
      { 'other.json': pets },
    )
    expect(pages).toHaveLength(6)
    const listed = JSON.stringify(navigation).match(/"api-reference\/[^"]+"/g)
    expect(new Set(listed).size).toBe(6)
  })

  test('of two operations with the same summary', async () => {
    const files = { 'pets.json': toDocument({ 'POST /a': { summary: 'Save' }, 'PUT /a': { summary: 'Save' } }) }
    const { pages } = await update({ tabs: [{ tab: 'A', openapi: 'pets.json' }] }, files)
    expect(pages).toEqual(['api-reference/save-1.mdx', 'api-reference/save.mdx'])
  })
})

test('applies the overlays that are named, else those that name the document, and none with `overlays: []`', async () => {
  const overlay = JSON.stringify({
    overlay: '1.0.0',
    info: { title: 'Public', version: '1' },
    extends: 'pets.json',
    actions: [{ target: '$.paths[*]', remove: true }],
  })
  for (const overlays of [['public.json'], undefined, []]) {
    const tabs = [{ tab: 'A', openapi: { source: 'pets.json', overlays } }]
    const { pages } = await update({ tabs }, { 'public.json': overlay })
    expect(pages).toEqual(overlays?.length === 0 ? usualPages : [])
  }
})

test('nests a tag with `parent` and `kind` (3.2), which the original does not', async () => {
  const tags = [{ name: 'All' }, { name: 'Pets', parent: 'All', kind: 'nav', summary: 'Pets' }]
  const files = { 'pets.json': toDocument({ 'GET /a': { summary: 'A', tags: ['Pets'] } }, { openapi: '3.2.0', tags }) }
  const { navigation, findings } = await update({ tabs: [{ tab: 'A', openapi: 'pets.json' }] }, files)
  expect(findings).toEqual([])
  expect(navigation).toEqual({
    tabs: [{ tab: 'A', groups: [{ group: 'All', pages: [{ group: 'Pets', pages: ['api-reference/pets/a'] }] }] }],
  })
})

describe('the `openapi` of a page', () => {
  const documents: Tree = {
    'specs/pets.json': toDocument({ 'GET /pets': {}, 'webhook sold': {} }),
    'other/users.yaml': toDocument({ 'GET /users': {} }),
    'docs.json': '{"navigation": {}}',
  }
  const findingsOf = async (line: string, files: Tree = {}) => {
    const tree = { ...documents, ...files, 'pages/x.mdx': `---\n${line}\n---\n` }
    return (await runCheck({ entries: [''] }, toAccess(tree))).diagnostics.map(({ code }) => code)
  }

  test.each([
    'GET /pets',
    '  Get   /pets  ',
    'get /pets/',
    'WEBHOOK sold',
    '"GET /pets"',
    "'webhook sold'",
    'specs/pets.json GET /pets',
    '/specs/pets.json GET /pets',
    './specs/pets.json GET /pets',
    'specs/pets GET /pets',
    'pets.json GET /pets',
    'pets GET /pets',
    '../specs/pets.json GET /pets',
    'users GET /users',
  ])('%s is bound', async (value) => {
    expect(await findingsOf(`openapi: ${value}`)).toEqual([])
  })

  test.each([
    ['/pets', 'binding-syntax'],
    ['GET', 'binding-syntax'],
    ['fetch /pets', 'binding-syntax'],
    ['GET /pets extra', 'binding-unresolved'],
    ['[GET /pets]', 'binding-syntax'],
    ['pet GET /pets', 'binding-unresolved'],
    ['users GET /pets', 'binding-unresolved'],
  ])('reports %s', async (value, code) => {
    expect(await findingsOf(`openapi: ${value}`)).toEqual([code])
  })

  test('better: accepts spaces in names of files and webhooks', async () => {
    const files = {
      'my specs/a b.json': toDocument({ 'GET /blank': {} }),
      'c.json': JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        webhooks: { 'pet was sold': { post: {} } },
      }),
    }
    expect(await findingsOf('openapi: my specs/a b.json GET /blank', files)).toEqual([])
    expect(await findingsOf('openapi: webhook pet was sold', files)).toEqual([])
  })

  test.each([
    ['Pet', []],
    ['specs.json Pet', []],
    ['specs Pet', []],
    ['Pat', ['binding-unresolved']],
    ['a b c', ['binding-unresolved']],
    ['""', ['binding-syntax']],
  ])('`openapi-schema` %s', async (value, codes) => {
    const files = {
      'specs.json': JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        components: { schemas: { Pet: {} } },
      }),
    }
    expect(await findingsOf(`openapi-schema: ${value}`, files)).toEqual(codes)
    expect(await findingsOf(`openapi: GET /gone\nopenapi-schema: ${value}`, files)).toEqual(codes)
  })
})

describe('the keys of docs.json', () => {
  const cases = Object.entries(childKeys).flatMap(([kind, lists]) =>
    lists
      .filter((list) => Object.hasOwn(divisionLists, list))
      .map((list) => [kind, list] as [DivisionKind, keyof typeof divisionLists]),
  )

  test.each(cases)('a %s can contain %s, which inherit its document and version', async (kind, list) => {
    const label = divisionLists[list]
    const inner = { [label]: 'Inner', openapi: { source: 'pets.json', directory: 'in' } }
    const outerList = Object.entries(divisionLists).find(([, of]) => of === kind)?.[0] ?? ''
    const outer = { [kind]: 'Outer', version: 'v9', [list]: [inner] }
    const { pages, after } = await update(kind === 'navigation' ? { [list]: [inner] } : { [outerList]: [outer] })
    expect(pages).toEqual(['in/health.mdx', 'in/pets/add-a-pet.mdx', 'in/pets/list-all-pets.mdx'])
    const version = list === 'versions' ? 'Inner' : kind === 'navigation' ? undefined : kind === 'version' ? 'Outer' : 'v9'
    expect(/^version: (.*)$/m.exec(after['in/health.mdx'] ?? '')?.[1]).toBe(
      kind === 'version' && list !== 'versions' ? 'v9' : version,
    )
  })

  test('accepts and keeps every key', async () => {
    const value = (key: string) => (Object.hasOwn(divisionLists, key) || key === 'pages' ? [] : `x-${key}`)
    const toDivision = (kind: DivisionKind) =>
      Object.fromEntries(divisionKeys(kind).flatMap((key) => (key === '$ref' || key === 'openapi' ? [] : [[key, value(key)]])))
    const kinds = new Set(Object.entries(divisionLists))
    const navigation = {
      ...Object.fromEntries([...kinds].filter(([list]) => list !== 'menu').map(([list, kind]) => [list, [toDivision(kind)]])),
    }
    const docs = {
      ...Object.fromEntries(docsConfigKeys.filter((key) => key !== '$ref' && key !== 'api').map((key) => [key, 'x'])),
      navigation,
    }
    const tree = { 'docs.json': JSON.stringify(docs) }
    expect((await runCheck({ entries: [''] }, toAccess(tree))).diagnostics.filter(({ code }) => code !== 'page-missing')).toEqual(
      [],
    )
    expect((await updateTree(tree)).changes).toEqual([])
  })

  test('better: keeps and reports unknown keys', async () => {
    const tree = {
      'docs.json': '{"navigation": {"tabs": [{"tab": "A", "openapi": "pets.json", "odd": [1]}]}, "odder": {}}',
      'pets.json': pets,
    }
    const { tree: after } = await settle(tree)
    expect(JSON.parse(after['docs.json'] ?? '')).toMatchObject({ navigation: { tabs: [{ odd: [1] }] }, odder: {} })
    const { diagnostics } = await runCheck({ entries: [''] }, toAccess(after))
    expect(diagnostics.filter(({ code }) => code === 'docs-config-key').map(({ pointer }) => pointer)).toEqual([
      '/navigation/tabs/0/odd',
      '/odder',
    ])
  })

  test('treats page paths with `/`, `./` or an extension as equal', async () => {
    const files = { 'a/b.mdx': '' }
    expect((await update({ pages: ['/a/b'] }, files)).findings).toEqual([])
    expect((await update({ pages: ['./a/b.mdx'] }, files)).findings).toEqual([])
  })
})
