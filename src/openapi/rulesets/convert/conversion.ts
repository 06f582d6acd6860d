// biome-ignore-all lint/suspicious/noThenProperty: the name of a key in ruleset files.

import type { DiagnosticCode } from '../../../diagnostics/codes.ts'
import type { JsonObject } from '../../../source/is-object.ts'
import type { ActionData } from '../spectral-oas.ts'

/** A severity in a ruleset file. */
export type RulesetSeverity = 'error' | 'warn' | 'info' | 'off'

/** A rule in the shape of a ruleset file. */
export interface WrittenRule {
  readonly message?: string
  readonly documentationUrl?: string
  readonly formats?: readonly string[]
  /** Default: `true`. */
  readonly resolved?: boolean
  readonly given: string | readonly string[]
  readonly then: ActionData | readonly ActionData[]
}

/** A rule of the new ruleset: one of `spectral:oas` with a severity, or one that is written out. */
export interface ConvertedRule {
  readonly name: string
  readonly severity: RulesetSeverity
  readonly written?: WrittenRule
  /** Its name in the other tool, if that is another one. */
  readonly oldName?: string
}

/** A part of the configuration of another tool that is not carried over. */
export interface LeftOut {
  /** Such as the name of a rule. */
  readonly what: string
  /** Completes the sentence, and says what to do instead if there is something. */
  readonly reason: string
  readonly file: string
  readonly pointer: string
}

/** What becomes of the configuration of another tool. Paths are relative to its file. */
export interface Conversion {
  /** Rulesets that the new one extends, besides `spectral:oas`. */
  readonly rulesets: readonly string[]
  /** Expressions that rules name, such as `#Operation`. */
  readonly aliases: Readonly<Record<string, readonly string[]>>
  readonly rules: readonly ConvertedRule[]
  readonly overrides: readonly { readonly file: string; readonly rules: readonly ConvertedRule[] }[]
  /** Settings of the configuration file. */
  readonly settings: ConvertedSettings
  readonly leftOut: readonly LeftOut[]
}

/** Settings of the configuration file that replace those of another tool. */
export interface ConvertedSettings {
  /** Severities of checks that every document gets. */
  readonly severities: ReadonlyMap<DiagnosticCode, 'error' | 'warning' | 'off'>
  /** Checks that are off for one document. */
  readonly ignored: readonly { readonly code: DiagnosticCode; readonly path: string }[]
  readonly failOn?: 'breaking'
}

/** The action of a rule that requires a field with a value. */
export function truthy(field: string): ActionData {
  return { field, function: 'truthy' }
}

/** The action of a rule that applies a JSON Schema. */
export function schema(value: JsonObject, field?: string): ActionData {
  return { ...(field !== undefined && { field }), function: 'schema', functionOptions: { schema: value } }
}

/** The action of a rule that applies a regular expression. */
export function pattern(options: { readonly match?: string; readonly notMatch?: string }, field?: string): ActionData {
  return { ...(field !== undefined && { field }), function: 'pattern', functionOptions: options }
}
