import { describe, expect, test } from 'vitest'
import { applyToTree, settle, type Tree, updateTree } from '../../support/memory-tree.ts'

const ok = "responses: {'200': {description: ok}}"
const uses = (schema: string) =>
  `responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/${schema}'}}}}}`
const document = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
security: [{key: []}]
paths:
  /pets:
    parameters: [{name: page, in: query, schema: {type: integer}}]
    get: {operationId: listPets, summary: List pets, tags: [Pets], ${uses('Pets')}}
    post: {operationId: addPet, summary: Add a pet, tags: [Pets], security: [], ${uses('Error')}}
  /shops:
    get: {operationId: listShops, summary: List shops, tags: [Shops], ${uses('Shop')}}
  /shops/open:
    get: {operationId: listOpenShops, summary: List open shops, tags: [Shops], security: [{token: []}], ${ok}}
webhooks:
  sold:
    post: {operationId: sold, summary: Pet sold, tags: [Events], ${ok}}
components:
  schemas:
    Pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}
    Pet: {type: object, properties: {name: {type: string}}}
    Shop: {type: object}
    Error: {type: object}
  securitySchemes:
    key: {type: apiKey, name: key, in: header}
    token: {type: http, scheme: bearer}
`
const docsConfig = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } }, undefined, 2)
const files = { 'docs.json': docsConfig, 'openapi.yaml': document }
const keepGoing = { onError: 'operation' } as const

const pageOf = {
  listPets: 'api-reference/pets/list-pets.mdx',
  addPet: 'api-reference/pets/add-a-pet.mdx',
  listShops: 'api-reference/shops/list-shops.mdx',
  listOpenShops: 'api-reference/shops/list-open-shops.mdx',
  sold: 'api-reference/events/pet-sold.mdx',
}

/** The whole document with every summary changed, then some parts replaced. */
function change(...replacements: readonly (readonly [from: string, to: string])[]): string {
  let text = document.replaceAll(/summary: (.*?),/g, 'summary: $1 now,')
  for (const [from, to] of replacements) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  return text
}

async function written(): Promise<Tree> {
  return (await settle(files)).tree
}

/** Which operations have an updated page. */
async function updatedBy(text: string, more: Tree = {}): Promise<string[]> {
  const { changes, diagnostics } = await updateTree({ ...(await written()), 'openapi.yaml': text, ...more }, keepGoing)
  expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true)
  const changed = new Set(changes.map(({ path }) => path))
  return Object.entries(pageOf).flatMap(([id, path]) => (changed.has(path) ? id : []))
}

const all = Object.keys(pageOf)
const without = (...ids: readonly string[]) => all.filter((id) => !ids.includes(id))

describe('update.onError: operation', () => {
  test('by default, an error prevents updates of all pages of its document', async () => {
    const text = change(['operationId: addPet', 'operationid: addPet'])
    const update = await updateTree({ ...(await written()), 'openapi.yaml': text })
    expect(update.changes).toEqual([])
    expect(update.documents[0]?.skipped).toBeUndefined()
  })

  test.each<[string, readonly (readonly [string, string])[], readonly string[]]>([
    ['in an operation', [['operationId: addPet', 'operationid: addPet']], without('addPet')],
    ['in the shared part of a path item', [['in: query, schema', 'in: qery, schema']], without('listPets', 'addPet')],
    [
      'in the method of an operation, which is hidden by it',
      [['    post: {operationId: addPet', '    psot: {operationId: addPet']],
      without('listPets', 'addPet'),
    ],
    [
      'in place of an operation',
      [
        [
          / {4}post: \{operationId: addPet.*/.exec(document)?.[0].replace('Add a pet', 'Add a pet now') ?? '',
          '    post: nothing',
        ],
      ],
      without('addPet'),
    ],
    [
      'in a schema that an operation reaches through another',
      [['{type: object, properties: {name: {type: string}}}', '{type: object, properties: {name: {type: strng}}}']],
      without('listPets'),
    ],
    [
      'in a schema that nothing reaches',
      [['    Error: {type: object}', '    Error: {type: object}\n    Lost: {type: objct}']],
      all,
    ],
    ['in the security of an operation', [['{token: []}', '{tokn: []}']], without('listOpenShops')],
    [
      'in the security of the document',
      [['security: [{key: []}]', 'security: [{kee: []}]']],
      without('listPets', 'listShops', 'sold'),
    ],
    ['in a security scheme', [['scheme: bearer', 'schema: bearer']], without('listOpenShops')],
    ['in a webhook', [['operationId: sold', 'operationid: sold']], without('sold')],
    ['in a path', [['  /shops/open:', '  /shops/{open}:']], without('listOpenShops')],
    ['in info', [['version: 1.0.0', 'verson: 1.0.0']], []],
    ['in the name of a path', [['  /shops/open:', '  shops/open:']], []],
    ['in the name of a section', [['  securitySchemes:', '  securitySchemas:']], []],
    ['in the syntax', [['webhooks:\n', 'webhooks: [\n']], []],
  ])('an error %s prevents updates of the affected pages', async (_, replacements, expected) => {
    expect(await updatedBy(change(...replacements))).toEqual(expected)
  })

  test('follows references into other files', async () => {
    const text = change(
      ["{$ref: '#/components/schemas/Shop'}", "{$ref: 'shop.yaml#/Shop'}"],
      ["{$ref: '#/components/schemas/Error'}", "{$ref: 'error.yaml'}"],
    )
    expect(await updatedBy(text, { 'shop.yaml': 'Shop: {type: objct}\n', 'error.yaml': 'type: object\n' })).toEqual(
      without('listShops'),
    )
    expect(await updatedBy(text, { 'shop.yaml': 'Shop: {type: object\n', 'error.yaml': 'type: object\n' })).toEqual(
      without('listShops'),
    )
    expect(await updatedBy(text, { 'error.yaml': 'type: object\n' })).toEqual(without('listShops'))
  })

  test('adds, changes and removes pages of unaffected operations', async () => {
    const text = change(['operationId: addPet', 'operationid: addPet'])
      .replace(/ {2}\/shops\/open:\n.*\n/, '')
      .replace('webhooks:', `  /owners:\n    get: {summary: List owners, tags: [Pets], ${ok}}\nwebhooks:`)
    const tree = { ...(await written()), 'openapi.yaml': text }
    const update = await updateTree(tree, keepGoing)
    expect(update.pages.map(({ kind, path, detail }) => [kind, path, detail])).toEqual([
      ['modified', pageOf.sold, 'title changed'],
      ['unchanged', pageOf.addPet, 'its operation has errors, not updated'],
      ['added', 'api-reference/pets/list-owners.mdx', undefined],
      ['modified', pageOf.listPets, 'title changed'],
      ['removed', pageOf.listOpenShops, 'operation removed'],
      ['modified', pageOf.listShops, 'title changed'],
    ])
    const after = applyToTree(tree, update.changes)
    const { navigation } = JSON.parse(after['docs.json'] ?? '') as { navigation: { tabs: { groups: unknown }[] } }
    expect(navigation.tabs[0]?.groups).toEqual([
      {
        group: 'Pets',
        pages: ['api-reference/pets/list-pets', 'api-reference/pets/add-a-pet', 'api-reference/pets/list-owners'],
      },
      { group: 'Shops', pages: ['api-reference/shops/list-shops'] },
      { group: 'Events', pages: ['api-reference/events/pet-sold'] },
    ])
    expect((await updateTree(after, keepGoing)).changes).toEqual([])
    const fixed = await settle({ ...after, 'openapi.yaml': text.replace('operationid', 'operationId') })
    expect(fixed.update.pages.filter(({ kind }) => kind !== 'unchanged').map(({ kind, path }) => [kind, path])).toEqual([
      ['modified', pageOf.addPet],
    ])
  })

  test('keeps the file, entry and record of a page whose operation is hidden by an error', async () => {
    const before = await written()
    const text = document
      .replace(' /shops:\n    get:', ' /shops:\n    gett:')
      .replace('summary: List pets', 'summary: List all pets')
    const tree = { ...before, 'openapi.yaml': text }
    const update = await updateTree(tree, keepGoing)
    const after = applyToTree(tree, update.changes)
    expect(after[pageOf.listShops]).toBe(before[pageOf.listShops])
    expect(after['docs.json']).toBe(before['docs.json'])
    expect(update.changes.map(({ path }) => path)).toEqual([pageOf.listPets, 'openapi-pages.lock.json'])
    const { update: fixed } = await settle({ ...after, 'openapi.yaml': text.replace('gett', 'get') })
    expect(fixed.changes).toEqual([])
  })

  test('keeps a page whose operation moved to one with an error', async () => {
    const before = await written()
    const text = document.replace('  /shops:\n    get: {operationId', '  /stores:\n    get: {sumary: x, operationId')
    const tree = { ...before, 'openapi.yaml': text }
    expect((await updateTree(tree, keepGoing)).changes).toEqual([])
    const { tree: fixed } = await settle({ ...tree, 'openapi.yaml': text.replace('sumary: x, ', '') })
    expect(fixed[pageOf.listShops]).toContain('openapi: openapi.yaml GET /stores\n')
  })

  test('keeps an edited page of an affected operation', async () => {
    const before = await written()
    const edited = `${before[pageOf.addPet]}\nMine.\n`
    const text = change(['operationId: addPet', 'operationid: addPet'])
    const tree = { ...before, [pageOf.addPet]: edited, 'openapi.yaml': text }
    const update = await updateTree(tree, keepGoing)
    expect(update.pages.find(({ path }) => path === pageOf.addPet)).toMatchObject({
      kind: 'kept',
      detail: 'hand-edited, kept',
    })
    const after = applyToTree(tree, update.changes)
    expect(after[pageOf.addPet]).toBe(edited)
    const { update: fixed } = await settle({ ...after, 'openapi.yaml': text.replace('operationid', 'operationId') })
    expect(fixed.pages.find(({ path }) => path === pageOf.addPet)?.kind).toBe('kept')
  })

  test('writes the unaffected pages of a new document, and the others once the errors are fixed', async () => {
    const text = document.replace('operationId: addPet', 'operationid: addPet')
    const { tree, update } = await settle({ ...files, 'openapi.yaml': text }, keepGoing)
    expect(update.pages.map(({ path }) => path)).toEqual(
      without('addPet')
        .map((id) => pageOf[id as keyof typeof pageOf])
        .sort(),
    )
    const fixed = await settle({ ...tree, 'openapi.yaml': document }, keepGoing)
    expect(fixed.update.pages.filter(({ kind }) => kind !== 'unchanged').map(({ kind, path }) => [kind, path])).toEqual([
      ['added', pageOf.addPet],
    ])
  })

  test('keeps a new document virtual while errors affect all of its operations', async () => {
    const text = document
      .replace('security: [{key: []}]', 'security: [{kee: []}]')
      .replaceAll('security: [], ', '')
      .replace('security: [{token: []}], ', '')
    const update = await updateTree({ ...files, 'openapi.yaml': text }, keepGoing)
    expect(update.changes).toEqual([])
  })

  test('keeps overviews and schema pages that an error may affect', async () => {
    const config = 'schemas: true\noverviews: true\n'
    const before = (await settle({ ...files, 'openapi-pages.config.yaml': config })).tree
    const text = change(
      ['{type: object, properties: {name: {type: string}}}', '{type: object, title: A pet, properties: {name: {type: strng}}}'],
      ['    Shop: {type: object}', '    Shop: {type: object, title: A shop}'],
    )
    const update = await updateTree({ ...before, 'openapi.yaml': text }, keepGoing)
    const changed = update.pages.filter(({ kind }) => kind !== 'unchanged').map(({ operation }) => operation)
    expect(changed.sort()).toEqual(['GET /shops', 'GET /shops/open', 'POST /pets', 'schema Shop', 'webhook sold'])
  })

  test('reports the skipped operations and the errors that affect them', async () => {
    const text = change(['in: query, schema', 'in: qery, schema'])
    const update = await updateTree({ ...(await written()), 'openapi.yaml': text }, keepGoing)
    expect(update.documents[0]).toMatchObject({ valid: false, errorCount: 1, skipped: ['GET /pets', 'POST /pets'] })
    expect(update.diagnostics.filter(({ code }) => code === 'operation-skipped')).toMatchObject([
      {
        severity: 'info',
        message: 'Skipped 2 of 5 operations because of errors: `GET /pets`, `POST /pets`',
        related: [{ file: 'openapi.yaml', range: { start: { line: 6 } } }],
      },
    ])
  })

  test('explains why no operation can be updated', async () => {
    const update = await updateTree(
      { ...(await written()), 'openapi.yaml': change(['version: 1.0.0', 'verson: 1.0.0']) },
      keepGoing,
    )
    expect(update.diagnostics.find(({ code }) => code === 'operation-skipped')).toMatchObject({
      message: 'Cannot update single operations of `openapi.yaml`: an error affects the whole document',
      related: [{ range: { start: { line: 2 } } }],
    })
  })

  test('is read from the configuration file unless overridden', async () => {
    const tree = {
      ...(await written()),
      'openapi.yaml': change(['operationId: addPet', 'operationid: addPet']),
      'openapi-pages.config.yaml': 'update: {onError: operation}\n',
    }
    expect((await updateTree(tree)).pages.filter(({ kind }) => kind === 'modified')).toHaveLength(4)
    expect((await updateTree(tree, { onError: 'document' })).changes).toEqual([])
    const { diagnostics } = await updateTree({ ...tree, 'openapi-pages.config.yaml': 'update: {onError: operations}\n' })
    expect(diagnostics.find(({ file }) => file === 'openapi-pages.config.yaml')).toMatchObject({
      code: 'wrong-value',
      hint: 'Did you mean `operation`?',
    })
  })
})
