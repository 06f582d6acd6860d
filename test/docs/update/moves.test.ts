import { describe, expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { lockFileName } from '../../../src/docs/config/config-files.ts'
import type { Update, UpdateOptions } from '../../../src/docs/types.ts'
import { runStatus } from '../../../src/docs/update/docs-status.ts'
import { createLinkCheck } from '../../../src/site/make/links/docs-links.ts'
import { makeAdoptedDocs } from '../../support/adopted-docs.ts'
import { settle, type Tree, toAccess, updateTree } from '../../support/memory-tree.ts'

interface Spec {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly operationId?: string
  readonly 'x-mint'?: unknown
}

function toDocument(operations: { readonly [target: string]: Spec }, more: object = {}): string {
  const paths: { [path: string]: { [method: string]: unknown } } = {}
  for (const [target, spec] of Object.entries(operations)) {
    const [method = '', path = ''] = target.split(' ')
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
      return { name, in: 'path', required: true, schema: { type: 'string' } }
    })
    paths[path] = { ...paths[path], [method.toLowerCase()]: { ...spec, parameters, responses: { 200: { description: 'Fine' } } } }
  }
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, ...more, paths })
}

const toDocs = (openapi: unknown, more: object = {}) =>
  `${JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi }] }, ...more }, undefined, 2)}\n`
const list = { summary: 'List pets', tags: ['Pets'] }
const add = { summary: 'Add a pet', tags: ['Pets'] }
const stores = { summary: 'List stores', tags: ['Stores'] }
const first: Tree = {
  'docs.json': toDocs('api.json'),
  'api.json': toDocument({ 'GET /pets': list, 'POST /pets': add, 'GET /stores': stores }),
}

/** Updates a tree, changes it, and updates it again; that this is the end is held for every case. */
async function change(
  edit: (tree: Tree) => Tree,
  { before = first, ...options }: Partial<UpdateOptions> & { before?: Tree } = {},
) {
  const { tree: start } = await settle(before, options)
  const { tree, update } = await settle(edit(start), options)
  expect((await updateTree(tree, options)).changes).toEqual([])
  return { start, tree, update, docs: JSON.parse(tree['docs.json'] ?? '{}') }
}

const putBack = (tree: Tree, openapi: unknown) =>
  (tree['docs.json'] ?? '').replace('"tab": "API",', `"tab": "API",\n        "openapi": ${JSON.stringify(openapi)},`)
const groupsOf = (docs: { navigation: { tabs: readonly { groups: unknown }[] } }) => docs.navigation.tabs[0]?.groups
const changed = ({ pages }: Update) => pages.filter(({ kind }) => kind !== 'unchanged')

