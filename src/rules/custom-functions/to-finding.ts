import type { Finding } from '../../diagnostics/diagnostic.ts'
import { ThrownValue, Unevaluable } from '../../script/values/evaluation.ts'

/** A place in a script, in UTF-16 code units. */
interface ScriptPlace {
  readonly file: string
  readonly start: number
  readonly end: number
}

/** A problem of a script, which ends the rules that use it. */
export function toScriptProblem(message: string, { file, start, end }: ScriptPlace, hint?: string): Finding {
  const offsets = { start, end: Math.max(end, start) }
  const finding = { code: 'ruleset-problem', message, file, pointer: '', offsets, ...(hint === undefined ? {} : { hint }) }
  return finding as unknown as Finding // until D is merged
}

/** Says why a script cannot be evaluated. Returns `undefined` for an error of another kind. */
export function toFinding(error: unknown, what: string, file: string): Finding | undefined {
  if (error instanceof Unevaluable) {
    const { reason, place } = error
    return toScriptProblem(`${what}: it ${reason}`, { ...place, file: place.file === '' ? file : place.file }, toHint(error))
  }
  // The parser and the evaluation are recursive.
  if (error instanceof RangeError) return toScriptProblem(`${what}: it is nested too deeply`, { file, start: 0, end: 0 })
  return undefined
}

function toHint(error: Unevaluable): string | undefined {
  const { reason } = error
  if (reason === 'uses `async`' || reason === 'uses `await`')
    return 'Remove `async` and `await`: functions are called without waiting for promises'
  if (error instanceof ThrownValue) return 'Correct the function for values of this kind. Spectral stops at this error, too'
  if (error.isTooComplex) return 'Simplify the function, or limit the values that `given` selects'
  if (reason.startsWith('imports '))
    return 'Import only files of the repository, `@stoplight/spectral-core` and `@stoplight/spectral-functions`'
  return reason.startsWith('uses ')
    ? 'Functions are evaluated without running them, with the common parts of JavaScript'
    : undefined
}
