import { describe, expect, test } from 'vitest'
import { checkDescription } from '../../../src/checks/check-description.ts'
import { filterDocument } from '../../../src/openapi/public/filter-description.ts'
import { noGroups } from '../../../src/openapi/public/restriction-marks.ts'

const admins = { 'x-mint': { groups: ['admin'] } }
const ok = { responses: { 200: { description: 'Good' } } }

const toPublicDocument = (value: unknown) => filterDocument(value, { restricted: noGroups })

describe('a public document', () => {
  test('is the same value if nothing is restricted', () => {
    const document = { paths: { '/a': { get: { ...ok, 'x-mint': { metadata: { public: true } } } } } }
    expect(toPublicDocument(document)).toEqual({ value: document, parts: [], leftovers: [] })
    expect(toPublicDocument(document).value).toBe(document)
    expect(toPublicDocument(undefined).parts).toEqual([])
  })

  test('has no restricted operation, path item, parameter or webhook', () => {
    const document = {
      paths: {
        '/a': { get: ok, delete: { ...ok, ...admins }, parameters: [{ name: 'q' }, { name: 'secret', ...admins }] },
        '/b': { ...admins, get: ok },
      },
      webhooks: { done: { post: { ...ok, 'x-mint': { groups: 'beta,vip' } } } },
    }
    const { value, parts } = toPublicDocument(document)
    expect(value).toEqual({ paths: { '/a': { get: ok, parameters: [{ name: 'q' }] } }, webhooks: {} })
    expect(parts).toEqual(['/paths/~1a/delete', '/paths/~1a/parameters/1', '/paths/~1b', '/webhooks/done/post'])
  })

  test('has no names of restricted properties and parameters in conditions, encodings and code samples', () => {
    const Upload = { properties: { file: { ...admins, type: 'string' }, other: {} } }
    const document = {
      components: { schemas: { Upload, Open: { properties: { file: { type: 'string' } } } } },
      paths: {
        '/a': {
          post: {
            parameters: [{ name: 'filter[mode]', in: 'query', ...admins }],
            requestBody: {
              content: {
                'multipart/form-data': {
                  schema: { $ref: '#/components/schemas/Upload' },
                  encoding: { file: { contentType: 'image/png' }, other: { contentType: 'image/png' } },
                },
                'multipart/mixed': { schema: { $ref: '#/components/schemas/Open' }, encoding: { file: {} } },
                'application/json': {
                  schema: {
                    dependentSchemas: { file: { minProperties: 1 }, other: { required: ['other'] } },
                    propertyNames: { enum: ['file', 'other'] },
                    not: { anyOf: [{ not: { required: ['file'] } }] },
                    allOf: [{ not: { required: ['file'] } }],
                    if: { required: ['file'] },
                    else: { minProperties: 2 },
                    anyOf: [{ if: { required: ['other'] }, else: { minProperties: 3 } }],
                  },
                },
              },
            },
            'x-codeSamples': [
              { lang: 'bash', source: "curl '/a?filter[mode]=1'" },
              { lang: 'bash', source: 'curl -F file=@picture.png /a' },
              { lang: 'js', source: 'post("/a", { File: 1 })' },
              { lang: 'py', source: "params['mode']" },
              { lang: 'bash', source: 'curl -d @file /a' },
            ],
            responses: { 200: { description: 'Good', links: { next: { parameters: { 'query.filter[mode]': 1, page: 2 } } } } },
          },
        },
      },
    }
    expect(toPublicDocument(document).value).toMatchObject({
      paths: {
        '/a': {
          post: {
            requestBody: {
              content: {
                'multipart/form-data': { encoding: { other: { contentType: 'image/png' } } },
                'multipart/mixed': { encoding: { file: {} } },
                'application/json': {
                  schema: {
                    propertyNames: { enum: ['other'] },
                    dependentSchemas: { other: { required: ['other'] } },
                    anyOf: [{ if: { required: ['other'] }, else: { minProperties: 3 } }],
                  },
                },
              },
            },
            'x-codeSamples': [{ lang: 'bash', source: 'curl -d @file /a' }],
            responses: { 200: { links: { next: { parameters: { page: 2 } } } } },
          },
        },
      },
    })
    expect(JSON.stringify(toPublicDocument(document).value)).not.toMatch(/"(?:not|else":\{"minProperties":2)|\bmode\b/)
  })

  test('has no restricted property, variant or value, nor their names in examples', () => {
    const document = {
      components: {
        schemas: {
          Plan: {
            type: 'string',
            enum: ['free', 'gold'],
            'x-mint-enum': { gold: ['vip'] },
            'x-enum-descriptions': ['No cost', 'Secret'],
          },
          Account: {
            type: 'object',
            required: ['name', 'internalId'],
            properties: {
              name: { type: 'string' },
              internalId: { ...admins, type: 'string' },
              plan: { $ref: '#/components/schemas/Plan' },
            },
            example: { name: 'Ada', internalId: 7, plan: 'gold' },
          },
          Setup: { oneOf: [{ title: 'Standard' }, { title: 'Enterprise', ...admins }] },
        },
      },
      paths: {
        '/a': {
          get: {
            responses: {
              200: {
                content: {
                  'application/json': {
                    schema: { allOf: [{ $ref: '#/components/schemas/Account' }, { $ref: '#/components/schemas/Setup' }] },
                    examples: { one: { value: [{ internalId: 8, name: 'Bob' }] }, two: { value: '{"internalId":9}' } },
                  },
                },
              },
            },
          },
        },
      },
    }
    const { value } = toPublicDocument(document)
    expect(JSON.stringify(value)).not.toMatch(/internalId|gold|Secret|Enterprise|admin|vip/)
    expect(value).toMatchObject({
      components: {
        schemas: {
          Plan: { enum: ['free'], 'x-enum-descriptions': ['No cost'] },
          Account: { required: ['name'], example: { name: 'Ada' } },
          Setup: { oneOf: [{ title: 'Standard' }] },
        },
      },
      paths: {
        '/a': {
          get: { responses: { 200: { content: { 'application/json': { examples: { one: { value: [{ name: 'Bob' }] } } } } } } },
        },
      },
    })
  })

  test('keeps numbers that equal a restricted value where another schema applies', () => {
    const level = { enum: [1, 2], 'x-mint-enum': { 1: ['a'] } }
    const document = {
      servers: [{ url: '{v}', variables: { v: { default: 'asc' } } }],
      components: {
        schemas: {
          A: { properties: { level }, example: { level: 1, page: 1, all: [1] } },
          B: { enum: ['asc'], 'x-mint-enum': { asc: ['a'] } },
        },
      },
    }
    const { value, leftovers } = toPublicDocument(document)
    expect(value).toMatchObject({
      components: { schemas: { A: { properties: { level: { enum: [2] } }, example: { page: 1, all: [1] } } } },
    })
    expect(JSON.stringify(value)).not.toContain('"level":1')
    expect(leftovers).toEqual([{ file: '', pointer: '/servers/0/variables/v/default', name: 'asc' }])
  })

  test('has no component or tag that only restricted parts use, and no reference to a restricted component', () => {
    const document = {
      tags: [{ name: 'Pets' }, { name: 'Admin', description: 'Internal' }, { name: 'Unused' }],
      'x-tagGroups': [{ name: 'All', tags: ['Pets', 'Admin'] }],
      paths: {
        '/pets': {
          get: {
            ...ok,
            tags: ['Pets'],
            requestBody: {
              content: {
                a: {
                  schema: {
                    properties: { pet: { $ref: '#/components/schemas/Pet' }, chip: { $ref: '#/components/schemas/Chip' } },
                  },
                },
              },
            },
          },
          delete: {
            ...ok,
            ...admins,
            tags: ['Admin'],
            security: [{ root: [] }],
            requestBody: { content: { a: { schema: { $ref: '#/components/schemas/Audit' } } } },
          },
        },
      },
      components: {
        schemas: {
          Pet: {
            type: 'object',
            discriminator: {
              propertyName: 'kind',
              mapping: { cat: '#/components/schemas/Cat', chip: '#/components/schemas/Chip' },
            },
          },
          Cat: { type: 'object' },
          Chip: { ...admins, type: 'string' },
          Audit: { properties: { who: { $ref: '#/components/schemas/Person' } } },
          Person: { type: 'string' },
          NeverUsed: { type: 'string' },
        },
        securitySchemes: { root: { type: 'http', scheme: 'basic' } },
      },
    }
    const { value } = toPublicDocument(document)
    expect(JSON.stringify(value)).not.toMatch(/Audit|Person|Admin|Internal|root|Chip/)
    expect(value).toMatchObject({
      tags: [{ name: 'Pets' }, { name: 'Unused' }],
      'x-tagGroups': [{ tags: ['Pets'] }],
      components: {
        schemas: { Cat: {}, NeverUsed: {}, Pet: { discriminator: { mapping: { cat: '#/components/schemas/Cat' } } } },
      },
    })
  })

  test('keeps names such as `__proto__`, and values in examples that look like an extension', () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}, "a": {"x-mint": {"groups": ["b"]}}}')
    const { value } = toPublicDocument({ properties, example: { 'x-mint': { groups: ['c'] } } })
    expect(Object.keys((value as { properties: object }).properties)).toEqual(['__proto__'])
    expect(value).toMatchObject({ example: { 'x-mint': { groups: ['c'] } } })
  })
})

