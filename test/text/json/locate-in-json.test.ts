import { describe, expect, test } from 'vitest'
import { valueAtPointer } from '../../../src/text/json/json-values.ts'
import { locateInJson } from '../../../src/text/json/locate-in-json.ts'
import {
  type PlacedRange,
  type PointerPlace,
  toLineStarts,
  toRange,
  toSourceFile,
  toSourceLines,
} from '../../../src/text/plain/source-file.ts'
import { fc } from '../../support/properties.ts'
import { findPlaces, printWithPlaces, type Tree, trees } from '../print-with-places.ts'

/** The places in a text, without their lines. */
function locateAll(text: string, pointers: Iterable<string>): Map<string, PointerPlace> {
  const plain = ({ start, end }: PlacedRange) => ({ start, end })
  const found = findPlaces(locateInJson, toSourceFile('a', Buffer.from(text)), pointers)
  return new Map(
    [...found].map(([pointer, { key, value }]) => [
      pointer,
      key ? { key: plain(key), value: plain(value) } : { value: plain(value) },
    ]),
  )
}

/** `key=value` as they stand in the text. */
function locate(text: string, ...pointers: string[]): string[] {
  const found = locateAll(text, pointers)
  return pointers.map((pointer) => {
    const place = found.get(pointer)
    if (!place) return 'none'
    const value = text.slice(place.value.start, place.value.end)
    return place.key ? `${text.slice(place.key.start, place.key.end)}=${value}` : value
  })
}

describe('locateInJson', () => {
  test.each([
    ['{"a": 1}', '', ['{']],
    [' 1.5e3 ', '', ['1.5e3']],
    ['"a"', '', ['"a"']],
    ['{"a": 1}', '/a', ['"a"=1']],
    ['{"a":-1.5e+3}', '/a', ['"a"=-1.5e+3']],
    ['{"a": [true, {"b": null}]}', '/a/1/b', ['"b"=null']],
    ['{"a": [true, {"b": null}]}', '/a/0', ['true']],
    ['{"a": [[], {}]}', '/a/1', ['{']],
    ['{"a": "x\\"}", "b": 2}', '/b', ['"b"=2']],
    ['{"a": "x\\\\", "b": 2}', '/b', ['"b"=2']],
    ['{"a\\u002fb": 1}', '/a~1b', ['"a\\u002fb"=1']],
    ['{"a~b": 1}', '/a~0b', ['"a~b"=1']],
    ['{"\\\\": 1}', '/\\', ['"\\\\"=1']],
    ['{"": {"": 1}}', '//', ['""=1']],
    ['{"__proto__": {"x": 1}}', '/__proto__/x', ['"x"=1']],
    ['{"a": 1, "a": 2}', '/a', ['"a"=2']],
    ['{"a": {"b": 1}, "a": {}}', '/a/b', ['none']],
    ['{"a": {"b": 1}, "a": 3}', '/a/b', ['none']],
    ['{"a": [1]}', '/a/1', ['none']],
    ['{"a": [1]}', '/a/-', ['none']],
    ['{"a": [1]}', '/a/00', ['none']],
    ['{"a": 1}', '/b', ['none']],
  ])('%s at %s', (text, pointer, places) => {
    expect(locate(text, pointer)).toEqual(places)
  })

  test('finds every value where a printer put it', () => {
    const blanks = fc.infiniteStream(fc.constantFrom('', ' ', '\n', '\t', ' \r\n ', '\n         ', '\n        \n'))
    fc.assert(
      fc.property(trees, blanks, (tree, blank) => {
        const { text, places } = printWithPlaces(tree, { blank: () => blank.next().value ?? '', string: JSON.stringify })
        expect(Object.fromEntries(locateAll(text, places.keys()))).toEqual(Object.fromEntries(places))
      }),
    )
  })

  test('tells the lines of what it finds, and keeps them for whoever shows them', () => {
    const blanks = fc.infiniteStream(fc.constantFrom('', ' ', '\n', '\t', ' \r\n ', '\r', '\n         ', '\r        \r'))
    fc.assert(
      fc.property(trees, blanks, (tree, blank) => {
        const { text, places } = printWithPlaces(tree, { blank: () => blank.next().value ?? '', string: JSON.stringify })
        const source = toSourceFile('a', Buffer.from(text))
        const lineStarts = toLineStarts(text)
        for (const { value } of findPlaces(locateInJson, source, places.keys()).values()) {
          const { start, end, line = 0, lineStart = 0 } = value
          expect({ start: { line, column: start - lineStart + 1 }, end: { line, column: end - lineStart + 1 } }).toEqual(
            toRange(lineStarts, { start, end }),
          )
        }
        const [shown, counted] = [toSourceLines(source), toSourceLines({ path: 'a', text })]
        for (let number = 1; number <= lineStarts.length + 1; number++) expect(shown.line(number)).toBe(counted.line(number))
      }),
    )
  })

  test('finds one value without the others', () => {
    fc.assert(
      fc.property(trees, fc.nat(), (tree: Tree, number) => {
        const { text, places } = printWithPlaces(tree, { blank: () => '', string: JSON.stringify })
        const pointer = [...places.keys()][number % places.size] ?? ''
        const place = locateAll(text, [pointer]).get(pointer)
        expect(place).toEqual(places.get(pointer))
        const value = valueAtPointer(JSON.parse(text), pointer)
        if (typeof value !== 'object' || value === null) {
          expect(JSON.parse(text.slice(place?.value.start, place?.value.end))).toEqual(value)
        }
      }),
    )
  })
})
