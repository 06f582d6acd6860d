import { expect, test } from 'vitest'
import { toPathPattern } from '../../../src/docs/config/rule-settings.ts'

test.each([
  ['pets.yaml', '', 'pets.yaml', true],
  ['pets.yaml', '', 'api/pets.yaml', false],
  ['./pets.yaml', 'docs', 'docs/pets.yaml', true],
  ['/pets.yaml', 'docs', 'docs/pets.yaml', true],
  ['pets.yaml', 'docs', 'pets.yaml', false],
  ['api', '', 'api/v1/pets.yaml', true],
  ['api/', '', 'api/pets.yaml', true],
  ['api', '', 'apis/pets.yaml', false],
  ['*.yaml', '', 'pets.yaml', true],
  ['*.yaml', '', 'api/pets.yaml', false],
  ['**/*.yaml', '', 'pets.yaml', true],
  ['**/*.yaml', '', 'api/v1/pets.yaml', true],
  ['api/**', '', 'api/v1/pets.yaml', true],
  ['api/**/pets.yaml', '', 'api/pets.yaml', true],
  ['api/**/pets.yaml', '', 'api/xpets.yaml', false],
  ['api/**/pets.yaml', '', 'api/v1/v2/pets.yaml', true],
  ['a**z', '', 'ab/cz', false],
  ['[a]', '', 'a', false],
  ['p.ts', '', 'pets', false],
  ['a(b', 'x+y', 'x+y/a(b', true],
])('%s in %j and %s: %s', (pattern, folder, path, expected) => {
  expect(toPathPattern(pattern, folder).test(path)).toBe(expected)
})

test('matches a pattern with many wildcards without backtracking', () => {
  expect(toPathPattern(`${'*a'.repeat(40)}b`, '').test('a'.repeat(4_000))).toBe(false)
  expect(toPathPattern(`${'**/a'.repeat(40)}b`, '').test('a/'.repeat(2_000))).toBe(false)
})
