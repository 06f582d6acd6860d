import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { fc, propertyRuns } from '../../support/properties.ts'
import { randomDocument } from '../../support/random-documents.ts'
import { buildDocument, type DocumentSite, prove } from './prove-site.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object, more: object = {}) => ({ content: { 'application/json': { schema, ...more } } })

/** An object literal with `then` could be mistaken for a promise. */
const when = (condition: object, result: unknown) => ({ if: condition, ...Object.fromEntries([['then', result]]) })

/** A document with everything that a page can show, in the places where it was lost. */
const whole = {
  openapi: '3.1.0',
  info: {
    title: 'Everything',
    version: '1.2.3',
    description: 'The *whole* API, see [the guide](https://example.com/guide).',
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    contact: { name: 'The team', url: 'https://example.com', email: 'team@example.com' },
  },
  externalDocs: { url: 'https://example.com/docs', description: 'More documentation' },
  servers: [
    {
      url: 'https://{region}.example.com',
      description: 'Production',
      variables: { region: { default: 'eu', enum: ['eu', 'us'], description: 'Where data is' } },
    },
    { url: 'https://test.example.com', description: 'Sandbox' },
  ],
  tags: [
    {
      name: 'things',
      description: 'About things',
      externalDocs: { url: 'https://example.com/t', description: 'The book of things' },
    },
  ],
  security: [{ key: [] }],
  paths: {
    '/bases': {
      ...{ summary: 'Words about bases', description: 'Only the path has this text.' },
      get: { responses: { 204: { description: 'There are some' } } },
      // A schema in itself is a link to the place that shows it.
      patch: { requestBody: json({ oneOf: [ref('Tree'), ref('Kind')] }), responses: { 204: { description: 'Changed' } } },
      put: { summary: 'Replace a base', requestBody: json(ref('Base')), responses: { 204: { description: 'Replaced' } } },
    },
    '/things/{id}': {
      summary: 'Path words',
      description: 'What all methods share.',
      parameters: [
        {
          name: 'id',
          in: 'path',
          required: true,
          description: 'Its number',
          schema: { type: 'integer', minimum: 5, example: 77 },
        },
      ],
      post: {
        operationId: 'changeThing',
        summary: 'Change a thing\n\nSend all of its fields',
        description: 'Changes it.\n\n- at once\n- completely',
        tags: ['things', 'others'],
        deprecated: true,
        externalDocs: { url: '/how-to-change/', description: 'How to change' },
        servers: [
          {
            url: 'https://write.example.com',
            description: 'For writing',
            variables: { stage: { default: 'live', description: 'The stage' } },
          },
        ],
        security: [{ oauth: ['write'] }, { key: [] }],
        parameters: [
          {
            ...{ name: 'filter', in: 'query', description: 'Which ones', style: 'pipeDelimited', explode: false },
            schema: {
              type: 'array',
              description: 'Of the list',
              items: { type: 'string', description: 'One filter', pattern: '^f', enum: ['f1', 'f2'] },
            },
            examples: { few: { summary: 'A few', description: 'Only some', value: ['f2', 'f1'] }, all: { value: ['f1', 'f2'] } },
          },
        ],
        requestBody: {
          description: 'The new thing.',
          ...{
            content: {
              'multipart/form-data': {
                schema: ref('Thing'),
                encoding: {
                  file: {
                    contentType: 'image/png',
                    headers: { 'X-Part': { description: 'Of the part', schema: { type: 'string' } } },
                  },
                },
              },
              'application/json': {
                schema: { ...ref('Thing'), description: 'A thing with words of its own.' },
                examples: {
                  one: { summary: 'First', description: 'The first one', value: { name: 'a' } },
                  two: { value: { name: 'b' } },
                },
              },
            },
          },
        },
        responses: {
          200: {
            summary: 'All good',
            description: 'It was changed, and this is what it looks like now.',
            headers: { 'X-Left': { description: 'What is left', schema: { type: 'integer', default: 3 }, example: 2 } },
            ...json(
              {
                type: 'array',
                title: 'All things',
                description: 'In order',
                items: { ...ref('Thing'), description: 'One of them' },
              },
              {
                examples: Object.fromEntries(
                  Array.from({ length: 8 }, (_, index) => [`e${index}`, { value: [{ name: `n${index}` }] }]),
                ),
              },
            ),
            links: { next: { operationId: 'changeThing', description: 'Then this', parameters: { id: '$response.body#/id' } } },
          },
          404: { description: 'Not found', content: { 'application/xml': { schema: ref('Tree') } } },
        },
        callbacks: {
          done: {
            '{$request.query.url}': {
              description: 'Path of the callback',
              put: {
                summary: 'It is done',
                description: 'Called at the end',
                operationId: 'onDone',
                parameters: [{ name: 'proof', in: 'header', description: 'A signature', schema: { type: 'string' } }],
                security: [{ key: [] }],
                requestBody: {
                  description: 'What was done',
                  ...json({
                    type: 'object',
                    description: 'The result',
                    properties: { ok: { type: 'boolean', description: 'Whether it worked' } },
                  }),
                },
                responses: { 204: { description: 'Thanks' } },
              },
            },
          },
        },
      },
    },
  },
  webhooks: {
    added: {
      post: {
        summary: 'A thing was added',
        description: 'At any time.',
        requestBody: { description: 'Sent to you', ...json({ ...ref('Thing'), title: 'The added thing' }) },
        responses: { 200: { description: 'OK' } },
      },
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'Get one in the settings.' },
      oauth: {
        type: 'oauth2',
        description: 'Sign in.',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://example.com/auth',
            tokenUrl: 'https://example.com/token',
            scopes: { write: 'Change things', read: 'See things' },
          },
        },
      },
    },
    schemas: {
      Thing: {
        description: 'A thing.',
        allOf: [
          ref('Base'),
          {
            description: 'Second words.',
            properties: {
              name: {
                type: 'string',
                description: 'Its name',
                minLength: 2,
                maxLength: 9000,
                default: 'x',
                examples: ['e1', 'e2', 'e3', 'e4', 'e5'],
              },
            },
            required: ['name', 'unknown'],
          },
          {
            description: 'Third words.',
            properties: { name: { pattern: '^[a-z]' } },
            ...when({ required: ['a1'] }, { properties: { a2: { description: 'Then this' } } }),
            else: { not: { description: 'Never that', required: ['a3'] } },
          },
          when({ required: ['b1'] }, { required: ['b2'] }),
        ],
        properties: {
          long: { type: 'string', description: 'Long', example: 'y'.repeat(500), title: 'A very long one' },
          file: { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
          text: {
            type: 'string',
            contentMediaType: 'application/json',
            contentSchema: { type: 'object', properties: { inner: { description: 'In the text' } } },
          },
          choice: {
            description: 'Several',
            oneOf: [
              { type: 'string', title: 'By name', description: 'A name', format: 'uri' },
              {
                type: 'array',
                description: 'A list',
                items: {
                  oneOf: [
                    { type: 'integer', description: 'Deep number', minimum: 3 },
                    { ...ref('Kind'), description: 'Deep kind' },
                  ],
                },
              },
              { type: 'null', description: 'Nothing at all' },
            ],
          },
          maybe: {
            anyOf: [{ ...ref('Base'), description: 'Words beside it' }, { type: 'null' }],
            description: 'Words around it',
          },
          kind: ref('Kind'),
          keys: {
            type: 'object',
            properties: { known: {} },
            additionalProperties: { type: 'string', format: 'date', description: 'Any date' },
            patternProperties: { '^x-': { type: 'integer', description: 'An extension' } },
            propertyNames: { pattern: '^[a-z-]+$' },
            minProperties: 1,
            maxProperties: 7,
          },
          pair: {
            type: 'array',
            prefixItems: [
              { type: 'string', description: 'First of two' },
              { type: 'number', multipleOf: 0.5 },
            ],
            unevaluatedItems: { type: 'boolean', description: 'All others' },
            contains: { const: 'must' },
            minContains: 2,
            uniqueItems: true,
          },
          both: { allOf: [ref('Base'), ref('Tree'), { properties: { more: { description: 'Of both' } } }] },
          single: { properties: { kept: { description: 'Next to one option' } }, oneOf: [{ description: 'The only option' }] },
          secret: { type: 'string', writeOnly: true, description: 'Only sent' },
          made: {
            type: 'string',
            readOnly: true,
            deprecated: true,
            description: 'Only read',
            externalDocs: { url: 'https://example.com/m', description: 'About made' },
          },
        },
        dependentRequired: { long: ['file'] },
        dependentSchemas: { text: { properties: { extra: { description: 'Needed with text' } } } },
        xml: { name: 'thing', namespace: 'https://example.com/xml' },
      },
      Base: {
        type: 'object',
        title: 'The base',
        description: 'What all have.',
        properties: { id: { type: 'integer', format: 'int64', description: 'Its number', exclusiveMinimum: 0 } },
        required: ['id'],
        additionalProperties: false,
      },
      Kind: {
        type: 'string',
        enum: ['big', 'small'],
        description: 'How big',
        'x-enumDescriptions': { big: 'Very big', small: 'Rather small' },
      },
      Tree: {
        description: 'A node.',
        properties: {
          children: { type: 'array', description: 'More nodes', items: ref('Tree') },
          next: { ...ref('List'), description: 'The other way' },
        },
      },
      List: { properties: { tree: ref('Tree'), value: { type: ['string', 'integer'], format: 'token' } } },
    },
  },
}

