import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { compareDocuments, summarize } from './compare-documents.ts'

const head = 'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\n'

describe('operations', () => {
  test('reports added and removed operations', async () => {
    const base = `${head}paths: {/pets: {get: {responses: {'200': {description: Pets}}}}}`
    const revision = `${head}paths: {/pets: {post: {responses: {'200': {description: Pets}}}}}`
    expect(summarize(await compareDocuments(base, revision))).toEqual([
      'breaking get /pets: operation-removed',
      'compatible post /pets: operation-added',
    ])
  })

  test('ignores the names of path parameters', async () => {
    const toDocument = (name: string) => {
      const parameter = `{name: ${name}, in: path, required: true, schema: {type: string}}`
      return `${head}paths: {'/pets/{${name}}': {get: {parameters: [${parameter}], responses: {'200': {description: Pet}}}}}`
    }
    expect(await compareDocuments(toDocument('id'), toDocument('petId'))).toEqual([])
  })

  test('keeps the method of an operation that moved, although another one has its `operationId`', async () => {
    const toDocument = (path: string) => {
      const operation = "{operationId: health, responses: {'200': {description: Up}}}"
      return `${head}paths: {${path}: {get: ${operation}, head: ${operation}}}`
    }
    expect(
      summarize(await compareDocuments(toDocument('/health/'), toDocument('/health'))).map((line) => line.split(':')[1]),
    ).toEqual([' operation-moved', ' operation-moved'])
  })

  // Such descriptions are wrong, but public. The URL stays the same.
  test.each([
    ['is described', '', ['compatible optional-parameter-added']],
    ['gets the name that the path has', '{name: pet}', ['compatible optional-parameter-added', 'risky parameter-removed']],
    ['loses the schema of any text', '{name: id, schema: {type: string}}', []],
    ['loses the schema of any value', '{name: id, schema: {}}', []],
    ['loses another schema', '{name: id, schema: {type: integer}}', ['compatible media-type-schema-removed']],
  ])('does not break clients if a path parameter %s', async (_, before, changes) => {
    const toDocument = (parameter: string) =>
      `${head}paths: {'/pets/{id}': {get: {parameters: [${parameter.replace(/\}$/, ', in: path, required: true}')}], responses: {}}}}`
    const found = await compareDocuments(toDocument(before), toDocument('{name: id}'))
    expect(found.map(({ level, code }) => `${level} ${code}`).sort()).toEqual(changes)
  })
})

describe('paths that differ only in the names of parameters, which is an error', () => {
  const toDocument = (...paths: readonly (readonly [name: string, type: string])[]) => {
    const items = paths.map(([name, type]) => {
      const operation = `parameters: [{name: ${name}, in: path, required: true, schema: {type: ${type}}}], responses: {}`
      return `'/pets/{${name}}': {get: {${operation}}}`
    })
    return `${head}paths: {${items.join(', ')}}`
  }

  test.each([
    [
      'in another order',
      [
        ['name', 'string'],
        ['id', 'integer'],
      ],
      [],
    ],
    [
      'with a change in the second',
      [
        ['id', 'integer'],
        ['name', 'boolean'],
      ],
      ['breaking get /pets/{name}: type-narrowed'],
    ],
    [
      'of which one has a new name',
      [
        ['key', 'integer'],
        ['name', 'string'],
      ],
      [],
    ],
    ['of which one is removed', [['name', 'string']], ['breaking get /pets/{id}: operation-removed']],
    [
      'to which one is added',
      [
        ['id', 'integer'],
        ['key', 'integer'],
        ['name', 'string'],
      ],
      ['compatible get /pets/{key}: operation-added'],
    ],
  ] as const)('are compared by their names: %s', async (_title, paths, expected) => {
    const base = toDocument(['id', 'integer'], ['name', 'string'])
    expect(summarize(await compareDocuments(base, toDocument(...paths)))).toEqual(expected)
  })
})

