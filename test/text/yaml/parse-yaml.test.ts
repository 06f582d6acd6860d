import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { toLineStarts, toPosition } from '../../../src/text/plain/source-file.ts'
import { findYamlComments, parseYaml } from '../../../src/text/yaml/parse-yaml.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

function faultsOf(text: string): string[] {
  const lineStarts = toLineStarts(text)
  return parseYaml(text).faults.map(({ code, message, offsets, hint }) => {
    const { line, column } = toPosition(lineStarts, offsets.start)
    const words = message.replace('Cannot read the YAML: ', '')
    return `${line}:${column} ${text.slice(offsets.start, offsets.end)} ${code} ${words}${hint === undefined ? '' : ` · ${hint}`}`
  })
}

describe('values', () => {
  test.each([
    ['version: 1.0', { version: 1 }],
    ['yes: on', { yes: 'on' }],
    ['a: 012', { a: 12 }],
    ['a: 2026-11-20', { a: '2026-11-20' }],
    ['a: ~', { a: null }],
    ['base: &b {x: 1}\na:\n  <<: *b\n  y: 2\n', { base: { x: 1 }, a: { x: 1, y: 2 } }],
    ['%YAML 1.2\n---\na: 1\n', { a: 1 }],
    ['# said first\n{"a": [1]}', { a: [1] }],
    ['__proto__: {a: 1}', JSON.parse('{"__proto__": {"a": 1}}')],
  ])('%j', (text, value) => {
    expect(parseYaml(text)).toEqual({ value, faults: [] })
  })

  test('what another library writes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }), (value) => {
        const expected: unknown = JSON.parse(JSON.stringify(value))
        const text = stringify(expected)
        // It takes `<<` for a key like any other.
        fc.pre(!text.includes('<<'))
        expect(parseYaml(text)).toEqual({ value: expected, faults: [] })
      }),
    )
  })
})

describe('lines with too little indentation', () => {
  test.each([
    ['a: [\n  1\n]\nb: 2', { a: [1], b: 2 }, [[3, ']']]],
    [
      'a:\n  b: [\n    1,\n    2\n  ]\n  c: {\n    d: [\n      3\n    ]\n  }\n',
      { a: { b: [1, 2], c: { d: [3] } } },
      [
        [5, ']'],
        [10, '}'],
      ],
    ],
    ['a: [\r\n  1\r\n]\r\nb: 2\r\n', { a: [1], b: 2 }, [[3, ']']]],
    [
      'a: "one\ntwo"\nb: \'three\nfour\'\n',
      { a: 'one two', b: 'three four' },
      [
        [2, 't'],
        [4, 'f'],
      ],
    ],
    [
      'a: "one\n \ntwo\n\n  \nthree"\r\nb: \'four\r\n \r\nfive\'\n',
      { a: 'one\ntwo\n\nthree', b: 'four\nfive' },
      [
        [3, 't'],
        [6, 't'],
        [9, 'f'],
      ],
    ],
    [
      'a: [\nb,\nc\n]\n',
      { a: ['b', 'c'] },
      [
        [2, 'b'],
        [3, 'c'],
        [4, ']'],
      ],
    ],
  ])('%j', (text, value, places) => {
    const lineStarts = toLineStarts(text)
    const { warnings = [], ...read } = parseYaml(text)
    expect(read).toEqual({ value, faults: [] })
    expect(
      warnings.map(({ offsets }) => [toPosition(lineStarts, offsets.start).line, text.slice(offsets.start, offsets.end)]),
    ).toEqual(places)
  })

  test.each([
    ['a comment before it', 'a: [\n  1 # one\n]\n'],
    ['a blank line in a quoted value', 'a: "one\n\ntwo"\n'],
    ['a key after a value that is not closed', "a: 'x\nb: 'y'\n"],
    ['a list that is not closed', 'a: [\n  1\nb: 2\n'],
  ])('are an error with %s', (_title, text) => {
    expect(parseYaml(text)).toMatchObject({ value: undefined, faults: [{ code: 'yaml-syntax' }] })
  })

  test('are an error if there are too many, so that the time is bounded', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `k${index}: [\n  1\n]\n`).join('')
    expect(parseYaml(text)).toMatchObject({ value: undefined, faults: [{ code: 'yaml-syntax' }] })
  })
})

