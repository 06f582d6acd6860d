import type { Finding, Severity } from '../diagnostics/diagnostic.ts'
import { readOwn } from '../text/json/json-values.ts'
import type { SourceFile } from '../text/plain/source-file.ts'
import { didYouMean, suggest } from '../text/plain/suggest.ts'

/** Keys and list indexes from the root of a document, such as `['paths', '/pets', 'get', 'tags', 0]`. */
export type Path = readonly (string | number)[]

/** The location of a part of a ruleset, for problems of the ruleset itself. */
export interface RulesetPlace {
  /** Relative to the boundary with `/`, or an absolute URL. For a built-in ruleset its name, such as `spectral:oas`. */
  readonly file: string
  readonly pointer: string
}

/** The rules that apply to documents, after `extends`, severities and aliases. */
export interface Ruleset {
  /** The rules that are not off, by name. */
  readonly rules: ReadonlyMap<string, Rule>
  /** The rules that the ruleset turns off by their names. Default: none. */
  readonly turnedOff?: ReadonlySet<string>
  /** Changes for parts of files, those of the nearest location last. `rules` has the changes for whole files. */
  readonly overrides: readonly RulesetOverride[]
}

/**
 * One rule.
 *
 * Source: Spectral, "Rulesets" (docs/getting-started/3-rulesets.md).
 */
export interface Rule {
  readonly name: string
  /** `hint` of a ruleset is `info`, and `warn` is `warning`. */
  readonly severity: Severity
  /** With placeholders such as `{{property}}` and `{{error}}`. */
  readonly message: string | undefined
  readonly description: string | undefined
  readonly documentationUrl: string | undefined
  /** JSONPath expressions in Spectral's dialect, without aliases. */
  readonly given: readonly string[]
  /** Names such as `oas3_1`. Absent: all documents. */
  readonly formats: readonly string[] | undefined
  /** Whether the rule reads the document with references replaced by their targets. */
  readonly resolved: boolean
  readonly then: readonly RuleAction[]
  readonly place: RulesetPlace
}

/** What a rule requires of the values that it selects. */
export interface RuleAction {
  /** A key of the value, a path such as `info.title` or `$.info`, or `@key` for each of its keys. Absent: the value itself. */
  readonly field: string | undefined
  readonly functionName: string
  readonly run: RuleFunction
  /** See `FunctionDefinition`. */
  readonly readsPath?: boolean
  /** The `functionOptions`, already valid for the function. */
  readonly options: unknown
  readonly place: RulesetPlace
}

/** The rules by name, with those that apply only to parts of files: they are off elsewhere. */
export function listAllRules({ rules, overrides }: Ruleset): ReadonlyMap<string, Rule> {
  const all = new Map(rules)
  for (const [name, change] of overrides.flatMap((override) => [...override.rules])) {
    if (typeof change === 'object' && !all.has(name)) all.set(name, change)
  }
  return all
}

/** Changes of rules for a part of some files. */
export interface RulesetOverride {
  /** Whether the override applies to a file of a description. The path is relative to the boundary. */
  readonly appliesTo: (file: string) => boolean
  /** Applies only to this location and everything below it. */
  readonly pointer: string
  /** `off`: the rule is off there. A rule: as the override defines it. */
  readonly rules: ReadonlyMap<string, Severity | 'off' | Rule>
}

/**
 * A function that rules use. Keeps no state between calls with different contexts, and does not change its arguments.
 *
 * Throws only `RuleFailure`, and what `spend` throws.
 */
export type RuleFunction = (value: unknown, options: unknown, context: RuleContext) => readonly RuleProblem[]

/** What a function may read besides its value. */
export interface RuleContext {
  /** The path of the value in the document that the rule reads. Computed on access, because most calls find nothing. */
  readonly path: Path
  /**
   * The document that the rule reads. In a resolved document, an object takes the place of each reference to it, so that the same object
   * can occur several times, also inside itself: keep track of the objects that you have visited.
   */
  readonly document: unknown
  /** The document as it is written, with references. */
  readonly unresolved: unknown
  /** The document with references replaced, also for rules that read it as it is written. Default: `document`. */
  readonly resolved?: unknown
  /** The pointers that references with the name of the document's file have as their target, also those in other files. Default: none. */
  readonly namedTargets?: ReadonlySet<string>
  /** Custom functions can read more than the name: its message. */
  readonly rule: Pick<Rule, 'name'> & Partial<Rule>
  /** Counts work, such as visited objects. Throws at the limit of the ruleset. */
  readonly spend: (steps: number) => void
}

/** One problem that a function found. */
export interface RuleProblem {
  /** For the placeholder `{{error}}`, or the message of the rule itself if it has none. */
  readonly message: string
  /** The path in the document that the rule reads. Default: that of the value. */
  readonly path?: Path
}

/** A function by its name in rulesets, with the test of its options. */
export interface FunctionDefinition {
  readonly name: string
  /** Says what is wrong with `functionOptions`, with the pointer inside them. `undefined` options are options, too. */
  readonly checkOptions: (options: unknown) => OptionsProblem | undefined
  readonly run: RuleFunction
  /**
   * Whether the function can find other problems in a value for another path to it, so that it has to be called for each path. Default:
   * false.
   */
  readonly readsPath?: boolean
}

export interface OptionsProblem {
  readonly message: string
  /** Inside the options. */
  readonly pointer: string
  readonly hint?: string | undefined
}

/** Reports a problem of a ruleset. */
export type ReportProblem = (problem: {
  readonly message: string
  readonly place: RulesetPlace
  readonly on?: 'key'
  readonly hint?: string | undefined
  /** Default: that of the code. */
  readonly severity?: Severity
}) => void