const text = JSON.stringify(whole)
const kindsOf = ({ faults }: ReturnType<typeof prove>) => [...new Set(faults.map((line) => line.slice(0, line.indexOf(':'))))]

let site: DocumentSite
beforeAll(async () => {
  site = await buildDocument('openapi.json', text)
})

test('the site of a document with everything is proved', () => {
  expect(prove(site).faults).toEqual([])
})

test.each<[kinds: readonly string[], from: string, to: string]>([
  [['intervals'], 'More than 0', 'At least 0'],
  [['scalars'], '^f', 'f'],
  [['places', 'scalars', 'samples'], 'image/png', ''],
  [['places', 'links'], 'href="/schemas/base/"', 'href="/schemas/bases/"'],
  [['samples'], '%7C', '%2C'],
])('the proof finds wrong %j in a site that has %j as %j', (kinds, from, to) => {
  const files = new Map(Array.from(site.files, ([path, content]) => [path, content.replaceAll(from, to)]))
  expect(kindsOf(prove({ ...site, files }))).toEqual(kinds)
})

test.each<[kinds: readonly string[], from: string, to: string]>([
  [['places', 'scalars', 'bodies'], '"required":["id"]', '"required":["none"]'],
  [['parameters'], '"style":"pipeDelimited"', '"style":"form"'],
])('the proof finds wrong %j in the site of a document that has %j as %j', (kinds, from, to) => {
  expect(kindsOf(prove({ ...site, document: JSON.parse(text.replace(from, to)) }))).toEqual(kinds)
})

test('the proof finds an operation without a page', async () => {
  const get = { 'x-hidden': true, 'x-excluded': true, description: 'Not on any page', security: [], responses: {} }
  const hidden = JSON.stringify({ ...whole, paths: { ...whole.paths, '/hidden': { get } } })
  expect(prove(await buildDocument('openapi.json', hidden)).faults).toEqual([
    'places: HTML: #/paths//hidden/get/description: Not on any page',
    'places: Markdown: #/paths//hidden/get/description: Not on any page',
  ])
})

test('the site of the API of this project is proved', async () => {
  const text = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')
  expect(prove(await buildDocument('openapi.json', text)).faults).toEqual([])
})

test('the sites of random documents are proved', async () => {
  await fc.assert(
    fc.asyncProperty(randomDocument, async (value) => {
      const { faults } = prove(await buildDocument('openapi.json', JSON.stringify(value)))
      // OpenAPI leaves some styles of lists and objects undefined.
      const expected = /^parameters: .* n\d: /
      expect(faults.filter((fault) => !expected.test(fault))).toEqual([])
    }),
    { numRuns: propertyRuns(100) },
  )
})
