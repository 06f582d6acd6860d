import { expect, test } from 'vitest'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'
import {
  toBrokenSummary,
  toFailedSummary,
  toLostSummary,
  toSupersededSummary,
  toValidSummary,
} from '../../src/status/update-summary.ts'

const diagnostic = (file: string, line: number, severity: Diagnostic['severity'] = 'error'): Diagnostic => ({
  code: 'unknown-field',
  severity,
  message: 'Unexpected field `sumary` in an Operation Object',
  file,
  range: { start: { line, column: 7 }, end: { line, column: 13 } },
  pointer: '',
  related: [],
})

test.each([
  [{ documents: 3, operations: 1214, pages: 2 }, 'Valid: 3 documents, 1,214 operations. 2 pages would change.'],
  [{ documents: 1, operations: 1, pages: 1 }, 'Valid: 1 document, 1 operation. 1 page would change.'],
  [{ documents: 1, operations: 0, pages: 0 }, 'Valid: 1 document, 0 operations. All pages are up to date.'],
  [
    { documents: 1, operations: 2, problems: { errors: 0, warnings: 1, infos: 2 } },
    'Valid: 1 document, 2 operations, 1 warning, 2 info messages.',
  ],
])('valid: %j', (counts, expected) => {
  expect(toValidSummary(counts)).toBe(expected)
})

test('counts all problems and names the first error', () => {
  const pets = 'openapi/pets.yaml'
  expect(toFailedSummary([diagnostic(pets, 3, 'warning'), diagnostic(pets, 14), diagnostic(pets, 80)])).toBe(
    'Failed: 2 errors, 1 warning in openapi/pets.yaml (first error at 14:7: Unexpected field `sumary` in an Operation Object).',
  )
  expect(toFailedSummary([diagnostic('a.yaml', 1), diagnostic('b.yaml', 2)])).toBe(
    'Failed: 2 errors in 2 files (first error at a.yaml:1:7: Unexpected field `sumary` in an Operation Object).',
  )
  expect(() => toFailedSummary([diagnostic(pets, 3, 'warning')])).toThrow('without an error')
})

test('describes updates that could not run', () => {
  expect(toBrokenSummary('the archive is over 256 MiB.')).toBe('Failed: the archive is over 256 MiB.')
  expect(toLostSummary(2, '2026-11-20T07:15:03.120Z')).toBe(
    'Failed: the worker stopped responding twice, and the run was not retried (last heartbeat at 2026-11-20T07:15:03.120Z).',
  )
  expect(toLostSummary(3, 'x')).toContain('3 times')
  expect(toSupersededSummary('9f8e7d6c5b4a39281706f5e4d3c2b1a098765432')).toBe('Not run: superseded by 9f8e7d6.')
})
