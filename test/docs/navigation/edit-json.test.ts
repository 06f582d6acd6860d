import { describe, expect, test } from 'vitest'
import { blankJson, editJson, type JsonEdit } from '../../../src/docs/navigation/edit-json.ts'
import { pointerChild } from '../../../src/text/json/json-values.ts'
import { fc } from '../../support/properties.ts'

describe('keeps the surrounding text when it applies', () => {
  test.each<[string, string, JsonEdit[], string]>([
    ['no edit', '{ "a" : [1,2] }\n', [], '{ "a" : [1,2] }\n'],
    ['the removal of a property', '{\n  "a": 1,\n  "b": 2\n}\n', [{ kind: 'remove', pointer: '/b' }], '{\n  "a": 1\n}\n'],
    ['the removal of the first element on a line', '["a", "b"]', [{ kind: 'remove', pointer: '/0' }], '["b"]'],
    ['the removal of the only element', '[\n\t"a"\n]', [{ kind: 'remove', pointer: '/0' }], '[]'],
    [
      'a new value for a property',
      '{"a" :  {"x": 1}, "b": 2}',
      [{ kind: 'set', object: '', key: 'a', value: 3 }],
      '{"a" :  3, "b": 2}',
    ],
    [
      'a new property in a text with tabs and CRLF',
      '{\r\n\t"a": 1\r\n}',
      [{ kind: 'set', object: '', key: 'b', value: { c: [1] } }],
      '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}',
    ],
    [
      'an insertion into a short list on one line',
      '{\n  "p": ["a"]\n}',
      [{ kind: 'insert', array: '/p', index: 1, values: ['b'] }],
      '{\n  "p": ["a", "b"]\n}',
    ],
    [
      'an insertion that makes a list too long for one line',
      `{\n  "p": ["${'a'.repeat(60)}"]\n}`,
      [{ kind: 'insert', array: '/p', index: 0, values: ['b'.repeat(60)] }],
      `{\n  "p": [\n    "${'b'.repeat(60)}",\n    "${'a'.repeat(60)}"\n  ]\n}`,
    ],
    [
      'an insertion into an empty list',
      '{\n    "p": []\n}',
      [{ kind: 'insert', array: '/p', index: 0, values: ['b'] }],
      '{\n    "p": [\n        "b"\n    ]\n}',
    ],
    [
      'nested edits',
      '{\n  "g": [\n    { "pages": ["a", "b"] },\n    { "pages": ["c"] }\n  ]\n}',
      [
        { kind: 'remove', pointer: '/g/1' },
        { kind: 'remove', pointer: '/g/0/pages/0' },
        { kind: 'insert', array: '/g/0/pages', index: 2, values: ['d'] },
      ],
      '{\n  "g": [\n    { "pages": ["b", "d"] }\n  ]\n}',
    ],
    [
      'a new property in a compact text',
      '{"a":[1]}',
      [{ kind: 'set', object: '', key: 'b', value: { c: 1 } }],
      '{"a":[1],"b":{"c":1}}',
    ],
    ['keys with slashes', '{"a/b": {"~": 1, "c": 2}}', [{ kind: 'remove', pointer: '/a~1b/~0' }], '{"a/b": {"c": 2}}'],
    ['an edit with an unknown pointer', '{"a": 1}', [{ kind: 'remove', pointer: '/x/y' }], '{"a": 1}'],
  ])('%s', (_name, text, edits, expected) => {
    expect(editJson(text, edits)).toBe(expected)
  })
})

test('applies edits correctly in any layout', () => {
  const value = fc.array(fc.oneof(fc.string(), fc.array(fc.integer()), fc.dictionary(fc.string(), fc.integer())))
  const layout = fc.constantFrom(undefined, 1, 2, 4, '\t')
  fc.assert(
    fc.property(
      value,
      layout,
      fc.array(fc.nat(12)),
      fc.array(fc.tuple(fc.nat(12), fc.jsonValue())),
      (list, indent, removed, inserted) => {
        const text = JSON.stringify({ list, last: true }, undefined, indent)
        const expected: unknown[] = []
        for (let index = 0; index <= list.length; index++) {
          for (const [place, added] of inserted) if (Math.min(place, list.length) === index) expected.push(added)
          if (index < list.length && !removed.includes(index)) expected.push(list[index])
        }
        const edits: JsonEdit[] = [
          ...removed.map((index) => ({ kind: 'remove' as const, pointer: pointerChild('/list', index) })),
          ...inserted.map(([place, added]) => {
            return { kind: 'insert' as const, array: '/list', index: Math.min(place, list.length), values: [added] }
          }),
        ]
        const result: unknown = JSON.parse(editJson(text, edits))
        expect(result).toEqual(JSON.parse(JSON.stringify({ list: expected, last: true })))
      },
    ),
  )
})

test('blanks parts of a text without moving the rest', () => {
  const text = '{\n  "list": [\n    { "name": "one" },\n    "two", "three"\r\n  ],\n  "key": {"a": 1, "b": 2}\n}\n'
  const blanked = blankJson(text, ['/list/0', '/list/2', '/key/b', '/missing/1'])
  expect(blanked).toBe('{\n  "list": [\n                      \n    "two"         \r\n  ],\n  "key": {"a": 1        }\n}\n')
  expect(JSON.parse(blanked)).toEqual({ list: ['two'], key: { a: 1 } })
})

test('blanks any elements of a list', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 2), fc.array(fc.nat(12)), (list, indent, removed) => {
      const text = JSON.stringify({ list, last: true }, undefined, indent)
      const blanked = blankJson(
        text,
        removed.map((index) => pointerChild('/list', index)),
      )
      const kept = list.filter((_, index) => !removed.includes(index))
      expect(JSON.parse(blanked)).toEqual(JSON.parse(JSON.stringify({ list: kept, last: true })))
      expect(blanked).toHaveLength(text.length)
      const moved = blanked.split('').filter((unit, offset) => unit !== ' ' && unit !== text[offset])
      expect(moved).toEqual([])
    }),
  )
})
