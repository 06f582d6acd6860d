import { describe, expect, test } from 'vitest'
import { coreFunctions } from '../../../src/rules/functions/core-functions.ts'
import { optionsProblemOf, pointersOf, runFunction } from './run-function.ts'

/** A value that a function accepts. */
const valid: readonly (readonly [name: string, value: unknown, options?: unknown])[] = [
  ['defined', null],
  ['undefined', undefined],
  ['truthy', []],
  ['falsy', ''],
  ['falsy', undefined],
  ['enumeration', 'a', { values: ['a', 1, null] }],
  ['enumeration', null, { values: ['a', 1, null] }],
  ['enumeration', ['b'], { values: ['a'] }],
  ['enumeration', undefined, { values: ['a'] }],
  ['length', 'abc', { min: 3, max: 3 }],
  ['length', [1, 2], { max: 2 }],
  ['length', { a: 1 }, { min: 1 }],
  ['length', 5, { min: 5 }],
  ['length', true, { min: 5 }],
  ['length', undefined, { min: 5 }],
  ['alphabetical', ['a', 'B', 'c']],
  ['alphabetical', ['z']],
  ['alphabetical', 'ba'],
  ['alphabetical', [1, 2, 10]],
  ['alphabetical', { a: 1, b: 2 }],
  ['alphabetical', [{ name: 'a' }, { name: 'b' }], { keyedBy: 'name' }],
  ['or', { a: 1 }, { properties: ['a', 'b'] }],
  ['or', { a: 1, b: 2 }, { properties: ['a', 'b'] }],
  ['xor', { a: 1, c: 2 }, { properties: ['a', 'b'] }],
  ['xor', 'a', { properties: ['a', 'b'] }],
  ['pattern', 'GET', { match: '/^get$/i' }],
  ['pattern', 'abc', { match: '^a', notMatch: 'd$' }],
  ['pattern', 3, { match: '^a' }],
  ['pattern', '/pets/', { match: '/\\/$/' }],
  ['casing', 'petid2', { type: 'flat' }],
  ['casing', 'petIdX', { type: 'camel' }],
  ['casing', 'ABc', { type: 'pascal' }],
  ['casing', 'pet-id-2', { type: 'kebab' }],
  ['casing', 'PET-ID', { type: 'cobol' }],
  ['casing', 'pet_id', { type: 'snake' }],
  ['casing', 'PET_ID', { type: 'macro' }],
  ['casing', '', { type: 'macro' }],
  ['casing', 'X-Rate-Limit', { type: 'pascal', separator: { char: '-' } }],
  ['casing', '/pets/byId', { type: 'camel', separator: { char: '/', allowLeading: true } }],
  ['casing', '/', { type: 'camel', separator: { char: '/', allowLeading: true } }],
]

test.each(valid.map(([name, value, options]) => ({ name, value, options })))(
  '$name accepts $value with $options',
  ({ name, value, options }) => {
    expect(pointersOf(name, value, options)).toEqual([])
  },
)

/** A value with the places of its problems: `.` is the value itself. */
const invalid: readonly (readonly [name: string, value: unknown, options: unknown, places: readonly string[]])[] = [
  ['defined', undefined, undefined, ['.']],
  ['undefined', null, undefined, ['.']],
  ['truthy', 0, undefined, ['.']],
  ['truthy', undefined, undefined, ['.']],
  ['falsy', {}, undefined, ['.']],
  ['enumeration', 'b', { values: ['a'] }, ['.']],
  ['enumeration', 1, { values: ['1'] }, ['.']],
  ['length', 'abc', { min: 4 }, ['.']],
  ['length', [1, 2], { max: 1 }, ['.']],
  ['length', 3, { min: 4, max: 2 }, ['.', '.']],
  ['alphabetical', ['a', 'c', 'b', 'a'], undefined, ['1']],
  ['alphabetical', { b: 1, a: 2 }, undefined, ['b']],
  ['alphabetical', ['b', 'a'], null, ['0']],
  ['alphabetical', [10, '9'], undefined, ['0']],
  ['alphabetical', [{ name: 'b' }, { name: 'a' }], { keyedBy: 'name' }, ['.']],
  ['alphabetical', [{ name: 'b' }, {}], { keyedBy: 'name' }, ['.']],
  ['alphabetical', ['b'].concat('a'), { keyedBy: 'name' }, ['.']],
  ['alphabetical', [true, 'a'], undefined, ['.']],
  ['or', { c: 1 }, { properties: ['a', 'b'] }, ['.']],
  ['xor', {}, { properties: ['a', 'b'] }, ['.']],
  ['xor', { a: 1, b: 2 }, { properties: ['a', 'b'] }, ['.']],
  ['pattern', 'abc', { match: '^b', notMatch: 'c$' }, ['.', '.']],
  ['casing', 'petId', { type: 'flat' }, ['.']],
  ['casing', 'petIDs', { type: 'camel' }, ['.']],
  ['casing', 'pet2', { type: 'camel', disallowDigits: true }, ['.']],
  ['casing', 'Pet-', { type: 'pascal', separator: { char: '-' } }, ['.']],
  ['casing', '//pets', { type: 'flat', separator: { char: '/', allowLeading: true } }, ['.']],
]

test.each(invalid)('%s reports %j with %j', (name, value, options, places) => {
  expect(pointersOf(name, value, options)).toEqual(places)
})

