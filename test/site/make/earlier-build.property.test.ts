import { expect, test } from 'vitest'
import { hashContent } from '../../../src/files/output-folder.ts'
import { type BuiltSite, buildSite } from '../../../src/site/make/build-site.ts'
import { emptyMemory, formatRenderMemory, parseRenderMemory } from '../../../src/site/make/render-memory.ts'
import { isObject } from '../../../src/text/json/json-values.ts'
import { type Tree, toAccess } from '../../support/memory-tree.ts'
import { fc, runsOr } from '../../support/properties.ts'
import { siteAssets } from './assets/site-assets.ts'

/** Number of change sequences. More in a soak test. */
const runs = runsOr(2, 200)

const ref = (name: string, kind = 'schemas') => ({ $ref: `#/components/${kind}/${name}` })
const json = (schema: unknown) => ({ 'application/json': { schema } })

/** Contains every way in which parts of a description can depend on each other. */
const description = {
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1', description: 'See [the orders](/api/orders/list-orders#responses)' },
  servers: [{ url: 'https://{host}.example.com', variables: { host: { default: 'api' } } }],
  security: [{ key: [] }],
  tags: [
    { name: 'Orders', description: 'Of customers' },
    { name: 'Pets', 'x-displayName': 'Animals' },
  ],
  paths: {
    '/orders': {
      parameters: [ref('Page', 'parameters')],
      get: {
        tags: ['Orders'],
        summary: 'List orders',
        operationId: 'listOrders',
        responses: { 200: ref('Orders', 'responses'), 404: { description: 'None', content: json({ $ref: '#/x-defs/Fault' }) } },
      },
      post: {
        tags: ['Orders'],
        summary: 'Create an order',
        requestBody: ref('Order', 'requestBodies'),
        callbacks: {
          done: { '{$request.body#/url}': { post: { requestBody: { content: json(ref('Order')) }, responses: {} } } },
        },
        responses: { 201: { description: 'Made', links: { list: { operationId: 'listOrders' }, pet: ref('Pet', 'links') } } },
      },
    },
    '/pets/{id}': {
      get: {
        tags: ['Pets'],
        summary: 'Get a pet',
        operationId: 'getPet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: ref('Id') }],
        responses: { 200: { description: 'A pet', content: json(ref('Pet')), headers: { Next: ref('Next', 'headers') } } },
      },
    },
  },
  webhooks: {
    sold: { post: { summary: 'Sold', requestBody: { content: json(ref('Dog')) }, responses: { 200: { description: 'ok' } } } },
  },
  'x-defs': { Fault: { type: 'object', properties: { of: ref('Id'), code: { type: 'string' } } } },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    parameters: { Page: { name: 'page', in: 'query', schema: ref('Filter') } },
    headers: { Next: { schema: ref('Id') } },
    links: { Pet: { operationId: 'getPet', description: 'The pet of it' } },
    requestBodies: { Order: { content: json(ref('Order')) } },
    responses: { Orders: { description: 'All', content: json({ type: 'array', items: ref('Order') }) } },
    schemas: {
      Id: { type: 'string', format: 'uuid', examples: ['1'] },
      Filter: { type: 'object', properties: { by: ref('Id') } },
      Order: {
        type: 'object',
        required: ['id'],
        properties: { id: ref('Id'), parent: ref('Order'), pet: ref('Pet'), url: { type: 'string' } },
      },
      Pet: {
        type: 'object',
        discriminator: { propertyName: 'kind' },
        properties: { kind: { type: 'string' }, of: ref('Order') },
      },
      Dog: { allOf: [ref('Pet'), { type: 'object', properties: { bark: { enum: ['loud', 'soft'], default: 'loud' } } }] },
      Either: { oneOf: [ref('Dog'), ref('Id')] },
    },
  },
}

const docs: Tree = {
  'docs.json': JSON.stringify({
    name: 'Shop',
    navigation: {
      tabs: [
        { tab: 'Guides', groups: [{ group: 'Start', pages: ['index', 'more'] }] },
        { tab: 'API', openapi: { source: 'openapi.json', directory: 'api' } },
      ],
    },
    navbar: { links: [{ label: 'Help', href: '/more' }] },
    redirects: [{ source: '/old', destination: '/more' }],
  }),
  'openapi-pages.config.yaml': 'schemas: true\n',
  'index.mdx':
    'import Part from "/snippets/part.mdx"\n\n# Hello\n\n<Part />\n\n[Parts](/api/orders/list-orders#responses) and [none](/nowhere)\n',
  'more.mdx':
    '---\ntitle: More\nopenapi-schema: Either\n---\n\n## Words\n\n[Schema](/api/schemas/pet#properties), ![Logo](/logo.svg)\n',
  'snippets/part.mdx': 'A part with a [link](/more#words)\n',
  'openapi.json': JSON.stringify(description),
}

