import { expect, test } from 'vitest'
import { findDuplicateKeys } from '../../src/docs/find-duplicate-keys.ts'

test('a list with more entries than a call can have arguments', () => {
  const pages = Array.from({ length: 200_000 }, (_, index) => `"page-${index}"`)
  expect(findDuplicateKeys(`{"pages": [${pages}], "a": 1, "a": 2}`, 'all').map(({ key }) => key)).toEqual(['a'])
})
