import { describe, expect, test } from 'vitest'
import { formatFrame } from '../../src/diagnostic/format-frame.ts'
import { plainPalette } from '../../src/diagnostic/palette.ts'
import { displayWidth, escapeText } from '../../src/text/escape-text.ts'
import { toLineStarts, toRange } from '../../src/text/position.ts'
import { toSourceLines } from '../../src/text/source-file.ts'
import { fc, runsOr } from '../support/properties.ts'

/** The frame of the part of a text between two `¦`. */
function frameOf(markedText: string, lineWidth = 100): string {
  const start = markedText.indexOf('¦')
  const end = markedText.lastIndexOf('¦') - 1
  const text = markedText.replaceAll('¦', '')
  return frame(text, start, end, lineWidth).join('\n')
}

function frame(text: string, start: number, end: number, lineWidth: number): string[] {
  const lineStarts = toLineStarts(text)
  const range = toRange(lineStarts, { start, end })
  return formatFrame(toSourceLines({ path: 'a', text }), range, { palette: plainPalette, mark: (carets) => carets, lineWidth })
}

describe('formatFrame', () => {
  test.each([
    [
      'a line between two',
      '    get:\n      ¦sumary¦: List\n      id: x\n',
      ['    1 │     get:', '  ▶ 2 │       sumary: List', '      │       ^^^^^^', '    3 │       id: x'],
    ],
    ['the only line', '¦a¦', ['  ▶ 1 │ a', '      │ ^']],
    ['the first line', '¦a¦\nb\nc\n', ['  ▶ 1 │ a', '      │ ^', '    2 │ b']],
    ['the last line', 'a\nb\n¦c¦\n', ['    2 │ b', '  ▶ 3 │ c', '      │ ^']],
    ['the end of the text', 'a:\n  - b\n¦¦', ['    2 │   - b', '  ▶ 3 │', '      │ ^']],
    ['the end of a line', 'a: [1¦¦\nb', ['  ▶ 1 │ a: [1', '      │      ^', '    2 │ b']],
    ['lines of Windows', 'a\r\n¦b¦\r\nc\r\n', ['    1 │ a', '  ▶ 2 │ b', '      │ ^', '    3 │ c']],
    ['old lines', 'a\r¦b¦\rc', ['    1 │ a', '  ▶ 2 │ b', '      │ ^', '    3 │ c']],
    ['tabs', '\ta:\n\t\t¦b¦\tc', ['    1 │     a:', '  ▶ 2 │         b    c', '      │         ^']],
    ['wide characters', 'a: 日本 ¦語¦ x', ['  ▶ 1 │ a: 日本 語 x', '      │         ^^']],
    ['emoji and marks', 'a: 😀e\u0301 ¦x¦', ['  ▶ 1 │ a: 😀e\u0301 x', '      │        ^']],
    ['several lines', 'a: ¦"x\n  y"¦\nb', ['  ▶ 1 │ a: "x', '      │    ^^', '    2 │   y"']],
    ['blank neighbours', '\n¦a¦\n  \nb', ['    1 │', '  ▶ 2 │ a', '      │ ^', '    3 │']],
    ['numbers of unequal length', `${'\n'.repeat(8)}¦a¦\nb`, ['     8 │', '  ▶  9 │ a', '       │ ^', '    10 │ b']],
    [
      'what a terminal would obey',
      'a\x1b[2J: ¦\x1b]0;x\x07¦y',
      ['  ▶ 1 │ a\\u001b[2J: \\u001b]0;x\\u0007y', '      │             ^^^^^^^^^^^^^^^^'],
    ],
    ['what a CI system would obey', 'a: ##¦[group]¦x', ['  ▶ 1 │ a: \\u0023\\u0023[group]x', '      │                ^^^^^^^']],
  ])('%s', (_, markedText, lines) => {
    expect(frameOf(markedText).split('\n')).toEqual(lines)
  })

  test.each([
    ['at its start', `¦ab¦${'x'.repeat(50)}`, ['  ▶ 1 │ abxxxxxxxxxxxxxxxxxx…', '      │ ^^']],
    ['in its middle', `${'x'.repeat(50)}¦ab¦${'y'.repeat(50)}`, ['  ▶ 1 │ …xxxxxxabyyyyyyyyyyyy…', '      │        ^^']],
    ['at its end', `${'x'.repeat(50)}¦ab¦`, ['  ▶ 1 │ …xxxxxxxxxxxxxxxxxxab', '      │                    ^^']],
    [
      'longer than what is shown',
      `${'x'.repeat(50)}¦${'a'.repeat(90)}¦y`,
      ['  ▶ 1 │ …xxxxxxaaaaaaaaaaaaaa…', '      │        ^^^^^^^^^^^^^^'],
    ],
    ['beside a long line', `${'x'.repeat(50)}\n¦a¦`, ['    1 │ xxxxxxxxxxxxxxxxxxxx…', '  ▶ 2 │ a', '      │ ^']],
    [
      'between halves of pairs',
      `${'😀'.repeat(30)}¦a¦${'😀'.repeat(30)}`,
      ['  ▶ 1 │ …😀😀😀a😀😀😀😀😀😀😀…', '      │        ^'],
    ],
  ])('cuts a long line around a range %s', (_, markedText, lines) => {
    expect(frameOf(markedText, 20).split('\n')).toEqual(lines)
  })

  test('shows nothing for a place outside the text', () => {
    const range = { start: { line: 9, column: 1 }, end: { line: 9, column: 2 } }
    const options = { palette: plainPalette, mark: (text: string) => text, lineWidth: 80 }
    expect(formatFrame(toSourceLines({ path: 'a', text: 'a' }), range, options)).toEqual([])
  })

  test('is quick on one line of many megabytes', () => {
    const text = `{"a": "${'x'.repeat(20_000_000)}"}`
    const startedAt = performance.now()
    expect(frame(text, 10_000_000, 15_000_000, 80)).toHaveLength(2)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  test('the carets stand under the range, whatever the text', () => {
    const units = fc.constantFrom('a', ' ', '\t', '\n', '\r\n', '日', '😀', 'e\u0301', '\x1b', '\u202e', '#', '[', ':')
    fc.assert(
      fc.property(fc.array(units, { minLength: 1, maxLength: 40 }), fc.nat(), fc.nat({ max: 3 }), (parts, number, length) => {
        const first = number % parts.length
        const start = parts.slice(0, first).join('').length
        const marked = parts.slice(first, first + length).join('')
        const lines = frame(parts.join(''), start, start + marked.length, 1_000)
        for (const line of lines) expect(line).not.toMatch(/[\x00-\x1f\u202e]|##\w*\[/)
        const at = lines.findIndex((line) => line.startsWith('  ▶'))
        const shown = (lines[at] ?? '').replace(/^ {2}▶ +\d+ │ ?/, '')
        const [, blanks = '', carets = ''] = /^ +│ ( *)(\^+)$/.exec(lines[at + 1] ?? '') ?? []
        const onLine = escapeText(marked.replace(/[\r\n][\s\S]*/, '').replaceAll('\t', '    '))
        if (onLine.trim() === '' || shown.includes('\\u0023')) return
        expect(cells(shown, blanks.length, carets.length).trimEnd()).toBe(onLine.trimEnd())
      }),
      { numRuns: runsOr(200) },
    )
  })
})

/** What stands in some cells of a line. */
function cells(text: string, start: number, width: number): string {
  let cell = 0
  let shown = ''
  for (const character of text) {
    const next = cell + displayWidth(character)
    if (next > start && next <= start + width) shown += character
    cell = next
  }
  return shown
}
