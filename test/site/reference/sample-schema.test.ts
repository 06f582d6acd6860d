import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { sampleOfPattern } from '../../../src/site/reference/sample-pattern.ts'
import { sampleText } from '../../../src/site/reference/sample-scalar.ts'
import { sampleSchema } from '../../../src/site/reference/sample-schema.ts'
import type { SchemaSide } from '../../../src/site/reference/types.ts'
import { countCalls } from '../../support/count-calls.ts'
import { documentOf, referenceOf } from './reference-of.ts'
import { trickySchemas } from './tricky-schemas.ts'

/** The generated example of the schema `A`. */
async function sampleOf(schemas: object, side: SchemaSide = 'both', version = '3.1.0'): Promise<unknown> {
  const { context } = await referenceOf({ 'openapi.json': documentOf(schemas, {}, version) })
  return sampleSchema({ file: 'openapi.json', pointer: '', value: { $ref: '#/components/schemas/A' } }, side, context)
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

describe('the generated example', () => {
  test('has its properties in the order of the document, numbers too', async () => {
    const text = JSON.stringify(documentOf({ A: 1 })).replace('"A":1', '"A":{"properties":{"b":{"const":1},"10":{"const":2}}}')
    const { context } = await referenceOf({ 'openapi.json': text })
    const sample = sampleSchema({ file: 'openapi.json', pointer: '', value: ref('A') }, 'both', context)
    expect(JSON.stringify(sample)).toBe('{"b":1,"10":2}')
  })

  test.each<[string, object, unknown]>([
    ['has all properties', object({ a: text, b: { type: 'integer' }, c: { type: 'boolean' } }), { a: 'string', b: 0, c: true }],
    ['has examples of properties', object({ a: { ...text, example: 'x' }, b: { examples: ['y'] } }), { a: 'x', b: 'y' }],
    ['has written values', object({ a: { const: 'x' }, b: { default: 5 }, c: { enum: [null, 1] } }), { a: 'x', b: 5, c: 1 }],
    ['ignores a default of null that is not allowed', object({ a: { ...text, default: null } }), { a: 'string' }],
    [
      'is of the type that is not null',
      object({ a: { type: ['null', 'string'] }, b: { anyOf: [{ type: 'null' }, text] } }),
      { a: 'string', b: 'string' },
    ],
    ['merges allOf', { allOf: [object({ a: text }), object({ a: { maxLength: 3 }, b: text })] }, { a: 'str', b: 'string' }],
    [
      'respects limits of numbers',
      object({
        a: { type: 'integer', minimum: 3, multipleOf: 5 },
        b: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
        c: { type: 'integer', maximum: -2 },
        d: { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 },
        e: { type: 'number', format: 'double', minimum: -90, maximum: 90 },
        f: { type: 'integer', minimum: -10, maximum: -5 },
      }),
      { a: 5, b: 0.5, c: -2, d: 0, e: 0.1, f: -5 },
    ],
    [
      'has likely values by names, if they are valid',
      object({
        currency: { ...text, maxLength: 3, description: 'In lower case' },
        countryCode: { ...text, minLength: 3 },
        billing_email: text,
        ids: { type: 'array', items: { type: 'integer' } },
        created: { type: 'integer', description: 'Milliseconds since the epoch' },
        expires_at: text,
        create_time: { ...text, format: 'date_time_v3', pattern: '^[0-9]{4}-[01][0-9]-[0-3][0-9][Tt][0-9:]{8}Z$' },
        per_page: { type: 'integer', maximum: 15 },
        homepage: { ...text, format: 'hostname' },
        phone: { ...text, pattern: '^0' },
        valid: text,
      }),
      {
        currency: 'usd',
        countryCode: 'USA',
        billing_email: 'user@example.com',
        ids: [1],
        created: 1_769_851_800_000,
        expires_at: '2026-01-31T09:30:00Z',
        create_time: '2026-01-31T09:30:00Z',
        per_page: 10,
        homepage: 'example.com',
        phone: '0',
        valid: 'string',
      },
    ],
    ['varies unique items', { type: 'array', items: text, minItems: 2, uniqueItems: true }, ['string', 'string2']],
    ['respects maxItems', { type: 'array', items: text, maxItems: 0 }, []],
    ['has the parts of a tuple', { type: 'array', prefixItems: [text, { type: 'integer' }] }, ['string', 0]],
    ['has keys of a map', { type: 'object', additionalProperties: text }, { property1: 'string', property2: 'string' }],
    [
      'has names that a map allows',
      { type: 'object', additionalProperties: text, propertyNames: { enum: ['de', 'fr'] } },
      { de: 'string', fr: 'string' },
    ],
    ['leaves out a property without a valid value', object({ a: { ...text, enum: [1] }, b: text }), { b: 'string' }],
    [
      'is the first choice that is not also another one',
      { oneOf: [object({ a: text }, { required: ['a'] }), object({ b: text, a: text }, { required: ['b'] }), text] },
      { a: 'string' },
    ],
    [
      'leaves out lists and objects of which no listed value is one',
      object({ a: { type: 'array', items: text, enum: ['x'] }, b: { type: 'object', const: 'x' }, c: text }),
      { c: 'string' },
    ],
    ['skips a choice without a value', { oneOf: [object({ a: { ...text, enum: [1] } }, { required: ['a'] }), text] }, 'string'],
    [
      'combines a choice with the properties around it',
      object({ a: text }, { anyOf: [{ required: ['b'], properties: { b: text } }] }),
      { a: 'string', b: 'string' },
    ],
    [
      'can have a property called __proto__',
      object(JSON.parse('{"__proto__": {"type": "string"}}')),
      JSON.parse('{"__proto__": "string"}'),
    ],
  ])('%s', async (_, schema, expected) => expect(await sampleOf({ A: schema })).toEqual(expected))

  test('is none if it cannot be matched to its end, as with schemas that refer to themselves for the same value', async () => {
    const B = object({ a: { oneOf: [ref('C'), ref('B')] } }, { required: ['b'] })
    const A = { anyOf: [{ oneOf: [ref('B'), ref('C')] }, { enum: [1], ...text }], not: ref('B') }
    expect(await sampleOf({ A, B, C: { allOf: [ref('B'), ref('A')] } }, 'request')).toBeUndefined()
  })

  test.each<[SchemaSide, unknown]>([
    ['request', { b: 'string', c: 'string', d: { b: 'y' } }],
    ['response', { a: 'string', c: 'string', d: { a: 'x' } }],
    ['both', { a: 'string', b: 'string', c: 'string', d: { a: 'x', b: 'y' } }],
  ])('of a %s has only its properties', async (side, expected) => {
    const own = { a: { ...text, readOnly: true }, b: { ...text, writeOnly: true }, c: text }
    const inside = { ...object({ a: { ...text, readOnly: true }, b: { ...text, writeOnly: true } }), example: { a: 'x', b: 'y' } }
    expect(await sampleOf({ A: object({ ...own, d: inside }, { required: ['a', 'b', 'c'] }) }, side)).toEqual(expected)
  })

  test('of a request without required fields has all of a few fields, and a few of many', async () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, text]))
    const inner = object({ a: text })
    const sample = { f0: 'string', f1: 'string', f2: 'string' }
    expect(await sampleOf({ A: object({ inner, ...fields(3) }) }, 'request')).toEqual({ inner: { a: 'string' }, ...sample })
    expect(await sampleOf({ A: object({ inner, ...fields(30) }) }, 'request')).toEqual(sample)
    const all = Object.fromEntries(Object.keys(fields(30)).map((name) => [name, 'string']))
    expect(await sampleOf({ A: object({ data: object(fields(30)) }) }, 'request')).toEqual({ data: all })
    const example = { ...text, example: 'x' }
    expect(await sampleOf({ A: object({ ...fields(30), example }) }, 'request')).toEqual({ example: 'x' })
  })

  test.each(['3.0.3', '3.1.0'])(
    'of a base schema has the properties and the discriminator of its first subtype (%s)',
    async (version) => {
      const base = object(
        { kind: text },
        { required: ['kind'], discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } } },
      )
      const schemas = {
        A: object({ pet: ref('Pet'), dog: ref('Dog'), pets: { type: 'array', items: ref('Pet') } }),
        Pet: base,
        Cat: { allOf: [ref('Pet'), object({ lives: { type: 'integer', example: 9 } })] },
        Dog: { allOf: [ref('Pet'), object({ bark: text })] },
      }
      expect(await sampleOf(schemas, 'both', version)).toEqual({
        pet: { kind: 'cat', lives: 9 },
        dog: { kind: 'dog', bark: 'string' },
        pets: [{ kind: 'cat', lives: 9 }],
      })
    },
  )

  test('has the discriminator of its choice: its key in the mapping, otherwise its name', async () => {
    const choices = { oneOf: [ref('Cat'), ref('Dog')] }
    const kind = { propertyName: 'kind' }
    const schemas = {
      A: object({
        mapped: { ...choices, discriminator: { ...kind, mapping: { c: '#/components/schemas/Cat' } } },
        named: { ...choices, discriminator: kind },
        fixed: { oneOf: [ref('Fish')], discriminator: kind },
      }),
      Cat: object({ kind: text }),
      Dog: object({ kind: text }),
      Fish: object({ kind: { const: 'carp' } }),
    }
    expect(await sampleOf(schemas)).toEqual({ mapped: { kind: 'c' }, named: { kind: 'Cat' }, fixed: { kind: 'carp' } })
  })

  test('leaves out what is too deep, and never has null where it is not allowed', async () => {
    const schemas = {
      A: object({ id: text, parent: ref('A'), children: { type: 'array', items: ref('A') }, deep: ref('D1') }),
      ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`D${at + 1}`, object({ id: text, next: ref(`D${at + 2}`) })])),
      D13: object({ id: text }),
    }
    const sample = await sampleOf(schemas)
    expect(sample).toMatchObject({ id: 'abc123', children: [], deep: { id: 'abc123', next: { id: 'abc123' } } })
    expect(sample).not.toHaveProperty('parent')
    expect(JSON.stringify(sample)).not.toContain('null')
  })

  test('has required properties at any depth', async () => {
    const chain = Array.from({ length: 12 }, (_, at) => [
      `D${at + 1}`,
      object({ id: text, next: ref(`D${at + 2}`) }, { required: ['next'] }),
    ])
    const sample = await sampleOf({
      A: object({ deep: ref('D1') }),
      ...Object.fromEntries(chain),
      D13: object({ id: text }, { required: ['id'] }),
    })
    expect(JSON.stringify(sample).match(/"next":\{/g)).toHaveLength(12)
  })

  test('of a circular schema that needs itself does not exist', async () => {
    expect(await sampleOf({ A: object({ next: ref('A') }, { required: ['next'] }) })).toBeUndefined()
    expect(await sampleOf({ A: object({ next: { anyOf: [ref('A'), { type: 'null' }] } }, { required: ['next'] }) })).toEqual({
      next: null,
    })
    expect(await sampleOf({ A: { allOf: [ref('A')] } })).toBeNull()
  })

  test('of a very large schema has fewer levels', async () => {
    const wide = (next: object) => object(Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`p${at}`, next])))
    const sample = await sampleOf({ A: wide(ref('B')), B: wide(ref('C')), C: wide(ref('D')), D: wide(text) })
    expect(Object.keys(Object(sample))).toHaveLength(15)
    expect(JSON.stringify(sample).length).toBeLessThan(10_000)
  })
})

