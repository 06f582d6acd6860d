import { describe, expect, test } from 'vitest'
import { readJsonText, toOneByteText } from '../../src/text/read-json-text.ts'
import { toSourceFile } from '../../src/text/source-file.ts'
import { fc, runsOr } from '../support/properties.ts'
import { printWithPlaces, trees } from './print-with-places.ts'

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return 'not JSON'
  }
}

const letters = fc.constantFrom('a', '"', '/', '\n', '\u0007', 'é', '’', '語', '\u2028', '\ufeff', '😀', '👩‍💻')
/** Without a backslash, since they end the keys too: see what `trees` has. */
const words = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''))

describe('toOneByteText', () => {
  test.each([
    ['{"a": "b"}', '{"a": "b"}'],
    ['{\n  "é": 1,\n    "b": 2\n}', '{\n  "\\u00e9": 1,\n"b": 2\n}'],
    ['{\r\n  "a": "’",\r\n     "b": 2\r\n}', '{\r\n  "a": "\\u2019",\r\n  "b": 2\r\n}'],
    ['{\n  "a": "😀",\n  "b": 2,\n           "c": 3\n}', '{\n  "a": "\\ud83d\\ude00",\n  "b": 2,\n   "c": 3\n}'],
    ['["é",\n      "é"\n]', undefined],
    ['["é"]', undefined],
    ['["é",\n\t\t\t\t\t1]', undefined],
    ['["\\é",\n       1]', undefined],
    ['["\\\\é",\n       1]', undefined],
  ])('%j', (text, expected) => {
    expect(toOneByteText(Buffer.from(text))).toBe(expected)
  })

  test('gives a text that is read as the same, and leaves the bytes as they were', () => {
    const blanks = fc.infiniteStream(fc.constantFrom('', ' ', '\n', '\n    ', '\n              ', '\r\n\t', '\r\n     '))
    fc.assert(
      fc.property(trees, blanks, words, (tree, blank, word) => {
        const string = (text: string) => JSON.stringify(`${text}${word}`)
        const { text } = printWithPlaces(tree, { blank: () => blank.next().value ?? '', string })
        const bytes = Buffer.from(text)
        const made = toOneByteText(bytes)
        expect(bytes.toString()).toBe(text)
        if (made === undefined) return
        expect(made).toMatch(/^[\0-\x7f]*$/)
        expect(JSON.parse(made)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('gives a text that is no JSON of one that is none', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      'u00e9',
      '1',
      'a',
      'é',
      '’',
      '😀',
      ' ',
      '\n      ',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const text = parts.join('')
        const made = toOneByteText(Buffer.from(text))
        if (made !== undefined) expect(read(made)).toEqual(read(text))
      }),
      { numRuns: runsOr(100) },
    )
  })
})

describe('readJsonText', () => {
  test.each([
    ['of ASCII only', 'a', 0],
    ['with a few other characters', '’', 10],
    ['with many', '語', 5_000],
  ])('reads a large text %s', (_, character, count) => {
    const words = Array.from({ length: 40_000 }, (_, index) => ({ text: `word ${index} ${index < count ? character : ''}` }))
    const bytes = Buffer.from(JSON.stringify(words, null, 8))
    const before = Buffer.from(bytes)
    expect(readJsonText(toSourceFile('a', bytes), (text) => JSON.parse(text) as unknown)).toEqual(words)
    expect(bytes.equals(before)).toBe(true)
  })

  test('leaves the bytes as they were where the text is no JSON', () => {
    const bytes = Buffer.from(`["’",\n${' '.repeat(1024 * 1024)}`)
    const before = Buffer.from(bytes)
    expect(() => readJsonText(toSourceFile('a', bytes), (text) => JSON.parse(text) as unknown)).toThrow(SyntaxError)
    expect(bytes.equals(before)).toBe(true)
  })
})