test.each(['First', 'Second'])(
  'a reference inside of a schema with an `$id` is to a part of that schema, with %s restricted',
  async (restricted) => {
    const toSchema = (name: string) => ({
      $id: `https://example.com/${name}`,
      $defs: { part: { type: 'string', ...(name === restricted && admins) } },
      properties: { [`of${name}`]: { $ref: '#/$defs/part' }, open: { type: 'string' } },
    })
    const anyOf = [{ $ref: '#/components/schemas/First' }, { $ref: '#/components/schemas/Second' }]
    const document = {
      openapi: '3.1.0',
      info: { title: 'Resources', version: '1' },
      paths: {
        '/a': { get: { responses: { 200: { description: 'Good', content: { 'application/json': { schema: { anyOf } } } } } } },
      },
      components: { schemas: { First: toSchema('First'), Second: toSchema('Second') } },
    }
    const bytes = new TextEncoder().encode(JSON.stringify(document))
    const publicOnly = { hides: () => false, hidesSome: false }
    const { documents, findings } = await checkDescription('openapi.json', async () => ({ kind: 'loaded', bytes }), {
      publicOnly,
    })
    const shown = JSON.stringify(documents.get('openapi.json')?.parsed.value)
    expect([shown.includes('ofFirst'), shown.includes('ofSecond')]).toEqual([restricted === 'Second', restricted === 'First'])
    expect(findings.filter(({ code }) => code === 'reference-unresolved')).toEqual([])
  },
)
