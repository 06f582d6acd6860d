import { describe, expect, test } from 'vitest'
import { displayWidth, escapeText, toSafeJson } from '../../src/text/escape-text.ts'
import { arbitraryText } from '../support/arbitrary-text.ts'
import { fc, propertyRuns } from '../support/properties.ts'

/** What a terminal obeys, or a CI system takes for a command. */
const dangerous = /[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}|^\s*::|##\w*\[/u

const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\x1b[31m',
        '\n',
        '::error::',
        '##',
        '[group]',
        '##vso[x]',
        '\u009b',
        '\u202e',
        ' ',
        '\ud83d',
        '\ude00',
        '#',
      ),
      arbitraryText({ maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(''))

describe('escapeText', () => {
  test.each([
    ['plain `text`, Grüße 😀 日本', 'plain `text`, Grüße 😀 日本'],
    ['a\nb\r\n\tc', 'a\\nb\\r\\n\\tc'],
    ['\x1b[31mred\x1b[0m', '\\u001b[31mred\\u001b[0m'],
    ['\u009b31m', '\\u009b31m'],
    ['user\u202etxt.exe', 'user\\u202etxt.exe'],
    ['zero\u200bwidth', 'zero\\u200bwidth'],
    ['family 👩\u200d👧', 'family 👩\u200d👧'],
    ['half \ud83d pair', 'half \\ud83d pair'],
    ['tag \u{e0041}', 'tag \\udb40\\udc41'],
    ['::error::pwned', '\\u003a:error::pwned'],
    ['  ::error::pwned', '  \\u003a:error::pwned'],
    ['std::vector', 'std::vector'],
    ['x ##[group]y', 'x #\\u0023[group]y'],
    ['##vso[task.setvariable]', '#\\u0023vso[task.setvariable]'],
    ['## Heading', '## Heading'],
    ['###[x]', '##\\u0023[x]'],
  ])('%j', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped)
  })

  test('leaves nothing dangerous in any text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(escapeText(text)).not.toMatch(dangerous)
      }),
      { numRuns: propertyRuns(200) },
    )
  })
})

describe('toSafeJson', () => {
  test('reads back as the same value and is safe line by line', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (key, text) => {
        const value = { [`k${key}`]: [text], list: [] }
        const json = toSafeJson(value)
        expect(JSON.parse(json)).toEqual(value)
        for (const line of json.split('\n')) expect(line).not.toMatch(dangerous)
      }),
      { numRuns: propertyRuns(200) },
    )
  })
})

test.each([
  ['', 0],
  ['plain', 5],
  ['Grüße', 5],
  ['e\u0301', 1],
  ['日本', 4],
  ['한국', 4],
  ['ﾊﾝ', 4 - 2 + 2],
  ['（）', 4],
  ['😀', 2],
  ['👍🏽', 2],
  ['…│▶', 3],
])('%s takes %i cells', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})