describe('a renamed operation', () => {
  const renamed = { 'GET /animals': list, 'POST /pets': add, 'GET /stores': stores }

  test('keeps its page with a new binding', async () => {
    const { start, tree, update } = await change((tree) => ({ ...tree, 'api.json': toDocument(renamed) }))
    expect(changed(update)).toMatchObject([
      {
        kind: 'modified',
        path: 'api-reference/pets/list-pets.mdx',
        renamedFrom: 'GET /pets',
        operation: 'GET /animals',
        detail: 'renamed: GET /pets → GET /animals',
      },
    ])
    expect(tree['api-reference/pets/list-pets.mdx']).toBe('---\ntitle: List pets\nopenapi: api.json GET /animals\n---\n')
    expect(tree['docs.json']).toBe(start['docs.json'])
  })

  test('keeps an edited page and changes only its binding', async () => {
    const page = '---\ntitle: Mine # really\nopenapi: "api.json GET /pets" # bound\n---\n\nText.\n'
    const { tree } = await change((tree) => {
      return { ...tree, 'api-reference/pets/list-pets.mdx': page, 'api.json': toDocument(renamed) }
    })
    expect(tree['api-reference/pets/list-pets.mdx']).toBe(page.replace('GET /pets', 'GET /animals'))
  })

  test('does not get a new page if its page was deleted', async () => {
    const { tree, update } = await change((tree) => {
      const { 'api-reference/pets/list-pets.mdx': _, ...without } = tree
      return { ...without, 'api.json': toDocument(renamed) }
    })
    expect(tree['api-reference/pets/list-pets.mdx']).toBeUndefined()
    expect(changed(update)).toMatchObject([{ kind: 'removed', detail: 'deleted manually, not restored' }])
  })

  test('is treated as removed and added if `renames` is off', async () => {
    const edit = (tree: Tree) => ({ ...tree, 'api.json': toDocument(renamed) })
    for (const before of [
      { before: first, renames: false },
      { before: { ...first, 'openapi-pages.config.yaml': 'renames: false\n' } },
    ]) {
      const { update } = await change(edit, before)
      expect(changed(update)).toMatchObject([{ kind: 'modified', path: 'api-reference/pets/list-pets.mdx' }])
      expect(update.pages.every(({ renamedFrom }) => renamedFrom === undefined)).toBe(true)
    }
  })

  test('is recognized by `operationId` even if `renames` is off', async () => {
    const before = { ...first, 'api.json': toDocument({ 'GET /pets': { ...list, operationId: 'list' } }) }
    const after = toDocument({ 'POST /x': { summary: 'Other', operationId: 'list' }, 'PUT /y': list })
    const { update } = await change((tree) => ({ ...tree, 'api.json': after }), { before, renames: false })
    expect(changed(update)).toMatchObject([
      { kind: 'added', operation: 'PUT /y', path: 'api-reference/pets/list-pets-1.mdx' },
      { kind: 'modified', operation: 'POST /x', path: 'api-reference/pets/list-pets.mdx' },
    ])
  })

  test('is not assumed if the old operation is only hidden', async () => {
    const after = toDocument({ 'GET /pets': { ...list, 'x-hidden': true } as Spec, 'GET /pets2': list, 'GET /stores': stores })
    const { update } = await change((tree) => ({ ...tree, 'api.json': after }))
    expect(update.pages.filter(({ renamedFrom }) => renamedFrom !== undefined)).toEqual([])
  })

  test('keeps its page only in the same document, unless the document was renamed', async () => {
    const two = { 'docs.json': toDocs(['api.json', 'two.json']), 'two.json': toDocument({ 'GET /b': { summary: 'B' } }) }
    const gone = toDocument({ 'GET /stores': stores })
    const moved = toDocument({ 'GET /b': { summary: 'B' }, 'GET /animals': list })
    const { update } = await change((tree) => ({ ...tree, 'api.json': gone, 'two.json': moved }), {
      before: { ...first, ...two },
    })
    expect(update.pages.filter(({ renamedFrom }) => renamedFrom !== undefined)).toEqual([])
    const { update: after, tree } = await change(({ 'api.json': _, ...tree }) => {
      const docsJson = putBack(tree, 'v2.json').replace('"openapi": "api.json"', '"openapi": "v2.json"')
      return { ...tree, 'docs.json': docsJson, 'v2.json': toDocument(renamed) }
    })
    expect(changed(after)).toMatchObject([
      { path: 'api-reference/pets/add-a-pet.mdx', renamedFrom: 'api.json POST /pets' },
      { path: 'api-reference/pets/list-pets.mdx', renamedFrom: 'api.json GET /pets', operation: 'GET /animals' },
      { path: 'api-reference/stores/list-stores.mdx' },
    ])
    expect(tree['api-reference/pets/list-pets.mdx']).toContain('openapi: v2.json GET /animals\n')
  })
})

