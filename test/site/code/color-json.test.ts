import { describe, expect, test } from 'vitest'
import { colorJson } from '../../../src/site/code/color-json.ts'
import { highlight, loadLanguages } from '../../../src/site/code/highlight.ts'

describe('JSON is coloured as its grammar colours it', () => {
  // With a comment after it, it does not take the short way.
  test.each([
    '{\n  "a": "b\\n\\u00e9\\"c",\n  "n": -1.5e+3, "t": true, "x": null, "e": {}, "l": [1, "s", false]\n}',
    '[]',
    '"top"',
    '12',
    '{"a" : [ ], "b"\n: "c: d"}',
    '{"true": "null", "1": "-2"}',
    '[[1,-2],[3e5,0.25]]',
    '{\n\n  "a": {"b": {"c": "x // y"}}\n\n}',
    '{"emoji": "😀 é", "quote": "it\\u0027s"}',
  ])('%s', async (code) => {
    await loadLanguages(['json'])
    expect(colorJson(code)).toEqual(highlight(`${code}\n// end`, 'json').slice(0, -1))
  })

  test.each(['{"a": ...}', '// c\n{}', '{"a": 1,}', '', "{'a': 1}"])('what is not JSON is left to the grammar: %s', (code) => {
    expect(colorJson(code)).toBeUndefined()
  })
})
