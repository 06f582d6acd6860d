import { describe, expect, test } from 'vitest'
import { checkDescription } from '../../../src/checks/check-description.ts'
import { toLoadDocument } from '../../../src/docs/read/find-docs.ts'
import { joinParts } from '../../../src/docs/update/stored-documents.ts'
import { bundleDescription } from '../../../src/openapi/bundle/bundle-description.ts'
import { defaultLimits } from '../../../src/text/plain/limits.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'

/** The bundle of these files (a text each, or a value as JSON), and the references that are left. */
async function bundle(files: { readonly [path: string]: unknown }, entryPath = 'openapi.yaml') {
  const texts = Object.entries(files).map(([path, value]) => [path, typeof value === 'string' ? value : JSON.stringify(value)])
  const load = toLoadDocument(
    { files: createMemoryFiles(Object.fromEntries(texts)), fetchDocument: () => Promise.reject(new Error('no network here')) },
    entryPath,
    defaultLimits,
  )
  const check = await checkDescription(entryPath, load)
  if (!check.description) throw new Error(check.findings.map(({ message }) => message).join('\n'))
  const made = await bundleDescription(check, load, 10_000)
  if (!made) throw new Error('there is no bundle')
  return { document: await joinParts(made), left: made.left }
}

const head = { openapi: '3.1.1', info: { title: 'Pets', version: '1' } }
const schema = (reference: string) => ({ $ref: reference })
const to = (name: string) => `#/components/schemas/${name}`
const withSchemas = (schemas: unknown, version = '3.1.1') => ({ ...head, openapi: version, paths: {}, components: { schemas } })

/** The components of an entry document with these schemas. */
async function schemasOf(schemas: unknown, files: { readonly [path: string]: unknown }) {
  const result = await bundle({ 'openapi.yaml': withSchemas(schemas), ...files })
  return (result.document['components'] as { schemas: unknown }).schemas
}

