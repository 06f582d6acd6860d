import { describe, expect, test } from 'vitest'
import { findFunction, pointersOf, runFunction } from './run-function.ts'

/** A schema and a value with the places of the problems. */
type Case = readonly [schema: object, value: unknown, places: readonly string[], options?: object]

describe('places of problems', () => {
  test.each<Case>([
    [{ type: 'string' }, 'a', []],
    [{ type: 'string' }, 1, ['.']],
    [{ type: 'string' }, undefined, ['.']],
    [{ type: ['string', 'null'] }, null, []],
    [{ type: 'string', nullable: true }, null, []],
    [{ properties: { a: { items: { type: 'integer' } } } }, { a: [1, 'b', 'c'] }, ['a/1']],
    [{ required: ['a', 'b'] }, {}, ['.']],
    [{ required: ['a', 'b'] }, {}, ['.', '.'], { allErrors: true }],
    [{ properties: { a: {} }, additionalProperties: false }, { b: 1, c: 2 }, ['.']],
    [{ additionalProperties: { type: 'string' } }, { a: 'b', c: 1 }, ['c']],
    [{ patternProperties: { '^x-': { type: 'string' } } }, { 'x-a': 1, b: 1 }, ['x-a']],
    [{ properties: { $ref: { pattern: '^#' } } }, { $ref: 'a.yaml' }, ['$ref']],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ['.', '.']],
    [{ type: 'array', minItems: 1, uniqueItems: true }, [], ['.']],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], ['.']],
    [{ contains: { const: 1 } }, [2], ['.']],
    [{ items: [{ type: 'string' }], additionalItems: false }, ['a', 1], ['.']],
    [{ dependencies: { a: ['b'], c: { required: ['d'] } } }, { c: 1 }, ['.']],
    [{ not: { required: ['a'] } }, { a: 1 }, ['.']],
    [{ const: { a: [1] } }, { a: [1] }, []],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    [{ if: { required: ['a'] }, then: { properties: { a: { type: 'string' } } } }, { a: 1 }, ['a']],
    [{ multipleOf: 0.5, maximum: 2, exclusiveMinimum: 1 }, 1, ['.']],
    [{ maximum: 1, exclusiveMaximum: true }, 1, ['.'], { dialect: 'draft4' }],
    [
      { $ref: '#/definitions/a', definitions: { a: { properties: { b: { $ref: '#/definitions/a' } }, type: 'object' } } },
      { b: { b: 1 } },
      ['b/b'],
    ],
    [
      { $ref: 'urn:a#b', $defs: { a: { $id: 'urn:a' }, b: { $anchor: 'b', type: 'string' } } },
      1,
      ['.'],
      { dialect: 'draft2020-12' },
    ],
    [{ $ref: '#b', $defs: { b: { $anchor: 'b', type: 'string' } } }, 1, ['.'], { dialect: 'draft2020-12' }],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 1], ['.'], { dialect: 'draft2020-12' }],
    [{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1, b: 2 }, ['.'], { dialect: 'draft2019-09' }],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', dependentRequired: { a: ['b'] } }, { a: 1 }, ['.']],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, []],
  ])('%j and %j', (schema, value, places, options) => {
    expect(pointersOf('schema', value, Object.assign({ schema }, options))).toEqual(places)
  })
})

test('matches schemas against the schema of a dialect', () => {
  const schema = { $ref: 'http://json-schema.org/draft-07/schema#' }
  expect(pointersOf('schema', { items: { type: 'string', minLength: 1 } }, { schema })).toEqual([])
  expect(pointersOf('schema', { items: { type: 'string', minLength: -1 } }, { schema })).toEqual(['items/minLength'])
})

describe('several schemas', () => {
  test('reports the errors of all schemas of `oneOf` and `anyOf`', () => {
    const schema = { oneOf: [{ type: 'string' }, { minimum: 2 }] }
    expect(pointersOf('schema', 1, { schema })).toEqual(['.', '.', '.'])
  })

  test('prefers the errors below a value over its own', () => {
    const choices = [{ required: ['b'] }, { properties: { c: { type: 'string' } } }]
    const schema = { properties: { a: { anyOf: choices } } }
    expect(pointersOf('schema', { a: { c: 1 } }, { schema })).toEqual(['a/c'])
  })

  test('merges the values of `enum`', () => {
    const schema = { allOf: [{ enum: ['b'] }, { enum: ['c', 'b'] }] }
    const problems = runFunction('schema', 'd', { schema, allErrors: true })
    expect(problems.map(({ message }) => message)).toEqual(['`value` is `d`, expected one of `b`, `c`'])
  })

  test('matches all properties of a pattern with newer dialects', () => {
    const schema = { anyOf: [{ patternProperties: { '^x-': { type: 'string' } } }] }
    const value = { 'x-a': 1, 'x-b': 2 }
    expect(pointersOf('schema', value, { schema, dialect: 'draft2020-12' })).toEqual(['x-a', 'x-b', '.'])
    expect(pointersOf('schema', value, { schema, dialect: 'draft7' })).toEqual(['x-a', '.'])
  })

  test('reports a type and an `enum` together', () => {
    const schema = { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'array' }] }
    expect(pointersOf('schema', 1, { schema })).toEqual(['.', '.', '.', '.'])
  })
})

