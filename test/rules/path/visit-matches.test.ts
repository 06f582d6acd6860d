import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Match, visitMatches } from '../../../src/rules/path/visit-matches.ts'
import { locate } from '../../../src/rules/run/resolve-document.ts'
import { expectSelected, listMatches, parse, readCases } from './select.ts'

const pets = {
  info: { title: 'Pets', 'x-team': null },
  paths: {
    '/pets': {
      get: {
        operationId: 'getPets',
        parameters: [
          { name: 'limit', in: 'query' },
          { name: 'petId', in: 'path' },
        ],
      },
      post: { responses: { 200: { description: 'ok' }, 404: { description: 'none' } } },
    },
    '/health': { get: { operationId: 'health' } },
  },
  tags: ['a', 'b', 'c', 'd'],
}

describe('selects the values of', () => {
  test.each(Object.entries(readCases('selected')))('%s', (expression, pointers) => {
    expectSelected(pets, expression, pointers)
  })
})

test.each([
  ['$.paths[*]~', ['/pets', '/health']],
  ['$.paths.*~', ['/pets', '/health']],
  ['$.paths[*].post^~', ['/pets']],
  ['$.tags[1:2]~', [1]],
  ['$~', [undefined]],
  // Spectral ignores these characters.
  ['$.tags[0]~))', [0]],
  ['$.tags[0]~^', [0]],
  ['$.paths[?(@.post)]~, $..get[?(@)]~', ['/pets']],
  ['$.paths[*]~.post', ['/pets', '/health']],
])('selects the keys of %s', (expression, keys) => {
  expect(listMatches(pets, expression).map(({ value }) => value)).toEqual(keys)
})

test('selects what the engine of Spectral selects for generated expressions', () => {
  const text = readFileSync('test/fixtures/rules/spectral-paths.json', 'utf8')
  const { document, expressions } = JSON.parse(text) as { document: unknown; expressions: Record<string, string[]> }
  const toPaths = (expression: string) => [...new Set(listMatches(document, expression).map(({ path }) => path.join('/')))].sort()
  const selected = Object.fromEntries(Object.keys(expressions).map((expression) => [expression, toPaths(expression)]))
  expect(selected).toEqual(expressions)
})

test('visits several queries in the order of the document', () => {
  const found: string[] = []
  const queries = ['$.tags', '$.info', '$..title', '$.info'].map((expression, index) => ({
    path: parse(expression),
    onMatch: () => found.push(`${index} ${expression}`),
  }))
  visitMatches(pets, queries, { originOf: () => undefined, spend: () => {} })
  expect(found).toEqual(['1 $.info', '3 $.info', '2 $..title', '0 $.tags'])
})

describe('in a document with resolved references', () => {
  const pet = { type: 'object', properties: { owner: {} } }
  const owner = { type: 'object', properties: { pets: { type: 'array', items: pet } } }
  pet.properties.owner = owner
  const document = { a: { schema: pet }, b: { schema: pet }, c: [owner] }
  const origins = new Map<object, { file: string; pointer: string }>([
    [pet, { file: 'pet.yaml', pointer: '' }],
    [owner, { file: 'owner.yaml', pointer: '/~0owner' }],
  ])

  function listPlaces(expression: string): readonly string[] {
    const found: string[] = []
    const originOf = (object: object) => origins.get(object)
    const selecting = parse(expression)
    const onMatch = ({ path }: Match) => {
      const place = locate({ file: 'openapi.yaml', value: document, originOf, namedTargets: new Set() }, path)
      const { file, pointer } = selecting.selectsKeys ? place.asKey() : place
      found.push(`${file}#${pointer}`)
    }
    visitMatches(document, [{ path: selecting, onMatch }], { originOf, spend: () => {} })
    return found
  }

  test.each([
    ['$..type', ['pet.yaml#/type', 'owner.yaml#/~0owner/type', 'owner.yaml#/~0owner/properties/pets/type']],
    ['$..[?(@.properties)]', ['pet.yaml#', 'owner.yaml#/~0owner']],
    ['$..items.type', ['pet.yaml#/type']],
    ['$.a.schema.properties.owner.properties.pets.items.properties.owner.type', ['owner.yaml#/~0owner/type']],
    ['$..pets^', ['owner.yaml#/~0owner/properties']],
    ['$[*]~', ['openapi.yaml#/a', 'openapi.yaml#/b', 'openapi.yaml#/c']],
    ['$.*.schema~', ['openapi.yaml#/a/schema', 'openapi.yaml#/b/schema']],
    ['$', ['openapi.yaml#']],
  ])('finds each place of %s', (expression, places) => {
    expect(listPlaces(expression)).toEqual(places)
  })

  test('does not enter an object inside itself for a query with paths', () => {
    expect(listPlaces("$..[?(@property === 'type' && @path.includes('pets'))]")).toEqual([
      'owner.yaml#/~0owner/properties/pets/type',
      'pet.yaml#/type',
    ])
  })
})
