import { expect, test } from 'vitest'
import { matchWildcards } from '../../../src/text/plain/paths.ts'

test.each([
  ['Pet', 'Pet', true],
  ['Pet', 'pet', false],
  ['PetList', 'Pet*', true],
  ['Pet', 'Pet*', true],
  ['ab', 'ab*b', false],
  ['aXbYc', 'a*b*c', true],
  ['aXcYb', 'a*b*c', false],
  ['abab', 'ab*ab', true],
  ['a.b', 'a?b', false],
  ['anything', '*', true],
  [`${'a'.repeat(50_000)}b`, `${'a*'.repeat(200)}c`, false],
])('%.20s matches %.20s: %s', (name, pattern, expected) => {
  expect(matchWildcards(name, pattern, '*')).toBe(expected)
})
