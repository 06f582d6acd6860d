import { describe, expect, test } from 'vitest'
import { breakLines, formatJson, maxMatches, toFinder } from '../../../src/playground/answer/long-text.ts'

const goOn = () => Promise.resolve(true)

describe('formatting JSON', () => {
  test.each([
    ['a value', ' 12 ', '12'],
    ['empty objects and lists', '{ "a" : { }, "b":[ ] }', '{\n  "a": {},\n  "b": []\n}'],
    ['nested values', '[1,{"a":[true,null]}]', '[\n  1,\n  {\n    "a": [\n      true,\n      null\n    ]\n  }\n]'],
    ['all digits and duplicate keys', '{"a":12345678901234567890,"a":1.50}', '{\n  "a": 12345678901234567890,\n  "a": 1.50\n}'],
    ['strings with syntax', '["a,b:{}[]","\\"","\\\\",""]', '[\n  "a,b:{}[]",\n  "\\"",\n  "\\\\",\n  ""\n]'],
  ])('formats %s', async (_what, text, formatted) => {
    expect(await formatJson(text, goOn)).toBe(formatted)
  })

  test.each(['', '{', '[1,]', '{"a" 1}', 'nothing'])('refuses invalid JSON: %j', async (text) => {
    expect(await formatJson(text, goOn)).toBeUndefined()
  })

  test('keeps every value of large and of deep JSON', async () => {
    const large = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'x'.repeat(index % 20) })))
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    for (const text of [large, deep]) {
      const formatted = (await formatJson(text, goOn)) ?? ''
      expect(formatted.replace(/\s/g, '')).toBe(text)
      expect(formatted.length).toBeLessThan(text.length * 200)
    }
  })

  test('stops when the result is not needed any more', async () => {
    const text = JSON.stringify(Array.from({ length: 500_000 }, (_, index) => index))
    expect(await formatJson(text, () => Promise.resolve(false))).toBeUndefined()
  })
})

test('breaks very long lines, and no others', () => {
  const lines = (text: string) =>
    breakLines(text)
      .split('\n')
      .map(({ length }) => length)
  expect(lines('x'.repeat(25_000))).toEqual([10_000, 10_000, 5_000])
  expect(lines(`${'x'.repeat(10_000)}\n\nabc`)).toEqual([10_000, 0, 3])
  expect(lines(`a\n${'x'.repeat(10_001)}\n${'y'.repeat(5)}\n`)).toEqual([1, 10_000, 1, 5, 0])
})

test.each([
  ['', []],
  ['an', [0, 4]],
  ['.', [2]],
  ['a(', []],
])('finds %j in a text, ignoring case', (query, found) => {
  expect(toFinder('An. an')(query).map(({ from }) => from)).toEqual(found)
})

test('finds text after a letter that is longer in lower case', () => {
  expect(toFinder('İstanbul, ANKARA')('ankara')).toEqual([{ from: 10, to: 16 }])
})

test('lists a limited number of matches', () => {
  expect(toFinder('a'.repeat(20_000))('A')).toHaveLength(maxMatches)
})
