import { expect, test } from 'vitest'
import { toStoredChanges } from '../../../src/app/base/stored-changes.ts'

test('cuts a long reason, so that it can be read again', () => {
  const stored = toStoredChanges({ kind: 'unavailable', reason: 'u'.repeat(5_000) })
  expect(stored).toEqual({ kind: 'unavailable', reason: `${'u'.repeat(999)}…` })
})