describe('an operation with another tag', () => {
  test('keeps its page and moves its entry', async () => {
    const after = toDocument({ 'GET /pets': list, 'POST /pets': { ...add, tags: ['Stores'] }, 'GET /stores': stores })
    const { docs, update } = await change((tree) => ({ ...tree, 'api.json': after }))
    expect(update.pages.filter(({ kind }) => kind !== 'unchanged')).toEqual([])
    expect(groupsOf(docs)).toEqual([
      { group: 'Pets', pages: ['api-reference/pets/list-pets'] },
      { group: 'Stores', pages: ['api-reference/pets/add-a-pet', 'api-reference/stores/list-stores'] },
    ])
  })

  test('keeps an entry in the place a user moved it to', async () => {
    const after = toDocument({ 'GET /pets': list, 'POST /pets': { ...add, tags: ['Stores'] }, 'GET /stores': stores })
    const own = {
      navigation: { tabs: [{ tab: 'API', groups: [{ group: 'Mine', pages: ['api-reference/pets/add-a-pet', 'index'] }] }] },
    }
    const { docs } = await change((tree) => ({
      ...tree,
      'docs.json': JSON.stringify({ ...own, api: { openapi: 'api.json' } }),
      'api.json': after,
    }))
    expect(groupsOf(docs)).toEqual([{ group: 'Mine', pages: ['api-reference/pets/add-a-pet', 'index'] }])
  })

  test('renames the group if all its operations change, and keeps its other keys', async () => {
    const tags = ['Animals']
    const after = toDocument({ 'GET /pets': { ...list, tags }, 'POST /pets': { ...add, tags }, 'GET /stores': stores })
    const { docs } = await change((tree) => ({
      ...tree,
      'docs.json': (tree['docs.json'] ?? '').replace('"group": "Pets"', '"group": "Pets", "icon": "dog"'),
      'api.json': after,
    }))
    expect(groupsOf(docs)).toEqual([
      { group: 'Animals', icon: 'dog', pages: ['api-reference/pets/list-pets', 'api-reference/pets/add-a-pet'] },
      { group: 'Stores', pages: ['api-reference/stores/list-stores'] },
    ])
  })
})

