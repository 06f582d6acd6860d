import { CORE_SCHEMA, constructFromEvents, mergeTag, parseEvents } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { readCommonYaml } from '../../src/text/read-common-yaml.ts'
import { fc, runsOr } from '../support/properties.ts'

const runs = runsOr(500)
const maxDepth = 20

/** What version 5 reads, which decides; `undefined` where it refuses. Its own text of the value, as `-0`, `NaN` and the order of keys count. */
function read(text: string): { value: unknown; written: string } | undefined {
  try {
    const values = constructFromEvents(parseEvents(text, { maxDepth }), { source: text, schema: CORE_SCHEMA.withTags(mergeTag) })
    return values.length === 1 ? { value: values[0], written: JSON.stringify(values[0]) } : undefined
  } catch {
    return undefined
  }
}

describe('readCommonYaml', () => {
  test.each<[why: string, text: string, value: unknown]>([
    ['a first line of dashes', '---\na: b\n', { a: 'b' }],
    ['nulls', 'a:\nb: ~\nc: null\nd: nUll', { a: null, b: null, c: null, d: 'nUll' }],
    ['booleans', 'a: true\nb: FALSE\nc: yes', { a: true, b: false, c: 'yes' }],
    ['integers', 'a: 12\nb: -0\nc: 0x1F\nd: 0o17\ne: 017', { a: 12, b: -0, c: 31, d: 15, e: 17 }],
    ['numbers only to version 4', 'a: 1_000\nb: 0b11\nc: -0x1F', { a: '1_000', b: '0b11', c: '-0x1F' }],
    [
      'fractions',
      'a: 1.5e3\nb: .5\nc: -.inf\nd: .nan\ne: 1.2.3',
      { a: 1500, b: 0.5, c: Number.NEGATIVE_INFINITY, d: Number.NaN, e: '1.2.3' },
    ],
    ['dates', 'a: 2020-01-01', { a: '2020-01-01' }],
    ['keys that are numbers', '200: a\n1.0: b\ntrue: c', { 200: 'a', 1: 'b', true: 'c' }],
    ['lists of mappings', '- a: b\n  c: d\n- e\n', [{ a: 'b', c: 'd' }, 'e']],
    [
      'lists with written nulls',
      'a:\n- b\n- null\nc:\n  -   ~\n  - - Null\n    - d\n  - NULL  \n',
      { a: ['b', null], c: [null, [null, 'd'], null] },
    ],
    ['flow', 'a: {b: [c, {d: "e"}], f: {}}\ng: []', { a: { b: ['c', { d: 'e' }], f: {} }, g: [] }],
    ['blocks', 'a: |\n  b\n   c\n\nd: >-\n  e\n  f\n', { a: 'b\n c\n', d: 'e f' }],
    ['quotes', `a: 'it''s'\nb: "\\u00e9\\n"`, { a: "it's", b: 'é\n' }],
    ['signs in texts', 'a: b!c & d? #e\nf: g#h', { a: 'b!c & d?', f: 'g#h' }],
    [
      'a block with signs at the start of lines',
      'a: |\n  > [!NOTE]\n\n  !b\n  &c [#1]\n  ? d:#e\nf: >\n  - ! g\n',
      { a: '> [!NOTE]\n\n!b\n&c [#1]\n? d:#e\n', f: '- ! g\n' },
    ],
    [
      'quotes with signs where nodes could begin',
      `a: "![b]: &c, ?\\n #d:#e"\nf: '[#1], &g'`,
      { a: '![b]: &c, ?\n #d:#e', f: '[#1], &g' },
    ],
    [
      'plain texts with signs where nodes could begin',
      'a: b, & c [#1]\nd: /e{&f,g}{?h}\ni-!j: k',
      { a: 'b, & c [#1]', d: '/e{&f,g}{?h}', 'i-!j': 'k' },
    ],
    ['tabs inside quotes and blocks', 'a: "b\tc"\nd: |\n  e\t\tf\n  - \tg\n', { a: 'b\tc', d: 'e\t\tf\n- \tg\n' }],
    ['references and templates', `/a/{b}:\n  $ref: '#/c'`, { '/a/{b}': { $ref: '#/c' } }],
    ['ends of lines of Windows', 'a: b\r\nc:\r\n  - d\r\n', { a: 'b', c: ['d'] }],
    [
      'a key that objects inherit',
      '__proto__: a\nconstructor: b',
      Object.fromEntries([
        ['__proto__', 'a'],
        ['constructor', 'b'],
      ]),
    ],
  ])('reads %s', (_, text, value) => {
    expect(readCommonYaml(text, maxDepth)).toStrictEqual(value)
    expect(read(text)?.value).toStrictEqual(value)
  })

  // Version 4 reads each of these, and not as version 5 does.
  test.each<[why: string, text: string]>([
    ['a comment right after a quote', 'a: "b"#c'],
    ['a comment right after a comma', '[a,#b\n c]'],
    ['an empty item before one further left', '- -\n-'],
    ['an empty item deeper before one further left', '-\n  -\n- a'],
    ['an empty item beside a written null', '- null\n- -\n-'],
    ['an empty item beside a written null before blanks', '- null  \n- -\n-'],
    ['an empty item beside a key that is null', '- null: a\n- -\n-'],
    ['a blank at the end of a block that is kept', 'a: |+\n b\n '],
    ['a comment in an empty block', 'a: >\n  \n #'],
    ['dashes that are indented', ' --- :'],
    ['a mapping in the line of the dashes', '--- a: b'],
    ['a list as a key', '[a]: b'],
    ['a mapping as a key', 'a: {{b: c}: d}'],
    ['a list as a key without a value', 'a: {[]}'],
    ['a mapping as a key in a list', 'a: [{b}: c]'],
    ['a mapping as a key behind a comment', 'a: { #:\n {}}'],
    ['an explicit key that is a list', '? - a\n: b'],
    ['a quoted text that is indented too little', 'a: "b\nc"'],
    ['a tab that may be indentation', 'a: |\n  b\n \tc\n'],
  ])('leaves %s to version 5', (_, text) => {
    expect(readCommonYaml(text, maxDepth)).toBeUndefined()
  })

  test.each<[why: string, text: string]>([
    ['faults', 'a: b: c'],
    ['equal keys', 'a: 1\na: 2'],
    ['the end of a document', 'a: b\n...\n'],
    ['the end of a document after flow', '{a: b}\n... c'],
    ['two documents', 'a: b\n---\nc: d'],
    ['no mapping and no list', 'a'],
    ['nothing', '# a\n'],
    ['anchors', 'a: &b c\nd: *b'],
    ['merged keys', 'a:\n  <<: {b: c}'],
    ['anchors beside texts with their sign', 'a: "b, &c"\nd: &e f'],
    ['tags', 'a: !!str 1'],
    ['tags after a text with their sign', 'a: |\n  !b\nc: !d e'],
    ['signs in the line that a block begins in', 'a: | #!b\n  c\n- ?'],
    ['tabs', 'a:\tb'],
    ['tabs after a plain text', 'a: b\t\nc: d'],
    ['directives', '%YAML 1.2\n---\na: b'],
    ['more depth than allowed', `a: ${'['.repeat(maxDepth)}${']'.repeat(maxDepth)}`],
  ])('leaves %s to version 5, which has more to tell', (_, text) => {
    expect(readCommonYaml(text, maxDepth)).toBeUndefined()
  })

  test.each([
    ['signs', '!?#&'.repeat(100_000)],
    ['blanks', `a:${' '.repeat(400_000)}b!`],
    ['comments', `${'#\n'.repeat(200_000)}a: b`],
    ['signs in one text', `a: "${'[#, &!'.repeat(100_000)}"`],
    ['tabs in one text', `a: "${'\t'.repeat(400_000)}${'\t-'.repeat(100_000)}"`],
    ['quotes with signs in one line', `a: [${'"b, &c", '.repeat(600_000)}]`],
    ['plain texts with signs in one line', `a: [${'b-!c, '.repeat(600_000)}]`],
    ['signs below a long first line', `a: | #${'b'.repeat(400_000)}\n${'  !c\n'.repeat(100_000)}`],
    ['texts with signs', `${'- a, &b\n'.repeat(100_000)}`],
    ['closed lists', `a: [${'[]\n\n'.repeat(2)}${' , []\n\n'.repeat(50_000)}]`],
  ])('takes time in proportion for %s by the hundred thousand', (_, text) => {
    const start = performance.now()
    readCommonYaml(text, maxDepth)
    // By the square it would be minutes.
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  test('whatever is changed in a document, it reads as version 5 does or leaves it to that', () => {
    let read4 = 0
    fc.assert(
      fc.property(changedYaml, (text) => {
        const value = readCommonYaml(text, maxDepth)
        if (value === undefined) return
        read4++
        const expected = read(text)
        expect(value).toStrictEqual(expected?.value)
        expect(JSON.stringify(value)).toBe(expected?.written)
      }),
      { numRuns: runs },
    )
    expect(read4).toBeGreaterThan(runs / 10)
  })
})

const documents = [
  `openapi: 3.1.0\ninfo:\n  title: Pets # of all kinds\n  version: 1.0.0\npaths:\n  /pets/{id}:\n    get:\n      tags: [pets, "all"]\n      responses:\n        '200':\n          description: |\n            A pet.\n\n            - with a list\n        404: {description: none}\n`,
  `Pet:\n  type: object\n  required:\n  - id\n  - name\n  properties:\n    id: {type: integer, format: int64, example: -12}\n    name:\n      type: [string, 'null']\n      enum: [a, 'b', "c", 1.5, null]\n      description: >-\n        A name that\n        goes on\n\n         and is indented\n    $ref: '#/components/schemas/Pet'\n`,
  `-\n  - a\n  - - b\n    - c:\n        d: e\n-   f: "g \\"h\\"\n      i"\n    j: plain text\n      that goes on\n- {k: [l, {m: n}], "o":p, q: {}}\n- []\n`,
  `a: |2-\n    b\n   c\nd: >+\n  e\n\n\nr: |\n  \n  \n# s\nt: >\n  \nf:\n- g\n-\n- h: # i\n    j\nk:\n  l: 0x1F\n  m: ~\n`,
  `a:\n- null\n- ~\n- - b\n  - null\n  -\n  - NULL: c\n    d: null\n  - e: [null, ~]\n-\n  - null  \nf: null\n`,
  `a: |\n  > [!NOTE]\n  > !b\n  &c [#1], ?\n\n  !d\ttab\ne: "[!f], &g\\\n   !h\ti"\nj: 'k, !l\n  &m'\nn: >-\n  !o\n\n   &p\nq: r, & s [#2]\nt/{&u}: [v, "!w", {x: "#y:#z"}]\n`,
]
const pieces = [
  ...`: - \n # ' " | > [ ] { } , ? ! & * % @ \` ~ \\ \r \u0085 \u2028 \ufeff é 😀 \ud800 \x01`.split(' '),
  ...[
    ' ',
    '  ',
    ': ',
    '- ',
    '- - ',
    '? ',
    ', ',
    ' #',
    '#c\n',
    ':x',
    '\n',
    '\n\n',
    '\n  ',
    '\n- ',
    '\n: ',
    '\r\n',
    '|-\n',
    '>+\n',
    '|2\n',
  ],
  ...[
    '&a ',
    '*a',
    '!!str ',
    '<<: ',
    '---',
    '---\n',
    '...',
    '\n---\n',
    '\n...\n',
    '%YAML 1.2\n',
    '[a]: b',
    '{a: b}',
    '{a}: c',
    '"a":1',
    '[,]',
    '{,}',
  ],
  ...[
    'null',
    'True',
    'No',
    '0b11',
    '1_000',
    '1e3',
    '-0',
    '007',
    '.nan',
    '1.',
    '2020-01-01',
    '1:30',
    '__proto__: x',
    '"\\\n  x"',
    `'a\n b'`,
    '\t',
  ],
]

/** One of the documents, a part of it or a small one of random parts, with some changes. */
const changedYaml = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...documents) },
      {
        weight: 2,
        arbitrary: fc.tuple(fc.constantFrom(...documents), fc.nat(), fc.nat()).map(([text, from, to]) => part(text, from, to)),
      },
      {
        weight: 1,
        arbitrary: fc.array(fc.constantFrom('a', 'b', 'c: ', '"d"', ...pieces), { maxLength: 12 }).map((all) => all.join('')),
      },
    ),
    fc.array(
      fc.record({ kind: fc.nat(7), at: fc.nat(), count: fc.integer({ min: 1, max: 4 }), piece: fc.constantFrom(...pieces) }),
      { maxLength: 3 },
    ),
  )
  .map(([text, changes]) => changes.reduce((before, change) => changeText(before, change), text))

