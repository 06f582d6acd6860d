import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { everyHostileText } from '../../../support/hostile-strings.ts'
import { siteOfDocument } from '../site-of.ts'

test('a JSON document with unusual strings and keys has the same content as YAML', async () => {
  const strings = [
    ...everyHostileText,
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

test('a YAML document with aliases has the same content as JSON', async () => {
  const { files } = await siteOfDocument(
    'openapi.yaml',
    'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}\nx-a: &a {b: [1, 2.5, true, null]}\nx-c: *a\n',
  )
  const value: unknown = JSON.parse(files['openapi.json'] ?? '')
  expect(value).toMatchObject({ 'x-a': { b: [1, 2.5, true, null] }, 'x-c': { b: [1, 2.5, true, null] } })
})

test.each([
  ['long values', JSON.stringify('long '.repeat(300_000))],
  ['deep nesting, which indentation multiplies', `${'['.repeat(200)}${'1,'.repeat(27_000)}1${']'.repeat(200)}`],
])('a document that would be too large in the other format is published in one format: %s', async (_what, value) => {
  const values = Array.from({ length: 7 }, () => value).join(',')
  const text = `{"openapi":"3.1.0","info":{"title":"Large","version":"1"},"paths":{},"x-values":[${values}]}`
  const { files } = await siteOfDocument('api.json', text)
  expect(files['api.json']).toBe(text)
  expect(Object.keys(files).filter((path) => ['api.yaml', 'openapi.json'].includes(path))).toEqual([])
  expect(files['index.html']).toContain('Download JSON')
  expect(files['index.html']).not.toContain('Download YAML')
})