describe('the generated example of a tricky schema is valid', () => {
  const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 9 })
  formats.default(ajv)
  // Other examples would match `contains` as well, and it is left out.
  const leftOut = new Set(['few that contain'])

  test.each(Object.entries(trickySchemas))('%s', async (name, schema) => {
    for (const side of ['request', 'response', 'both'] as const) {
      const sample = await sampleOf({ A: schema }, side)
      if (leftOut.has(name)) expect(sample).toBeUndefined()
      else expect(sample).toSatisfy(ajv.compile(schema))
    }
  })

  test('also inside of another schema', async () => {
    const properties = Object.fromEntries(Object.keys(trickySchemas).map((name, index) => [name, ref(`T${index}`)]))
    const schemas = Object.fromEntries(Object.values(trickySchemas).map((schema, index) => [`T${index}`, schema]))
    const sample = await sampleOf({ A: object(properties), ...schemas })
    expect(Object.keys(properties).filter((name) => !Object.hasOwn(Object(sample), name))).toEqual([...leftOut])
    for (const [name, schema] of Object.entries(trickySchemas))
      if (!leftOut.has(name)) expect([name, Object(sample)[name]]).toSatisfy(([, value]) => ajv.validate(schema, value))
  })
})

test.each([
  ['^[a-z]{3}-\\d+$', 'aaa-1'],
  ['^#(([0-9a-fA-F]{2}){3}|([0-9a-fA-F]){3})$', '#aaaaaa'],
  ['^(0|[1-9][0-9]*)$', '0'],
  ['^[^a-zA-Z\\d]$', '-'],
  ['^(?<year>\\d{4})-\\1?$', '1111-'],
  ['^é{2}.$', 'ééa'],
  ['^a|b$', 'a'],
  ['', ''],
  ['[', undefined],
  ['a{2000}', undefined],
  ['((a{99}){99}){99}', undefined],
  [`${'('.repeat(300)}`, undefined],
])('sampleOfPattern(%j) is %j', (pattern, expected) => {
  expect(sampleOfPattern(pattern, 1)).toBe(expected)
  if (expected !== undefined) expect(expected).toMatch(new RegExp(pattern, 'u'))
})

