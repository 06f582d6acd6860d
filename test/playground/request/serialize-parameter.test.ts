import { describe, expect, test } from 'vitest'
import {
  toCookieText,
  toFieldPairs,
  toHeaderText,
  toPathText,
  toQueryText,
} from '../../../src/playground/request/http-request.ts'

/** The table in OpenAPI 3.0.4, 3.1.1 and 3.2.0 ("Style Examples"), without the `?` in the older two. `cookie` was added in 3.2.0. */
const table = `
| style          | explode | undefined | string      | array                               | object                                        |
| matrix         | false   | ;color    | ;color=blue | ;color=blue,black,brown             | ;color=R,100,G,200,B,150                      |
| matrix         | true    | ;color    | ;color=blue | ;color=blue;color=black;color=brown | ;R=100;G=200;B=150                            |
| label          | false   | .         | .blue       | .blue,black,brown                   | .R,100,G,200,B,150                            |
| label          | true    | .         | .blue       | .blue.black.brown                   | .R=100.G=200.B=150                            |
| simple         | false   | empty     | blue        | blue,black,brown                    | R,100,G,200,B,150                             |
| simple         | true    | empty     | blue        | blue,black,brown                    | R=100,G=200,B=150                             |
| form           | false   | color=    | color=blue  | color=blue,black,brown              | color=R,100,G,200,B,150                       |
| form           | true    | color=    | color=blue  | color=blue&color=black&color=brown  | R=100&G=200&B=150                             |
| spaceDelimited | false   | n/a       | n/a         | color=blue%20black%20brown          | color=R%20100%20G%20200%20B%20150             |
| spaceDelimited | true    | n/a       | n/a         | n/a                                 | n/a                                           |
| pipeDelimited  | false   | n/a       | n/a         | color=blue%7Cblack%7Cbrown          | color=R%7C100%7CG%7C200%7CB%7C150             |
| pipeDelimited  | true    | n/a       | n/a         | n/a                                 | n/a                                           |
| deepObject     | false   | n/a       | n/a         | n/a                                 | color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150 |
| deepObject     | true    | n/a       | n/a         | n/a                                 | color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150 |
| cookie         | false   | color=    | color=blue  | color=blue,black,brown              | color=R,100,G,200,B,150                       |
| cookie         | true    | color=    | color=blue  | color=blue; color=black; color=brown | R=100; G=200; B=150                          |
`

const values: Readonly<Record<string, readonly unknown[]>> = {
  undefined: [null, undefined, [], {}, [null], { R: null }],
  string: ['blue'],
  array: [
    ['blue', 'black', 'brown'],
    ['blue', null, 'black', 'brown'],
  ],
  object: [
    { R: 100, G: 200, B: 150 },
    { R: 100, none: null, G: 200, B: 150 },
  ],
}

/** The functions for each style, by parameter location. */
const writers: Readonly<Record<string, readonly (typeof toPathText)[]>> = {
  matrix: [toPathText],
  label: [toPathText],
  simple: [toPathText, toHeaderText],
  form: [toQueryText],
  spaceDelimited: [toQueryText],
  pipeDelimited: [toQueryText],
  deepObject: [toQueryText],
  cookie: [toCookieText],
}

const [header, ...rows] = table
  .trim()
  .split('\n')
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
const cells = rows.flatMap(([style = '', explode = '', ...rest]) =>
  rest.map((expected, index) => [style, explode, header?.[index + 2] ?? '', expected] as const),
)

describe('the style table of the specification', () => {
  test.each(cells.filter(([, , , expected]) => expected !== 'n/a'))(
    '%s, explode %s: %s is `%s`',
    (style, explode, column, expected) => {
      const parameter = { name: 'color', style, explode: explode === 'true', allowReserved: false }
      for (const value of values[column] ?? []) {
        for (const write of writers[style] ?? []) expect(write(parameter, value)).toBe(expected.replace('empty', ''))
      }
    },
  )

  test.each(cells.filter(([, , , expected]) => expected === 'n/a'))(
    '%s, explode %s: %s is sent as `form`',
    (style, explode, column) => {
      const parameter = { name: 'color', style, explode: explode === 'true', allowReserved: false }
      for (const value of values[column] ?? []) {
        if (style === 'deepObject' && column === 'array') continue
        expect(toQueryText(parameter, value)).toBe(toQueryText({ ...parameter, style: 'form' }, value))
      }
    },
  )
})

