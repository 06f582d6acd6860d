import { describe, expect, it } from 'vitest'
import { listLintTargets } from '../../../src/rules/run/lint-targets.ts'

const found = { path: ['found'], value: 1 }
const find = (expression: string) => (expression === '$.none' ? [] : [found])

describe('listLintTargets', () => {
  it.each([
    ['the value without a field', { a: 1 }, undefined, [{ path: [], value: { a: 1 } }]],
    ['a value that has no fields', 'text', 'a', [{ path: [], value: 'text' }]],
    ['a field', { a: null }, 'a', [{ path: ['a'], value: null }]],
    ['a missing field', { a: null }, 'b', [{ path: ['b'], value: undefined }]],
    ['a path', { a: [{ b: 2 }] }, 'a[0].b', [{ path: ['a', '0', 'b'], value: 2 }]],
    ['a path with quotes', { a: { 'b.c': 2 } }, 'a["b.c"]', [{ path: ['a', 'b.c'], value: 2 }]],
    ['a path that starts with brackets', { a: [{ b: 2 }] }, '["a"][0][b]', [{ path: ['a', '0', 'b'], value: 2 }]],
    ['a path without an end', { a: 1 }, 'a.[', [{ path: ['a', ''], value: undefined }]],
    ['a path to nothing', { a: 1 }, 'a.b.c', [{ path: ['a', 'b', 'c'], value: undefined }]],
    ['a key with dots', { 'a.b': 2 }, 'a.b', [{ path: ['a.b'], value: 2 }]],
    ['a name of JavaScript', { a: 1 }, 'constructor', [{ path: ['constructor'], value: undefined }]],
    ['the length of a list', { a: [1, 2] }, 'a.length', [{ path: ['a', 'length'], value: 2 }]],
    ['the values of an expression', { a: 1 }, '$.a', [found]],
    ['a key that starts with `$`', { $ref: { a: 1 } }, '$ref.a', [{ path: ['$ref', 'a'], value: 1 }]],
    ['an expression without values', { a: 1 }, '$.none', [{ path: [], value: undefined }]],
    ['the keys of an empty mapping', {}, '@key', [{ path: [], value: undefined }]],
    [
      'keys',
      { a: 1, b: 2 },
      '@key',
      [
        { path: ['a'], value: 'a', isKey: true },
        { path: ['b'], value: 'b', isKey: true },
      ],
    ],
  ])('lists %s', (_, value, field, expected) => {
    expect(listLintTargets(value, field, find)).toEqual(expected)
  })
})
