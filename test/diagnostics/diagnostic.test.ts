import { expect, test } from 'vitest'
import { countFindings, formatCounts, renameFiles } from '../../src/diagnostics/diagnostic.ts'
import { exampleDiagnostic } from './example-diagnostic.ts'

test.each([
  [[], 'no problems'],
  [['error'], '1 error'],
  [['error', 'error', 'warning'], '2 errors, 1 warning'],
  [['info', 'info'], '2 info messages'],
  [Array.from({ length: 1_240 }, () => 'warning' as const), '1,240 warnings'],
] as const)('%j', (severities, words) => {
  expect(formatCounts(countFindings(severities.map((severity) => ({ severity }))))).toBe(words)
})

test('renames the file of a diagnostic and of all its related locations', () => {
  const related = { file: 'b.yaml', range: exampleDiagnostic().range, message: 'first used here' }
  const [renamed] = renameFiles([exampleDiagnostic({ file: 'a.yaml', related: [related] })], (file) => `../${file}`)
  expect([renamed?.file, renamed?.related[0]?.file]).toEqual(['../a.yaml', '../b.yaml'])
})
