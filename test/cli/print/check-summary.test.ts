import { expect, test } from 'vitest'
import { formatCheckSummary } from '../../../src/cli/print/check-summary.ts'
import { plainPalette } from '../../../src/diagnostics/format-text.ts'
import type { DocumentReport } from '../../../src/docs/types.ts'

const document = (path: string, fields: Partial<DocumentReport> = {}): DocumentReport => ({
  path,
  version: '3.1.0',
  valid: true,
  operationCount: 12,
  webhookCount: 0,
  schemaCount: 0,
  errorCount: 0,
  warningCount: 0,
  infoCount: 0,
  divisions: [],
  ...fields,
})
const finding = (severity: 'error' | 'warning' | 'info', file: string) => ({ severity, file })

test.each([
  ['nothing', [], [], []],
  ['one valid document', [document('a')], [], ['✔ a is valid (OpenAPI 3.1.0, 12 operations)']],
  [
    'all that is in it',
    [document('a', { webhookCount: 1, schemaCount: 1_240, operationCount: 1 })],
    [],
    ['✔ a is valid (OpenAPI 3.1.0, 1 operation, 1 webhook, 1,240 schemas)'],
  ],
  [
    'one with warnings',
    [document('a', { warningCount: 2, infoCount: 1 })],
    [finding('warning', 'a'), finding('warning', 'a'), finding('info', 'a')],
    ['✔ a is valid, with 2 warnings, 1 info message (OpenAPI 3.1.0, 12 operations)'],
  ],
  [
    'one that is no document',
    [document('a', { version: undefined, errorCount: 1 })],
    [finding('error', 'a')],
    ['✖ a has 1 error'],
  ],
  [
    'two valid ones',
    [document('a'), document('b')],
    [],
    ['✔ a is valid (OpenAPI 3.1.0, 12 operations)', '✔ b is valid (OpenAPI 3.1.0, 12 operations)', '✔ All 2 documents are valid'],
  ],
  [
    'a fault beside the documents',
    [document('a')],
    [finding('error', 'docs.json'), finding('warning', 'x.mdx')],
    ['✔ a is valid (OpenAPI 3.1.0, 12 operations)', '✖ 1 error, 1 warning in 2 files, 1 document checked'],
  ],
  [
    'no errors beside the documents',
    [document('a')],
    [finding('info', 'x.mdx')],
    ['✔ a is valid (OpenAPI 3.1.0, 12 operations)', '✔ No errors, 1 info message, 1 document checked'],
  ],
  [
    'more than a screen of documents',
    [...Array.from({ length: 30 }, (_, index) => document(`d${index}`)), document('bad', { errorCount: 1 })],
    [finding('error', 'bad')],
    ['✖ bad has 1 error (OpenAPI 3.1.0, 12 operations)', '✖ 1 error in 1 file, 31 documents checked'],
  ],
  ['a hostile name', [document('::a\x1b')], [], ['✔ \\u003a:a\\u001b is valid (OpenAPI 3.1.0, 12 operations)']],
])('%s', (_, documents, findings, lines) => {
  expect(formatCheckSummary({ documents, diagnostics: findings }, plainPalette)).toBe(lines.map((line) => `${line}\n`).join(''))
})
