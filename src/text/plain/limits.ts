const KiB = 1024
const MiB = 1024 * KiB

/** The unit of a limit: bytes (`64 MiB`), milliseconds as seconds (`60 s`), or a count. */
type LimitUnit = 'bytes' | 'count' | 'milliseconds'

/** The default and the range of a limit. */
interface LimitBounds {
  /** What it limits, for people who write the configuration file. */
  readonly appliesTo: string
  readonly unit: LimitUnit
  readonly byDefault: number
  readonly least: number
  readonly most: number
}

/**
 * Limits that protect the machine, by their names in the configuration file.
 *
 * `most` is what Node.js and every command support: strings have at most 512 MiB, and rendering a schema needs several calls for each level.
 */
export const limitBounds = {
  'document-size': {
    appliesTo: 'One file of an OpenAPI description, from disk, standard input or a URL',
    unit: 'bytes',
    byDefault: 64 * MiB,
    least: KiB,
    most: 500 * MiB,
  },
  'description-size': {
    appliesTo: 'All files of one description together',
    unit: 'bytes',
    byDefault: 256 * MiB,
    least: KiB,
    most: 2048 * MiB,
  },
  'description-files': {
    appliesTo: 'Number of files of one description',
    unit: 'count',
    byDefault: 10_000,
    least: 1,
    most: 100_000,
  },
  nesting: { appliesTo: 'Depth of nested lists and mappings', unit: 'count', byDefault: 250, least: 10, most: 250 },
  'alias-nodes': {
    appliesTo: 'Number of values after expanding the aliases and `<<` keys of one YAML file',
    unit: 'count',
    byDefault: 1_000_000,
    least: 0,
    most: 10_000_000,
  },
  'page-size': { appliesTo: 'One page', unit: 'bytes', byDefault: 8 * MiB, least: KiB, most: 64 * MiB },
  'docs-config-size': {
    appliesTo: '`docs.json`, each file it references, and the lock file',
    unit: 'bytes',
    byDefault: 16 * MiB,
    least: KiB,
    most: 64 * MiB,
  },
  'assets-size': {
    appliesTo: 'All images and other repository files of a site together',
    unit: 'bytes',
    byDefault: 10_240 * MiB,
    least: KiB,
    most: 10_240 * MiB,
  },
  'fetch-time': {
    appliesTo: 'The complete response of a URL, including redirects',
    unit: 'milliseconds',
    byDefault: 60_000,
    least: 1_000,
    most: 600_000,
  },
} as const satisfies Record<string, LimitBounds>

export type LimitName = keyof typeof limitBounds

/** A value for each limit, in bytes, milliseconds or as a count. */
export type LimitValues = { readonly [Name in LimitName]: number }

/** The limits of one check. */
export interface Limits {
  readonly values: LimitValues
  /** The highest value of each limit. Lower where untrusted documents are read. */
  readonly ceilings: LimitValues
}

export const limitNames = Object.keys(limitBounds) as LimitName[] // The keys of a constant.

/** The limits without any setting or lower ceiling. */
export const defaultLimits: Limits = { values: toValues('byDefault'), ceilings: toValues('most') }

function toValues(bound: 'byDefault' | 'most'): LimitValues {
  const entries = limitNames.map((name) => [name, limitBounds[name][bound]])
  return Object.fromEntries(entries) as LimitValues // One entry for each name.
}

/** The default limits, capped by ceilings. */
export function capLimits(ceilings: LimitValues): Limits {
  const entries = limitNames.map((name) => [name, Math.min(limitBounds[name].byDefault, ceilings[name])])
  return { values: Object.fromEntries(entries) as LimitValues, ceilings } // One entry for each name.
}

/** Formats a limit as in the configuration file: `64 MiB`, `60 s`, `10000`. */
export function formatLimit(name: LimitName, value: number): string {
  const { unit } = limitBounds[name]
  if (unit === 'milliseconds') return `${value / 1000} s`
  if (unit === 'count') return String(value)
  if (value % MiB === 0) return `${value / MiB} MiB`
  return value % KiB === 0 ? `${value / KiB} KiB` : `${value} bytes`
}

/** Returns a hint for an exceeded limit. `instead` is an imperative clause such as `Split the document`. */
export function limitHint(name: LimitName, { values, ceilings }: Limits, instead?: string): string {
  const raise = instead === undefined ? 'Raise' : `${instead}, or raise`
  const most = formatLimit(name, ceilings[name])
  if (values[name] < ceilings[name]) return `${raise} \`limits.${name}\` in the configuration file (at most ${most})`
  return `${instead === undefined ? 'Reduce the size:' : `${instead}.`} \`limits.${name}\` is already at its maximum of ${most}`
}

/**
 * What a reader may still produce while it expands one schema, operation or list of entries.
 *
 * A few kilobytes can describe more values, variants and nested callbacks than a machine can list. So every reader that expands what a document
 * refers to spends one budget, and says "shortened" where it ends.
 */
export interface NodeBudget {
  left: number
  /** Whether something was left out. */
  isShortened: boolean
}

/** What real descriptions need, several times over. */
const nodeLimits = {
  /** Schemas that are matched with values for one sample. One that is tried counts as 10, and real samples try at most 1,500. */
  sample: 30_000,
  /** Schemas that are matched with all examples and other values of a description, about one second of work. */
  values: 2_000_000,
  /** Schemas with another page whose content one schema shows in place. */
  content: 1_000,
  /** What path items have that other paths have too, and callbacks that other operations have too. */
  repeated: 60_000,
  /** Operations of callbacks inside the callbacks of an operation. */
  callbacks: 50,
  /** Operations in the lists of all changes of a comparison. */
  operations: 20_000,
  /** Alternatives of two versions of a description that are compared with each other, and the schemas in them, a few seconds of work. */
  alternatives: 4_000_000,
} as const

export function startBudget(reader: keyof typeof nodeLimits): NodeBudget {
  return { left: nodeLimits[reader], isShortened: false }
}

/** Spends nodes. `false` if too few are left: the reader leaves out what it would have produced. */
export function spendNodes(budget: NodeBudget, count = 1): boolean {
  if (budget.left < count) budget.isShortened = true
  // What is smaller does not fit either, so that the end is one place.
  if (budget.isShortened) return false
  budget.left -= count
  return true
}