/** `style explode value → text`, from other examples in the specification or from RFC 6570. */
test.each([
  // RFC 6570, sections 3.2.7 and 3.2.8: empty values.
  [toPathText, 'matrix', false, '', ';color'],
  [toPathText, 'matrix', true, ['', 'a'], ';color;color=a'],
  [toPathText, 'matrix', true, { R: '', G: 1 }, ';R;G=1'],
  [toPathText, 'label', true, { R: '', G: 1 }, '.R=.G=1'],
  [toPathText, 'label', false, '', '.'],
  [toPathText, 'simple', false, '', ''],
  [toQueryText, 'form', true, '', 'color='],
  [toQueryText, 'form', true, ['', ''], 'color=&color='],
  [toQueryText, 'form', false, ['', 'a'], 'color=,a'],
  [toQueryText, 'form', false, false, 'color=false'],
  [toQueryText, 'form', false, 0, 'color=0'],
  // Delimiters are kept, but encoded in values. "Delimiters in Parameter Values".
  [toPathText, 'simple', false, ['a,b', 'c/d?e#f'], 'a%2Cb,c%2Fd%3Fe%23f'],
  [toPathText, 'matrix', true, { 'a;b': 'c=d' }, ';a%3Bb=c%3Dd'],
  [toQueryText, 'form', false, ['a,b', 'c&d'], 'color=a%2Cb,c%26d'],
  [toQueryText, 'pipeDelimited', false, ['a b', 'c'], 'color=a%20b%7Cc'],
  // Appendix C.
  [toQueryText, 'form', true, { a: 'x+y', b: 'x/y', c: 'x^y' }, 'a=x%2By&b=x%2Fy&c=x%5Ey'],
  [toQueryText, 'spaceDelimited', false, ['math', 'is', 'fun'], 'color=math%20is%20fun'],
  [toQueryText, 'form', true, 'love!', 'color=love%21'],
  // "Parameter Object Examples".
  [toHeaderText, 'simple', false, [12345678, 90099], '12345678,90099'],
  [toCookieText, 'cookie', true, { greeting: 'Hello%2C world!', code: 42 }, 'greeting=Hello%2C world!; code=42'],
  [toCookieText, 'form', true, 'Hello, world!', 'color=Hello%2C%20world%21'],
  [toPathText, 'simple', false, 'diṅnāga', 'di%E1%B9%85n%C4%81ga'],
  [toQueryText, 'form', true, ['one thing', 'another thing'], 'color=one%20thing&color=another%20thing'],
  [toQueryText, 'form', true, { page: 4, pageSize: 50 }, 'page=4&pageSize=50'],
  // Appendix D: `&` between cookies is always wrong.
  [toCookieText, 'form', true, ['a', 'b'], 'color=a; color=b'],
  [toCookieText, 'form', false, ['a;', 'b'], 'color=a%3B,b'],
  [toHeaderText, 'simple', true, { a: 'b c', d: 'é%20' }, 'a=b c,d=é%20'],
  // Cases that the specification leaves open.
  [
    toQueryText,
    'deepObject',
    true,
    { a: { b: [1, { c: 2 }], d: null } },
    'color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D%5Bc%5D=2',
  ],
  [toQueryText, 'deepObject', true, ['a', 'b'], 'color%5B0%5D=a&color%5B1%5D=b'],
  [toQueryText, 'form', true, [{ a: 1 }, [2]], 'color=%7B%22a%22%3A1%7D&color=%5B2%5D'],
  [toQueryText, 'form', true, 'half \ud800', 'color=half%20%EF%BF%BD'],
  [toQueryText, 'unheard-of', false, ['a', 'b'], 'color=a,b'],
] as const)('%o %s, explode %s: %j', (write, style, explode, value, expected) => {
  expect(write({ name: 'color', style, explode, allowReserved: false }, value)).toBe(expected)
})

test.each([
  [toQueryText, 'form', true, 'x/y', 'color=x/y'],
  // Characters with a meaning in a query are encoded, and percent-encoded triplets are kept. Other `%` are encoded.
  [toQueryText, 'form', true, "a&b=c+d#e[f]:/?@!$'()*,;", "color=a%26b%3Dc%2Bd%23e%5Bf%5D:/?@!$'()*,;"],
  [toQueryText, 'form', true, '%2B 100% é', 'color=%2B%20100%25%20%C3%A9'],
  [toQueryText, 'form', true, 'x^y|"<>', 'color=x%5Ey%7C%22%3C%3E'],
  [toPathText, 'simple', false, "a/b?c#d:@!$&'()*+,;=", "a%2Fb%3Fc%23d:@!$&'()*+,;="],
  [toCookieText, 'form', true, 'a/b;c,d', 'color=a/b%3Bc%2Cd'],
  [toCookieText, 'cookie', true, 'a/b%', 'color=a/b%'],
] as const)('%o with allowReserved: %s %s %j', (write, style, explode, value, expected) => {
  expect(write({ name: 'color', style, explode, allowReserved: true }, value)).toBe(expected)
})

test('encodes names like values', () => {
  const parameter = { name: '❤️ [a]', style: 'form', explode: true, allowReserved: false }
  expect(toQueryText(parameter, 'love!')).toBe('%E2%9D%A4%EF%B8%8F%20%5Ba%5D=love%21')
  expect(toPathText({ ...parameter, style: 'matrix' }, 1)).toBe(';%E2%9D%A4%EF%B8%8F%20%5Ba%5D=1')
  expect(toCookieText(parameter, 1)).toBe('%E2%9D%A4%EF%B8%8F%20%5Ba%5D=1')
})

test('returns unencoded fields for a multipart form', () => {
  const field = (style: string, explode: boolean, value: unknown) => toFieldPairs({ name: 'a', style, explode }, value)
  expect(field('form', true, ['x y', 'z&'])).toEqual([
    { name: 'a', value: 'x y' },
    { name: 'a', value: 'z&' },
  ])
  expect(field('pipeDelimited', false, ['x', 'y'])).toEqual([{ name: 'a', value: 'x|y' }])
  expect(field('deepObject', true, { b: 'c d' })).toEqual([{ name: 'a[b]', value: 'c d' }])
})