describe('a page with a new URL', () => {
  const page = '---\ntitle: Mine\nopenapi: api.json GET /pets\n---\n\nText.\n'
  const guide = [
    '[a](/api-reference/pets/list-pets)',
    '<Card href="/api-reference/pets/list-pets#x" />',
    '[b](../api-reference/pets/add-a-pet.mdx)',
    '[c](/api-reference/pets/list-pets-not) [d](https://example.com/api-reference/pets/list-pets)',
  ].join('\n')

  test('moves with the directory of its division, with entry, redirect and reported links', async () => {
    const { docs, tree, update } = await change((tree) => ({
      ...tree,
      'docs.json': putBack(tree, { source: 'api.json', directory: 'ref/v2' }).replace(
        '"navigation"',
        '"navbar": { "links": [{ "label": "x", "href": "/api-reference/stores/list-stores" }] },\n  "navigation"',
      ),
      'api-reference/pets/list-pets.mdx': page,
      'guides/a.mdx': guide,
    }))
    expect(Object.keys(tree).filter((path) => path.endsWith('.mdx'))).toEqual([
      'guides/a.mdx',
      'ref/v2/pets/add-a-pet.mdx',
      'ref/v2/pets/list-pets.mdx',
      'ref/v2/stores/list-stores.mdx',
    ])
    expect([tree['ref/v2/pets/list-pets.mdx'], tree['guides/a.mdx']]).toEqual([page, guide])
    expect(groupsOf(docs)).toEqual([
      { group: 'Pets', pages: ['ref/v2/pets/list-pets', 'ref/v2/pets/add-a-pet'] },
      { group: 'Stores', pages: ['ref/v2/stores/list-stores'] },
    ])
    expect(docs.redirects).toEqual(
      ['pets/add-a-pet', 'pets/list-pets', 'stores/list-stores'].map((path) => {
        return { source: `/api-reference/${path}`, destination: `/ref/v2/${path}` }
      }),
    )
    expect(changed(update)).toMatchObject([
      { kind: 'modified', detail: 'moved from `api-reference/pets/add-a-pet.mdx`' },
      {
        path: 'ref/v2/pets/list-pets.mdx',
        movedFrom: 'api-reference/pets/list-pets.mdx',
        detail: 'moved from `api-reference/pets/list-pets.mdx`, hand edits kept',
      },
      { movedFrom: 'api-reference/stores/list-stores.mdx' },
    ])
    expect(update.diagnostics).toMatchObject([
      { code: 'link-to-moved-page', file: 'docs.json', pointer: '/navbar/links/0/href' },
      {
        file: 'guides/a.mdx',
        range: { start: { line: 1, column: 5 } },
        message: expect.stringContaining('`/ref/v2/pets/list-pets`'),
      },
      { file: 'guides/a.mdx', range: { start: { line: 2 } } },
      { file: 'guides/a.mdx', range: { start: { line: 3 } }, message: expect.stringContaining('`/ref/v2/pets/add-a-pet`') },
    ])
  })

  test('warns about broken relative links in a moved page', async () => {
    const links = '\n[a](./add-a-pet) [b](../../guides/a#x) [c](/guides/a) [d](#here) [e](https://example.com/x) [f](nowhere)\n'
    const { update } = await change((tree) => ({
      ...tree,
      'docs.json': putBack(tree, { source: 'api.json', directory: 'ref' }),
      'api-reference/pets/list-pets.mdx': page + links,
      'guides/a.mdx': 'A guide.\n',
    }))
    expect(update.diagnostics).toEqual([])
    const deeper = await change((tree) => ({
      ...tree,
      'docs.json': putBack(tree, { source: 'api.json', directory: 'ref/v2' }),
      'api-reference/pets/list-pets.mdx': page + links,
      'guides/a.mdx': 'A guide.\n',
    }))
    expect(deeper.update.diagnostics).toMatchObject([
      {
        code: 'link-to-moved-page',
        severity: 'warning',
        file: 'api-reference/pets/list-pets.mdx',
        message:
          'Unexpected relative link `../../guides/a`: it points to `/ref/guides/a` after its page moves to `/ref/v2/pets/list-pets`',
        hint: 'Change it to `/guides/a`',
      },
    ])
  })

  test('creates no redirect loops or chains', async () => {
    const { tree: there } = await change((tree) => ({
      ...tree,
      'docs.json': putBack(tree, { source: 'api.json', directory: 'b' }),
    }))
    const { tree: third } = await settle({ ...there, 'docs.json': putBack(there, { source: 'api.json', directory: 'c' }) })
    const ofList = ({ 'docs.json': text = '' }: Tree) =>
      JSON.parse(text)
        .redirects.filter(({ source }: { source: string }) => source.endsWith('list-pets'))
        .map(({ source, destination }: { source: string; destination: string }) => `${source} → ${destination}`)
    expect(ofList(third)).toEqual(['/api-reference/pets/list-pets → /c/pets/list-pets', '/b/pets/list-pets → /c/pets/list-pets'])
    const { tree: back } = await settle({ ...third, 'docs.json': putBack(third, 'api.json') })
    expect(ofList(back)).toEqual([
      '/b/pets/list-pets → /api-reference/pets/list-pets',
      '/c/pets/list-pets → /api-reference/pets/list-pets',
    ])
    expect(Object.keys(back).filter((path) => path.endsWith('.mdx'))).toHaveLength(3)
    expect((await updateTree(back)).changes).toEqual([])
  })

  test('moves with `x-mint.href`, and stays if it is removed', async () => {
    const withHref = (href?: string) =>
      toDocument({ 'GET /pets': { ...list, ...(href ? { 'x-mint': { href } } : {}) }, 'POST /pets': add })
    const { tree, docs } = await change((tree) => ({ ...tree, 'api.json': withHref('/animals/all') }))
    expect(tree['animals/all.mdx']).toBe('---\ntitle: List pets\nopenapi: api.json GET /pets\n---\n')
    expect(docs.redirects).toEqual([{ source: '/api-reference/pets/list-pets', destination: '/animals/all' }])
    const { tree: after } = await settle({ ...tree, 'api.json': withHref() })
    expect(after['animals/all.mdx']).toBeDefined()
    expect(after['docs.json']).toBe(tree['docs.json'])
  })

  test('moves with its renamed document and directory', async () => {
    const { update, docs } = await change(({ 'api.json': document = '', ...tree }) => {
      const docsJson = putBack(tree, { source: 'v2.json', directory: 'v2' }).replace(
        '"openapi": "api.json"',
        '"openapi": "v2.json"',
      )
      return { ...tree, 'v2.json': document, 'docs.json': docsJson }
    })
    expect(changed(update)).toHaveLength(3)
    expect(update.pages).toMatchObject([{ path: 'v2/pets/add-a-pet.mdx', movedFrom: 'api-reference/pets/add-a-pet.mdx' }, {}, {}])
    expect(docs.redirects).toHaveLength(3)
  })

  test('never replaces a hand-written page', async () => {
    const own = '---\ntitle: Not about the API\n---\n'
    const { tree, update } = await change((tree) => ({
      ...tree,
      'docs.json': putBack(tree, { source: 'api.json', directory: 'b' }),
      'b/pets/list-pets.mdx': own,
    }))
    expect(tree['b/pets/list-pets.mdx']).toBe(own)
    expect(tree['b/pets/list-pets-1.mdx']).toContain('GET /pets')
    expect(update.diagnostics).toMatchObject([{ code: 'page-path-taken' }])
  })

  test('without `docs.json`, warns about links and adds no redirect', async () => {
    const document = toDocument({ 'GET /pets': list })
    const moved = toDocument({ 'GET /pets': { ...list, 'x-mint': { href: '/p' } } })
    const { tree, update } = await change((tree) => ({ ...tree, 'api.json': moved }), {
      before: { 'api.json': document, 'a.md': '[a](api-reference/pets/list-pets)\n' },
      documents: ['api.json'],
    })
    expect(Object.keys(tree)).toEqual(['a.md', 'api.json', lockFileName, 'p.mdx'])
    expect(update.diagnostics).toMatchObject([{ code: 'link-to-moved-page', severity: 'warning', file: 'a.md' }])
  })

  test('a new page does not use a path with a redirect', async () => {
    const before = {
      ...first,
      'docs.json': toDocs('api.json', { redirects: [{ source: '/api-reference/pets/list-pets', destination: '/x' }] }),
    }
    const { update, tree } = await change((tree) => tree, { before })
    expect(tree['api-reference/pets/list-pets-1.mdx']).toBeDefined()
    expect(update.pages[1]).toMatchObject({ path: 'api-reference/pets/list-pets-1.mdx' })
  })
})

