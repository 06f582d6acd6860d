import { describe, expect, test } from 'vitest'
import { compareDocuments, summarize } from './compare-documents.ts'

/** A description with most kinds of objects, as a value. */
const description = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://a.example' }, { url: 'https://b.example' }],
  security: [{ key: [] }, { login: ['read', 'write'] }],
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        tags: ['a', 'b'],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 10 } },
          { $ref: '#/components/parameters/Trace' },
        ],
        responses: {
          200: { description: 'Pet', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
          default: { $ref: '#/components/responses/Error' },
        },
      },
      put: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        responses: { 204: { description: 'Done', headers: { 'X-Rate': { schema: { type: 'integer' } } } } },
        callbacks: { done: { '{$request.body#/url}': { post: { responses: { 200: { description: 'Read' } } } } } },
      },
    },
  },
  webhooks: {
    added: { post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } } } },
  },
  components: {
    parameters: { Trace: { name: 'X-Trace', in: 'header', schema: { type: 'string' } } },
    responses: {
      Error: {
        description: 'Error',
        content: { 'application/json': { schema: { type: 'object', properties: { code: { enum: ['a', 'b'] } } } } },
      },
    },
    schemas: {
      Named: { type: 'object', required: ['name'], properties: { name: { type: ['string', 'null'], minLength: 1 } } },
      Dog: { type: 'object', properties: { bark: { const: 'loud' } }, additionalProperties: false },
      Cat: { type: 'object', properties: { lives: { type: 'integer', format: 'int32', default: 9 } } },
      Pet: {
        allOf: [
          { $ref: '#/components/schemas/Named' },
          {
            type: 'object',
            required: ['kind', 'id'],
            properties: {
              id: { type: 'string', readOnly: true },
              kind: {
                oneOf: [
                  { $ref: '#/components/schemas/Dog' },
                  { $ref: '#/components/schemas/Cat' },
                  { type: 'array', items: { type: 'string' } },
                ],
              },
              parent: { $ref: '#/components/schemas/Pet' },
              tags: { type: 'array', items: { type: 'string', pattern: '^a' }, uniqueItems: true },
              place: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
            },
            if: { properties: { id: { const: 'x' } } },
            // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
            then: { required: ['tags'] },
            dependentRequired: { tags: ['place'] },
          },
        ],
      },
    },
    securitySchemes: {
      key: { type: 'apiKey', name: 'X-Key', in: 'header' },
      login: {
        type: 'oauth2',
        flows: { implicit: { authorizationUrl: 'https://a.example', scopes: { read: 'Read', write: 'Write' } } },
      },
    },
  },
}

const base = JSON.stringify(description)

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Applies a function to every object, the inner ones first. */
function mapObjects(value: Json, change: (object: { readonly [key: string]: Json }) => Json): Json {
  if (Array.isArray(value)) return value.map((entry: Json) => mapObjects(entry, change))
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)])))
}

function rewrite(change: (object: { readonly [key: string]: Json }) => Json): string {
  return JSON.stringify(mapObjects(JSON.parse(base), change))
}

const orderless = new Set(['required', 'enum', 'oneOf', 'allOf', 'tags', 'parameters', 'servers', 'security', 'type'])

/** Replaces references to schemas by their targets, except recursive ones. */
function inline(): string {
  const { schemas } = description.components
  const targets: { readonly [name: string]: Json } = { Named: schemas.Named, Dog: schemas.Dog, Cat: schemas.Cat }
  return rewrite((object) => {
    const name = String(object['$ref'] ?? '').replace('#/components/schemas/', '')
    return targets[name] ?? object
  })
}

/** The description in several files, and as one. */
const split = {
  'openapi.yaml': `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {/pets: {$ref: 'paths/pets.yaml'}}
`,
  'paths/pets.yaml': `get:
  responses:
    '200': {description: Pet, content: {application/json: {schema: {oneOf: [{$ref: '../schemas.yaml#/Dog'}, {$ref: '../schemas.yaml#/Cat'}]}}}}
`,
  'schemas.yaml': `Dog: {type: object, properties: {cat: {$ref: '#/Cat'}}}
Cat: {type: object, properties: {dog: {$ref: '#/Dog'}}}
`,
}

