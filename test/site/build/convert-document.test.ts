import { dump } from 'js-yaml'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { hostileTexts } from '../render/api/documents.ts'
import { siteOfDocument } from './site-of.ts'

test('a JSON document with unusual strings and keys has the same content as YAML', async () => {
  const strings = [
    ...hostileTexts,
    'yes',
    'null',
    '2020-01-01',
    '1e3',
    '0x1f',
    '~',
    '- a',
    'a: b',
    ' spaces ',
    '\ttab\n\n  lines\n',
    '{{x}}',
    '#a',
    '',
    '\u2028',
    '<<',
  ]
  const document = {
    openapi: '3.1.0',
    info: { title: 'Odd', version: '1.0' },
    paths: {},
    'x-strings': strings,
    'x-keys': Object.fromEntries(strings.map((text, index) => [text, index])),
  }
  const { files } = await siteOfDocument('openapi.json', JSON.stringify(document))
  expect(parse(files['openapi.yaml'] ?? '')).toEqual(document)
  expect(files['index.html']).toContain('Download YAML')
})

test('large fields, whose entries are formatted one by one, are indented like the rest', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Large', version: '1.0' },
    paths: {
      '/a b: #': { summary: 'Ends with empty lines\n\n', parameters: [] },
      '/b': { parameters: [{ $ref: '#/components/parameters/b' }] },
    },
    components: {
      schemas: {},
      parameters: {
        b: { name: 'b', in: 'query', schema: { type: 'string' }, examples: { examples: { value: '  indented\n\n' } } },
      },
      examples: { parameters: { value: [[1, { a: null }], []] } },
    },
    tags: [{ name: 'last', description: '- a\n  - b\n\n' }],
  }
  const { files } = await siteOfDocument('openapi.json', JSON.stringify(document))
  const text = files['openapi.yaml'] ?? ''
  expect(parse(text)).toEqual(document)
  // As the library formats all of it at once.
  expect(text).toBe(dump(document, { lineWidth: -1, noRefs: true }).replace(/\.{3}\n$/, ''))
})

test('a YAML document with aliases has the same content as JSON', async () => {
  const { files } = await siteOfDocument(
    'openapi.yaml',
    'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}\nx-a: &a {b: [1, 2.5, true, null]}\nx-c: *a\n',
  )
  const value: unknown = JSON.parse(files['openapi.json'] ?? '')
  expect(value).toMatchObject({ 'x-a': { b: [1, 2.5, true, null] }, 'x-c': { b: [1, 2.5, true, null] } })
})

test.each([
  ['long values', JSON.stringify('long '.repeat(1_000_000))],
  ['deep nesting, which indentation multiplies', `${'['.repeat(900)}${'1,'.repeat(20_000)}1${']'.repeat(900)}`],
])('a document that would be too large in the other format is published in one format: %s', async (_what, value) => {
  const values = Array.from({ length: 7 }, () => value).join(',')
  const text = `{"openapi":"3.1.0","info":{"title":"Large","version":"1"},"paths":{},"x-values":[${values}]}`
  const { files } = await siteOfDocument('openapi.json', text)
  expect(files['openapi.json']).toBe(text)
  expect(Object.keys(files)).not.toContain('openapi.yaml')
  expect(files['index.html']).toContain('Download JSON')
  expect(files['index.html']).not.toContain('Download YAML')
})
