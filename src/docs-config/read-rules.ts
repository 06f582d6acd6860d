import type { IgnoreSetting } from '../diagnostics/apply-rules.ts'
import { type DiagnosticCode, diagnosticCodes, isDiagnosticCode, isFixedCode, type Severity } from '../diagnostics/codes.ts'
import type { Finding } from '../diagnostics/diagnostic.ts'
import { isObject, type JsonObject } from '../source/is-object.ts'
import { pointerChild } from '../source/json-pointer.ts'
import { parentPath } from '../source/relative-path.ts'
import { suggest } from '../source/suggest.ts'
import { toPathPattern } from './path-patterns.ts'

type Report = (finding: Omit<Finding, 'file'>) => void

const levels = ['off', 'info', 'warning', 'error'] as const

/** Reads `rules`: a mapping from codes to levels. */
export function readRules(value: unknown, report: Report): ReadonlyMap<DiagnosticCode, Severity | 'off'> {
  const severities = new Map<DiagnosticCode, Severity | 'off'>()
  if (value === undefined) return severities
  if (!isObject(value)) {
    const message = 'Unexpected value for `rules`, expected a mapping from codes to `off`, `info`, `warning` or `error`'
    report({
      code: 'wrong-type',
      message,
      pointer: '/rules',
      hint: 'Use a mapping, for example `rules: { unused-component: off }`',
    })
    return severities
  }
  for (const [code, written] of Object.entries(value)) {
    const pointer = pointerChild('/rules', code)
    if (!isDiagnosticCode(code)) {
      report({ ...reportUnknownCode(code), pointer, on: 'key' })
      continue
    }
    const level = levels.find((known) => known === written)
    if (level === undefined) {
      const near = typeof written === 'string' ? suggest(written, levels) : undefined
      const message = `Unexpected level for \`${code}\`, expected \`off\`, \`info\`, \`warning\` or \`error\``
      report({ code: 'wrong-value', message, pointer, ...(near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }) })
    } else if (isFixedCode(code) && level !== 'error') {
      const message = `Cannot set \`${code}\` to \`${level}\`: it makes a document invalid and is always an error`
      report({ code: 'wrong-value', message, pointer, hint: 'Remove the line' })
    } else {
      severities.set(code, level)
    }
  }
  return severities
}

const ignoreFields = ['code', 'path', 'pointer']

/**
 * Reads `ignore`: a list of mappings with `code`, `path` and `pointer`. Paths are relative to the directory of the configuration
 * file.
 */
export function readIgnores(value: unknown, report: Report, file: string): IgnoreSetting[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    const message = 'Unexpected value for `ignore`, expected a list'
    report({
      code: 'wrong-type',
      message,
      pointer: '/ignore',
      hint: 'Use a list, for example `-  { code: unused-component, path: api.yaml }`',
    })
    return []
  }
  return value.flatMap((entry: unknown, index) => readIgnore(entry, { file, pointer: `/ignore/${index}` }, report))
}

function readIgnore(entry: unknown, place: IgnoreSetting['place'], report: Report): IgnoreSetting[] {
  const { pointer } = place
  if (!isObject(entry) || Object.keys(entry).length === 0) {
    const message = 'Unexpected value in `ignore`, expected a mapping with `code`, `path` or `pointer`'
    report({ code: 'wrong-type', message, pointer })
    return []
  }
  const faults = [...findIgnoreFaults(entry, pointer)]
  for (const fault of faults) report(fault)
  if (faults.length > 0) return []
  const { code, path, pointer: at } = entry
  return [
    {
      code: typeof code === 'string' && isDiagnosticCode(code) ? code : undefined,
      path: typeof path === 'string' ? toPathPattern(path, parentPath(place.file)) : undefined,
      pointer: typeof at === 'string' ? at : undefined,
      place,
    },
  ]
}

/** An invalid entry is skipped entirely, since using half of it would suppress more than intended. */
function* findIgnoreFaults(entry: JsonObject, pointer: string): Generator<Omit<Finding, 'file'>> {
  for (const [key, value] of Object.entries(entry)) {
    const at = pointerChild(pointer, key)
    if (!ignoreFields.includes(key)) {
      const near = suggest(key, ignoreFields)
      const message = `Unexpected \`${key}\` in \`ignore\`, expected \`code\`, \`path\` or \`pointer\``
      yield {
        code: 'unknown-field',
        message,
        pointer: at,
        on: 'key',
        ...(near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }),
      }
    } else if (typeof value !== 'string' || value === '') {
      yield { code: 'wrong-type', message: `Unexpected value for \`${key}\`, expected a string`, pointer: at }
    } else if (key === 'code' && !isDiagnosticCode(value)) {
      yield { ...reportUnknownCode(value), pointer: at }
    } else if (key === 'pointer' && !value.startsWith('/')) {
      const message = `Unexpected \`${value}\` for \`pointer\`, expected a JSON Pointer such as \`/paths/~1pets/get\``
      yield { code: 'wrong-value', message, pointer: at, hint: `Write \`/${value.replace(/^#?\/*/, '')}\`` }
    }
  }
}

function reportUnknownCode(code: string): Pick<Finding, 'code' | 'message' | 'hint'> {
  const near = suggest(code, Object.keys(diagnosticCodes))
  const message = `Unexpected code \`${code}\`, expected a code from docs/diagnostics.md`
  return { code: 'unknown-field', message, ...(near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }) }
}