describe('what references lead to in other files goes under components', () => {
  test.each<[string, unknown, { readonly [path: string]: unknown }, unknown]>([
    [
      'by the name of its file',
      { A: { items: schema('models/pet.yaml') } },
      { 'models/pet.yaml': 'type: object\n' },
      { A: { items: schema('#/components/schemas/pet') }, pet: { type: 'object' } },
    ],
    [
      'by the last step of its pointer',
      { A: { items: schema('models.yaml#/Pet') }, B: { items: schema('./models.yaml#/Pet') } },
      { 'models.yaml': { Pet: { type: 'object' } } },
      {
        A: { items: schema('#/components/schemas/Pet') },
        B: { items: schema('#/components/schemas/Pet') },
        Pet: { type: 'object' },
      },
    ],
    [
      'in the component that is nothing but a reference to it',
      { Pet: schema('pet.yaml'), A: { items: schema('pet.yaml') } },
      { 'pet.yaml': { type: 'object' } },
      { Pet: { type: 'object' }, A: { items: schema('#/components/schemas/Pet') } },
    ],
    [
      'with the folder in front where the name is taken',
      { pet: {}, A: { items: schema('models/pet.yaml') }, B: { items: schema('other/pet.yaml') }, models_pet: {} },
      { 'models/pet.yaml': { type: 'object' }, 'other/pet.yaml': { type: 'array' } },
      {
        pet: {},
        A: { items: schema('#/components/schemas/pet_2') },
        B: { items: schema('#/components/schemas/other_pet') },
        models_pet: {},
        pet_2: { type: 'object' },
        other_pet: { type: 'array' },
      },
    ],
    [
      'with the file and its folder in front where several have the name, whichever is used first',
      {
        A: { items: schema('b/all.yaml#/x/Pet') },
        B: { items: schema('c.yaml#/Pet') },
        C: { items: schema('a/all.yaml#/Pet') },
        D: { items: schema('a/all.yaml#/Tag') },
      },
      {
        'a/all.yaml': { Pet: { type: 'object' }, Tag: {} },
        'b/all.yaml': { x: { Pet: { type: 'array' } } },
        'c.yaml': { Pet: { type: 'string' } },
      },
      {
        A: { items: schema('#/components/schemas/b_all_Pet') },
        B: { items: schema('#/components/schemas/c_Pet') },
        C: { items: schema('#/components/schemas/a_all_Pet') },
        D: { items: schema('#/components/schemas/Tag') },
        b_all_Pet: { type: 'array' },
        c_Pet: { type: 'string' },
        a_all_Pet: { type: 'object' },
        Tag: {},
      },
    ],
    [
      'with what it references in its own and further files',
      { A: { items: schema('a.yaml') } },
      {
        'a.yaml': { properties: { self: schema('#'), b: schema('sub/b.yaml') } },
        'sub/b.yaml': {
          properties: { a: schema('../a.yaml#/properties/b'), entry: schema('../openapi.yaml#/components/schemas/A') },
        },
      },
      {
        A: { items: schema('#/components/schemas/a') },
        a: { properties: { self: schema('#/components/schemas/a'), b: schema('#/components/schemas/b') } },
        b: {
          properties: { a: schema('#/components/schemas/a/properties/b'), entry: schema('#/components/schemas/A') },
        },
      },
    ],
    [
      'where a reference leads on to a reference',
      { A: schema('a.yaml') },
      { 'a.yaml': schema('b.yaml'), 'b.yaml': { type: 'string' } },
      { A: schema('#/components/schemas/b'), b: { type: 'string' } },
    ],
    [
      'with the fields beside the reference',
      { A: { items: { $ref: 'a.yaml', description: 'mine', properties: { b: schema('b.yaml') } } } },
      { 'a.yaml': { description: 'theirs' }, 'b.yaml': true },
      {
        A: {
          items: {
            $ref: '#/components/schemas/a',
            description: 'mine',
            properties: { b: schema('#/components/schemas/b') },
          },
        },
        a: { description: 'theirs' },
        b: true,
      },
    ],
    [
      'with escaped and encoded names',
      { A: { items: schema('a%20b.yaml#/x~1y%20z') } },
      { 'a b.yaml': { 'x/y z': { type: 'string' } } },
      { A: { items: schema('#/components/schemas/x_y_z') }, x_y_z: { type: 'string' } },
    ],
    [
      'and a mapping of a discriminator leads there',
      {
        A: {
          oneOf: [schema('dog.yaml')],
          discriminator: { propertyName: 't', mapping: { d: 'dog.yaml', n: 'A', e: to('A') }, defaultMapping: 'dog.yaml' },
        },
      },
      { 'dog.yaml': { required: ['t'], properties: { t: {} } } },
      {
        A: {
          oneOf: [schema('#/components/schemas/dog')],
          discriminator: { propertyName: 't', mapping: { d: to('dog'), n: 'A', e: to('A') }, defaultMapping: to('dog') },
        },
        dog: { required: ['t'], properties: { t: {} } },
      },
    ],
    [
      'and a `$ref` in an example stays data, as does a property of that name',
      {
        A: {
          examples: [{ $ref: '#/nowhere' }],
          default: { a: { $ref: 'a.yaml' } },
          properties: { $ref: { type: 'string' }, a: schema('a.yaml') },
        },
      },
      { 'a.yaml': { const: { $ref: 'b' }, $id: 'urn:a' } },
      {
        A: {
          examples: [{ $ref: '#/nowhere' }],
          default: { a: { $ref: 'a.yaml' } },
          properties: { $ref: { type: 'string' }, a: schema('#/components/schemas/a') },
        },
        a: { const: { $ref: 'b' }, $id: 'urn:a' },
      },
    ],
    [
      'and what an `$id` names stays as it is',
      { A: { $id: 'https://example.com/a', $defs: { b: { $anchor: 'b' } }, items: schema('#/$defs/b'), not: schema('#b') } },
      {},
      { A: { $id: 'https://example.com/a', $defs: { b: { $anchor: 'b' } }, items: schema('#/$defs/b'), not: schema('#b') } },
    ],
  ])('%s', async (_name, schemas, files, expected) => {
    expect(await schemasOf(schemas, files)).toEqual(expected)
  })
})

const response = { description: 'ok' }