/** Some lines in a row, moved to the left as far as they go together. */
function part(text: string, from: number, to: number): string {
  const lines = text.split('\n')
  const start = from % lines.length
  const chosen = lines.slice(start, start + 1 + (to % 8))
  const indent = Math.min(...chosen.filter((line) => line.trim() !== '').map((line) => line.search(/[^ ]/)))
  return `${chosen.map((line) => line.slice(Number.isFinite(indent) ? indent : 0)).join('\n')}\n`
}

function changeText(
  text: string,
  { kind, at, count, piece }: { kind: number; at: number; count: number; piece: string },
): string {
  const place = at % (text.length + 1)
  const lines = text.split('\n')
  const line = at % lines.length
  switch (kind) {
    case 0:
      return text.slice(0, place) + text.slice(place + count)
    case 1:
    case 2:
      return text.slice(0, place) + piece + text.slice(place)
    case 3:
      return text.slice(0, place) + piece + text.slice(place + count)
    case 4:
      return lines.map((each, index) => (index >= line && index < line + count ? `${' '.repeat(count)}${each}` : each)).join('\n')
    case 5:
      return lines.map((each, index) => (index === line ? each.slice(count) : each)).join('\n')
    case 6:
      return lines.toSpliced(line, count).join('\n')
    default:
      return lines.toSpliced(line, 0, ...lines.slice(0, count)).join('\n')
  }
}
