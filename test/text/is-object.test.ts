import { expect, test } from 'vitest'
import { isDeeperThan } from '../../src/text/is-object.ts'

test.each([
  [1, 0, false],
  [null, 0, false],
  [[], 0, true],
  [[], 1, false],
  [{ a: [1, { b: 2 }] }, 2, true],
  [{ a: [1, { b: 2 }] }, 3, false],
  [JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)), 1_000, true],
  [JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)), 1_000, false],
])('%#', (value, limit, expected) => {
  expect(isDeeperThan(value, limit)).toBe(expected)
})
