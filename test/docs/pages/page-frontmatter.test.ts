import { expect, test } from 'vitest'
import {
  editFrontmatterValue,
  locateFrontmatterValue,
  parsePageFrontmatter,
  readPageBinding,
} from '../../../src/docs/pages/page-bindings.ts'

test.each([
  ['', 'none'],
  ['# Heading\n\n---\nopenapi: GET /a\n---\n', 'none'],
  ['---\ntitle: x\n---\nopenapi: GET /a\n', 'none'],
  ['---\nopenapi: GET /a\n', 'fault'],
  ['---\nopenapi:\n---\n', 'none'],
  ['---\ntitle: about openapi\n---\n', 'none'],
  ['---\nopenapi: GET /a\n---', 'bound'],
  ['---\r\nopenapi: "GET /a"\r\n---\r\n', 'bound'],
  ['--- \nopenapi: >-\n  GET\n  /a\n---\n', 'bound'],
  ['---\nopenapi: GET /a\nopenapi-schema: Pet\n---\n', 'bound'],
  ['---\nopenapi: [GET, /a]\n---\n', 'unreadable'],
  ['---\nopenapi: 5\n---\n', 'unreadable'],
  ['---\nopenapi: a: b\n---\n', 'fault'],
  ['---\n- openapi\n---\n', 'none'],
])('reads the binding of %j as %s', (text, kind) => {
  expect(readPageBinding(text).kind).toBe(kind)
})

test('prefers a schema over an operation', () => {
  expect(readPageBinding('---\nopenapi: GET /a\nopenapi-schema: Pet\n---\n')).toMatchObject({
    binding: { kind: 'schema', name: 'Pet' },
  })
})

test.each([
  [
    '---\ntitle: x # c\nopenapi: "a.yaml GET /x" # keep\nz:   1\n---\nopenapi: body\n',
    '---\ntitle: x # c\nopenapi: "a.yaml PUT /y" # keep\nz:   1\n---\nopenapi: body\n',
  ],
  ['---\r\nopenapi: >-\r\n  a.yaml\r\n  GET /x\r\nz: 1\r\n---\r\n', '---\r\nopenapi: a.yaml PUT /y\r\nz: 1\r\n---\r\n'],
  ['---\nopenapi: get /x\n---', '---\nopenapi: a.yaml PUT /y\n---'],
  ['---\nopenapi:\n---', undefined],
  ['---\ntitle: x\n---', undefined],
  ['no frontmatter', undefined],
])('replaces only the value in %j', (text, expected) => {
  expect(editFrontmatterValue(text, 'openapi', 'a.yaml PUT /y')).toBe(expected)
})

test('locates a value with its quotes', () => {
  const text = "---\ntitle: x\nopenapi: 'GET /a'\n---\n"
  const place = locateFrontmatterValue(text, 'openapi')
  expect(text.slice(place?.start, place?.end)).toBe("'GET /a'")
})

test.each([
  ['---\ntitle: "a"\ndescription: "one\ntwo\n"\nicon: b\n---\n', { title: 'a', description: 'one two ', icon: 'b' }],
  ["---\ntitle: 'a\n'\n---\n", { title: 'a ' }],
  ['---\nkeywords: [\n"a",\n"b"\n]\n---\n', { keywords: ['a', 'b'] }],
])('reads a value that ends without indentation: %j', (text, values) => {
  expect(parsePageFrontmatter(text)).toMatchObject({ values, fault: undefined })
})

test.each(['---\ntitle: "a\nicon: b\n---\n', `---\ntitle: "a\n${'b\n'.repeat(700)}"\n---\n`])(
  'reports a value that does not end at its first line without indentation',
  (text) => {
    expect(parsePageFrontmatter(text)).toMatchObject({ values: {}, fault: { offsets: { start: 14 } } })
  },
)
