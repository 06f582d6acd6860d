import { expect, test } from 'vitest'
import { countFindings, formatCounts } from '../../src/diagnostic/count-findings.ts'

test.each([
  [[], 'no findings'],
  [['error'], '1 error'],
  [['error', 'error', 'warning'], '2 errors, 1 warning'],
  [['info', 'info'], '2 infos'],
  [Array.from({ length: 1_240 }, () => 'warning' as const), '1,240 warnings'],
] as const)('%j', (severities, words) => {
  expect(formatCounts(countFindings(severities.map((severity) => ({ severity }))))).toBe(words)
})