describe('order', () => {
  const operations = {
    'GET /z': { summary: 'Zebra', tags: ['b'] },
    'GET /a': { summary: 'ähre', tags: ['b'] },
    'GET /m': { summary: 'Mole', tags: ['a'] },
    'GET /c': { summary: 'Cat', tags: ['C'] },
  }
  const document = toDocument(operations, { tags: [{ name: 'C' }, { name: 'b' }] })
  const before = { ...first, 'api.json': document }
  const setting = (order: string) => ({ 'openapi-pages.config.yaml': `order: ${order}\n` })
  const names = (docs: Parameters<typeof groupsOf>[0]) =>
    (groupsOf(docs) as { group: string; pages: string[] }[]).map(
      ({ group, pages }) => `${group}: ${pages.map((path) => path.slice(path.lastIndexOf('/') + 1)).join(' ')}`,
    )

  test.each([
    ['tags', ['C: cat', 'b: zebra ähre', 'a: mole']],
    ['first-use', ['b: zebra ähre', 'a: mole', 'C: cat']],
    ['alphabetical', ['a: mole', 'b: ähre zebra', 'C: cat']],
  ])('%s, and from any order to any other', async (order, expected) => {
    const { docs } = await change((tree) => tree, { before: { ...before, ...setting(order) } })
    expect(names(docs)).toEqual(expected)
    for (const other of ['tags', 'first-use', 'alphabetical']) {
      const { docs: after, tree } = await change((tree) => ({ ...tree, ...setting(order) }), {
        before: { ...before, ...setting(other) },
      })
      expect(names(after)).toEqual(expected)
      const { tree: fresh } = await settle({ ...before, ...setting(order) })
      expect(tree).toEqual(fresh)
    }
  })

  test('applies to one division', async () => {
    const tabs = ['API', 'More'].map((tab) => ({ tab, openapi: { source: 'api.json', directory: tab } }))
    const { docs } = await change((tree) => tree, {
      before: {
        ...before,
        'docs.json': JSON.stringify({ navigation: { tabs } }),
        'openapi-pages.config.yaml': 'order: { More: alphabetical }\n',
      },
    })
    const labels = docs.navigation.tabs.map(({ groups }: { groups: { group: string }[] }) =>
      groups.map(({ group }) => group).join(' '),
    )
    expect(labels).toEqual(['C b a', 'a b C'])
  })

  test('follows the document within a path with `methodOrder: document`, and changes back', async () => {
    const emails = `openapi: 3.2.0
info: {title: Mail, version: "1"}
x-fine: &fine {"200": {description: Fine}}
paths:
  /emails:
    post: {summary: Send an email, responses: *fine}
    additionalOperations: {PURGE: {summary: Purge, responses: *fine}}
    patch: {summary: Update, responses: *fine}
    get: {summary: List emails, responses: *fine}
  /domains:
    delete: {summary: Remove, responses: *fine}
    get: {summary: List domains, responses: *fine}
`
    const tabs = ['API', 'More'].map((tab) => ({ tab, openapi: { source: 'api.yaml', directory: tab } }))
    const site = { 'docs.json': JSON.stringify({ navigation: { tabs } }), 'api.yaml': emails }
    const chosen = (value: string) => ({ 'openapi-pages.config.yaml': `overviews: true\nmethodOrder: { More: ${value} }\n` })
    const inFixed = ['overview list-emails send-an-email update purge list-domains remove']
    const inDocument = ['overview send-an-email purge update list-emails remove list-domains']
    const listed = (docs: Parameters<typeof groupsOf>[0]) =>
      docs.navigation.tabs.map(({ groups }) =>
        (groups as { pages: string[] }[]).map(({ pages }) =>
          pages.map((path) => path.slice(path.lastIndexOf('/') + 1)).join(' '),
        ),
      )
    const { tree: fixed } = await settle({ ...site, ...chosen('fixed') })
    const { docs, tree } = await change((before) => ({ ...before, ...chosen('document') }), {
      before: { ...site, ...chosen('fixed') },
    })
    expect(listed(docs)).toEqual([inFixed, inDocument])
    const overview = tree['more/overview.mdx'] ?? ''
    expect(overview.indexOf('Send an email')).toBeLessThan(overview.indexOf('List emails'))
    expect(tree).toEqual((await settle({ ...site, ...chosen('document') })).tree)
    const back = await change((before) => ({ ...before, ...chosen('fixed') }), { before: { ...site, ...chosen('document') } })
    expect(back.tree).toEqual(fixed)
  })

  test('keeps reordered lists and the places of other entries', async () => {
    const { docs, update } = await change(
      (tree) => ({
        ...tree,
        'docs.json': (tree['docs.json'] ?? '')
          .replace(/"(api-reference\/b\/zebra)",(\s+)"(api-reference\/b\/ähre)"/, '"$3",$2"mine",$2"$1"')
          .replace('"groups": [', '"groups": [\n          { "group": "Mine", "pages": [] },'),
        ...setting('first-use'),
      }),
      { before },
    )
    expect(names(docs)).toEqual(['Mine: ', 'b: ähre mine zebra', 'a: mole', 'C: cat'])
    expect(update.diagnostics.filter(({ code }) => code !== 'tag-undeclared' && code !== 'page-missing')).toMatchObject([
      { code: 'order-kept', pointer: '/navigation/tabs/0/groups/2/pages' },
    ])
  })

  test('with a group added in the same update', async () => {
    const more = toDocument(
      { ...operations, 'GET /n': { summary: 'New', tags: ['ab'] } },
      { tags: [{ name: 'C' }, { name: 'b' }] },
    )
    const { docs } = await change((tree) => ({ ...tree, 'api.json': more, ...setting('alphabetical') }), { before })
    expect(names(docs)).toEqual(['a: mole', 'ab: new', 'b: ähre zebra', 'C: cat'])
  })
})