const bundled = `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      responses:
        '200':
          description: Pet
          content:
            application/json:
              schema:
                oneOf: [{$ref: '#/components/schemas/Dog'}, {$ref: '#/components/schemas/Cat'}]
components:
  schemas:
    Dog: {type: object, properties: {cat: {$ref: '#/components/schemas/Cat'}}}
    Cat: {type: object, properties: {dog: {$ref: '#/components/schemas/Dog'}}}
`

describe('equal descriptions', () => {
  test.each([
    ['itself', base],
    ['other formatting', JSON.stringify(description, null, 2)],
    ['keys in another order', rewrite((object) => Object.fromEntries(Object.entries(object).reverse()))],
    [
      'lists without an order in another order',
      rewrite((object) => {
        return Object.fromEntries(
          Object.entries(object).map(([key, value]) => [
            key,
            orderless.has(key) && Array.isArray(value) ? value.toReversed() : value,
          ]),
        )
      }),
    ],
    ['schemas in place of references', inline()],
    [
      'other descriptions and examples',
      rewrite((object) => {
        return 'type' in object || 'description' in object ? { ...object, description: 'Changed', 'x-internal': 1 } : object
      }),
    ],
    ['another version', base.replace('"3.1.0"', '"3.2.0"')],
  ])('finds no change with %s', async (_title, revision) => {
    expect(summarize(await compareDocuments(base, revision))).toEqual([])
    expect(summarize(await compareDocuments(revision, base))).toEqual([])
  })

  test('finds no change between a bundle and its files', async () => {
    expect(summarize(await compareDocuments(split, bundled))).toEqual([])
    expect(summarize(await compareDocuments(bundled, split))).toEqual([])
  })

  test('finds no change between the spellings of OpenAPI 3.0 and 3.1', async () => {
    const toDocument = (version: string, schema: string) => `openapi: ${version}
info: {title: Pets, version: "1"}
paths: {/pets: {get: {responses: {'200': {description: Pet, content: {application/json: {schema: ${schema}}}}}}}}
`
    const old = toDocument('3.0.3', '{type: integer, nullable: true, minimum: 1, exclusiveMinimum: true}')
    const next = toDocument('3.1.0', "{type: [integer, 'null'], exclusiveMinimum: 1}")
    expect(summarize(await compareDocuments(old, next))).toEqual([])
  })
})

describe('mirrored comparisons', () => {
  const removals: readonly (readonly [title: string, find: string, replace: string])[] = [
    ['an enum value', '["a","b"]}', '["a"]}'],
    ['a limit', ',"maximum":10', ''],
    ['a parameter', '{"name":"limit","in":"query","schema":{"type":"integer","maximum":10}},', ''],
    ['an alternative', ',{"$ref":"#/components/schemas/Cat"}', ''],
    ['a required name', '"required":["kind","id"]', '"required":["id"]'],
    ['a response', '"204":{', '"x-204":{'],
    ['a security requirement', '{"key":[]},', ''],
  ]

  test.each(removals)('finds the same places for %s in both directions', async (_title, find, replace) => {
    const revision = base.replace(find, replace)
    expect(revision).not.toBe(base)
    const toPlaces = (one: 'base' | 'revision', changes: Awaited<ReturnType<typeof compareDocuments>>) => {
      return [
        ...new Set(
          changes.flatMap((change) => change.operations.map((operation) => `${operation.path} ${change[one]?.pointer}`)),
        ),
      ].sort()
    }
    const there = await compareDocuments(base, revision)
    const back = await compareDocuments(revision, base)
    expect(there.length).toBeGreaterThan(0)
    expect(toPlaces('base', there)).toEqual(toPlaces('revision', back))
  })
})
