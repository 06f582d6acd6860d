import { expect, test } from 'vitest'
import type { Reference } from '../../../src/site/reference/create-reference.ts'
import { sliceDescription } from '../../../src/site/reference/slice-description.ts'
import type { JsonObject } from '../../../src/text/json/json-values.ts'
import { checkFiles, documentOf, referenceOf } from './reference-of.ts'

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const ok = { 200: { description: 'OK' } }

function sliceOf(reference: Reference, target: string, url?: string): JsonObject {
  const operation = reference.operations.get(target)
  const webhook = reference.webhooks.get(target)
  if (operation) return JSON.parse(sliceDescription({ kind: 'operation', operation }, reference.context, url).json)
  return JSON.parse(sliceDescription({ kind: 'webhook', name: target, operations: webhook ?? [] }, reference.context, url).json)
}

/** Slices a description, expects the slice to be self-contained and valid, and returns it. */
async function sliceAlone(files: Readonly<Record<string, unknown>>, target: string): Promise<JsonObject> {
  const slice = sliceOf(await referenceOf(files), target)
  const check = await checkFiles({ 'slice.json': slice })
  expect(check.findings.map(({ code, message, pointer }) => `${pointer} ${code} ${message}`)).toEqual([])
  expect([...check.documents.keys()]).toEqual(['slice.json'])
  return slice
}

test('contains what an operation needs and nothing else', async () => {
  const document = documentOf(
    {
      Pet: { properties: { owner: { $ref: '#/components/schemas/Owner' }, parent: { $ref: '#/components/schemas/Pet' } } },
      Owner: { type: 'object' },
      Other: { type: 'object' },
    },
    {
      servers: [{ url: 'https://a.example' }],
      tags: [{ name: 'pets', description: 'Pets' }, { name: 'other' }],
      paths: {
        '/pets/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          get: { tags: ['pets'], responses: { 200: { description: 'OK', ...json({ $ref: '#/components/schemas/Pet' }) } } },
          delete: { responses: { 200: { description: 'OK', ...json({ $ref: '#/components/schemas/Other' }) } } },
        },
      },
    },
  )
  const slice = await sliceAlone({ 'a.json': document }, 'GET /pets/{id}')
  expect(slice).toEqual({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://a.example' }],
    tags: [{ name: 'pets', description: 'Pets' }],
    paths: {
      '/pets/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { tags: ['pets'], responses: { 200: { description: 'OK', ...json({ $ref: '#/components/schemas/Pet' }) } } },
      },
    },
    components: {
      schemas: {
        Pet: { properties: { owner: { $ref: '#/components/schemas/Owner' }, parent: { $ref: '#/components/schemas/Pet' } } },
        Owner: { type: 'object' },
      },
    },
  })
})

test('has no exceptions from rules', async () => {
  const ignored = { 'x-lint-ignore': { rule: 'reason' } }
  const document = documentOf(
    { Pet: { ...ignored, type: 'object', properties: { name: { ...ignored, type: 'string' } } } },
    {
      ...ignored,
      info: { title: 'Pets', version: '1', ...ignored },
      servers: [{ url: 'https://a.example', ...ignored }],
      tags: [{ name: 'pets', ...ignored }],
      paths: {
        '/pets': {
          ...ignored,
          get: {
            ...ignored,
            tags: ['pets'],
            responses: { ...ignored, 200: { description: 'OK', ...ignored, ...json({ $ref: '#/components/schemas/Pet' }) } },
          },
        },
      },
    },
  )
  const slice = await sliceAlone({ 'a.json': document }, 'GET /pets')
  expect(JSON.stringify(slice)).not.toContain('x-lint-ignore')
  expect(slice).toMatchObject({ tags: [{ name: 'pets' }], components: { schemas: { Pet: { type: 'object' } } } })
})

