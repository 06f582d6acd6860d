import { describe, expect, test } from 'vitest'
import { lockFileName } from '../../../src/docs/config/config-files.ts'
import { applyToTree, settle, type Tree, updateTree } from '../../support/memory-tree.ts'

const fine = '{"200": {description: Fine}}'
const toDocument = (more: string) => `openapi: 3.1.0\ninfo: {title: T, version: "1"}\n${more}`
const docs = `${JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'a.yaml' }] } }, undefined, 2)}\n`
const config = 'openapi-pages.config.yaml'

async function pagesOf(document: string, settings: string): Promise<Tree> {
  const { tree } = await settle({ 'docs.json': docs, 'a.yaml': toDocument(document), [config]: settings })
  return Object.fromEntries(Object.entries(tree).filter(([path]) => path.endsWith('.mdx')))
}

describe('schema pages', () => {
  const schemas = 'components: {schemas: {Pet: {}, Owner: {}, Petty: {}}}\n'

  test.each([
    ['schemas: true', ['owner', 'pet', 'petty']],
    ['schemas: [Pet*]', ['pet', 'petty']],
    ['schemas: {API: [Owner]}', ['owner']],
    ['schemas: {Other: true}', []],
    ['schemas: false', []],
    ['', []],
  ])('%s', async (settings, names) => {
    expect(Object.keys(await pagesOf(schemas, settings))).toEqual(names.map((name) => `api-reference/schemas/${name}.mdx`))
  })

  test('are added and removed by the setting, except edited and hand-written ones', async () => {
    const plain: Tree = {
      'docs.json': docs,
      'a.yaml': toDocument(`paths: {/a: {get: {summary: A, responses: ${fine}}}}\n${schemas}`),
    }
    const before = (await settle(plain)).tree
    const hand = '---\nopenapi-schema: a.yaml Owner\n---\nMine\n'
    const listed = before['docs.json']?.replace('"api-reference/a"', '"api-reference/a", "own"') ?? ''
    const wanted = await settle({ ...before, 'docs.json': listed, 'own.mdx': hand, [config]: 'schemas: true\n' })
    expect(wanted.update.pages.filter(({ kind }) => kind === 'added').map(({ operation }) => operation)).toEqual([
      'schema Pet',
      'schema Petty',
    ])
    expect(wanted.tree[lockFileName]).toContain('"document":"a.yaml","operation":"schema Pet"')
    const edited: Tree = {
      ...wanted.tree,
      'api-reference/schemas/pet.mdx': '---\ntitle: Mine\nopenapi-schema: a.yaml Pet\n---\n',
    }
    const { [config]: _, ...without } = edited
    const after = await settle(without)
    const kinds = after.update.pages.map(({ kind, path, detail }) => `${kind} ${path} ${detail ?? ''}`)
    expect(kinds).toEqual([
      'unchanged api-reference/a.mdx ',
      'kept api-reference/schemas/pet.mdx schema no longer selected, hand-edited, kept',
      'removed api-reference/schemas/petty.mdx schema no longer selected',
    ])
    expect(after.tree['own.mdx']).toBe(hand)
  })

  test('follow their document if edited, and stay deleted if deleted', async () => {
    const { tree } = await settle({ 'docs.json': docs, 'a.yaml': toDocument(schemas), [config]: 'schemas: true' })
    const { 'api-reference/schemas/owner.mdx': _, 'a.yaml': text = '', ...rest } = tree
    const edited = `${tree['api-reference/schemas/pet.mdx']}\nMine\n`
    const moved =
      rest['docs.json']?.replaceAll('a.yaml', 'b.yaml').replace('"tab": "API"', '"tab": "API", "openapi": "b.yaml"') ?? ''
    const { tree: after, update } = await settle({
      ...rest,
      'docs.json': moved,
      'b.yaml': text,
      'api-reference/schemas/pet.mdx': edited,
    })
    expect(update.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(after['api-reference/schemas/pet.mdx']).toBe('---\ntitle: Pet\nopenapi-schema: b.yaml Pet\n---\n\nMine\n')
    expect(after['api-reference/schemas/owner.mdx']).toBeUndefined()
  })

  test('are not duplicated without the lock file', async () => {
    const { tree } = await settle({
      'docs.json': docs,
      'a.yaml': toDocument(schemas),
      [config]: 'schemas: true\noverviews: true',
    })
    const { [lockFileName]: _, ...rest } = tree
    const redeclared = {
      ...rest,
      'docs.json': rest['docs.json']?.replace('"tab": "API"', '"tab": "API", "openapi": "a.yaml"') ?? '',
    }
    const again = await settle(redeclared)
    expect(again.tree).toEqual(tree)
  })

  test('use the title and description next to a reference first', async () => {
    const pages = await pagesOf(
      'components: {schemas: {A: {$ref: "#/components/schemas/B", description: Mine}, B: {title: The B, description: Its, deprecated: true}}}\n',
      'schemas: true',
    )
    expect(pages['api-reference/schemas/a.mdx']).toBe(
      '---\ntitle: A\ndescription: Mine\nopenapi-schema: a.yaml A\ndeprecated: true\n---\n',
    )
    expect(pages['api-reference/schemas/b.mdx']).toContain('title: The B\ndescription: Its\n')
  })
})

describe('overviews', () => {
  const operation = (tag: string, summary: string) => `{tags: [${tag}], summary: ${summary}, responses: ${fine}}`
  const document = `tags: [{name: a, x-group: Both, description: The a}, {name: b, x-group: Both, externalDocs: {url: "javascript:x"}}]
paths:
  /one: {get: ${operation('a', 'One')}, put: {responses: ${fine}}}
  /two: {get: ${operation('b', 'Two')}, post: {x-hidden: true, responses: ${fine}}}
`

  test('come first in each group, with tag descriptions and links to operations', async () => {
    const { tree } = await settle({ 'docs.json': docs, 'a.yaml': toDocument(document), [config]: 'overviews: {API: true}' })
    expect(tree['api-reference/a/overview.mdx']).toBe(`---
title: Both
sidebarTitle: Overview
---

## a

The a

- [One](/api-reference/a/one): \`GET /one\`

## b

- [Two](/api-reference/b/two): \`GET /two\`
`)
    expect(tree['api-reference/overview.mdx']).toBe(`---
title: API Reference
sidebarTitle: Overview
---

- [Put one](/api-reference/put-one): \`PUT /one\`
`)
    expect(JSON.parse(tree['docs.json'] ?? '').navigation.tabs[0].groups).toEqual([
      { group: 'Both', pages: ['api-reference/a/overview', 'api-reference/a/one', 'api-reference/b/two'] },
      { group: 'API Reference', pages: ['api-reference/overview', 'api-reference/put-one'] },
    ])
  })

  test('follow their operations unless edited, and are removed by the setting', async () => {
    const start = await settle({ 'docs.json': docs, 'a.yaml': toDocument(document), [config]: 'overviews: true' })
    const renamed = { ...start.tree, 'a.yaml': toDocument(document.replace('summary: Two', 'summary: Second')) }
    const followed = await settle(renamed)
    expect(followed.tree['api-reference/a/overview.mdx']).toContain('- [Second](/api-reference/b/two)')
    expect(followed.update.pages.find(({ path }) => path === 'api-reference/a/overview.mdx')?.detail).toBe('content changed')
    const mine = `${start.tree['api-reference/a/overview.mdx']}Mine\n`
    const edited = applyToTree(
      { ...renamed, 'api-reference/a/overview.mdx': mine },
      (await updateTree({ ...renamed, 'api-reference/a/overview.mdx': mine })).changes,
    )
    expect(edited['api-reference/a/overview.mdx']).toBe(mine)
    const off = await settle({ ...edited, [config]: 'overviews: false' })
    expect(off.tree['api-reference/a/overview.mdx']).toBe(mine)
    expect(off.tree['api-reference/overview.mdx']).toBeUndefined()
  })

  test('list hand-written and deleted pages of operations', async () => {
    const start = await settle({ 'docs.json': docs, 'a.yaml': toDocument(document), [config]: 'overviews: true' })
    const { 'api-reference/a/one.mdx': _, ...deleted } = start.tree
    const { tree } = await settle(deleted)
    expect(tree['api-reference/a/overview.mdx']).toContain('\n- One: `GET /one`\n')
  })
})

test.each([
  [
    'schemas: 5',
    'Unexpected value for `schemas`, expected `true`, `false` or a list of names, or a mapping from division labels to these values',
  ],
  ['schemas: {API: 5}', 'Unexpected value for `API` in `schemas`, expected `true`, `false` or a list of names'],
  [
    'overviews: [a]',
    'Unexpected value for `overviews`, expected `site`, `true` or `false`, or a mapping from division labels to these values',
  ],
  ['overviews: {Nope: true}', 'Cannot find the division `Nope` in `docs.json`'],
  ['schemas: [Nope]', 'Cannot find the schema `Nope` in any document'],
])('reports %s', async (settings, message) => {
  const { diagnostics } = await updateTree({ 'docs.json': docs, 'a.yaml': toDocument('paths: {}\n'), [config]: settings })
  expect(diagnostics.map((diagnostic) => diagnostic.message)).toEqual([message])
})
