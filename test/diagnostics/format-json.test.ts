import { expect, test } from 'vitest'
import { formatJson, toCheckJson } from '../../src/diagnostics/format-text.ts'
import { exampleDiagnostic, hostileText } from './example-diagnostic.ts'

test('prints the object that is promised, field by field', () => {
  const related = {
    file: 'other.yaml',
    range: { start: { line: 3, column: 5 }, end: { line: 3, column: 6 } },
    message: 'first used here',
  }
  const findings = [
    exampleDiagnostic({
      at: [4, 7, 6],
      hint: 'Did you mean `summary`?',
      section: 'OpenAPI 3.1.1, Operation Object',
      related: [related],
    }),
    exampleDiagnostic({ severity: 'warning', code: 'missing-field', message: 'Missing `x`', pointer: '' }),
    exampleDiagnostic({ severity: 'info', code: 'missing-field', message: 'Missing `y`', pointer: '' }),
  ]
  expect(formatJson(findings)).toMatchInlineSnapshot(`
    "{
      "version": 1,
      "valid": false,
      "errors": 1,
      "warnings": 1,
      "infos": 1,
      "diagnostics": [
        {
          "code": "unknown-field",
          "severity": "error",
          "message": "Unexpected field \`sumary\` in an Operation Object",
          "file": "openapi.yaml",
          "line": 4,
          "column": 7,
          "endLine": 4,
          "endColumn": 13,
          "pointer": "/paths/~1pets/get/sumary",
          "hint": "Did you mean \`summary\`?",
          "related": [
            {
              "file": "other.yaml",
              "line": 3,
              "column": 5,
              "message": "first used here"
            }
          ]
        },
        {
          "code": "missing-field",
          "severity": "warning",
          "message": "Missing \`x\`",
          "file": "openapi.yaml",
          "line": 1,
          "column": 1,
          "endLine": 1,
          "endColumn": 2,
          "pointer": ""
        },
        {
          "code": "missing-field",
          "severity": "info",
          "message": "Missing \`y\`",
          "file": "openapi.yaml",
          "line": 1,
          "column": 1,
          "endLine": 1,
          "endColumn": 2,
          "pointer": ""
        }
      ]
    }
    "
  `)
})

test.each([
  [[], true],
  [['warning', 'info'] as const, true],
  [['error', 'warning'] as const, false],
])('findings of %j: valid %j', (severities, valid) => {
  expect(toCheckJson(severities.map((severity) => exampleDiagnostic({ severity }))).valid).toBe(valid)
})

test('a hostile text reads back as it was and does nothing on the way', () => {
  const shown = formatJson([exampleDiagnostic({ message: hostileText, file: hostileText })])
  expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|^\s*::|##\w*\[/m)
  expect(JSON.parse(shown).diagnostics[0]).toMatchObject({ message: hostileText, file: hostileText })
})