describe('messages', () => {
  test.each<[name: string, value: unknown, options: unknown, message: string]>([
    ['truthy', undefined, undefined, '`value` must be present and not empty, `false`, `0` or `null`'],
    ['length', 'abc', { max: 2 }, '`value` must have at most 2 characters, found 3'],
    ['enumeration', 'b', { values: ['a', null] }, '`value` is `b`, expected one of `a`, `null`'],
    ['alphabetical', ['b', 'a'], undefined, '`b` must be placed after `a`: the order is alphabetical'],
    ['xor', {}, { properties: ['a', 'b'] }, '`value` must have one of `a` or `b`'],
    ['or', {}, { properties: ['a', 'b', 'c', 'd', 'e'] }, '`value` must have at least one of `a`, `b`, `c` or `2 others`'],
    ['pattern', 'x', { match: '^a' }, '`value` is `x` and must match the pattern `^a`'],
    ['casing', 'A', { type: 'flat' }, '`value` is `A` and must be in flat case'],
  ])('of %s for %j', (name, value, options, message) => {
    expect(runFunction(name, value, options).map((problem) => problem.message)).toEqual([message])
  })
})

test.each<[name: string, options: unknown, problem: string]>([
  ['truthy', {}, '/: Unexpected `functionOptions`, expected none: the function `truthy` has no options'],
  ['length', undefined, '/: Missing `functionOptions` of the function `length`, expected a mapping'],
  ['length', {}, '/: Missing option of the function `length`, expected `min` or `max`'],
  ['length', { mim: 1 }, '/mim: Unknown option `mim` of the function `length`, expected `min` or `max`'],
  ['length', { min: '1' }, '/min: Wrong option `min` of the function `length`, expected a number'],
  ['enumeration', {}, '/: Missing option `values` of the function `enumeration`'],
  [
    'enumeration',
    { values: [{}] },
    '/values: Wrong option `values` of the function `enumeration`, expected a list of strings, numbers, booleans or `null`',
  ],
  [
    'xor',
    { properties: ['a'] },
    '/properties: Wrong option `properties` of the function `xor`, expected a list of at least two names',
  ],
  [
    'pattern',
    { match: '(' },
    '/match: Wrong option `match` of the function `pattern`, expected a regular expression of JavaScript (Unterminated group)',
  ],
  [
    'casing',
    { type: 'camel', separator: {} },
    '/separator: Wrong option `separator` of the function `casing`, expected a mapping with `char`, one character, and optionally `allowLeading`',
  ],
  [
    'schema',
    { schema: { type: 'strng' } },
    '/schema/type: Unexpected value of `type` in the schema of the function `schema`, expected one or several of `array`, `boolean`, `integer`, `null`, `number`, `object` or `string`',
  ],
  [
    'schema',
    { schema: { items: { minLength: -1 } } },
    '/schema/items/minLength: Unexpected value of `minLength` in the schema of the function `schema`, expected a whole number from 0',
  ],
  [
    'unreferencedReusableObject',
    { reusableObjectsLocation: 'schemas' },
    '/reusableObjectsLocation: Wrong option `reusableObjectsLocation` of the function `unreferencedReusableObject`, expected the pointer of a mapping, such as `#/components/schemas`',
  ],
])('%s refuses the options %j', (name, options, problem) => {
  expect(optionsProblemOf(name, options)).toBe(problem)
})

test.each<[name: string, options?: unknown]>([
  ['truthy', null],
  ['alphabetical'],
  ['alphabetical', { keyedBy: 'name' }],
  ['length', { max: 3 }],
  ['pattern', { match: '/a/i' }],
  ['casing', { type: 'kebab', separator: { char: '/', allowLeading: true }, disallowDigits: true }],
  ['schema', { schema: { $ref: '#/definitions/a', definitions: { a: {} } }, dialect: 'draft4', allErrors: true }],
  ['schema', { schema: { items: { $ref: './item.yaml' } } }],
  ['unreferencedReusableObject', { reusableObjectsLocation: '#/components/schemas' }],
])('%s takes the options %j', (name, options) => {
  expect(optionsProblemOf(name, options)).toBeUndefined()
})

test('refuses a very long regular expression', () => {
  expect(optionsProblemOf('pattern', { match: 'a'.repeat(20_000) })).toContain('longer than 10000 characters')
})

test('casing takes linear time on a name that almost matches', () => {
  for (const type of ['camel', 'pascal', 'kebab', 'snake']) {
    const name = `${type === 'pascal' ? 'A' : 'a'}${'0'.repeat(20_000)}!`
    expect(pointersOf('casing', name, { type, separator: { char: '-' } })).toEqual(['.'])
  }
})

test('unreferencedReusableObject reports objects that no reference has as its target', () => {
  const schemas = { A: {}, 'B/c': {}, D: {}, E: { properties: { e: {} } } }
  const unresolved = {
    a: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B~1c' }],
    b: { $ref: '#/components/schemas/E/properties/e', beside: { $ref: '#/components/schemas/D' } },
    components: { schemas: { E: { properties: { e: { $ref: '#/components/schemas/E' } } } } },
  }
  const options = { reusableObjectsLocation: '#/components/schemas' }
  expect(pointersOf('unreferencedReusableObject', schemas, options, { path: ['components', 'schemas'], unresolved })).toEqual([
    'D',
    'E',
  ])
})

test('lists the core functions of Spectral', () => {
  expect([...coreFunctions.keys()].sort()).toEqual([
    'alphabetical',
    'casing',
    'defined',
    'enumeration',
    'falsy',
    'length',
    'or',
    'pattern',
    'schema',
    'truthy',
    'typedEnum',
    'undefined',
    'unreferencedReusableObject',
    'xor',
  ])
})
