import { expect, test } from 'vitest'
import { listEmptyFolds } from '../../support/prove-pages.ts'
import { siteOf } from './site-of.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })

function toDocument(schemas: object, body: string): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/orders': {
        post: {
          summary: 'Place an order',
          tags: ['orders'],
          requestBody: json(ref(body)),
          responses: { 204: { description: 'Placed' } },
        },
      },
    },
    components: { schemas },
  })
}

const schemas = {
  Order: { type: 'object', description: 'What is bought', properties: { customer: ref('Customer') } },
  Customer: { type: 'object', title: 'The customer', properties: { name: { type: 'string' } } },
  Unused: { type: 'object', properties: { secret: { type: 'string' } } },
}

/** The site that `build openapi.json` makes. */
const single = (config = '', document = toDocument(schemas, 'Order')) =>
  siteOf(
    {
      'docs.json': JSON.stringify({
        name: 'Shop',
        navigation: { openapi: { source: 'openapi.json', directory: '/' }, pages: ['index'] },
      }),
      'index.mdx': '---\ntitle: Shop\n---\n',
      'openapi.json': document,
      'openapi-pages.config.yaml': config,
    },
    { madeFiles: new Set(['docs.json', 'index.mdx']), url: 'https://example.com/' },
  )

const pagesOf = (files: Readonly<Record<string, string>>) =>
  Object.keys(files)
    .filter((path) => path.endsWith('/index.html') && path.includes('schemas'))
    .sort()

test('a site for a single document has a page for each schema that is used, in navigation, search and lists', async () => {
  const { files } = await single()
  expect(pagesOf(files)).toEqual(['schemas/customer/index.html', 'schemas/index.html', 'schemas/order/index.html'])
  const page = files['schemas/customer/index.html'] ?? ''
  expect(page).toContain('<h1 dir="auto">The customer')
  expect(page).toContain('<a href="/schemas/order/">')
  expect(page).not.toContain('noindex')
  // Other pages only link to the list.
  const operation = files['orders/place-an-order/index.html'] ?? ''
  expect(operation).toContain('<a href="/schemas/">Schemas</a>')
  expect(operation.match(/href="\/schemas\/customer\/"/g)?.length).toBeGreaterThan(0)
  expect(files['llms.txt']).toContain(
    '## Schemas\n\n- [Schemas](https://example.com/schemas.md)\n- [Order](https://example.com/schemas/order.md): What is bought',
  )
  expect(files['llms-full.txt']).toContain('# The customer\n\n## Properties\n\nobject')
  expect(files['sitemap.xml']).toContain('https://example.com/schemas/order/')
  expect(files['_search/names.json']).toContain('schemas/order')
  expect(files['schemas/order.md']).toContain('- `customer` ([Customer](https://example.com/schemas/customer.md))')
})

test('`site.schemas: false` leaves schemas out of navigation, search and lists, but not out of properties', async () => {
  const { files } = await single('site:\n  schemas: false\n')
  expect(pagesOf(files)).toEqual(['schemas/customer/index.html', 'schemas/order/index.html'])
  expect(files['schemas/order/index.html']).toContain('<meta name="robots" content="noindex"/>')
  expect(files['orders/place-an-order/index.html']).toContain('href="/schemas/customer/"')
  for (const name of [
    'llms.txt',
    'llms-full.txt',
    'sitemap.xml',
    '_search/names.json',
    '404.json',
    'print.html',
    'search/index.html',
  ])
    expect([name, /schemas\//.test((files[name] ?? '').replaceAll('sitemaps.org/schemas/', ''))]).toEqual([
      name,
      name === 'llms-full.txt',
    ])
  expect(files['index.html']).not.toContain('>Schemas</a>')
})