/** A function in a JavaScript file that a ruleset names in `functions`. */
export interface FunctionEntry {
  readonly name: string
  /** Relative to the boundary, or a URL. */
  readonly file: string
  readonly place: RulesetPlace
}

/** What a name in `extends` means. */
export type LoadedRuleset =
  | { readonly kind: 'file'; readonly source: SourceFile }
  | {
      readonly kind: 'built-in'
      readonly name: string
      /** In the shape of a ruleset file. */
      readonly data: unknown
      /** The functions that only this ruleset can use. */
      readonly functions: ReadonlyMap<string, FunctionDefinition>
    }
  | { readonly kind: 'failed'; readonly message: string; readonly hint?: string | undefined; readonly severity?: Severity }

/** A function in a JavaScript file, with the files that were read for it. */
export type LoadedFunction =
  | {
      readonly kind: 'loaded'
      readonly source: SourceFile
      /** It and the files that it imports. */
      readonly sources: readonly SourceFile[]
      /** See `CustomFunctionFile`. */
      readonly load: (specifier: string, from: string) => SourceFile | undefined
    }
  | { readonly kind: 'failed'; readonly message: string; readonly hint?: string | undefined }

/** What reading rulesets needs from outside. */
export interface RulesetLoader {
  /** Loads a ruleset by its name in the `extends` of a file. Never rejects. */
  readonly load: (name: string, from: string) => Promise<LoadedRuleset>
  readonly loadFunction: (entry: FunctionEntry) => Promise<LoadedFunction>
  /** Runs work that untrusted patterns can make slow. Returns undefined if the time limit of all such work interrupts or precedes it. */
  readonly runWithin: <Result>(run: () => Result) => Result | undefined
}

/** Protect the machine from rulesets in untrusted repositories. */
export const rulesetLimits = {
  /** The largest file of a ruleset. */
  fileBytes: 4 * 1024 * 1024,
  allBytes: 16 * 1024 * 1024,
  /** The entries of `extends` and `functions` that are followed. */
  files: 100,
  /** Entries of `rules` in all files, without built-in rulesets. */
  rules: 2_000,
  overrides: 200,
  /** The characters of all patterns in `files`. Each is compared with each document. */
  patterns: 20_000,
  /** The expressions of all rules after their aliases are replaced. */
  expressions: 10_000,
  findings: 1_000,
}

/** The function of a rule cannot run. The problem has the place in the file of the function, or in the ruleset. */
export class RuleFailure extends Error {
  override readonly name = 'RuleFailure'
  readonly finding: Finding
  /** Whether the rule ends. Otherwise it skips the value. */
  readonly endsRule: boolean

  constructor(finding: Finding, { endsRule = true }: { readonly endsRule?: boolean } = {}) {
    super(finding.message)
    this.finding = finding
    this.endsRule = endsRule
  }
}

/** Tests whether a document has a format. */
type FormatTest = (document: unknown) => boolean

/** Spectral accepts version numbers without patch, and no suffix such as `3.1.0-rc1`. */
function openapi(pattern: RegExp): FormatTest {
  return (document) => isOpenapi(document) && pattern.test(String(readOwn(document, 'openapi')))
}

const isOpenapi: FormatTest = (document) => Number.parseInt(String(readOwn(document, 'openapi')), 10) === 3

/**
 * The formats by the names that Spectral's own rulesets use.
 *
 * Source: Spectral, "Formats" (docs/guides/4-custom-rulesets.md) and the package `@stoplight/spectral-formats` 1.9.
 */
const formats: ReadonlyMap<string, FormatTest> = new Map<string, FormatTest>([
  ['oas3', isOpenapi],
  ['oas3_0', openapi(/^3\.0(?:\.[0-9]*)?$/)],
  ['oas3_1', openapi(/^3\.1(?:\.[0-9]*)?$/)],
  ['oas3_2', openapi(/^3\.2(?:\.[0-9]*)?$/)],
  // OpenAPI documents have none of these.
  ...[
    ...['oas2', 'aas2', 'aas2_0', 'aas2_1', 'aas2_2', 'aas2_3', 'aas2_4', 'aas2_5', 'aas2_6', 'aas3', 'aas3_0'],
    ...['asyncapi2', 'asyncapi3', 'arazzo1', 'arazzo1_0', 'jsonSchema', 'jsonSchemaLoose'],
    ...['jsonSchemaDraft4', 'jsonSchemaDraft6', 'jsonSchemaDraft7', 'jsonSchemaDraft2019_09', 'jsonSchema2019_09'],
    ...['jsonSchemaDraft2020_12', 'jsonSchema2020_12'],
  ].map((name): [string, FormatTest] => [name, () => false]),
])

/** `oas3.1`, `oas3_1` and `OAS31` are the same format. */
const toKey = (name: string) => name.toLowerCase().replace(/[._-]/g, '')

const byKey = new Map([...formats.keys()].map((name) => [toKey(name), name]))

/** The name of a format in `Rule.formats`, from a name in a ruleset such as `oas3.1`. Undefined if there is no such format. */
export function toFormat(written: string): string | undefined {
  return byKey.get(toKey(written))
}

/** The hint for an unknown format. */
export function formatHint(written: string): string {
  return didYouMean(suggest(written, formats.keys())) ?? 'Use `oas3`, `oas3_0`, `oas3_1` or `oas3_2`'
}

/** Whether a rule has one of the formats of a document. */
export function hasFormat({ formats }: Pick<Rule, 'formats'>, own: ReadonlySet<string>): boolean {
  return !formats || formats.some((format) => own.has(format))
}

/** The formats of a document, by the names of `Rule.formats`. */
export function formatsOf(document: unknown): ReadonlySet<string> {
  return new Set([...formats.keys()].filter((name) => formats.get(name)?.(document)))
}
