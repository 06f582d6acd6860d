import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { writeFrontmatter } from '../../src/pages/write-frontmatter.ts'

const byLibrary = (value: ReadonlyMap<string, unknown>) =>
  stringify(value, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })

test.each([
  'List pets',
  'openapi.yaml GET /pets/{id}',
  'yes',
  'N',
  'Null',
  'on ',
  ' a',
  'a: b',
  'a #b',
  'a:',
  'a-',
  '- a',
  "it's",
  '1.0',
  '0x1f',
  '~',
  '',
  'a\nb',
  'a\n\nb',
  'a\n  b\n c',
  'a\n---\nb',
  'a\n...\nb',
  'a \nb',
  ' a\nb',
  '\na',
  'a\nb\n',
  'a\n \nb',
  'a\n\tb',
  'a\r\nb',
  'a\u0085b\nc',
  'a\u2028b\nc',
  '\u0007\nb',
  'ä\nö 🐶',
  '# a\nb',
  '\ud800\nb',
])('%j is written as the library writes it', (value) => {
  const frontmatter = new Map([['title', value]])
  expect(writeFrontmatter(frontmatter)).toBe(byLibrary(frontmatter))
})

test('whatever the values, the bytes are those of the library', () => {
  const words = fc.array(
    fc.constantFrom(
      'a',
      'No',
      ' ',
      '\n',
      ':',
      '-',
      '#',
      '{}',
      "'",
      '"',
      '1',
      '\t',
      '.',
      ',',
      '|',
      '---',
      '%',
      'é',
      '\u0000',
      '...',
    ),
  )
  const text = fc.oneof(
    words.map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  )
  const value = fc.oneof(text, fc.boolean(), fc.integer(), fc.constant(null), fc.array(text), fc.dictionary(text, text))
  const name = fc.oneof(fc.constantFrom('title', 'openapi-schema', 'no', 'y'), text)
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), (entries) => {
      const frontmatter = new Map(entries)
      expect(writeFrontmatter(frontmatter)).toBe(byLibrary(frontmatter))
    }),
    { numRuns: Number(process.env['OPENAPI_PAGES_RUNS'] ?? 500) },
  )
})