test('resolves references to other files and mappings by name and file', async () => {
  const files = {
    'a.json': documentOf(
      { Base: { type: 'object' } },
      { paths: { '/pets': { $ref: 'paths/pets.json' } }, security: [{ key: [] }] },
    ),
    'paths/pets.json': {
      post: {
        security: [],
        parameters: [{ $ref: '../parts.json#/limit' }],
        requestBody: json({
          oneOf: [{ $ref: '../schemas/cat.json' }, { $ref: '../schemas/dog.json' }],
          discriminator: {
            propertyName: 'kind',
            mapping: { cat: '../schemas/cat.json', dog: '../schemas/dog.json', base: 'Base' },
          },
        }),
        responses: { 200: { $ref: '../parts.json#/ok' } },
      },
    },
    'parts.json': {
      limit: { name: 'limit', in: 'query', schema: { type: 'integer' } },
      ok: { description: 'OK', ...json({ $ref: 'schemas/cat.json' }) },
    },
    'schemas/cat.json': { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, mother: { $ref: '#' } } },
    'schemas/dog.json': { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
  }
  const slice = await sliceAlone(files, 'POST /pets')
  expect(slice['paths']).toMatchObject({
    '/pets': {
      post: {
        parameters: [{ $ref: '#/components/parameters/limit' }],
        requestBody: json({
          oneOf: [{ $ref: '#/components/schemas/cat' }, { $ref: '#/components/schemas/dog' }],
          discriminator: {
            mapping: { cat: '#/components/schemas/cat', dog: '#/components/schemas/dog', base: '#/components/schemas/Base' },
          },
        }),
        responses: { 200: { $ref: '#/components/responses/ok' } },
      },
    },
  })
  expect(slice['components']).toMatchObject({
    schemas: { cat: { properties: { mother: { $ref: '#/components/schemas/cat' } } } },
  })
})

test('handles references into paths, unusual names, links and schema identifiers', async () => {
  const files = {
    'a.json': documentOf(
      { 'a.b-c': { $id: 'https://example.com/abc', type: 'object' } },
      {
        paths: {
          '/a': {
            get: {
              operationId: 'getA',
              responses: {
                200: {
                  description: 'OK',
                  ...json({ properties: { x: { $ref: '#/components/schemas/a.b-c' } } }),
                  links: { self: { operationId: 'getA' }, other: { operationId: 'getB' } },
                },
              },
            },
          },
          '/b': {
            get: {
              operationId: 'getB',
              responses: {
                200: {
                  description: 'OK',
                  ...json({ $ref: '#/paths/~1a/get/responses/200/content/application~1json/schema/properties/x' }),
                },
              },
            },
          },
        },
      },
    ),
  }
  const a = await sliceAlone(files, 'GET /a')
  expect(a['paths']).toMatchObject({ '/a': { get: { responses: { 200: { links: { self: { operationId: 'getA' } } } } } } })
  expect(JSON.stringify(a)).not.toContain('getB')
  expect(JSON.stringify(a)).not.toContain('$id')
  const b = await sliceAlone(files, 'GET /b')
  expect(b['components']).toEqual({ schemas: { x: { $ref: '#/components/schemas/a.b-c' }, 'a.b-c': { type: 'object' } } })
})

test('reads links and requirements as pages do: behind a reference, and none that are not a list', async () => {
  const links = { self: { operationId: 'getA' }, other: { operationId: 'getB' } }
  const response = { description: 'OK', links: { $ref: '#/x-links' } }
  const more = {
    'x-links': links,
    security: [{ key: [] }],
    paths: { '/a': { get: { operationId: 'getA', security: {}, responses: { 200: response } } } },
  }
  const securitySchemes = { key: { type: 'http', scheme: 'basic' } }
  const slice = sliceOf(await referenceOf({ 'a.json': documentOf({}, { ...more, components: { securitySchemes } }) }), 'GET /a')
  expect(slice['paths']).toMatchObject({ '/a': { get: { responses: { 200: { links: { self: links.self } } } } } })
  expect(JSON.stringify(slice)).not.toContain('getB')
  expect(slice).toMatchObject({ security: [{ key: [] }], components: { securitySchemes } })
})

test.each(['3.0.3', '3.1.0', '3.2.0'])('slices webhooks of %s with their security schemes', async (version) => {
  const field = version.startsWith('3.0') ? 'x-webhooks' : 'webhooks'
  const more = {
    [field]: { petAdded: { post: { requestBody: json({ $ref: '#/components/schemas/Pet' }), responses: ok } } },
    security: [{ key: [] }],
  }
  const document = documentOf({ Pet: { type: 'object' } }, more, version)
  Object.assign((document as { components: object }).components, {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, unused: { type: 'http', scheme: 'basic' } },
  })
  const slice = await sliceAlone({ 'a.json': document }, 'petAdded')
  expect(slice[field]).toEqual({ petAdded: { post: { requestBody: json({ $ref: '#/components/schemas/Pet' }), responses: ok } } })
  expect(slice['components']).toMatchObject({ securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } })
  expect(JSON.stringify(slice)).not.toContain('unused')
})