describe('what has no place there is written where it is used', () => {
  test('path items and operations, each time', async () => {
    const files = {
      'openapi.yaml': {
        ...head,
        openapi: '3.0.4',
        paths: {
          '/a': schema('paths/a.yaml'),
          '/b': schema('paths/a.yaml'),
          '/c': { get: schema('paths/get.yaml'), summary: 's' },
        },
      },
      'paths/a.yaml': { parameters: [schema('../parameters.yaml#/limit')], get: schema('get.yaml') },
      'paths/get.yaml': { responses: { 200: schema('responses.yaml#/ok') } },
      'paths/responses.yaml': { ok: { description: 'ok', content: { 'a/b': { schema: schema('../pet.yaml') } } } },
      'parameters.yaml': { limit: { name: 'limit', in: 'query', schema: {} } },
      'pet.yaml': 'type: object\n',
    }
    const get = { responses: { 200: schema('#/components/responses/ok') } }
    const pathItem = { parameters: [schema('#/components/parameters/limit')], get }
    expect((await bundle(files)).document).toEqual({
      ...head,
      openapi: '3.0.4',
      paths: { '/a': pathItem, '/b': pathItem, '/c': { get, summary: 's' } },
      components: {
        parameters: { limit: { name: 'limit', in: 'query', schema: {} } },
        responses: { ok: { description: 'ok', content: { 'a/b': { schema: schema('#/components/schemas/pet') } } } },
        schemas: { pet: { type: 'object' } },
      },
    })
  })

  test('a mapping that is a reference as a whole', async () => {
    const files = {
      'openapi.yaml': { ...head, paths: {}, components: { schemas: { $ref: 'schemas.yaml', B: {} } } },
      'schemas.yaml': { A: { items: schema('#/C') }, C: {} },
    }
    expect((await bundle(files)).document['components']).toEqual({
      schemas: { A: { items: schema('#/components/schemas/C') }, C: {}, B: {} },
    })
  })

  test('a path item that comes back in its own callbacks refers to itself', async () => {
    const files = {
      'openapi.yaml': { ...head, paths: { '/a b': schema('a.yaml') } },
      'a.yaml': { post: { responses: { 200: response }, callbacks: { again: { '{$request.body#/url}': schema('#') } } } },
    }
    const { paths } = (await bundle(files)).document as { paths: { [path: string]: unknown } }
    expect(paths['/a b']).toEqual({
      post: { responses: { 200: response }, callbacks: { again: { '{$request.body#/url}': schema('#/paths/~1a%20b') } } },
    })
  })

  test('a link leads to the operation where it has gone', async () => {
    const link = { operationRef: 'a.yaml#/get' }
    const files = {
      'openapi.yaml': {
        ...head,
        paths: { '/a': schema('a.yaml'), '/b': { get: { responses: { 200: { ...response, links: { next: link } } } } } },
      },
      'a.yaml': { get: { responses: { 200: response } } },
    }
    expect(JSON.stringify((await bundle(files)).document)).toContain('{"operationRef":"#/paths/~1a/get"}')
  })
})

describe('values in unknown locations', () => {
  test('turns a value of another file into a component, also next to the object around it', async () => {
    const files = { 'a.yaml': { 'x-defs': { B: { items: schema('b.yaml') } }, not: schema('#/x-defs/B') }, 'b.yaml': {} }
    expect(await schemasOf({ A: { items: schema('a.yaml') } }, files)).toMatchObject({
      a: { not: schema('#/components/schemas/B') },
      B: { items: schema('#/components/schemas/b') },
      b: {},
    })
  })

  test('in the entry document too, where it refers to other files', async () => {
    const entry = {
      ...withSchemas({ A: { items: schema('#/x-defs/B'), not: schema('#/x-defs/C') } }),
      'x-defs': { B: { items: schema('b.yaml') }, C: { type: 'object' } },
    }
    const { document } = await bundle({ 'openapi.yaml': entry, 'b.yaml': { not: schema('#') } })
    expect(document['components']).toEqual({
      schemas: {
        A: { items: schema('#/components/schemas/B'), not: schema('#/x-defs/C') },
        B: { items: schema('#/components/schemas/b') },
        b: { not: schema('#/components/schemas/b') },
      },
    })
  })
})

test('a reference inside of a schema with an `$id` stays as it is, as its base is that schema', async () => {
  const inside = { $id: 'https://example.com/a', items: schema('#/$defs/B'), not: schema('b.yaml'), $defs: { B: {} } }
  expect(await schemasOf({ A: schema('a.yaml'), C: schema('a.yaml#/$defs/B') }, { 'a.yaml': inside, 'b.yaml': {} })).toEqual({
    A: { ...inside, not: schema('#/components/schemas/b') },
    C: {},
    b: {},
  })
})

