import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'

/** A diagnostic with what a test does not care about filled in. */
export function exampleDiagnostic(
  fields: Partial<Diagnostic> & { at?: [line: number, column: number, length?: number] } = {},
): Diagnostic {
  const { at: [line, column, length = 1] = [1, 1], ...rest } = fields
  return {
    code: 'unknown-field',
    severity: 'error',
    message: 'Unexpected field `sumary` in an Operation Object',
    file: 'openapi.yaml',
    range: { start: { line, column }, end: { line, column: column + length } },
    pointer: '/paths/~1pets/get/sumary',
    related: [],
    ...rest,
  }
}

/** Text that tries to be more than text in every output language. */
export const hostileText = '\x1b[31mred\x1b[0m\r\n::error file=x::pwned\u202e ##[add-mask]x'