interface Output {
  readonly files: ReadonlyMap<string, string>
  readonly built: BuiltSite
}

async function build(tree: Tree, earlier?: Output): Promise<Output> {
  const files = new Map<string, string>()
  const built = await buildSite(
    { root: '', base: '/', url: 'https://example.com/', assets: siteAssets, isPreview: false },
    toAccess(tree),
    ({ path, content }) => {
      files.set(path, String(Buffer.from(content)))
      return hashContent(content)
    },
    {
      stamp: 'one',
      memory: earlier ? parseRenderMemory(formatRenderMemory(earlier.built.memory, 'one'), 'one') : emptyMemory,
      keep(kept) {
        const standing = kept.map(({ path, hash }) => [path, earlier?.files.get(path), hash] as const)
        if (standing.some(([, content, hash]) => content === undefined || hashContent(content) !== hash)) return false
        for (const [path, content = ''] of standing) files.set(path, content)
        return true
      },
      read: (path) => Buffer.from(earlier?.files.get(path) ?? ''),
    },
  )
  return { files, built }
}

/** A random change of a single value. */
const change = fc.record({
  file: fc.constantFrom(
    'openapi.json',
    'openapi.json',
    'openapi.json',
    'docs.json',
    'index.mdx',
    'more.mdx',
    'snippets/part.mdx',
  ),
  place: fc.nat(),
  what: fc.nat(),
  other: fc.nat(),
})

function applyChange(
  tree: Tree,
  { file, place, what, other }: typeof change extends fc.Arbitrary<infer Value> ? Value : never,
): Tree {
  const text = tree[file] ?? ''
  const words = [
    'other',
    'Dog',
    'loud',
    'listOrders',
    '#/components/schemas/Id',
    '#/components/schemas/Pet',
    '/more#words',
    'page',
  ]
  if (!file.endsWith('.json')) {
    const at = place % text.length
    const added = [' word', '\n\n## Part\n', ' [x](/api/orders/list-orders#parameters)', '', ' <Note>n</Note>'][what % 5]
    return { ...tree, [file]: `${text.slice(0, at)}${added}${text.slice(at + (other % 4))}` }
  }
  const value: unknown = JSON.parse(text)
  // Every value with its containing object or list.
  const places: { readonly owner: unknown[] | Record<string, unknown>; readonly key: string }[] = []
  const visit = (owner: unknown) => {
    if (!Array.isArray(owner) && !isObject(owner)) return
    for (const [key, child] of Object.entries(owner)) {
      places.push({ owner, key })
      visit(child)
    }
  }
  visit(value)
  const chosen = places[place % places.length]
  const source = places[other % places.length]
  if (!chosen || !source) return tree
  // Lists have their entries by index as a string.
  const owner = chosen.owner as Record<string, unknown>
  const { key } = chosen
  const copy: unknown = JSON.parse(JSON.stringify((source.owner as Record<string, unknown>)[source.key] ?? null))
  const child = owner[key]
  const kind = what % 6
  if (kind === 0 && !Array.isArray(owner)) delete owner[key]
  else if (kind === 1 && !Array.isArray(owner)) {
    delete owner[key]
    owner[source.key] = child
  } else if (kind === 2) owner[key] = copy
  else if (kind === 3 && isObject(child)) (child as Record<string, unknown>)[source.key] = copy
  else if (typeof child === 'number' || typeof child === 'boolean') owner[key] = !child
  else if (typeof child === 'string')
    owner[key] = kind === 4 ? `${child} ${words[other % words.length]}` : words[other % words.length]
  return { ...tree, [file]: JSON.stringify(value) }
}

test('an incremental build equals a full build after any change', async () => {
  const first = await build(docs)
  expect(first.files.size).toBeGreaterThan(30)
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      let tree = docs
      let output = first
      for (const one of changes) {
        tree = applyChange(tree, one)
        output = await build(tree, output)
        const alone = await build(tree)
        expect(Object.fromEntries(output.files)).toEqual(Object.fromEntries(alone.files))
        const plain = ({ built }: typeof output) => ({
          ...built,
          sourceOf: undefined,
          documents: built.documents.map(({ path }) => path),
        })
        expect(plain(output)).toEqual(plain(alone))
      }
    }),
    { numRuns: runs },
  )
})
