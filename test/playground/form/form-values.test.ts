import { describe, expect, test } from 'vitest'
import { fromJsonText } from '../../../src/playground/form/check-value.ts'
import { initialValues, readText, setIn, toRawText } from '../../../src/playground/form/form-values.ts'
import { readOperation } from '../../../src/playground/request/read-operation.ts'

test.each<[string, readonly string[], unknown]>([
  ['', ['string'], undefined],
  ['12', ['integer'], 12],
  ['12', ['string', 'integer'], '12'],
  ['-1.5', ['number'], -1.5],
  ['1.', ['number'], '1.'],
  ['v2', ['integer'], 'v2'],
  ['007', ['integer'], '007'],
])('reads the input %j for types %j', (text, types, value) => {
  expect(readText(text, types)).toBe(value)
})

test.each(['12345678901234567890', '1.0', '1e-05', '-1.5e3', '1e999'])(
  'reads the input %s as a number that is sent as typed',
  (text) => {
    expect(JSON.stringify({ a: readText(text, ['number']) })).toBe(`{"a":${text}}`)
  },
)

test.each([
  ['{"a": [1, 2.50, -0.1, 1e3], "b\\u0041": null, "c": "1.0  \\n"}', '{"a":[1,2.50,-0.1,1e3],"bA":null,"c":"1.0  \\n"}'],
  ['{"id": 12345678901234567890, "a": 0.12345678901234567890}', '{"id":12345678901234567890,"a":0.12345678901234567890}'],
  ['  "text"  ', '"text"'],
  ['[]', '[]'],
  ['{"__proto__": {"a": 1}, "constructor": 2}', '{"__proto__":{"a":1},"constructor":2}'],
])('reads %s as a form value', (text, json) => {
  const found = fromJsonText(text)
  expect('value' in found && JSON.stringify(found.value)).toBe(json)
})

test.each([
  ['{"a": 1, "a": 2}', /a duplicate key/],
  ['{a: 1}', /Invalid JSON/],
  ['{"a": 1,}', /Invalid JSON/],
])('rejects %s', (text, reason) => {
  const found = fromJsonText(text)
  expect('problem' in found ? found.problem : 'accepted').toMatch(reason)
})

test('converts values to text and back', () => {
  expect(toRawText({ a: [1] }, true)).toBe('{\n  "a": [\n    1\n  ]\n}')
  expect(toRawText('x', true)).toBe('"x"')
  expect(toRawText('x', false)).toBe('x')
  expect(toRawText(undefined, true)).toBe('')
  expect(fromJsonText(' ')).toEqual({ value: undefined })
})

test('replaces only values along the path', () => {
  const before = { a: { b: [1, { c: 2 }] }, d: {} }
  const after = setIn(before, ['a', 'b', 1, 'c'], 3)
  expect(after).toEqual({ a: { b: [1, { c: 3 }] }, d: {} })
  expect(before.a.b[1]).toEqual({ c: 2 })
  expect((after as typeof before).d).toBe(before.d)
  expect(setIn({ a: 1, b: 2 }, ['a'], undefined)).toEqual({ b: 2 })
  expect(setIn([1, 2, 3], [1], undefined)).toEqual([1, 3])
  expect(setIn(undefined, ['a', 0, 'b'], 'x')).toEqual({ a: [{ b: 'x' }] })
  expect(setIn('text', ['a'], 1)).toEqual({ a: 1 })
  expect(setIn({}, [], undefined)).toBe(undefined)
  expect(JSON.stringify(setIn({}, ['__proto__', 'a'], 1))).toBe('{"__proto__":{"a":1}}')
})

test.each([
  [true, { example: 'a,b' }, 'a,b'],
  [true, { example: 'a,b', schema: { type: 'string' } }, ''],
  [false, { example: 'a,b' }, ''],
])('fills in the example of a required body without a schema: %j %j', (required, mediaType, text) => {
  const operation = readOperation({
    openapi: '3.1.0',
    info: { title: 'Rows', version: '1' },
    paths: { '/rows': { post: { requestBody: { required, content: { 'text/csv': mediaType } }, responses: {} } } },
  })
  if (!operation) throw new Error('Cannot read the operation')
  expect(
    initialValues(operation, { slice: '', withCookies: false, prefill: undefined, defaults: 'required', languages: undefined })
      .body,
  ).toMatchObject({ mode: 'raw', text })
})

