import { describe, expect, test } from 'vitest'
import { findText, formatJson, maxMatches } from '../../../../src/site/playground/response/long-text.ts'

describe('formatting JSON', () => {
  test.each([
    ['a value', ' 12 ', '12'],
    ['empty objects and lists', '{ "a" : { }, "b":[ ] }', '{\n  "a": {},\n  "b": []\n}'],
    ['nested values', '[1,{"a":[true,null]}]', '[\n  1,\n  {\n    "a": [\n      true,\n      null\n    ]\n  }\n]'],
    ['all digits and duplicate keys', '{"a":12345678901234567890,"a":1.50}', '{\n  "a": 12345678901234567890,\n  "a": 1.50\n}'],
    ['strings with syntax', '["a,b:{}[]","\\"","\\\\",""]', '[\n  "a,b:{}[]",\n  "\\"",\n  "\\\\",\n  ""\n]'],
  ])('formats %s', async (_what, text, formatted) => {
    expect(await formatJson(text)).toBe(formatted)
  })

  test.each(['', '{', '[1,]', '{"a" 1}', 'nothing'])('refuses invalid JSON: %j', async (text) => {
    expect(await formatJson(text)).toBeUndefined()
  })

  test('keeps every value of large and of deep JSON', async () => {
    const large = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'x'.repeat(index % 20) })))
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    for (const text of [large, deep]) {
      const formatted = (await formatJson(text)) ?? ''
      expect(formatted.replace(/\s/g, '')).toBe(text)
      expect(formatted.length).toBeLessThan(text.length * 200)
    }
  })

  test('stops when it is aborted', async () => {
    const text = JSON.stringify(Array.from({ length: 500_000 }, (_, index) => index))
    expect(await formatJson(text, AbortSignal.abort())).toBeUndefined()
  })
})

test.each([
  ['', []],
  ['an', [0, 4]],
  ['.', [2]],
  ['a(', []],
])('finds %j in a text, ignoring case', (query, found) => {
  expect(findText('An. an', query).map(({ from }) => from)).toEqual(found)
})

test('lists a limited number of matches', () => {
  expect(findText('a'.repeat(20_000), 'A')).toHaveLength(maxMatches)
})
