import { readSlice, toPlace } from '../../src/model/api.ts'
import type { FieldValue, PlaygroundValues } from '../../src/playground/controls/types.ts'
import {
  type DescribedBody,
  type DescribedOperation,
  type DescribedParameter,
  keyOf,
  unnamedServer,
} from '../../src/playground/request/read-operation.ts'
import { encodingsOf } from './described-parts.ts'

/**
 * "Style Examples" of OpenAPI 3.0.4, 3.1.1 and 3.2.0, without the `?` that the older two show before a query. `cookie` is from
 * 3.2.0. Cells with `n/a` are omitted, and `deepObject` has the same cell for both values of `explode`.
 */
const styleTable = [
  ['matrix', false, ';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  ['matrix', true, ';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
  ['label', false, '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['label', true, '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['simple', false, '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['simple', true, '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['form', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['form', true, 'color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ['spaceDelimited', false, undefined, undefined, 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
  ['pipeDelimited', false, undefined, undefined, 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['deepObject', false, undefined, undefined, undefined, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ['deepObject', true, undefined, undefined, undefined, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ['cookie', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['cookie', true, 'color=', 'color=blue', 'color=blue; color=black; color=brown', 'R=100; G=200; B=150'],
] as const

/** The values to fill in: those of the table, and others with the column of their rule and the cell text for each of their strings. */
const values: readonly {
  readonly name: string
  readonly column: 2 | 3 | 4 | 5
  readonly value: FieldValue
  readonly texts: readonly string[]
}[] = [
  { name: 'string', column: 3, value: 'blue', texts: [] },
  { name: 'number', column: 3, value: -1.5, texts: ['-1.5'] },
  { name: 'boolean', column: 3, value: true, texts: ['true'] },
  { name: 'awkward string', column: 3, value: `a b/c?d#e&f=g+h;i%20'"|é`, texts: [`a b/c?d#e&f=g+h;i%20'"|é`] },
  { name: 'array', column: 4, value: ['blue', 'black', 'brown'], texts: [] },
  { name: 'awkward array', column: 4, value: ['a,b', 'c|d e', '&f=;'], texts: ['a,b', 'c|d e', '&f=;'] },
  { name: 'object', column: 5, value: { R: 100, G: 200, B: 150 }, texts: [] },
  { name: 'awkward object', column: 5, value: { R: 'a,b', G: 'c|d e', B: '&f=;' }, texts: ['a,b', 'c|d e', '&f=;'] },
  { name: 'null', column: 2, value: null, texts: [] },
  { name: 'empty array', column: 2, value: [], texts: [] },
]

/** The words of the table's cells that other values replace. */
const words = { 2: [], 3: ['blue'], 4: ['blue', 'black', 'brown'], 5: ['100', '200', '150'] } as const

const locations: Readonly<Record<string, readonly DescribedParameter['in'][]>> = {
  matrix: ['path'],
  label: ['path'],
  simple: ['path', 'header'],
  form: ['query', 'cookie'],
  cookie: ['cookie'],
}

export interface MatrixCase {
  readonly name: string
  readonly operation: DescribedOperation
  readonly values: PlaygroundValues
  /** The part of the request to compare, as it arrives. */
  readonly part: 'path' | 'query' | 'header' | 'cookie' | 'body'
  /** The value that the specification requires. */
  readonly expected: string
  /** Columns of the table in `docs`. */
  readonly row: readonly string[]
}

const encode = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte)
    return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')

function operationOf(address: string, more: Partial<DescribedOperation>): DescribedOperation {
  return {
    method: 'GET',
    path: '/x',
    title: '',
    servers: [unnamedServer(address)],
    security: [],
    parameters: [],
    bodies: [],
    isBodyRequired: false,
    accepts: [],
    dialect: '3.1',
    follow: readSlice({}).follow,
    ...more,
  }
}

function valuesOf(more: Partial<PlaygroundValues>): PlaygroundValues {
  const body = { index: 0, mode: 'form', value: undefined, text: '' } as const
  return {
    server: { index: 0, variables: {} },
    parameters: {},
    extras: [],
    body,
    otherBodies: {},
    credentials: { alternative: -1, byScheme: {} },
    ...more,
  }
}

function parameterCase(
  address: string,
  parameter: Pick<DescribedParameter, 'in' | 'style' | 'explode'> & Partial<DescribedParameter>,
  value: FieldValue,
  expected: string,
  row: readonly string[],
): MatrixCase {
  // The header of the table. Browsers reject some header names.
  const name = parameter.in === 'header' ? 'X-Color' : 'color'
  const whole: DescribedParameter = {
    name,
    required: true,
    deprecated: false,
    description: undefined,
    allowReserved: false,
    schema: toPlace({}),
    contentType: undefined,
    example: undefined,
    ...parameter,
  }
  return {
    name: row.join(' '),
    operation: operationOf(address, { path: parameter.in === 'path' ? '/x{color}' : '/x', parameters: [whole] }),
    values: valuesOf({ parameters: { [keyOf(whole)]: value } }),
    part: parameter.in === 'querystring' ? 'query' : parameter.in,
    expected,
    row,
  }
}

/** Parameters of every location, style, `explode` and type, and parameters with a media type instead. */
export function listParameterCases(address: string): MatrixCase[] {
  const styled = styleTable.flatMap(([style, explode, ...cells]) =>
    (locations[style] ?? ['query']).flatMap((location) =>
      values.flatMap(({ name, column, value, texts }) => {
        const cell = cells[column - 2]
        // A path without a value for its parameter is another path.
        if (cell === undefined || (cell === '' && location === 'path')) return []
        const isRaw = location === 'header' || style === 'cookie'
        const write = isRaw ? (text: string) => text : encode
        const before = location === 'cookie' ? cell.replaceAll('&', '; ') : cell
        const expected = texts.reduce((text, one, index) => text.replace(words[column][index] ?? '', () => write(one)), before)
        // A header cannot contain non-ASCII characters portably, and a cookie cannot contain a semicolon.
        const fits = (text: string) => !isRaw || !/é|;/.test(text)
        if (!texts.every(fits)) return []
        return [
          parameterCase(address, { in: location, style, explode }, value, expected, [location, style, String(explode), name]),
        ]
      }),
    ),
  )
  const json = { contentType: 'application/json', style: 'form', explode: true } as const
  const open = { allowReserved: true, explode: true } as const
  return [
    ...styled,
    parameterCase(
      address,
      { in: 'query', ...json },
      { lat: 10, long: [60] },
      'color=%7B%22lat%22%3A10%2C%22long%22%3A%5B60%5D%7D',
      ['query', '`content: application/json`', '', 'object'],
    ),
    parameterCase(address, { in: 'path', ...json }, { a: 'b/c' }, '%7B%22a%22%3A%22b%2Fc%22%7D', [
      'path',
      '`content: application/json`',
      '',
      'object',
    ]),
    parameterCase(address, { in: 'header', ...json }, { a: ['b'] }, '{"a":["b"]}', [
      'header',
      '`content: application/json`',
      '',
      'object',
    ]),
    parameterCase(
      address,
      { in: 'querystring', ...json },
      { numbers: [1, 2], flag: null },
      '%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D',
      ['querystring', '`content: application/json`', '', 'object'],
    ),
    parameterCase(
      address,
      { in: 'querystring', ...json, contentType: 'application/x-www-form-urlencoded' },
      { foo: 'a + b', bar: true },
      'foo=a+%2B+b&bar=true',
      ['querystring', '`content: application/x-www-form-urlencoded`', '', 'object'],
    ),
    parameterCase(
      address,
      { in: 'querystring', ...json, contentType: 'application/jsonpath' },
      '$.a.b[1:1]',
      '%24.a.b%5B1%3A1%5D',
      ['querystring', '`content: application/jsonpath`', '', 'string'],
    ),
    parameterCase(address, { in: 'query', style: 'form', ...open }, 'a/b?c:@,;$%2B&d', 'color=a/b?c:@,;$%2B%26d', [
      'query',
      'form, `allowReserved`',
      'true',
      'awkward string',
    ]),
    parameterCase(address, { in: 'path', style: 'simple', ...open }, 'a/b?c:@,;$%2B&d', 'a%2Fb%3Fc:@,;$%2B&d', [
      'path',
      'simple, `allowReserved`',
      'true',
      'awkward string',
    ]),
  ]
}

/** The files that body cases choose, by name. */
export const matrixFiles: Readonly<Record<string, string>> = { 'a "b".png': 'bytes \u0000\r\n of a picture' }

/** A file of a case in a form that can be sent to a browser, which replaces it with a `File`. */
const filePlaceholder = { file: 'a "b".png' }

const part = (head: string, text: string) => `--boundary\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`

/** Bodies of every kind. Boundaries arrive as `boundary`. */
export function listBodyCases(address: string): MatrixCase[] {
  const one = (
    name: string,
    { encoding, ...body }: Pick<DescribedBody, 'mediaType'> & { readonly encoding?: unknown },
    value: unknown,
    expected: string,
    more: Partial<PlaygroundValues['body']> = {},
  ): MatrixCase => ({
    name,
    operation: operationOf(address, {
      method: 'POST',
      bodies: [{ schema: toPlace({}), examples: [], encodings: encodingsOf(encoding), ...body }],
    }),
    // Placeholders of files are replaced before sending.
    values: valuesOf({ body: { index: 0, mode: 'form', value: value as FieldValue, text: '', ...more } }),
    part: 'body',
    expected,
    row: [name, `\`${body.mediaType}\``],
  })
  const form = 'application/x-www-form-urlencoded'
  const awkward = { text: `it's "a" \\ & b=c+d é\n$x`, list: ['x', 'y z'], map: { a: [null, 1.5] }, none: null }
  return [
    one('JSON', { mediaType: 'application/json' }, awkward, JSON.stringify(awkward)),
    one('JSON as typed', { mediaType: 'application/json' }, undefined, '{ "n": 12345678901234567890, "n": 1.0 }', {
      mode: 'raw',
      text: '{ "n": 12345678901234567890, "n": 1.0 }',
    }),
    one('JSON of `null`', { mediaType: 'application/json' }, null, 'null'),
    one('lines of JSON', { mediaType: 'application/x-ndjson' }, [{ a: 1 }, { b: 'é' }], '{"a":1}\n{"b":"é"}\n'),
    one('text', { mediaType: 'text/plain' }, `@file it's "a" \\ %s $x\né`, `@file it's "a" \\ %s $x\né`),
    one(
      'XML from a form',
      { mediaType: 'application/xml' },
      { a: '<&>', b: [1, 2] },
      '<?xml version="1.0" encoding="UTF-8"?>\n<root>\n  <a>&lt;&amp;&gt;</a>\n  <b>1</b>\n  <b>2</b>\n</root>\n',
    ),
    one(
      'form in fields',
      { mediaType: form },
      awkward,
      'text=it%27s+%22a%22+%5C+%26+b%3Dc%2Bd+%C3%A9%0A%24x&list=x&list=y+z&map=%7B%22a%22%3A%5Bnull%2C1.5%5D%7D',
    ),
    one(
      'form in fields with `encoding`',
      {
        mediaType: form,
        encoding: {
          comma: { explode: false },
          pipe: { style: 'pipeDelimited' },
          deep: { style: 'deepObject' },
          open: { allowReserved: true },
          json: { contentType: 'application/json' },
        },
      },
      { comma: ['a', 'b,'], pipe: ['c', 'd'], deep: { e: 1 }, open: 'i/j', json: 'k' },
      'comma=a,b%2C&pipe=c%7Cd&deep%5Be%5D=1&open=i/j&json=%22k%22',
    ),
    one(
      'form in parts with a file',
      { mediaType: 'multipart/form-data', encoding: { photo: { contentType: 'image/jpeg, image/png' } } },
      { text: 'é "a" @b; c', list: ['x', 'y'], photo: filePlaceholder },
      [
        part('name="text"', 'é "a" @b; c'),
        part('name="list"', 'x'),
        part('name="list"', 'y'),
        part('name="photo"; filename="a %22b%22.png"\r\nContent-Type: image/png', 'bytes \u0000\r\n of a picture'),
        '--boundary--\r\n',
      ].join(''),
    ),
    one(
      'form in parts with JSON, line breaks and headers',
      {
        mediaType: 'multipart/form-data',
        encoding: { meta: { headers: { 'X-Id': { example: '7' } } }, 'a=b': { style: 'form', explode: false } },
      },
      { meta: { a: "it's" }, lines: 'a\nb', 'a=b': ['c', 'd'] },
      [
        part('name="meta"\r\nContent-Type: application/json\r\nX-Id: 7', '{"a":"it\'s"}'),
        part('name="lines"', 'a\nb'),
        part('name="a=b"', 'c,d'),
        '--boundary--\r\n',
      ].join(''),
    ),
    one(
      'parts of other forms',
      { mediaType: 'multipart/mixed' },
      [{ a: 1 }, filePlaceholder],
      '--boundary\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n--boundary\r\nContent-Disposition: attachment; filename="a %22b%22.png"\r\nContent-Type: image/png\r\n\r\nbytes \u0000\r\n of a picture\r\n--boundary--\r\n',
    ),
    one('file', { mediaType: 'image/*' }, filePlaceholder, 'bytes \u0000\r\n of a picture'),
  ]
}

/** The page `docs/internal/playground-matrix.md`. */
export function renderRequestMatrix(): string {
  const cell = (text: string) => (text === '' ? '' : `\`\` ${text.replaceAll('|', '\\|')} \`\``)
  const shown = (text: string) => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\')
  const address = 'https://api.example.com'
  let last = ''
  const parameters = listParameterCases(address).flatMap(({ row: [location, style, explode, type = ''], expected }) => {
    const group = `${location} ${style} ${explode}`
    const heading = group === last ? [] : [group]
    last = group
    return [...heading, `  ${type.padEnd(16)}  ${expected}`.trimEnd()]
  })
  const bodies = listBodyCases(address).map(
    ({ row: [name = '', mediaType = ''], expected }) => `| ${name} | ${mediaType} | ${cell(shown(expected))} |`,
  )
  return `# Requests of the playground

<!-- Written by \`npm run docs\`. Do not edit. -->

This page lists the requests that the playground and the code samples send for each kind of parameter and body.

A test sends every request from the playground in Chromium, and with the samples for curl, JavaScript and Python (and Ruby and PHP, if they are installed). A server compares the
request with its line, byte by byte. JSON is compared by value, because samples format it differently, and multipart boundaries may differ. Browsers do not let pages set cookies:
the playground explains this, and the samples send them.

The lines follow the tables "Style Examples" in OpenAPI 3.0.4, 3.1.1 and 3.2.0 and use their values: \`blue\`; \`blue\`, \`black\`, \`brown\`; \`R=100, G=200, B=150\`.
Other values follow the same rules. \`null\` and empty values are sent only for required
parameters, as in the column \`undefined\` of the tables. An exploded \`form\` in a cookie
uses \`; \` instead of \`&\`, which OpenAPI 3.2.0 calls wrong ("Appendix D"). Combinations that the tables leave undefined are sent like \`form\`.

## Parameters

\`color\` by location (\`in\`), \`style\` and \`explode\`, then by value. The header is \`X-Color\`.

\`\`\`text
${parameters.join('\n')}
\`\`\`

## Bodies

| Body | Media type | Request |
| --- | --- | --- |
${bodies.join('\n')}
`
}
