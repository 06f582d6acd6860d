import { describe, expect, test } from 'vitest'
import { chooseAnnotations } from '../../../src/action/report/publish-report.ts'
import type { Diagnostic, Severity } from '../../../src/diagnostics/diagnostic.ts'

function make(count: number, severity: Severity, file = 'a.yaml'): Diagnostic[] {
  return Array.from({ length: count }, (_, index) => {
    const position = { line: index + 1, column: 1 }
    return {
      code: 'unknown-field',
      severity,
      message: 'x',
      file,
      range: { start: position, end: position },
      pointer: '',
      related: [],
    }
  })
}

const none = { error: 0, warning: 0, info: 0 }

function print(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ severity, file, range }) => `${severity} ${file}:${range.start.line}`)
}

describe('chooses annotations', () => {
  test('for all diagnostics if there are few, most severe first', () => {
    expect(print(chooseAnnotations([...make(1, 'info'), ...make(2, 'error'), ...make(1, 'warning')], none))).toEqual([
      'error a.yaml:1',
      'error a.yaml:2',
      'warning a.yaml:1',
      'info a.yaml:1',
    ])
  })

  test('for ten diagnostics of each severity', () => {
    const chosen = chooseAnnotations([...make(50, 'error'), ...make(11, 'warning'), ...make(200, 'info')], none)
    expect(['error', 'warning', 'info'].map((severity) => chosen.filter((one) => one.severity === severity).length)).toEqual([
      10, 10, 10,
    ])
  })

  test('for some diagnostics of every file instead of many of one', () => {
    const chosen = chooseAnnotations(
      [...make(50, 'error', 'a.yaml'), ...make(2, 'error', 'b.yaml'), ...make(1, 'error', 'c.yaml')],
      none,
    )
    const files = ['a.yaml', 'b.yaml', 'c.yaml'].map((file) => chosen.filter((one) => one.file === file).length)
    expect(files).toEqual([7, 2, 1])
    expect(print(chosen).at(-1)).toBe('error c.yaml:1')
  })

  test('for fewer errors if the step already has some', () => {
    expect(chooseAnnotations(make(50, 'error'), { ...none, error: 3 })).toHaveLength(7)
    expect(chooseAnnotations(make(50, 'error'), { ...none, error: 12 })).toHaveLength(0)
  })
})
