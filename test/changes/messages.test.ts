import { describe, expect, test } from 'vitest'
import { compareContents as compareFiles } from '../../src/changes/compare/compare.ts'
import { compareDocuments } from './compare-documents.ts'

/** A document with one operation, whose response has a schema. */
function toDocument(schema: string, schemas = '', release = '3.1.0'): string {
  return `openapi: ${release}
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      responses: {'200': {description: Pets, content: {application/json: {schema: ${schema}}}}}
components: {schemas: {${schemas}}}
`
}

async function listMessages(base: string, revision: string): Promise<string[]> {
  const changes = await compareDocuments(base, revision)
  return changes.map(({ message, method }) => `${method ?? 'component'}: ${message}`)
}

describe('names of alternatives', () => {
  test('uses a component that only one alternative has in its `allOf`', async () => {
    const schemas = 'Cat: {type: object}, Dog: {type: object}, Base: {type: object}'
    const alternative = (name: string) => `{allOf: [{$ref: "#/components/schemas/${name}"}, {$ref: "#/components/schemas/Base"}]}`
    const base = toDocument(`{oneOf: [${alternative('Cat')}]}`, schemas)
    const revision = toDocument(`{oneOf: [${alternative('Dog')}, ${alternative('Cat')}]}`, schemas)
    expect(await listMessages(base, revision)).toEqual(['get: Alternative `Dog` was added to response `200`'])
  })

  test('uses a type that only one alternative has', async () => {
    const base = toDocument('{type: string, minLength: 1}')
    const revision = toDocument('{oneOf: [{type: string, minLength: 1}, {type: integer, minimum: 1}]}')
    expect(await listMessages(base, revision)).toEqual(['get: Alternative `integer` was added to response `200`'])
  })

  test.each([
    ['{required: [a]}', '1 (with `a`)'],
    ['{type: object, required: [a], properties: {a: {}, b: {}}}', '1 (`object` with `a`)'],
    ['{type: object, properties: {a: {}, b: {}, c: {}, d: {}}}', '1 (`object` with `a`, `b`, `c`)'],
    ['{minProperties: 2}', '1'],
  ])('uses the properties of an alternative: %s', async (alternative, expected) => {
    const base = toDocument('{type: object}')
    const revision = toDocument(`{type: object, anyOf: [${alternative}, {type: object, required: [z]}]}`)
    expect((await listMessages(base, revision)).join()).toContain(`alternatives: ${expected}, `)
  })
})

describe('alternatives', () => {
  const two = '{required: [a]}, {required: [b]}'

  test.each([
    [
      '{type: object}',
      `{type: object, oneOf: [${two}]}`,
      'Response `200` must now match one of 2 alternatives: 1 (with `a`), 2 (with `b`)',
    ],
    [
      `{type: object, anyOf: [${two}, {required: [c]}, {required: [d]}]}`,
      '{type: object}',
      'Response `200` no longer has to match one of 4 alternatives: 1 (with `a`), 2 (with `b`), 3 (with `c`) and 1 more',
    ],
    [
      '{type: object, required: [a], properties: {a: {}}}',
      `{type: object, required: [a], properties: {a: {}}, anyOf: [${two}]}`,
      'Response `200` can now match one of 2 alternatives: 1 (with `a`), 2 (with `b`), without an effect on values',
    ],
    [
      '{type: object, properties: {a: {}}}',
      '{oneOf: [{type: object, required: [b]}, {type: object, required: [c]}]}',
      'Response `200` is now one of 2 alternatives: 1 (`object` with `b`), 2 (`object` with `c`)',
    ],
  ])('are listed: %s → %s', async (before, after, expected) => {
    expect(await listMessages(toDocument(before), toDocument(after))).toContain(`get: ${expected}`)
  })
})

describe('places', () => {
  test('places the values of alternatives that are compared with an enum', async () => {
    const toParameter = (schema: string) => `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {/pets: {get: {parameters: [{name: a, in: query, schema: ${schema}}], responses: {'200': {description: A}}}}}
`
    const alternatives = '{oneOf: [{type: string, enum: [a, b]}, {type: string, const: c}]}'
    const list = async (base: string, revision: string) =>
      (await compareDocuments(toParameter(base), toParameter(revision))).map(({ code, base, revision }) => [
        code,
        base?.pointer.split('/schema')[1],
        revision?.pointer.split('/schema')[1],
      ])
    expect(await list('{type: string, enum: [a]}', alternatives)).toEqual([
      ['enum-value-added', '/enum', '/oneOf/0/enum/1'],
      ['enum-value-added', '/enum', '/oneOf/1/const'],
    ])
    expect(await list(alternatives, '{type: integer}')).toEqual([['type-changed', '/oneOf', '/type']])
  })

  test('points to `nullable` in OpenAPI 3.0', async () => {
    const [change] = await compareDocuments(
      toDocument('{type: string}', '', '3.0.3'),
      toDocument('{type: string, nullable: true}', '', '3.0.3'),
    )
    expect(change?.base?.pointer).toMatch(/\/schema\/type$/)
    expect(change?.revision?.pointer).toMatch(/\/schema\/nullable$/)
  })
})

