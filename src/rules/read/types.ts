import type { Severity } from '../../diagnostics/diagnostic.ts'
import type { RuleAction, RulesetPlace } from '../ruleset.ts'

/** How many rules of a ruleset in `extends` apply. */
export type ExtendsLevel = 'all' | 'recommended' | 'off'

/** One entry of `extends`. */
export interface ExtendsEntry {
  /** As written: `spectral:oas`, a path, a package or a URL. */
  readonly name: string
  readonly level: ExtendsLevel
  /** Whether the level is written. Only then it also applies to the rules that the ruleset extends itself. */
  readonly isExplicit: boolean
  readonly place: RulesetPlace
}

/** An expression of `given`, which can start with an alias. */
export interface GivenText {
  readonly text: string
  readonly place: RulesetPlace
}

/** What `#Name` means: the last target with a format of the document, or without formats. */
export type Alias = readonly { readonly formats?: readonly string[]; readonly given: readonly string[] }[]

/** The fields of a rule as they are written. In a rule that exists already, those that are absent do not change. */
export interface RuleDefinition {
  readonly severity?: Severity | 'off'
  readonly isRecommended?: boolean
  readonly message?: string
  readonly description?: string
  readonly documentationUrl?: string
  readonly given?: readonly GivenText[]
  readonly formats?: readonly string[]
  readonly resolved?: boolean
  /** The entries of `then`. */
  readonly actions?: readonly RuleAction[]
}

/** One entry of `rules`. */
export type RuleEntry = { readonly place: RulesetPlace } & (
  | { readonly kind: 'severity'; readonly severity: Severity | 'off' }
  | { readonly kind: 'switch'; readonly isOn: boolean }
  | { readonly kind: 'definition'; readonly definition: RuleDefinition }
)

/** What a ruleset and an entry of `overrides` have in common. */
export interface RulesetPart {
  readonly extends: readonly ExtendsEntry[]
  readonly formats: readonly string[] | undefined
  readonly aliases: ReadonlyMap<string, Alias>
  /** Whether it has the key `rules`, which decides how entries of `overrides` with `extends` apply. */
  readonly hasRules: boolean
  readonly rules: ReadonlyMap<string, RuleEntry>
}

/** One file of `files` in an entry of `overrides`. */
export interface OverrideTarget {
  /** The path is relative to the folder of the ruleset. */
  readonly test: (path: string) => boolean
  /** Undefined for the whole file. */
  readonly pointer: string | undefined
}

export interface OverrideEntry extends RulesetPart {
  readonly targets: readonly OverrideTarget[]
}

/** One file of a ruleset, checked but not combined with those it extends. */
export interface RulesetFile extends RulesetPart {
  readonly file: string
  readonly documentationUrl: string | undefined
  readonly overrides: readonly OverrideEntry[]
}
