import { describe, expect, test } from 'vitest'
import { readSlice, toPlace } from '../../../src/model/api.ts'
import { checkValue } from '../../../src/playground/form/check-value.ts'
import { chooseSchema, describeType, toFieldKind, toFormSchema } from '../../../src/playground/form/form-schema.ts'
import { toNeededValue } from '../../../src/playground/form/form-values.ts'
import { readOperation } from '../../../src/playground/request/read-operation.ts'
import { type JsonObject, parseWrittenJson } from '../../../src/text/json/json-values.ts'
import { hostileStrings } from '../../support/hostile-strings.ts'

const schemas = {
  Node: {
    type: 'object',
    required: ['child'],
    properties: { child: { $ref: '#/components/schemas/Node' }, name: { type: 'string' } },
  },
  Ring: { oneOf: [{ $ref: '#/components/schemas/Gnir' }, { type: 'string', enum: ['x'] }] },
  Gnir: { oneOf: [{ $ref: '#/components/schemas/Ring' }, { type: 'object' }] },
  Base: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
  Cat: {
    allOf: [
      { $ref: '#/components/schemas/Base' },
      { required: ['kind'], properties: { kind: { const: 'cat' }, lives: { type: 'integer', maximum: 9 } } },
    ],
  },
  Dog: {
    type: 'object',
    required: ['kind', 'good'],
    properties: { kind: { type: 'string', enum: ['dog'] }, good: { type: 'boolean', default: true } },
  },
}
const { follow } = readSlice({ components: { schemas } })
/** For the keywords of each release. */
const schemasOf = (schema: unknown) => {
  const isOld = /"nullable"|"exclusiveM\w+":true/.test(JSON.stringify(schema))
  return { follow, dialect: isOld ? '3.0' : '3.1' } as const
}
const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