const pet = '{$ref: "#/components/schemas/Pet"}'

describe('a component inside several schemas', () => {
  const property = '{anyOf: [{$ref: "#/components/schemas/Pet"}, {type: "null"}]}'
  const branch = '{allOf: [{$ref: "#/components/schemas/Pet"}, {type: object, properties: {id: {}}}]}'
  const uses = `{type: object, properties: {one: ${property}, other: ${property}, a: ${branch}, b: ${branch}}}`

  test.each([
    ['properties: {}', 'properties: {name: {}}', 'Optional property `name` of schema `Pet` was added'],
    ['properties: {name: {}}', 'properties: {}', 'Optional property `name` of schema `Pet` was removed'],
    ['minProperties: 1', 'minProperties: 2', '`minProperties` of schema `Pet` changed from 1 to 2'],
    ['minProperties: 1', '', '`minProperties` 1 was removed from schema `Pet`'],
    ['', 'minProperties: 1', '`minProperties` 1 was added to schema `Pet`'],
    ['', 'required: [x]', 'Property `x` of schema `Pet` became required'],
    ['', 'default: {}', 'Default `{}` was added to schema `Pet`'],
    ['', 'format: pet', 'Format `pet` was added to schema `Pet`'],
    ['', 'deprecated: true', 'Schema `Pet` was deprecated'],
    ['', 'propertyNames: {minLength: 1}', '`propertyNames` was added to schema `Pet`'],
  ])('has one change: %s → %s', async (before, after, expected) => {
    const toPet = (rest: string) => `Pet: {type: object${rest === '' ? '' : `, ${rest}`}}`
    const messages = await listMessages(toDocument(uses, toPet(before)), toDocument(uses, toPet(after)))
    expect(messages).toEqual([`component: ${expected}`])
  })
})

test('lists a change of a component once if both documents have another name', async () => {
  const one = `{anyOf: [${pet}], description: A pet}`
  const toFile = (entry: string, schemas: string) => {
    return { entry, files: { [entry]: toDocument(`{type: object, properties: {a: ${one}, b: ${one}}}`, schemas) } }
  }
  const before = toFile('old.yaml', 'Pet: {type: object, properties: {}}')
  const after = toFile('new.yaml', 'Pet: {type: object, properties: {name: {type: string}}}')
  for (const [from, to] of [
    [before, after],
    [after, before],
  ] as const) {
    const { changes } = await compareFiles(from, to, { today: '2026-06-15' })
    const places = changes.map(({ base, revision }) => [base?.pointer, revision?.pointer])
    const both = ['/components/schemas/Pet', '/components/schemas/Pet/properties/name']
    expect(places).toEqual([from === before ? both : both.toReversed()])
  }
})

describe('schemas in other files', () => {
  const entry = toDocument('{type: object, properties: {place: {$ref: models/region.yaml}, unit: {$ref: "units.yaml#/Unit"}}}')

  test.each([
    ['type: string', 'type: integer', 'Type of `region` changed from `string` to `integer`'],
    ['enum: [a]', 'enum: [a, b]', 'Value `"b"` was added to the enum of `region`'],
    ['enum: [a, b]', 'enum: [a]', 'Value `"b"` was removed from the enum of `region`'],
    ['type: integer', 'type: integer\nmaximum: 5', '`maximum` 5 was added to `region`'],
    ['type: integer\nmaximum: 5', 'type: integer', '`maximum` 5 was removed from `region`'],
    ['required: [a]', 'required: [b]', 'Property `b` of `region` became required'],
    ['properties: {type: {type: string}}', 'properties: {type: {type: integer}}', 'Type of `type` of `region` changed from'],
    ['anyOf: [{minLength: 1}]', 'anyOf: [{minLength: 2}]', '`minLength` of `region` changed from 1 to 2'],
  ])('are named after their file: %s → %s', async (before, after, expected) => {
    const toFiles = (region: string) => ({ 'openapi.yaml': entry, 'models/region.yaml': region, 'units.yaml': 'Unit: {}' })
    const changes = await compareDocuments(toFiles(before), toFiles(after))
    expect(changes.map(({ message }) => message).join('\n')).toContain(expected)
  })

  test('are named after their key', async () => {
    const toFiles = (unit: string) => ({ 'openapi.yaml': entry, 'models/region.yaml': '{}', 'units.yaml': `Unit: ${unit}` })
    const changes = await compareDocuments(toFiles('{enum: [a]}'), toFiles('{enum: [a, b]}'))
    expect(changes.map(({ message }) => message)).toEqual(['Value `"b"` was added to the enum of `Unit`'])
  })
})