test('includes additional operations and parent tags (3.2)', async () => {
  const document = documentOf(
    {},
    {
      tags: [{ name: 'all' }, { name: 'pets', parent: 'all' }, { name: 'other' }],
      paths: { '/pets': { additionalOperations: { PURGE: { tags: ['pets'], responses: ok } } } },
    },
    '3.2.0',
  )
  const slice = await sliceAlone({ 'a.json': document }, 'PURGE /pets')
  expect(slice['paths']).toEqual({ '/pets': { additionalOperations: { PURGE: { tags: ['pets'], responses: ok } } } })
  expect(slice['tags']).toEqual([{ name: 'all' }, { name: 'pets', parent: 'all' }])
})

test('ends for path items that contain themselves in callbacks', async () => {
  const files = {
    'a.json': documentOf({}, { paths: { '/a': { $ref: 'item.json' } } }, '3.0.3'),
    'item.json': { get: { responses: ok, callbacks: { done: { '{$url}': { $ref: 'item.json' } } } } },
  }
  const slice = sliceOf(await referenceOf(files), 'GET /a')
  expect(JSON.stringify(slice)).not.toContain('item.json')
})

test('refers to the whole document for what only responses use, and for far schemas of a request', async () => {
  const thing = (index: number) => ({ description: 'x'.repeat(1_000), items: { $ref: `#/components/schemas/Thing${index + 1}` } })
  const things = Array.from({ length: 400 }, (_, index) => [`Thing${index}`, thing(index)])
  const whole = '/a.json#/components/schemas'
  const wanted = json({ $ref: '#/components/schemas/Wanted' })
  const operation = {
    requestBody: json({ $ref: '#/components/schemas/Thing0' }),
    responses: { 200: { description: '', ...wanted } },
  }
  const security = { securitySchemes: { key: { type: 'http', scheme: 'basic' } } }
  const files = documentOf(
    { ...Object.fromEntries(things), Thing400: {}, Wanted: { type: 'object' } },
    { paths: { '/things': { post: operation } }, webhooks: { wanted: { post: { ...operation, security: [{ key: [] }] } } } },
  )
  const document = { ...files, components: { ...Object(files).components, ...security } }
  const reference = await referenceOf({ 'a.json': document })
  const slice = sliceOf(reference, 'POST /things', '/a.json')
  const response = { description: '', ...json({ $ref: `${whole}/Wanted` }) }
  expect(slice).toMatchObject({
    paths: { '/things': { post: { responses: { 200: response } } } },
    components: { schemas: { Thing0: thing(0), Thing80: thing(80) } },
  })
  expect(JSON.stringify(slice)).toMatch(/"(Thing9\d)":\{"\$ref":"\/a\.json#\/components\/schemas\/\1"\}\}\}\}$/)
  const { webhooks, components } = sliceOf(reference, 'wanted', '/a.json')
  expect(components).toEqual(security)
  expect(JSON.stringify(webhooks)).toContain(`${whole}/Thing0`)
})

test('has the responses that an operation refers to, with references to the whole document in them', async () => {
  const response = (reference: string) => ({ description: 'OK', ...json({ $ref: reference }) })
  const document = {
    ...documentOf({}),
    paths: { '/a': { get: { responses: { 200: { $ref: '#/components/responses/Ok' } } } } },
    components: { schemas: { Pet: {} }, responses: { Ok: response('#/components/schemas/Pet') } },
  }
  const slice = sliceOf(await referenceOf({ 'a.json': document }), 'GET /a', '/a.json')
  expect(slice['paths']).toEqual(document.paths)
  expect(slice['components']).toEqual({ responses: { Ok: response('/a.json#/components/schemas/Pet') } })
})

