import { describe, expect, test } from 'vitest'
import { findFunction, pointersOf, runFunction } from './run-function.ts'

/** A schema and a value with the places of the problems. */
type Case = readonly [schema: object, value: unknown, places: readonly string[], options?: object]

// Each keyword: test/model/instances.test.ts, which compares with ajv.
describe('places of problems', () => {
  test.each<Case>([
    [{ type: 'string' }, undefined, ['.']],
    [{ type: 'string', nullable: true }, null, []],
    [{ properties: { a: { items: { type: 'integer' } } } }, { a: [1, 'b', 'c'] }, ['a/1']],
    [{ required: ['a', 'b'] }, {}, ['.']],
    [{ required: ['a', 'b'] }, {}, ['.', '.'], { allErrors: true }],
    [{ properties: { a: {} }, additionalProperties: false }, { b: 1, c: 2 }, ['.']],
    [{ properties: { $ref: { pattern: '^#' } } }, { $ref: 'a.yaml' }, ['$ref']],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ['.']],
    [{ minimum: 1, allOf: [{ minimum: 1 }] }, 0, ['.'], { allErrors: true }],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], ['.']],
    [{ maximum: 1, exclusiveMaximum: true }, 1, ['.'], { dialect: 'draft4' }],
    [
      { $ref: '#/definitions/a', definitions: { a: { properties: { b: { $ref: '#/definitions/a' } }, type: 'object' } } },
      { b: { b: 1 } },
      ['b/b'],
    ],
    [
      { $ref: 'urn:a#b', $defs: { a: { $id: 'urn:a', $defs: { b: { $anchor: 'b', type: 'string' } } } } },
      1,
      ['.'],
      { dialect: 'draft2020-12' },
    ],
    [{ $ref: '#b', $defs: { b: { $anchor: 'b', type: 'string' } } }, 1, ['.'], { dialect: 'draft2020-12' }],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 1], ['1'], { dialect: 'draft2020-12' }],
    [{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1, b: 2 }, ['.'], { dialect: 'draft2019-09' }],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', dependentRequired: { a: ['b'] } }, { a: 1 }, ['.']],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, []],
  ])('%j and %j', (schema, value, places, options) => {
    expect(pointersOf('schema', value, Object.assign({ schema }, options))).toEqual(places)
  })
})

describe('several schemas', () => {
  test('reports one problem for a value that matches none', () => {
    expect(pointersOf('schema', 1, { schema: { oneOf: [{ type: 'string' }, { minimum: 2 }] } })).toEqual(['.'])
    const schema = { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'array' }] }
    expect(pointersOf('schema', 1, { schema, allErrors: true })).toEqual(['.'])
  })
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
  expect(messagesOf({ kind: 'cot' })).toEqual(['Unexpected `cot` for `kind`, expected one of `cat`, `dog`. Did you mean `cat`?'])
  expect(messagesOf({ tags: [1] })).toEqual([
    'Unexpected number for entry 1 of `tags`, expected a string. Put the value in quotes',
  ])
  expect(messagesOf({ size: 1 })).toEqual([
    'Unexpected property `size` in `value`, expected only properties of the schema (`additionalProperties: false`)',
  ])
})

test('counts its steps on a schema that multiplies itself', () => {
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
})
