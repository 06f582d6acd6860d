import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'

/** A diagnostic at one location, for tests of its display. */
export function makeDiagnostic(
  over: Partial<Omit<Diagnostic, 'range'>> & { line?: number; column?: number; endLine?: number; endColumn?: number } = {},
): Diagnostic {
  const { line = 14, column = 7, endLine = line, endColumn = column + 6, ...rest } = over
  return {
    code: 'unknown-field',
    severity: 'error',
    message: 'Unexpected field `sumary` in an Operation Object',
    file: 'openapi/pets.yaml',
    range: { start: { line, column }, end: { line: endLine, column: endColumn } },
    pointer: '/paths/~1pets/get/sumary',
    related: [],
    ...rest,
  }
}