describe('references to other components', () => {
  const schemas = 'Pet: {type: object, properties: {name: {type: string}}}, Animal: {type: object, properties: {}}'
  const animal = '{$ref: "#/components/schemas/Animal"}'

  test('names the place of one reference, and its operation', async () => {
    const changes = await compareDocuments(toDocument(pet, schemas), toDocument(animal, schemas))
    expect(changes.map(({ message, path }) => [message, path])).toEqual([
      ['Optional property `name` of response `200` was removed', '/pets'],
    ])
    const schema = '/paths/~1pets/get/responses/200/content/application~1json/schema'
    expect(changes[0]?.revision?.pointer).toBe(schema)
  })

  test.each([
    ['alternatives', `{oneOf: [${pet}, ${animal}]}`, 'Alternative `Animal`'],
    ['other alternatives', `{oneOf: [{type: object, required: [id]}, ${animal}]}`, 'one of 2 alternatives'],
    ['a property', '{type: object, properties: {age: {type: integer}, name: {type: string}}}', 'Optional property `a.age`'],
  ])('places the change from %s to a reference, and back, at the reference', async (_title, inline, message) => {
    const [before, after] = [inline, pet].map((one) => toDocument(`{type: object, properties: {a: ${one}}}`, schemas))
    const property = '/paths/~1pets/get/responses/200/content/application~1json/schema/properties/a'
    const [removed, ...others] = await compareDocuments(before ?? '', after ?? '')
    expect([removed?.message, removed?.revision?.pointer, others]).toEqual([expect.stringContaining(message), property, []])
    const [added] = await compareDocuments(after ?? '', before ?? '')
    expect([added?.message, added?.base?.pointer]).toEqual([expect.stringContaining(message), property])
  })

  test('names both components if one replaced the other in several places', async () => {
    const list = (one: string) => `{type: object, properties: {a: ${one}, b: ${one}}}`
    const messages = await listMessages(toDocument(list(pet), schemas), toDocument(list(animal), schemas))
    expect(messages).toEqual(['component: Optional property `name` of schema `Pet` (now `Animal`) was removed'])
  })

  test('names the property that may be null, not its schema', async () => {
    const toUse = (use: string) => toDocument(`{type: object, properties: {owner: ${use}}}`, 'Pet: {type: object}')
    const messages = await listMessages(toUse(pet), toUse(`{oneOf: [{type: "null"}, ${pet}]}`))
    expect(messages).toEqual([expect.stringMatching(/^get: `null` is now allowed for `owner` of /)])
  })

  test('names a renamed component', async () => {
    const revision = 'Animal: {type: object, properties: {name: {type: integer}}}'
    const before = 'Pet: {type: object, properties: {name: {type: string}}}'
    const messages = await listMessages(toDocument(pet, before), toDocument(animal, revision))
    expect(messages).toEqual(['component: Type of `name` of schema `Animal` changed from `string` to `integer`'])
  })

  test('names the place of a schema that was moved to a component', async () => {
    const inline = '{type: object, properties: {pet: {type: object, properties: {name: {type: integer}}}}}'
    const messages = await listMessages(
      toDocument(inline, ''),
      toDocument(`{type: object, properties: {pet: ${pet}}}`, 'Pet: {type: object, properties: {name: {type: string}}}'),
    )
    expect(messages).toEqual(['get: Type of `pet.name` of response `200` changed from `integer` to `string`'])
  })

  test('names the place of a schema inside a schema that was moved to a component', async () => {
    const team = (parent: string) => `{type: object, properties: {parent: ${parent}}}`
    const list = (items: string) => `{type: object, properties: {teams: {type: array, items: ${items}}}}`
    const messages = await listMessages(
      toDocument(list(team('{type: string}')), ''),
      toDocument(list('{$ref: "#/components/schemas/Team"}'), `Team: ${team(pet)}, Pet: {type: object}`),
    )
    expect(messages).toEqual(['get: Type of `teams[].parent` of response `200` changed from `string` to `object`'])
  })

  test('compares components that contain each other', async () => {
    const nodes = (name: string) =>
      `${name}: {type: object, properties: {next: {$ref: "#/components/schemas/${name}"}, name: {type: string}}}`
    const both = `${nodes('Pet')}, Animal: {type: object, properties: {next: ${animal}}}`
    expect(await listMessages(toDocument(pet, both), toDocument(animal, both))).toHaveLength(1)
  })
})

