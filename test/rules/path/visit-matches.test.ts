import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Place, visitMatches } from '../../../src/rules/path/visit-matches.ts'
import { expectSelected, listMatches, parse } from './select.ts'

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
  test.each([
    // Names
    ['$', "''"],
    ['$.info.title', '/info/title'],
    ['$.info.title.', '/info/title'],
    ['$.info.x-team', '/info/x-team'],
    ["$['info']['title']", '/info/title'],
    ['$["info"].title', '/info/title'],
    ["$.paths['/pets'].get", '/paths/~1pets/get'],
    ["$.paths.'/pets'.get", '/paths/~1pets/get'],
    ['$.paths./health', '/paths/~1health'],
    ['$[paths][/health]', '/paths/~1health'],
    ['$.paths["/p\\u0065ts"].get.operationId', '/paths/~1pets/get/operationId'],
    ['$.paths[*].post.responses.404', '/paths/~1pets/post/responses/404'],
    ['$.constructor', ''],
    ['$.info.title.length', ''],
    ['$.unknown', ''],
    // Wildcards and alternatives
    ['$.paths.*', '/paths/~1pets /paths/~1health'],
    ['$.paths[*][get,post]', '/paths/~1pets/get /paths/~1pets/post /paths/~1health/get'],
    ['$.paths[*]["get", "put"]', '/paths/~1pets/get /paths/~1health/get'],
    ['$.info.*', '/info/title /info/x-team'],
    // All descendants
    ['$..operationId', '/paths/~1pets/get/operationId /paths/~1health/get/operationId'],
    ['$..parameters[*].name', '/paths/~1pets/get/parameters/0/name /paths/~1pets/get/parameters/1/name'],
    ['$..parameters..name', '/paths/~1pets/get/parameters/0/name /paths/~1pets/get/parameters/1/name'],
    [
      '$..[description,title]',
      '/info/title /paths/~1pets/post/responses/200/description /paths/~1pets/post/responses/404/description',
    ],
    // As in jsonpath-plus, `.[` looks at all descendants.
    ['$.paths.[operationId]', '/paths/~1pets/get/operationId /paths/~1health/get/operationId'],
    ['$.info..', '/info'],
    [
      '$.paths[*].post..',
      '/paths/~1pets/post /paths/~1pets/post/responses /paths/~1pets/post/responses/200 /paths/~1pets/post/responses/404',
    ],
    // As in nimma, `..*` before another step also looks at the children.
    ['$..*.title', '/info/title'],
    ['$.tags..*', '/tags/0 /tags/1 /tags/2 /tags/3'],
    // Indexes and slices
    ['$.tags[0]', '/tags/0'],
    ['$.tags[1,3]', '/tags/1 /tags/3'],
    ['$.tags[-1]', '/tags/3'],
    ['$.tags[-2]', '/tags/2'],
    ['$.tags[(@.length-1)]', '/tags/3'],
    ['$.tags[1:3]', '/tags/1 /tags/2'],
    ['$.tags[:2]', '/tags/0 /tags/1'],
    ['$.tags[-2:]', '/tags/2 /tags/3'],
    ['$.tags[::2]', '/tags/0 /tags/2'],
    ['$.tags[1::2]', '/tags/1 /tags/3'],
    ['$.tags[0:9007199254740991:9007199254740991]', '/tags/0'],
    ['$.tags[3:0:-2]', '/tags/1 /tags/3'],
    ['$.tags[0, 2:]', '/tags/0 /tags/2 /tags/3'],
    // Parents
    ['$.paths[*].post^', '/paths/~1pets'],
    ['$..parameters[?(@.in)]^', '/paths/~1pets/get/parameters'],
    ['$..parameters[*][?(@property === "name" && @.match(/Id$/))]^.in', '/paths/~1pets/get/parameters/1/in'],
    ["$.paths[*][*].responses[?(@property == '404')]^^", '/paths/~1pets/post'],
    ['$.paths[*].post.responses.200^^.responses[*]', '/paths/~1pets/post/responses/200 /paths/~1pets/post/responses/404'],
    [
      '$.paths[*].post.responses.200^^^.get.parameters[*].name',
      '/paths/~1pets/get/parameters/0/name /paths/~1pets/get/parameters/1/name',
    ],
    ['$.paths[*].post.responses.200^^.responses.404^^.responses.200', '/paths/~1pets/post/responses/200'],
    ['$.info^', "''"],
    ['$.info^^', ''],
    // Types
    ['$.info@string()', '/info/title'],
    ['$.info..@null()', '/info/x-team'],
    ['$.paths..*@array()', '/paths/~1pets/get/parameters'],
  ])('%s', (expression, pointers) => {
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

test('reports the value, key and parent of a match', () => {
  const [match] = listMatches(pets, '$.info.title')
  expect([match?.value, match?.key, match?.parent]).toEqual(['Pets', 'title', pets.info])
})

test('visits several queries in the order of the document', () => {
  const found: string[] = []
  const queries = ['$.tags', '$.info', '$..title', '$.info'].map((expression, index) => ({
    path: parse(expression),
    onMatch: () => found.push(`${index} ${expression}`),
  }))
  visitMatches({ value: pets, file: 'openapi.yaml' }, queries, { originOf: () => undefined, spend: () => {} })
  expect(found).toEqual(['1 $.info', '3 $.info', '2 $..title', '0 $.tags'])
})

describe('in a document with resolved references', () => {
  const pet = { type: 'object', properties: { owner: {} } }
  const owner = { type: 'object', properties: { pets: { type: 'array', items: pet } } }
  pet.properties.owner = owner
  const document = { a: { schema: pet }, b: { schema: pet }, c: [owner] }
  const origins = new Map<object, Place>([
    [pet, { file: 'pet.yaml', pointer: '' }],
    [owner, { file: 'owner.yaml', pointer: '/~0owner' }],
  ])

  function listPlaces(expression: string): readonly string[] {
    const found: string[] = []
    const onMatch = ({ place }: { place: Place }) => found.push(`${place.file}#${place.pointer}`)
    visitMatches({ value: document, file: 'openapi.yaml' }, [{ path: parse(expression), onMatch }], {
      originOf: (object) => origins.get(object),
      spend: () => {},
    })
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