describe('a type that JSON and texts have', () => {
  const toDocument = (type: string, mediaTypes: readonly string[]) => {
    const schema = "{$ref: '#/components/schemas/Size'}"
    const content = `{${mediaTypes.map((name) => `${name}: {schema: {type: object, properties: {a: ${schema}}}}`).join(', ')}}`
    const operation = `{requestBody: {required: true, content: ${content}}, responses: {'200': {description: Pet, content: ${content}}}}`
    return `${head}paths: {/pets: {post: ${operation}}}\ncomponents: {schemas: {Size: {type: ${type}}}}\n`
  }

  test.each([
    [['application/json'], ['breaking type-changed']],
    [['application/x-www-form-urlencoded'], ['breaking type-narrowed', 'compatible type-narrowed']],
    [
      ['application/json', 'application/x-www-form-urlencoded'],
      ['breaking type-changed', 'compatible type-narrowed'],
    ],
  ])('is one change for each level: %j', async (mediaTypes, expected) => {
    const changes = await compareDocuments(toDocument('string', mediaTypes), toDocument('number', mediaTypes))
    expect(changes.map(({ level, code }) => `${level} ${code}`)).toEqual(expected)
  })
})

describe('alternatives of several media types', () => {
  const object = (name: string) => `{type: object, required: [${name}], properties: {${name}: {type: string}}}`
  const choice = (...names: readonly string[]) => `{anyOf: [${names.map(object).join(', ')}]}`
  const toDocument = (json: string, form: string) => {
    const content = `{application/json: {schema: ${json}}, application/x-www-form-urlencoded: {schema: ${form}}}`
    return `${head}paths: {/pets: {post: {requestBody: {required: true, content: ${content}}, responses: {'200': {description: Pet, content: ${content}}}}}}`
  }

  test.each([
    ['added to one', choice('a', 'b', 'c'), choice('a', 'b'), ['breaking alternative-added', 'compatible alternative-added']],
    ['removed from one', choice('a', 'b'), choice('a'), ['breaking alternative-removed', 'compatible alternative-removed']],
    ['in another order', choice('b', 'a'), choice('b', 'a'), []],
  ])('are compared in each of them: %s', async (_title, json, form, expected) => {
    const changes = await compareDocuments(toDocument(choice('a', 'b'), choice('a', 'b')), toDocument(json, form))
    expect(changes.map(({ level, code }) => `${level} ${code}`)).toEqual(expected)
  })
})

test('does not compare a request body or response whose reference cannot be resolved', async () => {
  const toDocument = (body: string, response: string) =>
    `openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {/pets: {post: {requestBody: ${body}, responses: {'200': ${response}}}}}\n`
  const content = 'content: {application/json: {schema: {type: object}}}'
  const [body, response] = [`{required: true, ${content}}`, `{description: Pet, headers: {Link: {schema: {}}}, ${content}}`]
  const none = "{$ref: '#/components/none'}"
  for (const unresolved of [toDocument(none, response), toDocument(body, none)]) {
    expect(summarize(await compareDocuments(toDocument(body, response), unresolved))).toEqual([])
    expect(summarize(await compareDocuments(unresolved, toDocument(body, response)))).toEqual([])
  }
})

test('a default has no effect in a parameter that is always sent', async () => {
  const toDocument = (fields: string, value: number) =>
    `${head}paths: {/pets: {get: {parameters: [{name: limit, in: query, ${fields} schema: {type: integer, default: ${value}}}], responses: {}}}}`
  const optional = await compareDocuments(toDocument('', 1), toDocument('', 2))
  expect(summarize(optional)).toEqual(['breaking get /pets: parameter-default-changed'])
  const required = await compareDocuments(toDocument('required: true,', 1), toDocument('required: true,', 2))
  expect(summarize(required)).toEqual(['compatible get /pets: parameter-default-changed'])
})

test('the default of a component has an effect where it is optional', async () => {
  const toDocument = (value: number) => `${head}paths:
  /pets: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {size: {$ref: '#/components/schemas/Size'}}}}}}, responses: {}}}
  /cats: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [size], properties: {size: {$ref: '#/components/schemas/Size'}}}}}}, responses: {}}}
components: {schemas: {Size: {type: integer, default: ${value}}}}`
  const changes = await compareDocuments(toDocument(1), toDocument(2))
  expect(summarize(changes)).toEqual(['risky [post /pets]: default-changed'])
})