test('has what schemas refer to beside a reference that leads to nothing', async () => {
  const odd = { $ref: '#/components/schemas/None', items: { $ref: '#/components/schemas/Pet' } }
  const paths = { '/a': { get: { responses: { 200: { description: 'OK', ...json({ $ref: '#/components/schemas/Odd' }) } } } } }
  const slice = sliceOf(await referenceOf({ 'a.json': documentOf({ Odd: odd, Pet: {} }, { paths }) }), 'GET /a')
  expect(slice['components']).toEqual({ schemas: { Odd: odd, Pet: {} } })
})

test('resolves servers against a document from a URL', async () => {
  const document = {
    ...documentOf({}),
    servers: [{ url: '/v1/{x}', variables: { x: { default: 'a' } } }, { url: 'https://a.test' }, { url: '{scheme}://b.test' }],
    paths: {
      '/a': { servers: [{ url: 'v2' }], get: { responses: ok }, put: { servers: [{ url: '//c.test/' }], responses: ok } },
    },
  }
  const urlsOf = async (file: string) => {
    const reference = await referenceOf({ [file]: document })
    const slice = JSON.parse(JSON.stringify(sliceOf(reference, 'PUT /a')))
    const all = [slice.servers, slice.paths['/a'].servers, slice.paths['/a'].put.servers]
    const urls = all.flatMap((servers: { url: string }[]) => servers.map(({ url }) => url))
    return [...urls, ...(reference.operationView('GET /a')?.servers ?? []).map(({ url }) => url)]
  }
  expect(await urlsOf('api/a.json')).toEqual(['/v1/{x}', 'https://a.test', '{scheme}://b.test', 'v2', '//c.test/', 'v2'])
  expect(await urlsOf('https://docs.test/api/a.json')).toEqual([
    'https://docs.test/v1/{x}',
    'https://a.test',
    '{scheme}://b.test',
    'https://docs.test/api/v2',
    'https://c.test/',
    'https://docs.test/api/v2',
  ])
})

test('shared components do not depend on the order of slices', async () => {
  const wide = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, { description: 'x'.repeat(900) }]))
  const toRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const chain = Array.from({ length: 12 }, (_, index) => [
    `Thing${index}`,
    { properties: { ...wide, next: toRef(`Thing${(index + 1) % 12}`), far: { $ref: `far.json#/Far${index % 2}` } } },
  ])
  const files = {
    'a.json': documentOf(Object.fromEntries([...chain, ['Far', { type: 'string' }]]), {
      paths: Object.fromEntries(
        chain.map(([name], index) => [
          `/things${index}`,
          {
            put: {
              requestBody: json(toRef(String(name))),
              responses: { 200: { description: 'OK', ...json(toRef(String(name))) } },
            },
          },
        ]),
      ),
    }),
    'far.json': { Far0: { type: 'integer', title: 'a' }, Far1: { items: { $ref: 'a.json#/components/schemas/Far' } } },
  }
  const forwards = await referenceOf(files)
  const targets = [...forwards.operations.keys()]
  const first = new Map(targets.map((target) => [target, sliceOf(forwards, target, '/a.json')]))
  const backwards = await referenceOf(files)
  for (const target of targets.toReversed()) expect(sliceOf(backwards, target, '/a.json'), target).toEqual(first.get(target))
  for (const target of targets) expect(sliceOf(await referenceOf(files), target, '/a.json'), target).toEqual(first.get(target))
  expect(JSON.stringify(first.get('PUT /things3'))).toContain('{"$ref":"/a.json#/components/schemas/')
})

test('contains at most 100 of a long chain of tags, and stays valid', async () => {
  const tags = Array.from({ length: 300 }, (_, index) => ({ name: `t${index}`, ...(index > 0 && { parent: `t${index - 1}` }) }))
  const paths = { '/a': { get: { tags: ['t299'], responses: ok } }, '/b': { get: { tags: ['t20'], responses: ok } } }
  const files = { 'a.json': documentOf({}, { tags, paths }, '3.2.0') }
  const [long, short] = [await sliceAlone(files, 'GET /a'), await sliceAlone(files, 'GET /b')]
  expect(long['tags']).toEqual([{ name: 't200' }, ...tags.slice(201)])
  expect(short['tags']).toEqual(tags.slice(0, 21))
})
