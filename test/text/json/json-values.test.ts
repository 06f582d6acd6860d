import { describe, expect, test } from 'vitest'
import {
  escapePointerSegment,
  isDeeperThan,
  listTexts,
  parentPointer,
  parsePointer,
  pointerChild,
  valueAtPointer,
} from '../../../src/text/json/json-values.ts'
import { fc } from '../../support/properties.ts'

test.each([
  [1, 0, false],
  [null, 0, false],
  [[], 0, true],
  [[], 1, false],
  [{ a: [1, { b: 2 }] }, 2, true],
  [{ a: [1, { b: 2 }] }, 3, false],
  [JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)), 1_000, true],
  [JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)), 1_000, false],
])('%#', (value, limit, expected) => {
  expect(isDeeperThan(value, limit)).toBe(expected)
})

test.each([
  [
    ['a', 1, null, ['b'], 'c'],
    ['a', 'c'],
  ],
  ['a', []],
  [undefined, []],
])('strings of %j', (value, expected) => {
  expect(listTexts(value)).toEqual(expected)
})

// The example of RFC 6901, section 5.
const example: unknown = JSON.parse(
  '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8,"__proto__":9}',
)

describe('valueAtPointer', () => {
  test.each([
    ['', example],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/__proto__', 9],
    ['/foo/2', undefined],
    ['/foo/-', undefined],
    ['/foo/00', undefined],
    ['/foo/length', undefined],
    ['/constructor', undefined],
    ['/foo/0/0', undefined],
    ['//x', undefined],
  ])('%s', (pointer, value) => {
    expect(valueAtPointer(example, pointer)).toEqual(value)
  })
})

test('the steps of a pointer survive being written and read', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', '😀') })), (steps) => {
      expect(parsePointer(steps.reduce<string>(pointerChild, ''))).toEqual(steps)
    }),
  )
})

test.each([
  ['a~1b', 'a~01b'],
  ['~/', '~0~1'],
  ['plain', 'plain'],
])('escapes %s as %s', (segment, escaped) => {
  expect(escapePointerSegment(segment)).toBe(escaped)
})

test.each([
  ['', ''],
  ['/a', ''],
  ['/a/b~1c', '/a'],
  ['/a/', '/a'],
])('the parent of `%s` is `%s`', (pointer, parent) => {
  expect(parentPointer(pointer)).toBe(parent)
})

test('a list index is a step', () => {
  expect(pointerChild('/list', 3)).toBe('/list/3')
})
