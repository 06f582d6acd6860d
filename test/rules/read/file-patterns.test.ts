import { expect, test } from 'vitest'
import { readFilePattern } from '../../../src/rules/read/file-patterns.ts'

/** Expected values are those of minimatch 3 with `matchBase`. */
test.each([
  ['openapi.yaml', 'openapi.yaml', true],
  ['openapi.yaml', 'v2/openapi.yaml', true],
  ['*.yaml', 'v2/deep/openapi.yaml', true],
  ['*.yaml', 'openapi.json', false],
  ['./v2/*.yaml', 'v2/openapi.yaml', true],
  ['v2/*.yaml', 'v2/deep/openapi.yaml', false],
  ['v2/**/*.yaml', 'v2/openapi.yaml', true],
  ['v2/**/*.yaml', 'v2/a/b/openapi.yaml', true],
  ['v2/**', 'v2/a/openapi.yaml', true],
  ['v2/**', 'v2', false],
  ['**/v2/*', 'v2/openapi.yaml', true],
  ['**/*.yaml', 'openapi.yaml', true],
  ['**', 'a/b.yaml', true],
  ['a/**/b/**/c', 'a/x/b/y/z/c', true],
  ['a/**/b/**/c', 'a/x/y/z/c', false],
  ['../specs/*.yaml', '../specs/a.yaml', true],
  ['*.{yaml,yml}', 'a.yml', true],
  ['{v1,v2/{a,b}}/*.json', 'v2/b/x.json', true],
  ['v{1..3}/x.json', 'v2/x.json', true],
  ['v{1..3}/x.json', 'v4/x.json', false],
  ['{a}.json', '{a}.json', true],
  ['api-?.json', 'api-1.json', true],
  ['api-?.json', 'api-10.json', false],
  ['api-[0-9].json', 'api-7.json', true],
  ['api-[!0-9].json', 'api-7.json', false],
  ['api-[!0-9].json', 'api-x.json', true],
  ['!*.json', 'a.yaml', true],
  ['!*.json', 'a.json', false],
  ['*.yaml', '.hidden.yaml', false],
  ['**/*.yaml', '.github/a.yaml', false],
  ['.github/*.yaml', '.github/a.yaml', true],
  ['a\\*.yaml', 'a*.yaml', true],
  ['a.yaml', 'aXyaml', false],
])('%s on %s: %s', (pattern, path, expected) => {
  const read = readFilePattern(pattern)
  expect(read.kind === 'read' && read.test(path)).toBe(expected)
})

test.each([
  ['!(a).yaml', 'groups such as `!(…)` and `+(…)` are not supported'],
  ['{0,1}'.repeat(9), 'its braces have more than 200 alternatives'],
  ['a'.repeat(1_001), 'it has more than 1,000 characters'],
])('refuses %.20s', (pattern, reason) => {
  expect(readFilePattern(pattern)).toEqual({ kind: 'failed', reason })
})

test('takes little time for a pattern that makes regular expressions slow', () => {
  const read = readFilePattern(`${'*a'.repeat(200)}b`)
  expect(read.kind === 'read' && read.test('a'.repeat(4_000))).toBe(false)
  const deep = readFilePattern(`${'**/*/'.repeat(100)}b`)
  expect(deep.kind === 'read' && deep.test('a/'.repeat(500))).toBe(false)
})