const emptyFile =
  '1:1  empty-document Unexpected empty file, expected an OpenAPI document · Write a document that starts with `openapi: 3.1.1`'

describe('faults', () => {
  test.each([
    ['', emptyFile],
    ['# only words\n', emptyFile],
    ['---\n', emptyFile],
    [
      'info:\n  title: List: all pets\n',
      '2:14 : yaml-syntax a value that contains `: ` needs quotes · Write `title: "List: all pets"`',
    ],
    ['- - name: say "a: b"\n', `1:17 : yaml-syntax a value that contains \`: \` needs quotes · Write \`- - name: 'say "a: b"'\``],
    ['a:\n\tb: 1', '2:1 \t yaml-syntax tabs cannot be used for indentation · Indent with spaces'],
    ['\ta: 1', '1:1 \t yaml-syntax tabs cannot be used for indentation · Indent with spaces'],
    ['a: 1\r\n  \tb: 2\r\n', '2:3 \t yaml-syntax tabs cannot be used for indentation · Indent with spaces'],
    ['a: [1, 2\n', '1:9  yaml-syntax a quote or bracket is not closed · Add the closing quote or bracket'],
    ['a: {b: 1', '1:9  yaml-syntax a `[` or `{` is not closed · Add the closing `]` or `}`'],
    ['a: "x', '1:6  yaml-syntax a double-quoted value is not closed · Add the closing quote'],
    [
      "a: 'x\nb: 1\n",
      '2:1 b yaml-syntax a quote or bracket opened above is not closed before this line · Add the closing quote or bracket, or indent this line',
    ],
    ['a: "b" c', '1:8 c yaml-syntax unexpected text after the closing quote · Put the quotes around the whole value'],
    ['a: [1, 2]]', '1:10 ] yaml-syntax unexpected `]` · Remove it, or add the opening bracket'],
    ['a: @x', '1:4 @ yaml-syntax a value cannot start with `@` · Put quotes around the value'],
    ['a: `x`', '1:4 ` yaml-syntax a value cannot start with a backtick · Put quotes around the value'],
    ['a: - x', '1:4 - yaml-syntax a list cannot start on the line of its key · Start it on the next line'],
    ['a: *x', '1:4 *x yaml-syntax the alias `*x` has no anchor · Quote a value that starts with `*`'],
    ['a: !!binary x', '1:4 !!binary yaml-syntax unknown tag `!!binary` · Remove it'],
    ['a: !Ref [x]', '1:4 !Ref yaml-syntax unknown tag `!Ref` · Remove it'],
    [
      'a: "\\q"',
      '1:6 q yaml-syntax unknown escape in a double-quoted value · Write `\\\\` for a backslash, or use single quotes',
    ],
    ['? [a]\n: b', '1:1 ? yaml-syntax a key cannot be a list or a mapping'],
    ['<<: 3\na: 1', '1:1 < yaml-syntax `<<` requires a mapping or a list of mappings'],
    ['a: \u0007', '1:4 \u0007 yaml-syntax unexpected control character U+0007 · Remove it'],
    [
      'a: 1\n b: 2\n',
      '2:2 b yaml-syntax this line is not aligned with the lines above · Give entries of one level the same indentation',
    ],
    [
      'a:\n  b: 1\n c: 2\n',
      '3:2 c yaml-syntax this line is not aligned with the lines above · Give entries of one level the same indentation',
    ],
    [
      'p:\n  id getA\n  q: 1\n',
      '2:3 id yaml-syntax expected a `:` after the key · Write `id: getA`, or indent the line if it continues the value above',
    ],
    ['p:\n  id:getA\n  q: 1\n', '2:3 id: yaml-syntax a `:` needs a space after it · Write `id: getA`'],
    ['p:\n  - a: 1\n  -b: 2\n', '3:3 - yaml-syntax a `-` needs a space after it · Write `- b: 2`'],
    [
      'p:\n  - a: 1\n  b: 2\n',
      '3:3 b yaml-syntax expected a `-` before the list entry · Write `- b: 2`, or indent the line if it belongs to the entry above',
    ],
    [
      'a: one\n  two three\n  b: 1\n',
      '3:3 b yaml-syntax this line is not aligned with the lines above · Give entries of one level the same indentation',
    ],
    [
      "p:\n  'a:\n    x: 1\n  'b': 2\n",
      "2:3 ' yaml-syntax a quote opened here is not closed on its line · Add the closing quote",
    ],
    ["a:\n  'x' 'y'\n", "2:7 ' yaml-syntax expected a `:` after the key · Write `'x': 'y'`"],
    ['a: & b', '1:5   yaml-syntax a value cannot start with `&` · Put quotes around the value'],
    ['a: 1\nb:\u00a02\n', '2:3 \u00a0 yaml-syntax unexpected no-break space (U+00A0) after `b:` · Use a normal space'],
    [
      'a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n',
      '2:1 <<<<<<< HEAD yaml-syntax unresolved merge conflict · Keep one of the two sides and remove the marker lines',
    ],
    [
      'a: 1\nbc\n',
      '2:1 bc yaml-syntax expected a `:` after the key · Write `bc:`, or indent the line if it continues the value above',
    ],
    [
      'a: 1\nbc\nd: 2\n',
      '2:1 bc yaml-syntax expected a `:` after the key · Write `bc:`, or indent the line if it continues the value above',
    ],
    [
      'a: 1\n---\nb: 2\n',
      '2:1 --- yaml-syntax Unexpected second YAML document, expected one document per file · Remove this line or split the file',
    ],
    [
      'a: 1\n...\nb: 2\n',
      '2:1 ... yaml-syntax Unexpected second YAML document, expected one document per file · Remove this line or split the file',
    ],
    [
      'a: |\n  ---\n---\nb: |\n  x\n---\n',
      '3:1 --- yaml-syntax Unexpected second YAML document, expected one document per file · Remove this line or split the file',
    ],
    ['a: &x [*x]', '1:8 *x too-complex Unexpected alias `*x` inside its own anchor'],
    ['a: 1\na: 2\n', '2:1 a duplicate-key Unexpected duplicate key `a` · Remove or rename one of the two'],
    ['"a": 1\na: 2\n', '2:1 a duplicate-key Unexpected duplicate key `a` · Remove or rename one of the two'],
    ['200: x\n"200": y\n', '2:1 "200" duplicate-key Unexpected duplicate key `200` · Remove or rename one of the two'],
    ['1.0: a\n1: b\n', '2:1 1 duplicate-key Unexpected duplicate key `1` · Remove or rename one of the two'],
    ['&x a: 1\n*x : 2\n', '2:1 *x duplicate-key Unexpected duplicate key `a` · Remove or rename one of the two'],
  ])('%j', (text, expected) => {
    expect(faultsOf(text)).toEqual([expected])
  })

  test('reports every duplicate key with the first one, and keeps the last value', () => {
    const text = 'a: 1\nb: {c: 1, c: 2}\na: 3\na: 4\n'
    const { value, faults } = parseYaml(text)
    expect(value).toEqual({ a: 4, b: { c: 2 } })
    expect(faults.map(({ offsets, related }) => [offsets.start, related?.offsets.start])).toEqual([
      [15, 9],
      [21, 0],
      [26, 0],
    ])
  })

  test('reports a duplicate key next to another problem', () => {
    expect(parseYaml('a: 1\na: 2\nb: !foo x\n').value).toBeUndefined()
    expect(faultsOf('a: 1\na: 2\nb: !foo x\n')).toEqual([
      '2:1 a duplicate-key Unexpected duplicate key `a` · Remove or rename one of the two',
    ])
  })
})

