import { describe, expect, test } from 'vitest'
import { toLineStarts, toPosition, toRange, toSourceFile } from '../../../src/text/plain/source-file.ts'
import { fc } from '../../support/properties.ts'

const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))

describe('toSourceFile', () => {
  test.each([
    ['plain text', bytes('a: 1\r\n'), 'a: 1\r\n', undefined],
    ['nothing', bytes(), '', undefined],
    ['a byte order mark', bytes([0xef, 0xbb, 0xbf], 'a: ü'), 'a: ü', undefined],
    ['a real replacement character', bytes('a: \ufffd'), 'a: \ufffd', undefined],
    ['UTF-16, little end first', bytes([0xff, 0xfe, 0x61, 0x00]), '', { kind: 'utf-16', offset: 0 }],
    ['UTF-16, big end first', bytes([0xfe, 0xff, 0x00, 0x61]), '', { kind: 'utf-16', offset: 0 }],
    ['Latin-1', bytes('a: ', [0xfc]), 'a: \ufffd', { kind: 'invalid-utf8', offset: 3 }],
    ['a lone surrogate in UTF-8', bytes('a', [0xed, 0xa0, 0x80]), 'a\ufffd\ufffd\ufffd', { kind: 'invalid-utf8', offset: 1 }],
    ['a cut character at the end', bytes('ab', [0xe2, 0x82]), 'ab\ufffd', { kind: 'invalid-utf8', offset: 2 }],
    [
      'bytes after a real replacement character',
      bytes('x\ufffdy', [0xff], 'z'),
      'x\ufffdy\ufffdz',
      { kind: 'invalid-utf8', offset: 3 },
    ],
    [
      'a byte order mark before bad bytes',
      bytes([0xef, 0xbb, 0xbf], 'é', [0xff]),
      'é\ufffd',
      { kind: 'invalid-utf8', offset: 1 },
    ],
    ['a NUL in text', bytes('a: \0'), 'a: \0', { kind: 'binary', offset: 3 }],
    ['a picture', bytes([0x89], 'PNG', [0, 0xff]), '\ufffdPNG\0\ufffd', { kind: 'binary', offset: 0 }],
  ])('%s', (_, input, text, encodingFault) => {
    expect(toSourceFile('a.yaml', input)).toEqual({ path: 'a.yaml', text, ...(encodingFault && { encodingFault }) })
  })

  test('reads a part of a larger buffer', () => {
    expect(toSourceFile('a', Buffer.from('xxabcxx').subarray(2, 5)).text).toBe('abc')
  })

  test('accepts valid UTF-8 and reports other bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (input) => {
        const { text, encodingFault } = toSourceFile('a', input)
        const buffer = Buffer.from(input)
        const hasMark = buffer.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))
        const writtenBack = Buffer.from((hasMark ? '\ufeff' : '') + text).equals(buffer)
        expect(encodingFault === undefined).toBe(writtenBack && !text.includes('\0'))
      }),
    )
  })
})

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