test('in a site with docs.json, pages of schemas are unlisted, and the page of an author is used instead', async () => {
  const { files } = await siteOf(
    {
      'docs.json': JSON.stringify({
        name: 'Shop',
        navigation: {
          tabs: [
            { tab: 'API', openapi: { source: 'openapi.json', directory: 'api' } },
            { tab: 'Guides', pages: ['customers'] },
          ],
        },
      }),
      'customers.mdx': '---\ntitle: Our customers\nopenapi-schema: Customer\n---\n\nThe text of the author.\n',
      'openapi.json': toDocument(schemas, 'Order'),
    },
    { url: 'https://example.com/' },
  )
  expect(pagesOf(files)).toEqual(['api/schemas/order/index.html'])
  const page = files['api/schemas/order/index.html'] ?? ''
  expect(page).toContain('noindex')
  expect(page).toContain('href="/customers/"')
  // It is shown in the place of the API.
  expect(page).toMatch(/aria-current="true">\s*API/)
  expect(files['api/orders/place-an-order/index.html']).toContain('href="/customers/"')
  expect(files['llms.txt']).not.toContain('schemas')
  expect(files['sitemap.xml']).not.toContain('/api/schemas')
})

test('slugs are unique and safe, and do not depend on unrelated schemas', async () => {
  const names = ['Pet', 'pet', 'PET', 'a/b', '../../x', 'con', 'ünï', 'x'.repeat(300)]
  const all = {
    properties: Object.fromEntries(
      names.map((name, index) => [
        `p${index}`,
        { $ref: `#/components/schemas/${encodeURIComponent(name.replaceAll('/', '~1'))}` },
      ]),
    ),
  }
  const toAll = (list: readonly string[]) => ({
    All: all,
    ...Object.fromEntries(list.map((name) => [name, { properties: { a: {} } }])),
  })
  const { files } = await single('', toDocument(toAll(names), 'All'))
  const routes = pagesOf(files)
  expect(routes).toHaveLength(names.length + 2)
  expect(new Set(routes.map((route) => route.toLowerCase())).size).toBe(routes.length)
  expect(routes.every((route) => route.startsWith('schemas/') && !route.includes('..') && !/(?:^|\/)con\//.test(route))).toBe(
    true,
  )
  const reordered = await single('', toDocument(toAll(['Pet', 'PET', 'zzz', 'pet', ...names.slice(3)]), 'All'))
  expect(pagesOf(reordered.files)).toEqual(routes)
})

test('parts of a large schema are published with its page, and with the pages of operations that contain them', async () => {
  const wide = (count: number) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, { type: 'string' }])),
  })
  const document = JSON.parse(
    toDocument(
      { Order: { properties: { first: wide(150), 'second part': { ...wide(160), description: 'The second part' } } } },
      'Order',
    ),
  )
  document.paths['/orders'].get = {
    summary: 'Find',
    tags: ['orders'],
    responses: { 200: { description: 'OK', ...json({ properties: { own: wide(220), more: wide(30) } }) } },
  }
  const { files } = await single('', JSON.stringify(document))
  expect(
    Object.keys(files)
      .filter((path) => path.includes('_parts'))
      .sort(),
  ).toEqual([
    'orders/find/_parts/own.md',
    'orders/find/_parts/own/index.html',
    'schemas/order/_parts/second-part.md',
    'schemas/order/_parts/second-part/index.html',
  ])
  const part = files['schemas/order/_parts/second-part/index.html'] ?? ''
  expect(part).toContain('<h1 dir="auto">second part')
  expect(part).toContain('<a href="/schemas/order/">Order</a></li></ol>')
  expect(part).toContain('noindex')
  expect(part).toContain('The second part')
  expect(files['orders/place-an-order/index.html']).toContain('href="/schemas/order/_parts/second-part/"')
  expect(files['orders/place-an-order.md']).toContain('[second part](https://example.com/schemas/order/_parts/second-part.md)')
  expect(files['llms.txt']).not.toContain('_parts')
})