const formatNames = [
  'byte date date-time duration email hostname ipv4 ipv6 iri json-pointer regex relative-json-pointer',
  'time uri uri-reference uri-template url uuid',
]
test.each(formatNames.flatMap((names) => names.split(' ')))('the text of format %s is valid', (format) => {
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  expect(sampleText({ format }, () => true)).toSatisfy(ajv.compile({ type: 'string', format }))
})

test.each([
  [{ minLength: 8 }, 'stringst'],
  [{ maxLength: 2 }, 'st'],
  [{ pattern: '^[a-z]+$' }, 'string'],
  [{ pattern: '^[A-Z]+$', minLength: 4 }, 'AAAA'],
  [{ format: 'uuid', pattern: '^[0-9a-f-]{36}$' }, '123e4567-e89b-12d3-a456-426614174000'],
  [{ format: 'email', maxLength: 5 }, 'strin'],
  [{ pattern: 'ab1', minLength: 600, maxLength: 600 }, 'ab1'.repeat(200)],
])('the text of %j is %s', (keywords, expected) => {
  const { minLength = 0, maxLength = 99, pattern = '' } = keywords as { minLength?: number; maxLength?: number; pattern?: string }
  const fits = (one: string) => one.length >= minLength && one.length <= maxLength && new RegExp(pattern).test(one)
  expect(sampleText(keywords, fits)).toBe(expected)
})

test('all properties of a sample share one budget for what is matched', async () => {
  // To tell that a value does not match takes as many steps as there are ways through the choices.
  const choices = Array.from({ length: 20 }, (_, index) => [`S${index}`, { anyOf: [ref(`S${index + 1}`), ref(`S${index + 1}`)] }])
  const countFor = async (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `p${index}`)
    const properties = Object.fromEntries(names.map((name) => [name, { allOf: [ref('S0')], 'x-name': name, enum: [1, 2] }]))
    const schemas = { ...Object.fromEntries(choices), S20: text }
    const { context } = await referenceOf({ 'openapi.json': documentOf(schemas) })
    const schema = { file: 'openapi.json', pointer: '', value: object(properties, { required: names }) }
    return countCalls(async () => sampleSchema(schema, 'both', context))
  }
  await countFor(1)
  expect((await countFor(12)) / (await countFor(3))).toBeLessThan(2)
})