test('a reference in place of a whole extension, at the top and in what is written in place', async () => {
  const files = {
    'openapi.yaml': {
      ...head,
      paths: { '/a': { get: { $ref: 'get.yaml', 'x-b': { $ref: 'x.yaml' } } } },
      'x-top': { $ref: 'x.yaml' },
    },
    'get.yaml': { description: { $ref: 'x.yaml#/text' }, 'x-a': { $ref: 'x.yaml' }, responses: { 200: response } },
    'x.yaml': { text: 'some' },
  }
  const x = { text: 'some' }
  expect((await bundle(files)).document).toEqual({
    ...head,
    paths: { '/a': { get: { description: 'some', 'x-a': x, 'x-b': x, responses: { 200: response } } } },
    'x-top': x,
  })
})

test('a header whose name begins with x- is no extension', async () => {
  const headers = { 'x-id': schema('id.yaml') }
  const files = {
    'openapi.yaml': { ...head, paths: {}, components: { responses: { A: { ...response, headers } } } },
    'id.yaml': { schema: { type: 'string' } },
  }
  expect((await bundle(files)).document['components']).toEqual({
    responses: { A: { ...response, headers: { 'x-id': schema('#/components/headers/id') } } },
    headers: { id: { schema: { type: 'string' } } },
  })
})

test('has an end, where each path item contains the next one twice', async () => {
  const callback = (file: string) => ({ '{$request.body}': schema(file) })
  const pathItem = (index: number) => ({
    post: { responses: { 200: response }, callbacks: { a: callback(`${index}.yaml`), b: callback(`${index}.yaml`) } },
  })
  const items = Array.from({ length: 30 }, (_, index) => [`${index}.yaml`, index === 29 ? {} : pathItem(index + 1)] as const)
  const files = { 'openapi.yaml': { ...head, paths: { '/a': schema('0.yaml') } }, ...Object.fromEntries(items) }
  await expect(bundle(files)).rejects.toThrow('there is no bundle')
})

test('extensions, texts and whole examples get what files have for them', async () => {
  const files = {
    'openapi.yaml': {
      ...head,
      info: { ...head.info, description: { $ref: 'texts.yaml#/about' } },
      'x-samples': [{ $ref: 'samples/curl.yaml' }, { $ref: 'samples/none.yaml' }, { $ref: '#/info' }],
      paths: {},
      components: { examples: { pet: { value: { $ref: 'samples/pet.json' } } } },
    },
    'texts.yaml': 'about: All about pets\n',
    'samples/curl.yaml': 'lang: curl\nmore: { $ref: "pet.json" }\nagain: { $ref: "curl.yaml" }\n',
    'samples/pet.json': '{"name": "Rex", "$id": 1}',
  }
  const result = await bundle(files)
  expect(result.document).toMatchObject({
    info: { description: 'All about pets' },
    'x-samples': [
      { lang: 'curl', more: { name: 'Rex', $id: 1 }, again: { $ref: 'curl.yaml' } },
      { $ref: 'samples/none.yaml' },
      { $ref: '#/info' },
    ],
    components: { examples: { pet: { value: { name: 'Rex', $id: 1 } } } },
  })
  expect(result.left).toEqual(['samples/none.yaml', 'curl.yaml'])
})

test('addresses are left, and said', async () => {
  const result = await bundle({ 'openapi.yaml': withSchemas({ A: schema('https://example.com/a.yaml') }) })
  expect(result.document).toEqual(withSchemas({ A: schema('https://example.com/a.yaml') }))
  expect(result.left).toEqual(['https://example.com/a.yaml'])
})

test.each(['3.0.4', '3.1.2', '3.2.0'])('%s: keeps a single document unchanged', async (version) => {
  const document = withSchemas({ A: { properties: { a: schema('#/components/schemas/A') } }, __proto__: {} }, version)
  expect((await bundle({ 'openapi.yaml': document })).document).toEqual(document)
})

test('3.2: media types are components', async () => {
  const files = {
    'openapi.yaml': {
      ...head,
      openapi: '3.2.0',
      paths: { '/a': { query: { responses: { 200: { content: { 'a/b': schema('media.yaml#/pets') } } } } } },
    },
    'media.yaml': { pets: { itemSchema: schema('#/pet'), description: 'pets' }, pet: {} },
  }
  const { document } = await bundle(files)
  expect(document['components']).toMatchObject({ mediaTypes: { pets: { itemSchema: schema('#/components/schemas/pet') } } })
})