describe('toFieldKind', () => {
  test.each<[string, unknown, string, string]>([
    ['text', { type: 'string' }, 'text', 'string'],
    ['several plain types', { type: ['string', 'integer'] }, 'text', 'string or integer'],
    ['plain choices', { oneOf: [{ type: 'string' }, { type: 'integer' }] }, 'text', 'string or integer'],
    ['a number or null', { anyOf: [{ type: 'integer', format: 'int64' }, { type: 'null' }] }, 'text', 'integer · int64 or null'],
    ['3.0 nullable', { type: 'boolean', nullable: true }, 'boolean', 'boolean or null'],
    ['enum', { enum: ['a', null] }, 'enum', 'enum or null'],
    ['constants', { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, 'enum', 'enum'],
    ['const', { const: 1 }, 'enum', 'enum'],
    ['list', { type: 'array', items: {} }, 'array', 'array'],
    ['tuple', { prefixItems: [{ type: 'string' }] }, 'array', 'array'],
    ['object by its properties', { properties: { a: {} } }, 'object', 'object'],
    ['map', { additionalProperties: { type: 'string' } }, 'object', 'object'],
    ['one choice left', { oneOf: [reference('Base'), { type: 'null' }] }, 'object', 'object or null'],
    ['choices', { oneOf: [reference('Cat'), reference('Dog')] }, 'choice', 'one of several'],
    [
      'choices that only limit',
      { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      'object',
      'object',
    ],
    ['merged', reference('Cat'), 'object', 'object'],
    ['circular choices', reference('Ring'), 'choice', 'one of several'],
    ['empty schema', {}, 'json', 'any'],
    ['not a schema', 7, 'json', 'any'],
    ['mixed types', { type: ['string', 'object'] }, 'json', 'string or object'],
    ['binary outside of a form', { type: 'string', format: 'binary' }, 'text', 'string · binary'],
  ])('%s', (_name, schema, kind, type) => {
    const merged = toFormSchema(toPlace(schema), follow)
    expect([toFieldKind(merged, false), describeType(merged)]).toEqual([kind, type])
  })

  test.each([
    { type: 'string', format: 'binary' },
    { contentMediaType: 'image/png' },
    { type: 'string', contentMediaType: 'application/octet-stream' },
  ])('a file: %j', (schema) => {
    expect(toFieldKind(toFormSchema(toPlace(schema), follow), true)).toBe('file')
  })
  test.each([
    ['image/png', { type: 'string' }],
    [undefined, { description: 'Any bytes' }],
    [undefined, { type: 'array', items: {} }],
  ])('files by the media type %s of their part: %j', (contentType, property) => {
    const content = {
      'multipart/form-data': { schema: { properties: { a: {}, f: property } }, encoding: { f: { contentType } } },
    }
    const operation = readOperation({ paths: { '/a': { post: { requestBody: { content } } } } })
    const { properties } = toFormSchema(operation?.bodies[0]?.schema, follow)
    const own = toFormSchema(properties.get('f'), follow)
    expect(toFieldKind(own.types.includes('array') ? toFormSchema(own.items, follow) : own, true)).toBe('file')
    expect([...properties.keys()]).toEqual(['a', 'f'])
  })

  test('encoded text in a form is not a file', () => {
    expect(
      toFieldKind(
        toFormSchema(toPlace({ type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' }), follow),
        true,
      ),
    ).toBe('text')
  })

  test('takes the narrowest limits and the common types', () => {
    const { keywords, types } = toFormSchema(
      toPlace({
        allOf: [
          { type: ['string', 'integer'], minimum: 1, maximum: 9 },
          { type: 'integer', minimum: 3, maximum: 20 },
        ],
      }),
      follow,
    )
    expect([types, keywords['minimum'], keywords['maximum']]).toEqual([['integer'], 3, 9])
  })

  test('ends for circular schemas and schemas with many parts', () => {
    const many = { allOf: Array.from({ length: 5000 }, (_, index) => ({ properties: { [`p${index}`]: {} } })) }
    expect(toFormSchema(toPlace(many), follow).properties.size).toBe(5000)
    const { follow: own } = readSlice({ a: { allOf: [{ $ref: '#/a' }], type: 'string' } })
    expect(toFormSchema(toPlace({ $ref: '#/a' }), own).types).toEqual(['string'])
  })

  test('merges what all schemas say about a property, and keywords next to a reference', () => {
    const own = { required: ['lives'], properties: { lives: { readOnly: true, minimum: 1 } }, oneOf: [{ required: ['id'] }] }
    const { properties, required } = toFormSchema(toPlace({ ...reference('Cat'), ...own }), follow)
    expect([...required].sort()).toEqual(['id', 'kind', 'lives'])
    const { keywords, types } = toFormSchema(properties.get('lives'), follow)
    expect([types, keywords]).toEqual([['integer'], { type: 'integer', readOnly: true, minimum: 1, maximum: 9 }])
    expect([...properties.keys()]).toEqual(['lives', 'id', 'kind'])
    const dog = toFormSchema(toPlace({ ...reference('Dog'), required: ['name'], properties: { name: {} } }), follow)
    expect([[...dog.required], [...dog.properties.keys()]]).toEqual([
      ['name', 'kind', 'good'],
      ['name', 'kind', 'good'],
    ])
  })

  test('a choice includes sibling keywords', () => {
    const schema = { type: 'object', properties: { shared: {} }, oneOf: [reference('Cat'), reference('Dog')] }
    const merged = toFormSchema(chooseSchema(toPlace(schema), toPlace(schema.oneOf[1]), follow), follow)
    expect([...merged.properties.keys()].sort()).toEqual(['good', 'kind', 'shared'])
    expect(merged.choices).toEqual([])
  })

  test.each<[string, (choices: object) => object]>([
    ['in `allOf`', (choices) => ({ allOf: [choices, { description: 'Mine' }] })],
    ['with null', (choices) => ({ oneOf: [choices, { type: 'null' }] })],
    ['deeply nested', (choices) => ({ allOf: [{ anyOf: [{ allOf: [choices] }] }] })],
    ['next to other choices', (choices) => ({ ...choices, anyOf: [{ required: ['a'] }, { required: ['b'] }] })],
  ])('removes a choice that was made: %s', (_case, toSchema) => {
    const choices = { oneOf: [reference('Cat'), reference('Dog')] }
    const schema = { properties: { shared: {} }, ...toSchema(choices) }
    const [, dog = toPlace({})] = toFormSchema(toPlace(schema), follow).choices
    const merged = toFormSchema(chooseSchema(toPlace(schema), dog, follow), follow)
    expect([...merged.properties.keys()].sort()).toEqual(['good', 'kind', 'shared'])
    expect(merged.choices).toEqual([])
  })

  test('ends for a choice in circular schemas', () => {
    const circle: { allOf: object[] } = { allOf: [] }
    circle.allOf.push(circle, circle, { oneOf: [reference('Cat'), reference('Dog')] })
    const [cat = toPlace({})] = toFormSchema(toPlace(circle), follow).choices
    expect(toFormSchema(chooseSchema(toPlace(circle), cat, follow), follow).properties.has('lives')).toBe(true)
  })
})

describe('the initial value', () => {
  test.each<[unknown, unknown]>([
    [{ type: 'string' }, undefined],
    [{ type: 'string', default: 'a' }, 'a'],
    [{ type: 'string', example: 'b' }, undefined],
    [{ examples: [{ a: 1 }] }, undefined],
    [{ enum: ['a', 'b'] }, undefined],
    [{ const: 0 }, 0],
    [{ type: 'array', items: { type: 'integer', minimum: 5 } }, []],
    [reference('Dog'), { kind: 'dog', good: true }],
    [reference('Cat'), { kind: 'cat' }],
    [{ oneOf: [reference('Dog'), reference('Cat')] }, undefined],
    [
      { oneOf: [reference('Base')], discriminator: { propertyName: 'of' }, anyOf: [reference('Base'), { type: 'string' }] },
      { of: 'Base' },
    ],
    [
      {
        anyOf: [reference('Base'), reference('Dog')],
        discriminator: { propertyName: 'of', mapping: { base: '#/components/schemas/Base' } },
      },
      undefined,
    ],
    [
      {
        type: 'object',
        oneOf: [reference('Base'), reference('Dog')],
        discriminator: { propertyName: 'of', mapping: { base: '#/components/schemas/Base' } },
      },
      { of: 'base' },
    ],
    [reference('Node'), {}],
    [{ type: 'object', properties: { id: { type: 'integer', readOnly: true }, at: { type: 'string', format: 'date' } } }, {}],
    // Files are never generated.
    [{ type: 'object', properties: { file: { type: 'string', format: 'binary' }, note: { type: 'string' } } }, {}],
    [{}, undefined],
  ])('%j', (schema, needed) => {
    expect(toNeededValue(toPlace(schema), follow)).toEqual(needed)
  })

  test('treats names of prototype members as keys', () => {
    const schema = JSON.parse(
      '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"default":{"polluted":true}}}}',
    )
    const value = toNeededValue(toPlace(schema), follow)
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true}}')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

describe('checkValue', () => {
  test('compares values with limits that are written in another way', () => {
    const schema = parseWrittenJson('{"type":"number","minimum":1.0,"exclusiveMaximum":2e1,"multipleOf":0.50}')
    const messages = [0.5, 1, 20, 1.25].map((value) => checkValue(value, toPlace(schema), schemasOf(schema)).length)
    expect(messages).toEqual([1, 0, 1, 1])
  })

  test.each<[unknown, unknown, readonly string[]]>([
    ['v2', { type: 'integer', minimum: 1 }, ['Expected an integer, at least 1']],
    [0, { type: 'integer', minimum: 1, maximum: 5 }, ['Expected an integer, at least 1, at most 5']],
    [1.5, { type: ['integer', 'null'] }, ['Expected an integer']],
    [5, { type: 'number', maximum: 5, exclusiveMaximum: true }, ['Expected a number, less than 5']],
    [5, { type: 'number', exclusiveMinimum: 5 }, ['Expected a number, greater than 5']],
    [0.3, { type: 'number', multipleOf: 0.1 }, []],
    [0.35, { type: 'number', multipleOf: 0.1 }, ['Expected a number, a multiple of 0.1']],
    ['abc', { type: 'string', maxLength: 2 }, ['Expected a string, at most 2 characters']],
    ['👍👍', { type: 'string', maxLength: 2 }, []],
    ['', { type: 'string', minLength: 1 }, ['Expected a string, at least 1 character']],
    [null, { type: 'string' }, ['Expected a value, not null']],
    ['c', { enum: ['a', 'b'] }, ['Expected one of "a", "b"']],
    [1, { const: '1' }, ['Expected "1"']],
    ['x', { type: 'string', format: 'date' }, ['Expected a date such as 2026-01-31']],
    ['no', { type: 'string', format: 'email' }, ['Expected an email address']],
    ['AB', { type: 'string', pattern: '^[a-z]+$' }, ['Expected a string that matches ^[a-z]+$']],
    [{}, { required: ['a'] }, ['a: Required']],
    [{ a: 1 }, { type: 'object', additionalProperties: false, properties: {} }, ['a: Unexpected key']],
    [
      { a: { b: ['x', 1] } },
      { properties: { a: { properties: { b: { items: { type: 'string' } } } } } },
      ['a.b[1]: Expected a string'],
    ],
    [['a', 'b'], { prefixItems: [{ type: 'string' }, { type: 'integer' }] }, ['[1]: Expected an integer']],
    [[], { type: 'array', minItems: 1 }, ['Expected a list, at least 1 item']],
    [
      { kind: 'cat', id: 1, lives: 10 },
      { oneOf: [reference('Cat'), reference('Dog')] },
      ['lives: Expected an integer, at most 9'],
    ],
    [{ kind: 'cat', id: 1 }, { oneOf: [reference('Cat'), reference('Dog')] }, []],
    [{ child: { child: 1 } }, reference('Node'), ['child.child: Expected an object']],
    // Circular schemas accept everything.
    ['y', reference('Ring'), []],
  ])('%j against %j', (value, schema, expected) => {
    expect(
      checkValue(value, toPlace(schema), schemasOf(schema)).map(({ path, message }) =>
        path === '' ? message : `${path}: ${message}`,
      ),
    ).toEqual(expected)
  })

  test('does not run patterns that could take exponential time', () => {
    for (const pattern of ['^(a+)+$', '^(a|a)*$', 'a*a*a*a*a*a*b', '(a*)*b', '(?:a{1,9}){1,9}b', '(.*)\\1(.*)\\2c'])
      checkValue(`${'a'.repeat(5000)}!`, toPlace({ type: 'string', pattern }), schemasOf(pattern))
  })

  test('reports a limited number of problems and never throws', () => {
    expect(
      checkValue(
        Array.from({ length: 500 }, () => 'x'),
        toPlace({ items: { type: 'integer' } }),
        schemasOf({}),
      ),
    ).toHaveLength(50)
    const keywords = [
      'type',
      'enum',
      'items',
      'properties',
      'required',
      'allOf',
      'oneOf',
      'pattern',
      'format',
      'minimum',
      'maxLength',
      'prefixItems',
    ]
    for (const odd of [null, 0, '', [], {}, [null], true, ...hostileStrings]) {
      for (const keyword of keywords)
        for (const value of ['a', 1, null, {}, []]) checkValue(value, toPlace({ [keyword]: odd }), schemasOf({}))
      for (const keyword of keywords) toNeededValue(toPlace({ [keyword]: odd }), follow)
    }
  })
})