describe('a moved document with the same content', () => {
  const move =
    (text: (document: string) => string = (document) => document) =>
    ({ 'api.json': document = '', ...tree }: Tree): Tree => ({ ...tree, 'specs/v1.json': text(document) })

  test('is followed by its pages, `docs.json` and lock file, and named in one message', async () => {
    const { start, tree, update } = await change(move())
    expect(tree['docs.json']).toBe(start['docs.json']?.replace('"api.json"', '"specs/v1.json"'))
    const withoutHashes = (text = '') => text.replaceAll(/"hash":"\w+"/g, '')
    const lock = withoutHashes(start[lockFileName]).replaceAll('"api.json"', '"specs/v1.json"')
    expect(withoutHashes(tree[lockFileName])).toBe(lock)
    expect(tree['api-reference/pets/list-pets.mdx']).toContain('openapi: specs/v1.json GET /pets')
    expect(update.diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'info: `api.json` is now `specs/v1.json`, followed by 3 pages and `docs.json`',
    ])
  })

  test('has one answer in check, status and a site', async () => {
    const { tree: start } = await settle(first)
    const moved = move()(start)
    const message = '`api.json` is now `specs/v1.json`, followed by 3 pages and `docs.json`'
    const checked = await runCheck({ entries: [''] }, toAccess(moved))
    const linked = await runCheck({ entries: [''], checkLinks: createLinkCheck() }, toAccess(moved))
    const status = await runStatus({ root: '' }, toAccess(moved))
    const site = await updateTree(moved, { pagesFor: 'site', materialize: true })
    for (const { diagnostics, documents } of [checked, linked, status, site]) {
      expect(diagnostics.filter(({ code }) => code === 'file-missing')).toMatchObject([{ severity: 'info', message }])
      expect(documents).toMatchObject([{ path: 'specs/v1.json' }])
    }
  })

  test('is followed by a hand-written list of its operations', async () => {
    const listed = { navigation: { tabs: [{ tab: 'API', openapi: 'api.json', pages: ['api.json GET /pets', 'GET /stores'] }] } }
    const { tree } = await change(move(), { before: { ...first, 'docs.json': JSON.stringify(listed) } })
    expect(JSON.parse(tree['docs.json'] ?? '').navigation.tabs).toEqual([
      { tab: 'API', openapi: 'specs/v1.json', pages: ['specs/v1.json GET /pets', 'GET /stores'] },
    ])
  })

  test('is followed by adopted pages, and not if an operation has other words', async () => {
    const { 'openapi.yaml': document, ...others } = await makeAdoptedDocs()
    const moveTo = (text: string) => updateTree({ ...others, 'specs/v2.yaml': text })
    const { changes, diagnostics } = await moveTo(document)
    expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'info: `openapi.yaml` is now `specs/v2.yaml`, followed by 2 pages',
    ])
    expect(changes.map(({ path }) => path)).toEqual([lockFileName])
    const other = await moveTo(document.replace('List pets', 'All pets'))
    expect(other.diagnostics).toMatchObject([{ code: 'file-missing', severity: 'error' }])
    expect(other.changes).toEqual([])
  })

  test.each([
    ['has other content', move((text) => text.replace('List pets', 'All pets'))],
    ['has a copy', (tree: Tree) => ({ ...move()(tree), 'archive/v1.json': tree['api.json'] ?? '' })],
  ])('is not followed if it %s', async (_why, edit) => {
    const { tree: start } = await settle(first)
    const { changes, diagnostics } = await updateTree(edit(start))
    expect(changes).toEqual([])
    expect(diagnostics).toMatchObject([{ code: 'file-missing', severity: 'error' }])
  })
})

