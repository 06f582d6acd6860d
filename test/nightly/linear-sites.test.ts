import { expect, test } from 'vitest'
import { siteOfDocument } from '../site/make/site-of.ts'

// Each page repeats the navigation and shows what it refers to. A site must not grow with the square of its document.

type Entries = Readonly<Record<string, object>>

const range = <Made>(size: number, make: (index: number) => Made): Made[] =>
  Array.from({ length: size }, (_, index) => make(index))
const named = (size: number, name: (index: number) => string, make: (index: number) => object): Entries =>
  Object.fromEntries(range(size, (index) => [name(index), make(index)]))
const ref = (index: number) => ({ $ref: `#/components/schemas/S${index}` })
const pet = { type: 'object', properties: { name: { type: 'string' } } }

function operation(index: number, schema: object, tags?: readonly string[]): object {
  const content = { 'application/json': { schema } }
  return { summary: `Operation ${index}`, responses: { 200: { description: 'Good', content } }, ...(tags && { tags }) }
}

function documentOf(paths: Entries, schemas: Entries, more: object = {}): object {
  return {
    openapi: '3.2.0',
    info: { title: 'T', version: '1' },
    paths,
    components: { schemas: { Pet: pet, ...schemas } },
    ...more,
  }
}

/** Operations with one tag each. */
function withTags(size: number, more: (name: string, index: number) => object, top: object = {}): object {
  const tags = range(size, (index) => ({ name: `t${index}`, ...more(`t${index}`, index) }))
  const paths = named(
    size,
    (index) => `/a${index}`,
    (index) => ({ get: operation(index, pet, [`t${index}`]) }),
  )
  return documentOf(paths, {}, { tags, ...top })
}

/** One operation, and schemas that lead to the next one. */
function withSchemas(size: number, link: (next: object, index: number) => object): object {
  const schemas = named(
    size,
    (index) => `S${index}`,
    (index) => link(ref(index + 1), index),
  )
  return documentOf({ '/a': { get: operation(0, ref(0)) } }, { ...schemas, [`S${size}`]: pet })
}

/** Operations, and what all of them share. Each has the response `Shared`. */
function withShared(size: number, shared: object): object {
  const paths = named(
    size,
    (index) => `/a${index}`,
    (index) => ({ get: { operationId: `o${index}`, responses: { 200: { $ref: '#/components/responses/Shared' } } } }),
  )
  const components = { responses: { Shared: { description: 'Good' } } }
  return { ...documentOf(paths, {}), components, ...shared }
}

const shapes: readonly (readonly [string, (size: number) => object])[] = [
  [
    'operations',
    (size) =>
      documentOf(
        named(
          size,
          (index) => `/a${index}`,
          (index) => ({ get: operation(index, pet) }),
        ),
        {},
      ),
  ],
  [
    'operations of one path',
    (size) => {
      const additionalOperations = named(
        size,
        (index) => `M${index}`,
        (index) => operation(index, pet),
      )
      return documentOf({ '/a': { additionalOperations } }, {})
    },
  ],
  [
    'operations and a group in one tag',
    (size) => {
      const document = documentOf(
        named(
          size,
          (index) => `/a${index}`,
          (index) => ({ get: operation(index, pet, [index === 0 ? 'inner' : 'outer']) }),
        ),
        {},
      )
      return { ...document, tags: [{ name: 'outer' }, { name: 'inner', parent: 'outer' }] }
    },
  ],
  ['tags', (size) => withTags(size, () => ({}))],
  ['tags with words', (size) => withTags(size, (name) => ({ description: `All about ${name}` }))],
  ['tags in one parent', (size) => withTags(size, (_, index) => (index === 0 ? {} : { parent: 't0' }))],
  ['tags in a chain', (size) => withTags(size, (_, index) => (index === 0 ? {} : { parent: `t${index - 1}` }))],
  [
    'tags in groups of groups',
    (size) => {
      const inner = Math.ceil(Math.sqrt(size))
      const parents = range(inner, (index) => ({ name: `p${index}`, parent: 'top' }))
      const tags = range(size, (index) => ({ name: `t${index}`, parent: `p${index % inner}` }))
      return withTags(size, () => ({}), { tags: [{ name: 'top' }, ...parents, ...tags] })
    },
  ],
  [
    'groups of tags',
    (size) => withTags(size, () => ({}), { 'x-tagGroups': range(size, (index) => ({ name: `g${index}`, tags: [`t${index}`] })) }),
  ],
  [
    'one group of tags',
    (size) => withTags(size, () => ({}), { 'x-tagGroups': [{ name: 'all', tags: range(size, (index) => `t${index}`) }] }),
  ],
  [
    'schemas',
    (size) =>
      documentOf(
        named(
          size,
          (index) => `/a${index}`,
          (index) => ({ get: operation(index, ref(index)) }),
        ),
        named(
          size,
          (index) => `S${index}`,
          () => pet,
        ),
      ),
  ],
  [
    'schemas in one',
    (size) => {
      const properties = named(
        size,
        (index) => `p${index}`,
        (index) => ref(index + 1),
      )
      const schemas = named(
        size,
        (index) => `S${index + 1}`,
        () => pet,
      )
      return documentOf({ '/a': { get: operation(0, ref(0)) } }, { S0: { type: 'object', properties }, ...schemas })
    },
  ],
  [
    'variants',
    (size) => {
      const oneOf = range(size, (index) => ref(index + 1))
      return documentOf(
        { '/a': { get: operation(0, ref(0)) } },
        {
          S0: { oneOf },
          ...named(
            size,
            (index) => `S${index + 1}`,
            () => pet,
          ),
        },
      )
    },
  ],
  ['references', (size) => withSchemas(size, (next) => next)],
  ['properties', (size) => withSchemas(size, (next) => ({ type: 'object', properties: { next } }))],
  ['lists', (size) => withSchemas(size, (items) => ({ type: 'array', items }))],
  [
    'servers of all operations',
    (size) => withShared(size, { servers: range(size, (index) => ({ url: `https://s${index}.test` })) }),
  ],
  [
    'security of all operations',
    (size) => {
      const securitySchemes = named(
        size,
        (index) => `k${index}`,
        (index) => ({ type: 'apiKey', in: 'header', name: `X-${index}` }),
      )
      const security = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))
      return withShared(size, { security, components: { securitySchemes } })
    },
  ],
  [
    'links of one response',
    (size) => {
      const links = named(
        size,
        (index) => `l${index}`,
        (index) => ({ operationId: `o${index}` }),
      )
      return withShared(size, { components: { responses: { Shared: { description: 'Good', links } } } })
    },
  ],
  [
    'webhooks',
    (size) =>
      documentOf(
        {},
        {},
        {
          webhooks: named(
            size,
            (index) => `w${index}`,
            (index) => ({ post: operation(index, pet) }),
          ),
        },
      ),
  ],
]

test.each(shapes)('a site of %s grows at most as much as its document', async (_, make) => {
  const bytesOf = async (size: number) => {
    const { files } = await siteOfDocument('openapi.json', JSON.stringify(make(size)))
    return Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0) / size
  }
  const [small, large] = [await bytesOf(100), await bytesOf(400)]
  expect(small).toBeGreaterThan(1_000)
  expect(large / small).toBeLessThan(1.3)
})