test('what opens on a page has rows on the page that it loads', async () => {
  const kinds = {
    Level: {
      type: 'integer',
      oneOf: [
        { const: 0, title: 'LOW' },
        { const: 1, title: 'HIGH' },
      ],
    },
    Levels: { type: 'array', items: ref('Level') },
    Ids: { type: 'array', items: ref('Id') },
    Id: { type: 'string', minLength: 3 },
    IdOrNumber: { anyOf: [ref('Id'), { type: 'integer' }] },
    IdOrNull: { anyOf: [ref('Id'), { type: 'null' }] },
    IdsOrNull: { anyOf: [ref('Ids'), { type: 'null' }] },
    Text: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    ByName: { type: 'object', additionalProperties: ref('Id') },
    Same: { allOf: [ref('Customer')] },
    Alias: ref('Order'),
    Other: { oneOf: [ref('Customer'), ref('Alias')] },
    Pair: { type: 'array', prefixItems: [ref('Id'), ref('Level')] },
    Not: { not: ref('Id') },
  }
  const all = { type: 'object', properties: Object.fromEntries(Object.keys(kinds).map((name) => [name, ref(name)])) }
  const deep = { type: 'object', properties: { all: ref('All'), lists: { type: 'array', items: ref('All') } } }
  const document = toDocument({ ...schemas, ...kinds, All: all, Deep: deep }, 'Deep')
  const { files } = await single('', document)
  expect(Object.values(files).join('').split('<details class="nest lazy">').length).toBeGreaterThan(5)
  expect(listEmptyFolds(new Map(Object.entries(files)))).toEqual([])
})

const pointer = (place: string) => ({ $ref: `#/${place}` })

/** The Markdown of the pages of a document with these responses of one operation, and these components. */
async function markdownOf(contents: object, components: object): Promise<Readonly<Record<string, string>>> {
  const responses = Object.fromEntries(
    Object.entries(contents).map(([code, schema]) => [code, { description: code, ...json(schema) }]),
  )
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: { '/orders': { get: { summary: 'List orders', responses } } },
    components,
  }
  const { files } = await single('', JSON.stringify(document))
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('.md') && !path.startsWith('.')))
}

test('the body of a response that is that of another one has its content, and a schema in it is named by its place', async () => {
  const conflict = 'components/responses/Conflict/content/application~1json/schema'
  const properties = { code: { type: 'integer', description: 'The code' }, next: pointer(conflict) }
  const responses = { Conflict: { description: 'Conflict', ...json({ type: 'object', properties: { code: properties.code } }) } }
  const plain = await markdownOf({ 401: pointer(conflict) }, { responses })
  expect(plain['list-orders.md']).toContain('- `code` (integer): The code')
  expect(plain['list-orders.md']).not.toContain('Conflict')
  const circular = { Conflict: { description: 'Conflict', ...json({ type: 'object', properties }) } }
  const files = await markdownOf({ 401: pointer(conflict) }, { responses: circular })
  expect(files['list-orders.md']).toContain('[Conflict response](https://example.com/schemas/conflict-response.md)')
  expect(files['schemas/conflict-response.md']).toContain('- `code` (integer): The code')
  const path = 'paths/~1orders/get/responses/200/content/application~1json/schema/properties/order'
  const order = { type: 'object', properties: { id: { type: 'string' } } }
  const inPath = await markdownOf(
    { 200: { type: 'object', properties: { order } }, 201: { type: 'object', properties: { made: pointer(path) } } },
    {},
  )
  expect(inPath['list-orders.md']).toContain('[GET /orders order response]')
})

test('a schema that only unused schemas refer to is shown where it is', async () => {
  const inputs = { type: 'object', properties: { alpha: { type: 'string' } } }
  const schemas = {
    Action: { type: 'object', properties: { inputs } },
    Unused: { type: 'object', properties: { input: pointer('components/schemas/Action/properties/inputs') } },
  }
  const files = await markdownOf({ 200: pointer('components/schemas/Action') }, { schemas })
  expect(files['schemas/action.md']).toContain('- `alpha` (string)')
})

test('properties behind a reference have their names', async () => {
  const B = { type: 'object', properties: { real: { type: 'string' } } }
  const A = { type: 'object', properties: pointer('components/schemas/B/properties') }
  const files = await markdownOf({ 200: pointer('components/schemas/A') }, { schemas: { A, B } })
  expect(files['list-orders.md']).toContain('"real": "string"')
  expect(files['schemas/a.md']).toContain('- `real` (string)')
  expect(JSON.stringify(files)).not.toContain('`$ref`')
})
