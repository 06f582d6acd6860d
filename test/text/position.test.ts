import { describe, expect, test } from 'vitest'
import { toLineStarts, toPosition, toRange } from '../../src/text/position.ts'
import { fc } from '../support/properties.ts'

describe('toLineStarts', () => {
  test.each([
    ['', [0]],
    ['a', [0]],
    ['a\n', [0, 2]],
    ['a\nb', [0, 2]],
    ['a\r\nb', [0, 3]],
    ['a\rb', [0, 2]],
    ['\n\n', [0, 1, 2]],
    ['\r\r', [0, 1, 2]],
    ['\n\r', [0, 1, 2]],
    ['\r\n\r\n', [0, 2, 4]],
    ['\r\r\n', [0, 1, 3]],
    ['a\u2028b', [0]],
  ])('%j', (text, starts) => {
    expect(toLineStarts(text)).toEqual(starts)
  })

  test('agrees with splitting the text', () => {
    const texts = fc.array(fc.constantFrom('a', '\n', '\r', '\r\n', '😀'), { maxLength: 20 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, (text) => {
        const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/)
        if (/[\r\n]$/.test(text)) lines.push('')
        let offset = 0
        const expected = lines.map((line) => {
          offset += line.length
          return offset - line.length
        })
        expect(toLineStarts(text)).toEqual(expected)
      }),
    )
  })
})

describe('toPosition', () => {
  test('counts columns in UTF-16 units', () => {
    expect(toPosition(toLineStarts('😀b'), 2)).toEqual({ line: 1, column: 3 })
  })

  test('leads back to the offset it came from', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r') }), fc.nat(), (text, number) => {
        const offset = number % (text.length + 1)
        const starts = toLineStarts(text)
        const { line, column } = toPosition(starts, offset)
        expect((starts[line - 1] ?? Number.NaN) + column - 1).toBe(offset)
        expect(offset).toBeLessThan(starts[line] ?? Number.POSITIVE_INFINITY)
      }),
    )
  })
})

test('a range never ends before it starts', () => {
  expect(toRange([0, 5], { start: 6, end: 2 })).toEqual({ start: { line: 2, column: 2 }, end: { line: 2, column: 2 } })
})
