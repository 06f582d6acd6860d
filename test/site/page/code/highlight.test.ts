import { describe, expect, test } from 'vitest'
import { renderCode, renderJson, renderLines } from '../../../../src/site/page/code/code-block.tsx'
import { loadLanguages } from '../../../../src/site/page/code/color-lines.ts'
import { highlight } from '../../../../src/site/page/code/highlight.ts'
import { escapeHtmlText } from '../../../../src/text/plain/escape-text.ts'
import { hostileStrings } from '../../../support/hostile-strings.ts'

describe('JSON has the same tokens as with its grammar', () => {
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
    // Only the grammar reads comments.
    expect(highlight(code, 'json')).toEqual(highlight(`${code}\n// end`, 'json').slice(0, -1))
    expect(renderJson(code)).toBe(renderLines(highlight(code, 'json'), undefined, false))
  })
})

test.each(hostileStrings)('renders JSON like other code, even with %j', async (text) => {
  await loadLanguages(['json'])
  const code = JSON.stringify({ list: [text], [text]: -1 }, null, 2)
  expect(renderCode(code, 'json', undefined, false)).toBe(renderLines(highlight(code, 'json'), undefined, false))
  expect(renderCode(code, 'json', new Map([[2, 'hl']]), false)).toBe(
    renderLines(highlight(code, 'json'), new Map([[2, 'hl']]), false),
  )
  expect(renderCode('{"a": <b>}', undefined, undefined, false)).toBe('{"a": &lt;b>}')
})

test('colors the first 80 tokens of long JSON, and leaves the rest to the script of the page', async () => {
  await loadLanguages(['json'])
  const code = JSON.stringify(
    Array.from({ length: 400 }, (_, id) => ({ [`<${id}>`]: id })),
    null,
    2,
  )
  const html = renderCode(code, 'json', undefined, false)
  const [start = '', rest = ''] = html.split('<span data-rest="1082">')
  const at = code.indexOf('  },\n  {\n    "<40>"')
  expect(start).toBe(renderLines(highlight(code, 'json'), undefined, false).slice(0, start.length))
  expect(start.match(/<(?:i|var)\b/g)).toHaveLength(80)
  expect(rest).toBe(`${escapeHtmlText(code.slice(at))}</span>`)
  expect(renderJson(JSON.stringify(Array(80).fill(1), null, 2))).not.toContain('data-rest')
  expect(renderJson('{\n"a": 1}', 0)).toBe('{\n<span data-rest="1">"a": 1}</span>')
})

test('highlights JSON of any size, but other long code only as text', async () => {
  await loadLanguages(['json', 'js'])
  const code = JSON.stringify(
    Array.from({ length: 5_000 }, (_, id) => ({ id })),
    null,
    2,
  )
  expect(
    highlight(code, 'json')
      .flat()
      .filter(({ kind }) => kind === 'f'),
  ).toHaveLength(5_000)
  expect(
    highlight(`// \n${code}`, 'json')
      .flat()
      .every(({ kind }) => kind === undefined),
  ).toBe(true)
  expect(
    highlight(`let a = ${code}`, 'js')
      .flat()
      .every(({ kind }) => kind === undefined),
  ).toBe(true)
})

test('highlights deeply nested JSON of many lines in linear time', async () => {
  await loadLanguages(['json'])
  const code = `${'[\n'.repeat(20_000)}1${'\n]'.repeat(20_000)}`
  expect(highlight(code, 'json')[20_000]).toEqual([{ text: '1', kind: 'n' }])
})

test('gives added and removed lines of a diff different colors', async () => {
  await loadLanguages(['diff'])
  expect(highlight('-old\n+new\n same', 'diff')).toEqual([
    [{ text: '-old', kind: 'd' }],
    [{ text: '+new', kind: 's' }],
    [{ text: ' same', kind: undefined }],
  ])
})
