import { expect, test } from 'vitest'
import { english } from '../../../src/site/messages/messages.ts'
import { translatePlace } from '../../../src/site/page/api/schema-words.ts'
import { documentOf, referenceOf } from './reference-of.ts'

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const pet = { $ref: '#/components/schemas/Pet' }

/** Lists the uses of a schema as `target: place`. */
async function usesOf(files: Readonly<Record<string, unknown>>, name = 'Pet'): Promise<string[]> {
  const reference = await referenceOf(files)
  return (reference.schemaView(name)?.usedBy ?? []).map(({ target, place }) => `${target}: ${translatePlace(place, english)}`)
}

const inOperation = (operation: object, schemas: object = {}) => ({
  'a.json': documentOf({ Pet: { type: 'object' }, ...schemas }, { paths: { '/pets': { get: operation } } }),
})

test.each<[string, object, string[]]>([
  ['a body', { requestBody: json(pet) }, ['GET /pets: body']],
  ['a response', { responses: { 200: { description: '', ...json(pet) } } }, ['GET /pets: response 200']],
  [
    'a list in an object without a name',
    { requestBody: json({ properties: { all: { type: 'array', items: pet } } }) },
    ['GET /pets: body'],
  ],
  ['the same place twice', { requestBody: json({ oneOf: [pet, { allOf: [pet] }] }) }, ['GET /pets: body']],
  ['a parameter', { parameters: [{ name: 'filter', in: 'query', schema: pet }] }, ['GET /pets: parameter filter']],
  [
    'a parameter with content',
    { parameters: [{ name: 'filter', in: 'query', content: { 'application/json': { schema: pet } } }] },
    ['GET /pets: parameter filter'],
  ],
  ['a header', { responses: { 200: { description: '', headers: { 'X-Pet': { schema: pet } } } } }, ['GET /pets: header X-Pet']],
  [
    'a callback',
    { callbacks: { done: { '{$request.query.url}': { post: { requestBody: json(pet) } } } } },
    ['GET /pets: callback body'],
  ],
  ['nothing', { responses: { 200: { description: '' } } }, []],
])('finds a schema in %s of an operation', async (_, operation, expected) => {
  expect(await usesOf(inOperation(operation))).toEqual(expected)
})

test.each<[string, object, string[]]>([
  ['a property', { properties: { pet } }, ['Owner: property pet']],
  ['a property of a property', { properties: { a: { properties: { b: pet } } } }, ['Owner: property a.b']],
  ['all of', { allOf: [pet, { type: 'object' }] }, ['Owner: all of']],
  ['a property in all of', { allOf: [{ properties: { pet } }] }, ['Owner: property pet']],
  ['one of', { oneOf: [pet] }, ['Owner: one of']],
  ['items', { type: 'array', items: pet }, ['Owner: items']],
  ['other keys', { additionalProperties: pet }, ['Owner: other keys']],
  ['keys of a pattern', { patternProperties: { '^x-': pet } }, ['Owner: other keys']],
  ['a reference alone', pet, ['Owner: the same']],
  ['not', { not: pet }, ['Owner: not']],
  [
    'a part without a name',
    { $ref: '#/components/schemas/Owner/$defs/Inner', $defs: { Inner: { properties: { pet } } } },
    ['Owner: property pet'],
  ],
  [
    'the mapping of a discriminator',
    { discriminator: { propertyName: 'kind', mapping: { pet: 'Pet' } }, properties: { kind: { type: 'string' } } },
    ['Owner: by kind'],
  ],
])('finds a schema in %s of another schema', async (_, owner, expected) => {
  expect(await usesOf({ 'a.json': documentOf({ Pet: { type: 'object' }, Owner: owner }) })).toEqual(expected)
})

test('lists a nested schema only under the named schema that uses it', async () => {
  const { 'a.json': document } = inOperation(
    { requestBody: json({ $ref: '#/components/schemas/Owner' }) },
    { Owner: { properties: { pet } } },
  )
  expect(await usesOf({ 'a.json': document })).toEqual(['Owner: property pet'])
  expect(await usesOf({ 'a.json': document }, 'Owner')).toEqual(['GET /pets: body'])
})

test('identifies a schema in another file with the named schema that refers to it', async () => {
  const files = {
    'a.json': documentOf(
      { Pet: { $ref: 'pet.json' } },
      { paths: { '/pets': { post: { requestBody: json({ $ref: 'parts.json#/Envelope' }) } } } },
    ),
    'parts.json': { Envelope: { properties: { data: { $ref: 'pet.json' }, next: { $ref: '#/Envelope' } } } },
    'pet.json': { type: 'object' },
  }
  expect(await usesOf(files)).toEqual(['Envelope: property data'])
})

test('lists webhooks and ends for circular schemas', async () => {
  const files = {
    'a.json': documentOf(
      { Pet: { properties: { children: { type: 'array', items: pet } } } },
      { webhooks: { petAdded: { post: { requestBody: json(pet) } } } },
    ),
  }
  expect(await usesOf(files)).toEqual(['petAdded: body', 'Pet: property children'])
})
