import { expect, test } from 'vitest'
import { readStoredChanges, toStoredChanges } from '../../../src/app/base/stored-changes.ts'

test('cuts a long reason, so that it can be read again', () => {
  const unavailable = toStoredChanges({ kind: 'unavailable', reason: 'u'.repeat(5_000) })
  expect(readStoredChanges(unavailable.changes)).toEqual({ kind: 'unavailable', reason: `${'u'.repeat(999)}…` })
})