test.each([
  ['all', {}, { a: 'generated' }],
  ['written', {}, undefined],
  ['written', { example: { a: 'written' } }, { a: 'written' }],
  [undefined, { example: { a: 'written' } }, undefined],
] as const)('fills an optional body with prefill %s and %j', (prefill, content, expected) => {
  const operation = readOperation(
    {
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: {
        '/pets': { post: { requestBody: { content: { 'application/json': { schema: { type: 'object' }, ...content } } } } },
      },
    },
    { 'body application/json': { a: 'generated' } },
  )
  if (!operation) throw new Error('Cannot read the operation')
  const settings = { slice: '', withCookies: false, prefill, defaults: 'required', languages: undefined } as const
  expect(initialValues(operation, settings).body.value).toEqual(expected)
})

describe('x-default of schemas', () => {
  const text = { type: 'string' }
  const preset = (value: unknown, more: object = {}) => ({ ...text, ...more, 'x-default': value })
  const valuesOf = (
    schemas: { readonly query?: object; readonly body?: object },
    prefill: 'all' | undefined,
    example?: unknown,
  ) => {
    const { query, body } = schemas
    const operation = readOperation({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      paths: {
        '/orders': {
          post: {
            parameters: query ? [{ name: 'q', in: 'query', schema: query }] : [],
            ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body, example } } } }),
            responses: {},
          },
        },
      },
      components: { schemas: { Named: preset('of the component') } },
    })
    if (!operation) throw new Error('Cannot read the operation')
    const settings = { slice: '', withCookies: false, defaults: 'required', languages: undefined } as const
    const { parameters, body: filled } = initialValues(operation, { ...settings, prefill })
    return query ? Object.values(parameters)[0] : filled.value
  }

  test.each<[string, { readonly query?: object; readonly body?: object }, unknown, unknown]>([
    ['an item of a tuple', { body: { type: 'array', prefixItems: [preset('a')], items: preset('b') } }, ['x', 'y'], ['a', 'b']],
    ['an optional parameter', { query: preset('a', { default: 'b', example: 'c' }) }, undefined, 'a'],
    ['a parameter with a reference', { query: { $ref: '#/components/schemas/Named' } }, undefined, 'of the component'],
    ['a value of another type', { query: { type: 'integer', 'x-default': 5 } }, undefined, 5],
    ['a body', { body: { type: 'object', properties: { a: text }, 'x-default': { a: 'x' } } }, { a: 'example' }, { a: 'x' }],
    [
      'properties, instead of the example',
      { body: { type: 'object', properties: { a: preset('x'), b: text, c: preset('y') } } },
      { a: 'example', b: 'kept' },
      { a: 'x', b: 'kept', c: 'y' },
    ],
    [
      'properties of objects and items that the example has',
      {
        body: {
          type: 'object',
          properties: {
            list: { type: 'array', items: { type: 'object', properties: { a: preset('x') } } },
            there: { type: 'object', properties: { a: preset('x') } },
            absent: { type: 'object', properties: { a: preset('x') } },
          },
        },
      },
      { list: [{ b: 1 }, 2], there: {} },
      { list: [{ b: 1, a: 'x' }, 2], there: { a: 'x' } },
    ],
    [
      'no property that only responses have',
      { body: { type: 'object', properties: { id: preset('x', { readOnly: true }) } } },
      {},
      {},
    ],
  ])('fills in %s', (_, schemas, example, expected) => {
    expect(valuesOf(schemas, 'all', example)).toEqual(expected)
  })

  test('fills in nothing without `prefill`', () => {
    expect(valuesOf({ query: preset('a') }, undefined)).toBe(undefined)
    expect(valuesOf({ body: { type: 'object', properties: { a: preset('x') } } }, undefined)).toEqual({})
  })
})
