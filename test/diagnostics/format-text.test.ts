import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'
import { formatFrame, formatText, plainPalette } from '../../src/diagnostics/format-text.ts'
import { displayWidth, escapeText } from '../../src/text/plain/escape-text.ts'
import { toLineStarts, toRange, toSourceLines } from '../../src/text/plain/source-file.ts'
import { fc, propertyRuns } from '../support/properties.ts'
import { exampleDiagnostic, hostileText } from './example-diagnostic.ts'

function show(diagnostics: readonly Diagnostic[], texts: { [file: string]: string } = {}, all = false): string {
  const sourceOf = (path: string) => (texts[path] === undefined ? undefined : { path, text: texts[path] })
  return formatText(diagnostics, { palette: plainPalette, sourceOf, all, lineWidth: 100 })
}

const text = 'paths:\n  /pets:\n    get:\n      sumary: List all pets\n      operationId: listPets\n'

describe('formatText', () => {
  test('shows location, message, lines, hint and documentation', () => {
    const finding = exampleDiagnostic({
      at: [4, 7, 6],
      hint: 'Did you mean `summary`?',
      section: 'OpenAPI 3.1.1, Operation Object',
    })
    expect(show([finding], { 'openapi.yaml': text })).toMatchInlineSnapshot(`
      "openapi.yaml:4:7 error unknown-field
        Unexpected field \`sumary\` in an Operation Object

          3 │     get:
        ▶ 4 │       sumary: List all pets
            │       ^^^^^^
          5 │       operationId: listPets

        hint: Did you mean \`summary\`?
              https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#unknown-field  (OpenAPI 3.1.1, Operation Object)
      "
    `)
  })

  test('shows related locations', () => {
    const related = {
      file: 'other.yaml',
      range: { start: { line: 3, column: 5 }, end: { line: 3, column: 6 } },
      message: 'first used here',
    }
    expect(
      show([exampleDiagnostic({ at: [4, 7, 6], severity: 'warning', related: [related] })], { 'openapi.yaml': text }),
    ).toMatchInlineSnapshot(`
      "openapi.yaml:4:7 warning unknown-field
        Unexpected field \`sumary\` in an Operation Object

          3 │     get:
        ▶ 4 │       sumary: List all pets
            │       ^^^^^^
          5 │       operationId: listPets

        note: first used here: other.yaml:3:5
        docs: https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#unknown-field
      "
    `)
  })

  test('explains each code once', () => {
    expect(
      show([exampleDiagnostic({ at: [1, 1] }), exampleDiagnostic({ at: [2, 1], hint: 'Remove it' })]),
    ).toMatchInlineSnapshot(`
      "openapi.yaml:1:1 error unknown-field
        Unexpected field \`sumary\` in an Operation Object
        docs: https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#unknown-field

      openapi.yaml:2:1 error unknown-field
        Unexpected field \`sumary\` in an Operation Object
        hint: Remove it
      "
    `)
  })

  test('shows no lines of a file that is not text or not known', () => {
    const finding = exampleDiagnostic({ code: 'encoding' })
    const binary = { path: 'openapi.yaml', text: '\0\0', encodingFault: { kind: 'binary', offset: 0 } } as const
    const shown = formatText([finding], { palette: plainPalette, sourceOf: () => binary, all: false, lineWidth: 100 })
    expect(shown).toBe(show([finding]))
    expect(shown).not.toContain('│')
  })

  const places = (shown: string) => shown.split('\n').filter((line) => /^\S+:\d+:\d+ /.test(line))

  test('shows ten warnings of one code in one file, unless asked for all', () => {
    const findings = [
      ...Array.from({ length: 1_250 }, (_, index) => exampleDiagnostic({ at: [index + 1, 1], severity: 'warning' })),
      ...Array.from({ length: 10 }, (_, index) =>
        exampleDiagnostic({ at: [index + 1, 1], code: 'missing-field', severity: 'warning' }),
      ),
      exampleDiagnostic({ file: 'other.yaml', at: [7, 1], severity: 'warning' }),
    ]
    expect(places(show(findings)).map((line) => line.split(' ')[0])).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `openapi.yaml:${index + 1}:1`),
      ...Array.from({ length: 10 }, (_, index) => `openapi.yaml:${index + 1}:1`),
      'other.yaml:7:1',
    ])
    expect(show(findings).split('\n')).toContain('  … and 1,240 more `unknown-field` in openapi.yaml (use --all to show them)')
    expect(places(show(findings, {}, true))).toHaveLength(findings.length)
    expect(show(findings, {}, true)).not.toContain('--all')
  })

  test('shows every error, from the eleventh of a code on without the lines around it', () => {
    const findings = Array.from({ length: 40 }, (_, index) => exampleDiagnostic({ at: [(index % 5) + 1, index + 1] }))
    const shown = show(findings, { 'openapi.yaml': text })
    expect(places(shown)).toHaveLength(40)
    expect(shown.match(/▶/g)).toHaveLength(10)
    expect(shown).not.toContain('--all')
    expect(show(findings, { 'openapi.yaml': text }, true).match(/▶/g)).toHaveLength(40)
  })

  test('shows errors first, then warnings and info messages, each by file and place', () => {
    const findings = [
      exampleDiagnostic({ file: 'a.yaml', at: [1, 1], severity: 'info' }),
      exampleDiagnostic({ file: 'a.yaml', at: [2, 1] }),
      exampleDiagnostic({ file: 'a.yaml', at: [3, 1], severity: 'warning' }),
      exampleDiagnostic({ file: 'b.yaml', at: [1, 1], severity: 'warning' }),
      exampleDiagnostic({ file: 'b.yaml', at: [2, 1] }),
    ]
    expect(places(show(findings)).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'a.yaml:2:1 error',
      'b.yaml:2:1 error',
      'a.yaml:3:1 warning',
      'b.yaml:1:1 warning',
      'a.yaml:1:1 info',
    ])
  })

  test('escapes everything that comes from a document', () => {
    const place = { file: hostileText, range: exampleDiagnostic().range, message: hostileText }
    const finding = exampleDiagnostic({
      file: `::error::${hostileText}`,
      message: hostileText,
      hint: hostileText,
      section: hostileText,
      related: [place],
    })
    const shown = show([finding], { [finding.file]: hostileText })
    expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|^\s*::|##\w*\[/m)
    expect(shown).toMatchInlineSnapshot(`
      "\\u003a:error::\\u001b[31mred\\u001b[0m\\r\\n::error file=x::pwned\\u202e #\\u0023[add-mask]x:1:1 error unknown-field
        \\u001b[31mred\\u001b[0m\\r\\n::error file=x::pwned\\u202e #\\u0023[add-mask]x

        ▶ 1 │ \\u001b[31mred\\u001b[0m
            │ ^^^^^^
          2 │ \\u003a:error file=x::pwned\\u202e #\\u0023[add-mask]x

        note: \\u001b[31mred\\u001b[0m\\r\\n::error file=x::pwned\\u202e #\\u0023[add-mask]x: \\u001b[31mred\\u001b[0m\\r\\n::error file=x::pwned\\u202e #\\u0023[add-mask]x:1:1
        hint: \\u001b[31mred\\u001b[0m ::error file=x::pwned\\u202e #\\u0023[add-mask]x
              https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#unknown-field  (\\u001b[31mred\\u001b[0m\\r\\n::error file=x::pwned\\u202e #\\u0023[add-mask]x)
      "
    `)
  })

  test('says nothing about nothing', () => {
    expect(show([])).toBe('')
  })

  test('colors only through the palette, and the words are the same', () => {
    const color = (name: string) => (part: string) => `<${name}>${part}</${name}>`
    const palette = {
      error: color('e'),
      warning: color('w'),
      info: color('i'),
      success: color('s'),
      strong: color('b'),
      dim: color('d'),
    }
    const finding = exampleDiagnostic({ at: [4, 7, 6], hint: 'Did you mean `summary`?' })
    const sourceOf = (path: string) => ({ path, text })
    const shown = formatText([finding], { palette, sourceOf, all: false, lineWidth: 100 })
    expect(shown).toContain('<e>^^^^^^</e>')
    expect(shown.replace(/<\/?[ewisbd]>/g, '')).toBe(show([finding], { 'openapi.yaml': text }))
  })
})

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
    ['blank neighbors', '\n¦a¦\n  \nb', ['    1 │', '  ▶ 2 │ a', '      │ ^', '    3 │']],
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

  test('shows two lines for one line of many megabytes', () => {
    const text = `{"a": "${'x'.repeat(20_000_000)}"}`
    expect(frame(text, 10_000_000, 15_000_000, 80)).toHaveLength(2)
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
      { numRuns: propertyRuns(200) },
    )
  })
})

/** The content of some cells of a line. */
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