test.each([0, 1, 2])('what a person wrote in an adopted page outlives its operation, %i updates later', async (updates) => {
  let tree: Tree = { ...(await makeAdoptedDocs()) }
  const text = `${tree['reference/one.mdx']}\nWritten by hand.\n`
  tree = { ...tree, 'reference/one.mdx': text }
  for (let count = 0; count < updates; count++) tree = (await settle(tree)).tree
  const { tree: last, update } = await settle({
    ...tree,
    'openapi.yaml': (tree['openapi.yaml'] ?? '').replace(/^ {4}post:.*\n/m, ''),
  })
  expect(update.pages.map(({ operation, kind, detail }) => `${operation}: ${kind}, ${detail}`)).toContain(
    'POST /pets: kept, operation removed, hand-edited, kept',
  )
  expect(last['reference/one.mdx']).toBe(text)
})

test.each(['before', 'after'])(
  'a new operation has one page where a tab shows all of a document, added %s the adoption of its pages',
  async (when) => {
    const all = { tab: 'All', openapi: 'openapi.yaml' }
    const { 'docs.json': docs, ...start } = await makeAdoptedDocs(when === 'before' ? [all] : [])
    const { navigation } = JSON.parse(docs)
    const navigationNow = when === 'before' ? navigation : { tabs: [...navigation.tabs, all] }
    const added = "paths:\n  /new:\n    get: {summary: New, responses: {'200': {description: ok}}}\n"
    const { tree } = await settle({
      ...start,
      'docs.json': JSON.stringify({ navigation: navigationNow }),
      'openapi.yaml': start['openapi.yaml'].replace('paths:\n', added),
      'openapi-pages.config.yaml': 'materialize: true\n',
    })
    // The host makes the pages of a tab that was there before.
    const pages = when === 'before' ? [] : ['api-reference/new.mdx']
    expect(Object.keys(tree).filter((path) => path.endsWith('new.mdx'))).toEqual(pages)
    const { table } = await runStatus({ root: '' }, toAccess(tree))
    expect(table.filter(({ operation }) => operation === 'GET /new').map(({ state, page }) => [state, page])).toEqual([
      ['generated', pages[0] ?? null],
    ])
  },
)