const listOf = (items: string, rest = '') => `{type: array, items: ${items}${rest}}`

test.each([
  ['a list of the same type', '{type: string}', listOf('{type: string}'), 'compatible type-widened'],
  ['a list that can be null', '{type: string}', "{type: [array, 'null'], items: {type: string}}", 'compatible type-widened'],
  ['a list of null too', "{type: [string, 'null']}", listOf("{type: [string, 'null']}"), 'compatible type-widened'],
  [
    'a list without null',
    "{type: [string, 'null']}",
    listOf('{type: string}'),
    'breaking became-not-nullable',
    'breaking type-changed',
  ],
  ['a list of any text', '{type: [string, integer]}', listOf('{type: string}'), 'compatible type-widened'],
  ['a list of one of the types', '{type: [string, integer]}', listOf('{type: integer}'), 'breaking type-changed'],
  ['a list of a wider type', '{type: integer}', listOf('{type: number}'), 'compatible type-widened'],
  [
    'a list of the same values',
    '{type: string, enum: [a, b]}',
    listOf('{type: string, enum: [b, a, c]}'),
    'compatible type-widened',
  ],
  ['a list of fewer values', '{type: string, enum: [a, b]}', listOf('{type: string, enum: [a]}'), 'breaking type-changed'],
  ['a list with a limit', '{type: string}', listOf('{type: string, maxLength: 5}'), 'breaking type-changed'],
  ['a list of two items', '{type: string}', listOf('{type: string}', ', minItems: 2'), 'breaking type-changed'],
  ['a list of one item', '{type: string}', listOf('{type: string}', ', minItems: 1, maxItems: 9'), 'compatible type-widened'],
  ['a list of anything', '{type: boolean}', '{type: array}', 'compatible type-widened'],
])('a value of a query can become %s', async (_title, schema, list, ...expected) => {
  const toDocument = (one: string) =>
    `${head}paths: {/pets: {get: {parameters: [{name: kind, in: query, schema: ${one}}], responses: {}}}}`
  const changes = await compareDocuments(toDocument(schema), toDocument(list))
  expect(changes.map(({ level, code }) => `${level} ${code}`).sort()).toEqual(expected)
})

const notText = 'anyOf: [{type: number, multipleOf: 3}, {type: boolean}]'

test.each([
  ['no limit', '{type: boolean}', '{type: string, minLength: 0}', 'compatible type-widened'],
  ['a limit', '{type: boolean}', '{type: string, maxLength: 4}', 'breaking type-changed'],
  [
    'alternatives that no text matches',
    `{allOf: [{${notText}}, {type: boolean}]}`,
    `{allOf: [{${notText}}, {type: string}]}`,
    'breaking type-changed',
  ],
])('a truth value of a query can become a text with %s', async (_title, schema, text, ...expected) => {
  const toDocument = (one: string) =>
    `${head}paths: {/pets: {get: {parameters: [{name: kind, in: query, schema: ${one}}], responses: {}}}}`
  const changes = await compareDocuments(toDocument(schema), toDocument(text))
  expect(changes.map(({ level, code }) => `${level} ${code}`).sort()).toEqual(expected)
})

interface DirectionCase {
  readonly title: string
  readonly base: object
  readonly revision: object
  readonly inRequest: string
  readonly inWebhook: string
}

const directions: readonly DirectionCase[] = parse(readFileSync(new URL('directions.yaml', import.meta.url), 'utf8'))

test.each(directions)('the level in webhooks and callbacks is reversed: $title', async ({ base, revision, ...expected }) => {
  const find = async (place: (operation: string) => string) => {
    const toDocument = (fields: object) => head + place(JSON.stringify({ post: fields }))
    return (await compareDocuments(toDocument(base), toDocument(revision))).map(({ level }) => level)
  }
  expect(await find((item) => `paths: {/pets: ${item}}`)).toEqual([expected.inRequest])
  expect(await find((item) => `webhooks: {added: ${item}}`)).toEqual([expected.inWebhook])
  expect(await find((item) => `paths: {/pets: {post: {callbacks: {added: {/url: ${item}}}}}}`)).toEqual([expected.inWebhook])
})
