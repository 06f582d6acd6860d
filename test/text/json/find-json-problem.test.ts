import { describe, expect, test } from 'vitest'
import { parseSource } from '../../../src/text/parse-source.ts'
import { toLineStarts, toPosition } from '../../../src/text/plain/source-file.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

async function faultOf(text: string) {
  const { faults, value } = await parseSource({ path: 'a.json', text })
  expect(value).toBeUndefined()
  expect(faults).toHaveLength(1)
  const [fault] = faults
  if (!fault) throw new Error('no fault')
  const { line, column } = toPosition(toLineStarts(text), fault.offsets.start)
  return `${line}:${column} ${fault.message.replace('Cannot read the JSON: ', '')}${fault.hint === undefined ? '' : ` · ${fault.hint}`}`
}

describe('findJsonFault', () => {
  test.each([
    ['{"a": 1,}', '1:8 unexpected `,` before `}` · Remove it'],
    ['[1, 2,\n]', '1:6 unexpected `,` before `]` · Remove it'],
    ['{"a": 1', '1:8 unexpected end of the file · Add the missing `}`'],
    ['[1', '1:3 unexpected end of the file · Add the missing `]`'],
    ['{', '1:2 unexpected end of the file · Add the missing `}`'],
    ['{"a": {"b": [1, 2', '1:18 unexpected end of the file · Add the missing `]`'],
    ['{"a" 1}', '1:6 unexpected `1`, expected `:` · Add a `:`'],
    ['{"a": 1 "b": 2}', '1:9 unexpected `"`, expected `,` · Add a `,` before it'],
    ['{"a": 1\n "b": 2}', '1:8 unexpected end of the line, expected `,` · Add a `,`'],
    ["{'a': 1}", "1:2 unexpected `'` · Use double quotes"],
    ['{a: 1}', '1:2 unexpected `a`, expected a key in double quotes · Write `"a"`'],
    ['{"a": undefined}', '1:7 unexpected `undefined`, expected a value · Write `null`'],
    ['{"a": NaN}', '1:7 unexpected `NaN`, expected a value · Use a finite number or `null`: JSON has no such number'],
    ['{"a": True}', '1:7 unexpected `True`, expected a value · Write `true`'],
    ['{"a": .5}', '1:7 unexpected `.5`, expected a value · Write `0.5`'],
    ['{"a": 01}', '1:7 unexpected `01` · Remove the leading 0'],
    ['{"a": 1 /* x */}', '1:9 unexpected comment, JSON does not allow comments · Remove it'],
    ['{} // x', '1:4 unexpected comment, JSON does not allow comments · Remove it'],
    ['{"a": "b\n"}', '1:7 this string is not closed on its line · Add the closing `"`'],
    ['{"a": "b', '1:7 this string is not closed on its line · Add the closing `"`'],
    ['{"a": "b\tc"}', '1:9 unexpected control character in a string · Escape it as `\\t`'],
    ['{"a": "\\x"}', '1:8 unexpected escape `\\x` in a string · Write `\\\\` for a backslash'],
    [
      '{"a": "\\u12G4"}',
      '1:8 unexpected escape `\\u12G4` in a string · Write four hexadecimal digits after `\\u`, such as `\\u00e9`',
    ],
    ['{} {}', '1:4 unexpected `{` after the end of the document'],
    ['{"a": 1}}', '1:9 unexpected `}` after the end of the document · Remove it, or remove the extra closing bracket above'],
    ['{"a": [1}', '1:9 unexpected `}`, expected `]`'],
    ['{"a":\u00a01}', '1:6 unexpected whitespace U+00A0 · Use a normal space'],
    ['{"a":,}', '1:6 unexpected `,`, expected a value · Add a value before it'],
    ['{,}', '1:2 unexpected `,`, expected a key in double quotes · Remove it'],
    ['[,1]', '1:2 unexpected `,`, expected a value · Remove it'],
    ['{"a": 1,,"b": 2}', '1:9 unexpected `,`, expected a key in double quotes · Remove it'],
    ['{{name}}', '1:2 unexpected `{`, expected a key in double quotes'],
    ['{"a": -}', '1:7 unexpected `-`, expected a value'],
    ['{"a": 1.}', '1:7 unexpected `1.`'],
    ['{"a": 1e}', '1:7 unexpected `1e`'],
    ['{"a" = 1}', '1:6 unexpected `=`, expected `:` · Write `:`'],
    ['{"a": Pets}', '1:7 unexpected `Pets`, expected a value · Put strings in double quotes'],
    ['{"a": +5}', '1:7 unexpected `+5`, expected a value · Write `5`'],
    ['{"a": 1 # x\n}', '1:9 unexpected comment, JSON does not allow comments · Remove it'],
    ['{"a": 1, # x\n}', '1:10 unexpected comment, JSON does not allow comments · Remove it'],
    ['{“a”: 1}', '1:2 unexpected `“` · Use straight double quotes: `"`'],
    ['{"a": 1,\n<<<<<<< HEAD\n"b": 1\n', '2:1 unresolved merge conflict · Keep one of the two sides and remove the marker lines'],
    ['{"a": 1\n<<<<<<< HEAD\n', '2:1 unresolved merge conflict · Keep one of the two sides and remove the marker lines'],
    ['{"a": 1},', '1:9 unexpected `,` after the end of the document · Remove it, or remove the extra closing bracket above'],
    ['{"a": 😀}', '1:7 unexpected `😀`, expected a value'],
  ])('%j', async (text, expected) => {
    expect(await faultOf(text)).toBe(expected)
  })

  test('says something about the deepest nesting', async () => {
    expect(await faultOf('['.repeat(200_000))).toMatch(/^1:200001 unexpected end of the file/)
    expect(await faultOf('{"a":'.repeat(200_000))).toMatch(/unexpected end of the file/)
  })

  test('finds a place near the parser’s own, inside the text, for every broken text', async () => {
    const broken = fc
      .tuple(
        fc.jsonValue({ maxDepth: 3 }),
        fc.nat(),
        fc.nat({ max: 3 }),
        fc.constantFrom('', ',', '}', '"', '\n', 'x', '\\', '\u0001', "'", '1'),
      )
      .map(([value, number, cut, added]) => {
        const text = JSON.stringify({ value }, null, 1)
        const at = 1 + (number % text.length)
        return text.slice(0, at) + added + text.slice(at + cut)
      })
    await fc.assert(
      fc.asyncProperty(broken, async (text) => {
        const parsed = await parseSource({ path: 'a.json', text })
        // Cutting can make two keys equal, which is a different error.
        const faults = parsed.faults.filter(({ code }) => code === 'json-syntax')
        const position = positionOfParser(text)
        expect(faults).toHaveLength(position === undefined ? 0 : 1)
        for (const { offsets, message } of faults) {
          expect(offsets.start).toBeLessThanOrEqual(position ?? 0)
          expect(offsets.end).toBeGreaterThanOrEqual(offsets.start)
          expect(offsets.end).toBeLessThanOrEqual(text.length)
          expect(message).not.toMatch(/undefined|NaN|object/)
          // The text before the error must be the beginning of valid JSON: its only error is the early end.
          const before = text.slice(0, offsets.start).trimEnd()
          const earlier = await parseSource({ path: 'a.json', text: before })
          for (const { offsets } of earlier.faults) expect(offsets.end).toBe(before.length)
        }
      }),
      {
        numRuns: propertyRuns(100),
        examples: [['{"value": " \u0001\\ "}'], ['{"value": " \\ \u0001"}'], ['{"value": {"": 1, "": 2}}']],
      },
    )
  })
})

/** Where `JSON.parse` gave up; `undefined` when it did not. */
function positionOfParser(text: string): number | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return Number(/position (\d+)/.exec(String(error))?.[1] ?? text.length)
  }
}
