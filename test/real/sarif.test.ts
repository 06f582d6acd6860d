import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { expect, test } from 'vitest'
import { installPackages, sarifPackages } from '../../scripts/package-cache.ts'
import { formatChangesSarif } from '../../src/changes/show/changes-formats.ts'
import { formatSarif } from '../../src/diagnostics/format-ci.ts'
import { exampleChange, exampleComparison, manyChanges } from '../changes/example-comparison.ts'
import { exampleDiagnostic } from '../diagnostics/example-diagnostic.ts'

/** The official schema, from a package of those who wrote SARIF. */
const schemaPath = join(installPackages('sarif', sarifPackages), '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')

test('SARIF output is valid according to the official schema', () => {
  // It uses draft 4, whose identifier has another name.
  const { $schema: _schema, id: _id, ...schema } = JSON.parse(readFileSync(schemaPath, 'utf8')) as { [key: string]: unknown }
  const validate = new Ajv({ strict: false, unicodeRegExp: false, formats: fullFormats, allErrors: true }).compile(schema)
  const place = { file: 'a b.yaml', range: { start: { line: 1, column: 1 }, end: { line: 2, column: 1 } }, message: 'here' }
  const many = Array.from({ length: 5_001 }, (_entry, line) => exampleDiagnostic({ at: [line + 1, 1] }))
  for (const diagnostics of [
    [],
    many,
    [
      exampleDiagnostic({ related: [place], hint: 'do this', section: 'OpenAPI 3.1.1' }),
      exampleDiagnostic({ file: 'https://example.com/a.json', severity: 'info' }),
      exampleDiagnostic({ file: '../up.yaml', severity: 'warning' }),
    ],
  ]) {
    validate(JSON.parse(formatSarif(diagnostics, { version: '1.2.3' })))
    expect(validate.errors).toBeNull()
  }
  for (const comparison of [
    exampleComparison([]),
    exampleComparison([exampleChange(), exampleChange({ revision: null })]),
    manyChanges(8_000),
  ]) {
    validate(JSON.parse(formatChangesSarif([comparison], { version: '1.2.3' })))
    expect(validate.errors).toBeNull()
  }
  // The witness is awake.
  expect(validate({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false)
})