describe('`not`', () => {
  const excluding = (...names: readonly string[]) => {
    return `{type: object, properties: {a: {}}, not: {anyOf: [${names.map((name) => `{required: [${name}]}`).join(', ')}]}}`
  }

  test.each([
    [excluding('b'), excluding('b', 'c'), '`not` of response `200` now excludes objects with `c`, which it did not describe'],
    [
      excluding('b', 'c'),
      excluding('b'),
      '`not` of response `200` no longer excludes objects with `c`, which it does not describe',
    ],
    [excluding('b'), excluding('b', 'a'), '`not` of response `200` now excludes objects with `a`'],
    [
      '{type: object}',
      excluding('b', 'c', 'd', 'e'),
      '`not` of response `200` now excludes objects with `b`, `c`, `d` and 1 more, which it did not describe',
    ],
    ['{type: object, properties: {a: {}}}', excluding('a'), '`not` was added to response `200`'],
  ])('names the properties that it excludes: %s -> %s', async (base, revision, expected) => {
    const messages = await listMessages(toDocument(base), toDocument(revision))
    expect(messages.filter((message) => message.includes('`not`'))).toEqual([`get: ${expected}`])
  })

  test('names the alternative around it', async () => {
    const toSchema = (inner: string) => `{type: object, properties: {x: {}}, oneOf: [${inner}, {type: object, required: [y]}]}`
    const [base, revision] = [toSchema(excluding('b')), toSchema(excluding('b', 'x'))].map((schema) => toDocument(schema))
    expect(await listMessages(base ?? '', revision ?? '')).toContain(
      'get: An alternative of response `200` now excludes objects with `x`',
    )
  })
})

test('shows the end of long paths and names', async () => {
  const name = Array.from({ length: 12 }, (_, index) => `property_${index}`)
  const toSchema = (type: string) => name.reduceRight((schema, one) => `{type: object, properties: {${one}: ${schema}}}`, type)
  expect(await listMessages(toDocument(toSchema('{type: string}')), toDocument(toSchema('{type: integer}')))).toEqual([
    `get: Type of \`${name.join('.')}\` of response \`200\` changed from \`string\` to \`integer\``,
  ])
  const path = `/${name.join('/')}`
  const empty = toDocument('{}').replace(/paths:[\s\S]*(?=components)/, 'paths: {}\n')
  expect(await listMessages(toDocument('{}').replace('/pets', path), empty)).toEqual([
    `get: Operation \`GET ${path}\` was removed`,
  ])
})

test('reports no changed encoding for a property that was added', async () => {
  const form = (names: readonly string[]) => `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: {type: object, properties: {${names.map((name) => `${name}: {type: object}`).join(', ')}}}
            encoding: {${names.map((name) => `${name}: {style: deepObject}`).join(', ')}}
      responses: {'200': {description: Pets}}
`
  expect(await listMessages(form(['a']), form(['a', 'b']))).toEqual(['post: Optional property `b` of the request body was added'])
})

test.each([
  ['{type: array, items: {type: string}}', '{style: form, explode: true}', []],
  ['{type: string}', '{allowReserved: false}', []],
  ['{type: array, items: {type: string}}', '{explode: false}', ['post: Encoding of `a` in the request body changed']],
  ['{type: string}', '{contentType: text/plain}', []],
  ['{type: array, items: {type: integer}}', '{contentType: text/plain}', []],
  ['{type: object}', '{contentType: application/json}', []],
  ['{type: string, format: binary}', '{contentType: application/octet-stream}', []],
  ['{type: string}', '{contentType: text/html}', ['post: Encoding of `a` in the request body changed']],
  // Without a style, an object is JSON.
  ['{type: object}', '{style: form, explode: true}', ['post: Encoding of `a` in the request body changed']],
])('a default that is written out is no change: %s with %s', async (schema, encoding, expected) => {
  const form = (fields: string) => `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    post:
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: ${schema}}}${fields}}}}
      responses: {'200': {description: Pets}}
`
  expect(await listMessages(form(''), form(`, encoding: {a: ${encoding}}`))).toEqual(expected)
})