describe('hostile texts', () => {
  test.each([
    ['lists', `a: ${'['.repeat(100_000)}`],
    ['mappings', '{a: '.repeat(100_000)],
    ['indentation', Array.from({ length: 1_100 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('reports deep %s once', (_, text) => {
    expect(parseYaml(text).faults.map(({ code }) => code)).toEqual(['too-complex'])
  })

  test('aliases that stand for too much', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level <= 7; level++) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`)
    }
    expect(faultsOf(lines.join('\n'))[0]).toMatch(
      /^\d:\d+ \*a\d too-complex Unexpected aliases that expand to more than 1000000 nodes/,
    )
  })

  test.each([
    ['blanks', `a: b: ${' '.repeat(1_000_000)}c`],
    ['colons', `a: ${'b: '.repeat(300_000)}`],
    ['dashes', `${'- '.repeat(500)}a: b: c${' x'.repeat(300_000)}`],
  ])('a long line of %s takes linear time', (_, text) => {
    // Quadratic time would exceed the time limit of tests.
    expect(parseYaml(text).faults).toHaveLength(1)
  })

  test('never throws, and reports locations inside the text', () => {
    const parts = [
      'a',
      ': ',
      '\n',
      '  ',
      '- ',
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      '&x ',
      '*x',
      '!t ',
      '|',
      '>',
      '#',
      '---\n',
      '\t',
      '? ',
      '<<: ',
      '1',
      '%',
      '\r\n',
      '@',
      '\ufeff',
      '\u0007',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 25 }), (chosen) => {
        const text = chosen.join('')
        const { value, faults } = parseYaml(text)
        if (value === undefined) expect(faults.length).toBeGreaterThan(0)
        for (const { offsets, message } of faults) {
          expect(offsets.start).toBeGreaterThanOrEqual(0)
          expect(offsets.end).toBeGreaterThanOrEqual(offsets.start)
          expect(offsets.end).toBeLessThanOrEqual(text.length)
          expect(message).not.toMatch(/undefined|NaN/)
        }
      }),
      { numRuns: propertyRuns(300) },
    )
  })
})

const find = (text: string) =>
  findYamlComments({ path: 'a', text }, 'mark').map(({ text: found, pointers }) => [found, ...pointers])

test.each<[name: string, text: string, ...expected: string[][]]>([
  ['before a key', 'a:\n  c: 2\n  # mark x\n  b: 1\n', ['x', '/a/b']],
  ['before the first key of a mapping', 'a:\n  # mark x\n  b: 1\n', ['x', '/a', '/a/b']],
  ['before a list entry', 'a:\n  - 1\n  # mark x\n  - 2\n', ['x', '/a/1']],
  ['before a list entry that is a mapping', 'a:\n  - 1\n  # mark x\n  - b: 2\n    c: 3\n', ['x', '/a/1', '/a/1/b']],
  ['before a line with several values', 'a: 1\n# mark x\nb: { c: 1, d/e: [2] }\n', ['x', '/b', '/b/c', '/b/d~1e', '/b/d~1e/0']],
  ['at the end of a line', 'a: # mark x\n  b: 1\n', ['x', '/a', '/a/b']],
  ['before blank lines and comments', 'a: 1\n#mark x\n\n  # other\n# mark y\n\nb: 1\n', ['x', '/b'], ['y', '/b']],
  ['with Windows line ends', 'a: 1\r\n# mark x  \r\nb: 1\r\n', ['x', '/b']],
  ['at the end of the file', 'a: 1\n# mark x', ['x']],
  ['without text', 'a: 1\n# mark\nb: 1\n', ['', '/b']],
  ['after a bracket with too little indentation', 'a: [\n  1\n]\n# mark x\nb: 1\n', ['x', '/b']],
])('finds a comment %s', (_, text, ...expected) => {
  expect(find(text)).toEqual(expected)
})

test.each([
  ['a block of text', 'a: |\n  # mark x\n  b: 1\nc: 1\n'],
  ['a block of text that ends with it', 'a: >-\n  text\n\n  # mark x\nc: 1\n'],
  ['quotes', 'a: "one\n  # mark x"\nb: 1\n'],
  ['a plain value', 'a: one# mark x\nb: 1\n'],
  ['another word', 'a: 1\n# marker x\nb: 1\n'],
  ['another comment', 'a: 1\n# the mark x\nb: 1\n'],
  ['invalid YAML', 'a: 1\n# mark x\n b: [\n'],
])('ignores the marker in %s', (_, text) => {
  expect(find(text)).toEqual([])
})

test('gives the place of a comment', () => {
  expect(findYamlComments({ path: 'a', text: 'a:\n  # mark x\n  b: 1\n' }, 'mark')).toMatchObject([
    { offsets: { start: 5, end: 13 }, nextLine: { start: 14, end: 20 } },
  ])
})
