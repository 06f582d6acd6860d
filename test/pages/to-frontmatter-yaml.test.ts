import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { toFrontmatterYaml } from '../../src/pages/to-frontmatter-yaml.ts'
import { anyText } from '../support/any-text.ts'
import { fc, runsOr } from '../support/properties.ts'

const byLibrary = (frontmatter: ReadonlyMap<string, unknown>) =>
  stringify(frontmatter, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })

test.each([
  'List pets',
  'No',
  'y n',
  'a: b',
  'a:',
  'a b:',
  'a #b',
  'a#b c',
  'Two\n\nlines',
  'Two\n  \n indented',
  'Two\n\ttabs',
  'Ends in blank \nline',
  'Ends\n',
  '--- a',
  'a\n---\nb',
  'a\n...\nb',
  'null null',
  'Über Straße',
  'it’s – a b',
  'a "quoted" \'text\' {b} [c], d',
  'a  b',
  `${'long '.repeat(100)}x`,
  'a\n# b',
  'a\n- b: c',
  'a -',
])('%j is written as by the library', (value) => {
  const frontmatter = new Map<string, unknown>([
    ['title', value],
    ['description', value],
    ['deprecated', true],
    ['own', value],
  ])
  expect(toFrontmatterYaml(frontmatter)).toBe(byLibrary(frontmatter))
})

test('whatever the values, the bytes are those of the library', () => {
  const word = fc.constantFrom(
    'a',
    'B',
    ' ',
    '\n',
    ': ',
    ':',
    '#',
    ' #',
    '-',
    '- ',
    '---',
    '...',
    '{',
    '}',
    '[',
    ',',
    '"',
    "'",
    '|',
    '>',
    '%',
    '@',
    '`',
    '0',
    '1.5',
    'yes',
    'null',
    '~',
    '\t',
    'é',
    '’',
    '\u2028',
    '\u00a0',
    '\u0085',
    '😀',
    '?',
    '!',
    '&',
    '*',
    '<<',
    '=',
  )
  const text = fc.array(word, { maxLength: 12 }).map((words) => `A${words.join('')}`)
  const key = fc.constantFrom('title', 'description', 'openapi', 'version', 'own', 'yes')
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.oneof(text, anyText(), fc.boolean(), fc.jsonValue()))), (entries) => {
      const frontmatter = new Map<string, unknown>(entries)
      expect(toFrontmatterYaml(frontmatter)).toBe(byLibrary(frontmatter))
    }),
    { numRuns: runsOr(30) },
  )
})
