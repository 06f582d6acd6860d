import { isContainer, readStep } from '../../text/json/json-values.ts'
import type { Path } from '../ruleset.ts'

/** A value that a rule checks. */
export interface LintTarget {
  /** From the value that the rule selected. */
  readonly path: Path
  readonly value: unknown
  /** Whether the value is a key. The path leads to the value of that key. */
  readonly isKey?: boolean
}

/** Finds the values of a JSONPath expression inside a value. */
export type FindValues = (expression: string, value: unknown) => readonly LintTarget[]

/**
 * Finds the values that the `field` of a rule names. There is always at least one, so that rules can require a value.
 *
 * Source: Spectral, "Rulesets", "Field" (docs/getting-started/3-rulesets.md).
 *
 * @param field `@key`, a JSONPath expression such as `$.info`, or a path such as `info.title`, `servers[0].url` or `$ref`.
 */
export function listLintTargets(value: unknown, field: string | undefined, find: FindValues): readonly LintTarget[] {
  if (field === undefined || !isContainer(value)) return [{ path: [], value }]
  const targets =
    field === '@key'
      ? Object.keys(value).map((key) => ({ path: [key], value: key, isKey: true }))
      : /^\$(?:[.[]|$)/.test(field)
        ? find(field, value)
        : [readField(value, field)]
  return targets.length === 0 ? [{ path: [], value: undefined }] : targets
}

function readField(value: object, field: string): LintTarget {
  // A key such as `x.y` wins over a path.
  if (Object.hasOwn(value, field)) return { path: [field], value: readStep(value, field) }
  const path = parseFieldPath(field)
  let current: unknown = value
  for (const step of path) {
    current = typeof current === 'string' && step === 'length' ? current.length : readStep(current, step)
  }
  return { path, value: current }
}

/** Splits `a.b[0]['c']` into its steps. */
function parseFieldPath(field: string): string[] {
  const steps: string[] = []
  for (let at = 0; at < field.length; ) {
    const isBracket = field.charAt(at) === '['
    const quote = isBracket ? /["']/.exec(field.charAt(at + 1))?.[0] : undefined
    const start = at + (isBracket ? 1 : 0) + (quote === undefined ? 0 : 1)
    const end = isBracket ? findEnd(field, `${quote ?? ''}]`, start) : findStepEnd(field, start)
    if (isBracket || end > start) steps.push(field.slice(start, end))
    at = end + (isBracket ? (quote === undefined ? 1 : 2) : field.charAt(end) === '.' ? 1 : 0)
  }
  return steps
}

function findEnd(field: string, text: string, from: number): number {
  const end = field.indexOf(text, from)
  return end === -1 ? field.length : end
}

function findStepEnd(field: string, from: number): number {
  let end = from
  while (end < field.length && !'.['.includes(field.charAt(end))) end++
  return end
}