describe('a renamed operation that the navigation lists by hand', () => {
  const listIn = (language: string, pages: readonly string[]) => ({
    language,
    groups: [{ group: 'API', openapi: 'api.json', pages }],
  })
  const docs = (pages: readonly string[]) =>
    JSON.stringify({ navigation: { languages: [listIn('en', pages), listIn('de', pages)] } })

  test.each([
    ['GET /v1/pets/{id}', 'GET /v2/pets/{petId}', 'get /v1/pets/{id}'],
    ['POST /user-accounts', 'POST /accounts', 'api.json POST /user-accounts'],
  ])('is named in the hint about its entries, which only a person changes: %s → %s', async (from, to, written) => {
    const others = { 'GET /stores': list, 'PUT /stores/{id}': add }
    const before = { 'api.json': toDocument({ [from]: list, ...others }), 'docs.json': docs([written, ...Object.keys(others)]) }
    expect((await updateTree(before)).diagnostics).toEqual([])
    const after = { ...before, 'api.json': toDocument({ [to]: list, ...others }) }
    const checked = await runCheck({ entries: [''] }, toAccess(after))
    expect(checked.diagnostics.map(({ code, hint }) => [code, hint])).toEqual(
      [1, 2].map(() => ['entry-unresolved', `Did you mean \`${to}\`?`]),
    )
    const { diagnostics, changes } = await updateTree(after)
    expect(diagnostics.filter(({ code }) => code === 'entry-unresolved')).toEqual(checked.diagnostics)
    expect(changes).toEqual([])
  })

  test('is named too if the names differ much, and no other operation is without an entry', async () => {
    const listed = { navigation: { groups: [{ group: 'API', openapi: 'api.json', pages: ['GET /pets', 'POST /pets'] }] } }
    const { diagnostics, changes } = await updateTree({
      'docs.json': JSON.stringify(listed),
      'api.json': toDocument({ 'GET /animals': list, 'POST /pets': add }),
    })
    const entry = diagnostics.find(({ code }) => code === 'entry-unresolved')
    expect(entry?.hint).toBe('Did you mean `GET /animals`?')
    expect(changes).toEqual([])
  })
})
