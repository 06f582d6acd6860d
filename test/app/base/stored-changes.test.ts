import { expect, test } from 'vitest'
import { readStoredChanges, toStoredChanges } from '../../../src/app/base/stored-changes.ts'
import type { Change } from '../../../src/changes/change.ts'

const long = (letter: string) => letter.repeat(5_000)
const at = { line: 1, column: 1, offset: 0 }

/** A change with long texts in all places that a document decides. */
const change: Change = {
  code: 'operation-removed',
  level: 'breaking',
  method: null,
  path: null,
  operations: Array.from({ length: 50 }, (_, index) => ({ method: 'get', path: `/${index}${long('p')}` })),
  subject: 'operation',
  message: long('m'),
  hint: long('h'),
  base: { file: long('f'), pointer: long('/'), range: { start: at, end: at } },
  revision: null,
  surrounding: { file: long('f'), pointer: long('/'), range: { start: at, end: at } },
  fingerprint: '0123456789abcdef',
  accepted: { reason: long('r'), author: long('a'), isNew: true },
}

test('cuts every text of a change, so that it can be read again', () => {
  const compared = { document: long('d'), version: long('v') }
  const documents = [
    {
      document: long('d'),
      kind: 'compared',
      errors: { base: 0, revision: 0 },
      comparison: { base: compared, revision: compared, changes: [change] },
    },
  ] as const
  const changes = { baseSha: 'a'.repeat(40), failOn: 'breaking', comment: 'any', documents } as const
  const stored = readStoredChanges(toStoredChanges({ kind: 'compared', changes, routes: [] }).changes)
  if (stored?.kind !== 'compared') throw new Error('The changes cannot be read')
  const [kept] = stored.documents[0]?.comparison?.changes ?? []
  expect(kept?.message).toBe(`${'m'.repeat(999)}…`)
  expect(kept?.operations).toHaveLength(20)
  expect(kept?.operationCount).toBe(50)
  const unavailable = toStoredChanges({ kind: 'unavailable', reason: long('u') })
  expect(readStoredChanges(unavailable.changes)).toEqual({ kind: 'unavailable', reason: `${'u'.repeat(999)}…` })
})
