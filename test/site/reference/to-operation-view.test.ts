import { describe, expect, test } from 'vitest'
import type { OperationView } from '../../../src/site/reference/types.ts'
import { referenceOf } from './reference-of.ts'

const shared = {
  'shared.json': {
    keys: { header: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    pet: { name: 'Rex' },
  },
}

/** What the page and the slice have of `GET /a` with these fields. */
function read(operation: object, pathItem: object = {}) {
  const document = {
    openapi: '3.2.0',
    info: { title: 'Pets', version: '1' },
    paths: { '/a': { ...pathItem, get: { responses: {}, ...operation } } },
    components: {
      securitySchemes: { basic: { type: 'http', scheme: 'Basic' }, vapid: { type: 'http', scheme: 'vapid-X' } },
      examples: {
        Pet: { summary: 'A pet', value: { name: 'Rex' } },
        Again: { value: { $ref: '#/components/examples/Pet' } },
        Endless: { value: { $ref: '#/components/examples/Endless' } },
        Cat: { value: { $ref: 'nothing.json' } },
      },
    },
    // A reference that loads the file.
    'x-shared': { $ref: 'shared.json' },
  }
  return readFiles({ 'a.json': document, ...shared })
}

async function readFiles(files: Readonly<Record<string, unknown>>) {
  const reference = await referenceOf(files)
  const view = reference.operationView('GET /a')
  const { json } = reference.describe('GET /a') ?? {}
  if (!view || json === undefined) throw new Error('No operation')
  return { view, slice: JSON.parse(json) }
}

const pet = { name: 'Rex' }
const toContent = (mediaType: object) => ({ responses: { 200: { description: '', content: { 'application/json': mediaType } } } })
const valuesOf = ({ responses }: OperationView) => responses[0]?.content[0]?.examples.map(({ value }) => value)

describe('examples', () => {
  const toPet = { $ref: '#/components/examples/Pet' }
  const toValue = { $ref: '#/components/examples/Pet/value' }
  const toNothing = { $ref: 'nothing.json' }

  test.each<[title: string, mediaType: object, values: readonly unknown[]]>([
    ['a reference to an Example Object', { example: toPet }, [pet]],
    ['a reference to a value', { example: toValue }, [pet]],
    ['a reference to a value in another file', { example: { $ref: 'shared.json#/pet' } }, [pet]],
    ['a reference to nothing', { example: toNothing }, []],
    ['references in `examples`', { examples: { a: toPet, b: { value: toPet }, c: { value: toValue } } }, [pet, pet, pet]],
    ['an Example Object that refers to another', { examples: { a: { $ref: '#/components/examples/Again' } } }, [pet]],
    [
      'references to nothing in `examples`',
      { examples: { a: { value: toNothing }, b: toNothing, c: { value: { $ref: '#/components/examples/Endless' } }, d: {} } },
      [],
    ],
    ['one reference to nothing of two', { examples: { a: { value: toNothing }, b: { value: 1 } } }, [1]],
    ['the example of a schema', { schema: { example: toPet } }, [pet]],
    ['the examples of a schema', { schema: { examples: [toNothing, toPet] } }, [pet]],
    ['examples of a schema before its example', { schema: { example: 1, examples: [2, 3] } }, [2]],
    ['null', { example: null }, [null]],
    ['null in `examples`', { examples: { a: { value: null }, b: { dataValue: null, serializedValue: '' } } }, [null, null]],
    ['null in a schema', { schema: { type: ['string', 'null'], example: null } }, [null]],
    ['data with a `$ref`', { example: { $ref: '#/definitions/a', title: 'a' } }, [{ $ref: '#/definitions/a', title: 'a' }]],
  ])('%s', async (_, mediaType, values) => {
    const { view, slice } = await read(toContent(mediaType))
    expect(valuesOf(view)).toEqual(values)
    expect(valuesOf((await readFiles({ 'slice.json': slice })).view)).toEqual(values)
  })

  test('a parameter has those of its media type, then its own', async () => {
    const content = { 'application/json': { schema: { type: 'object' }, example: toPet } }
    const { view } = await read({ parameters: [{ name: 'a', in: 'query', schema: { type: 'string' }, content, example: 1 }] })
    const [parameter] = view.parameters
    expect(parameter?.examples.map(({ value }) => value)).toEqual([pet, 1])
    expect(parameter).toMatchObject({ contentType: 'application/json', schema: { type: [{ text: 'object' }] } })
  })
})

test('parameters of the operation replace those of the path item in their place, headers in any case', async () => {
  const toList = (description: string, ...names: readonly string[]) => ({
    parameters: names.map((name) => ({
      name,
      description,
      in: name.startsWith('X-') || name.startsWith('x-') ? 'header' : 'query',
    })),
  })
  const { view } = await read(toList('own', 'x-b', 'a', 'B'), toList('of path item', 'a', 'b', 'X-A', 'X-B'))
  expect(view.parameters.map(({ name, description }) => `${name} ${description}`)).toEqual([
    'a own',
    'b of path item',
    'B own',
    'X-A of path item',
    'x-b own',
  ])
})

test('requirements name schemes by name or URI; the slice has the names of its own schemes', async () => {
  const security = [
    { basic: [], vapid: [] },
    { '#/components/securitySchemes/basic': [] },
    { 'shared.json#/keys/header': ['read'] },
    { missing: [] },
    {},
  ]
  const { view, slice } = await read({ security })
  expect(
    view.security.map((uses) => uses.map(({ name, scheme }) => [name, scheme.type === 'http' ? scheme.scheme : scheme.type])),
  ).toEqual([
    [
      ['basic', 'basic'],
      ['vapid', 'vapid-X'],
    ],
    [['basic', 'basic']],
    [['shared.json#/keys/header', 'apiKey']],
    [['missing', 'unknown']],
    [],
  ])
  expect(slice.paths['/a'].get.security).toEqual([
    { basic: [], vapid: [] },
    { basic: [] },
    { header: ['read'] },
    { missing: [] },
    {},
  ])
  expect(slice.components.securitySchemes.header).toEqual(shared['shared.json'].keys.header)
})

test('encodings have their serialization with its defaults, if one of its fields is set', async () => {
  const encoding = { a: { contentType: 'text/plain' }, b: { style: 'spaceDelimited' }, c: { allowReserved: true } }
  const { view } = await read({ requestBody: { content: { 'multipart/form-data': { encoding } } } })
  expect(view.requestBody?.content[0]?.encoding.map(({ property, serialization }) => [property, serialization])).toEqual([
    ['a', undefined],
    ['b', { style: 'spaceDelimited', explode: false, allowReserved: false }],
    ['c', { style: 'form', explode: true, allowReserved: true }],
  ])
})