test.each<[format: string, valid: readonly unknown[], invalid: readonly unknown[]]>([
  ['date', ['2024-02-29', 3], ['2023-02-29', '2023-1-1']],
  ['time', ['10:00:00Z', '10:00:00+01:00', '23:59:60'], ['24:00:00', '10:00']],
  ['date-time', ['2020-01-01T10:00:00Z', '2020-01-01 10:00:00'], ['2020-01-01', '2020-01-01T25:00:00Z']],
  ['duration', ['P1D', 'PT1H', 'P2W'], ['P', 'PT', '1D']],
  ['uri', ['https://example.com/a?b#c', 'urn:a:b', 'http://[::1]/'], ['/a', 'https://example.com/a b', 'http://[1]/']],
  ['uri-reference', ['/a', '#b', 'a/b', ''], ['a b', '\\a']],
  ['uri-template', ['/a/{b}/{?c,d*}', ''], ['/a/{b', '/{}']],
  ['url', ['https://example.com/a'], ['https://localhost', 'mailto:a@b.co', 'http://10.0.0.1']],
  ['email', ['a.b@c.de'], ['a@b', 'a@', '@b.co', 'a b@c.de']],
  ['hostname', ['a', 'a-b.example'], ['-a', 'a_b', '']],
  ['ipv4', ['127.0.0.1'], ['127.0.0', '256.0.0.1']],
  ['ipv6', ['::', '::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'], ['1', ':::', '1:2:3:4:5:6:7', '1::2::3']],
  ['regex', ['^a$'], ['(']],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
  ['json-pointer', ['', '/a~1b'], ['a', '/~2']],
  ['byte', ['YQ==', ''], ['YQ', 'Y*==']],
  ['int32', [1, 'a'], [2 ** 31, 1.5]],
  ['int64', [2 ** 40], [1.5]],
  ['unknown', ['anything'], []],
])('checks the format %s', (format, valid, invalid) => {
  const matches = (value: unknown) => pointersOf('schema', value, { schema: { format } }).length === 0
  expect(valid.filter((value) => !matches(value))).toEqual([])
  expect(invalid.filter(matches)).toEqual([])
})

test('does not follow circular references, and refuses unresolved ones', () => {
  const schema = { $ref: '#/definitions/a', definitions: { a: { $ref: '#/definitions/a' } } }
  expect(pointersOf('schema', 1, { schema })).toEqual([])
  expect(() => pointersOf('schema', 1, { schema: { $ref: '#/definitions/b' } })).toThrow('unresolved `$ref` `#/definitions/b`')
})

test('ends on a value that contains itself', () => {
  const createValue = () => {
    const value: Record<string, unknown> = { name: 'a' }
    value['self'] = value
    return value
  }
  const schema = { $ref: '#/definitions/a', definitions: { a: { properties: { self: { $ref: '#/definitions/a' } } } } }
  expect(pointersOf('schema', createValue(), { schema })).toEqual([])
  expect(pointersOf('schema', [createValue(), createValue()], { schema: { uniqueItems: true } })).toEqual([])
})

test('names the value and what is expected', () => {
  const schema = {
    properties: { kind: { enum: ['cat', 'dog'] }, tags: { items: { type: 'string' } } },
    additionalProperties: false,
  }
  const messagesOf = (value: unknown) => runFunction('schema', value, { schema }).map(({ message }) => message)
  expect(messagesOf({ kind: 'cot' })).toEqual(['`kind` is `cot`, expected one of `cat`, `dog`. Did you mean `cat`?'])
  expect(messagesOf({ tags: [1] })).toEqual(['Entry 1 of `tags` must have the type `string`'])
  expect(messagesOf({ size: 1 })).toEqual(['Unexpected property `size` of `value`'])
})

test('counts its steps and limits its errors on a schema that multiplies itself', () => {
  let part: object = { type: 'string' }
  for (let level = 0; level < 30; level++) part = { oneOf: [part, part] }
  let steps = 0
  const context = {
    path: [],
    document: 1,
    unresolved: {},
    rule: { name: 'rule' },
    spend: (count: number) => {
      steps += count
      if (steps > 100_000) throw new Error('limit')
    },
  }
  expect(() => findFunction('schema').run(1, { schema: part, allErrors: true }, context)).toThrow('limit')
  let small: object = { type: 'string' }
  for (let level = 0; level < 15; level++) small = { oneOf: [small, small] }
  expect(runFunction('schema', 1, { schema: small, allErrors: true })).toHaveLength(10_000)
})
