import { isObject, pointerChild, readOwn, stringOf } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { didYouMean, shorten, suggest } from '../../text/plain/suggest.ts'
import { type FunctionDefinition, formatHint, type ReportProblem, type RulesetPlace, toFormat } from '../ruleset.ts'

export interface ParseOptions {
  /** The functions that rules can use. `undefined`: it was named in `functions` but cannot be used, which is already reported. */
  readonly functions: ReadonlyMap<string, FunctionDefinition | undefined>
  readonly report: ReportProblem
  /** Counts rules. Returns false at the limit, which it reports. */
  readonly countRule: (place: RulesetPlace) => boolean
  /** Counts the size of patterns in `files`. Returns false at the limit, which it reports. */
  readonly countPattern: (place: RulesetPlace, size: number) => boolean
}

/** A value of a ruleset and its location. Each getter is undefined for values of other types. */
export class RulesetNode {
  readonly value: unknown
  readonly place: RulesetPlace

  constructor(value: unknown, place: RulesetPlace) {
    this.value = value
    this.place = place
  }

  get text(): string | undefined {
    return stringOf(this.value)
  }

  get flag(): boolean | undefined {
    return this.value === true || this.value === false ? this.value : undefined
  }

  get items(): readonly RulesetNode[] | undefined {
    return Array.isArray(this.value) ? this.value.map((item, index) => new RulesetNode(item, this.at(index))) : undefined
  }

  get entries(): readonly (readonly [string, RulesetNode])[] | undefined {
    if (!isObject(this.value)) return undefined
    return Object.entries(this.value).map(([key, value]) => [key, new RulesetNode(value, this.at(key))])
  }

  child(key: string): RulesetNode | undefined {
    const value = readOwn(this.value, key)
    return value === undefined ? undefined : new RulesetNode(value, this.at(key))
  }

  at(key: string | number): RulesetPlace {
    return { file: this.place.file, pointer: pointerChild(this.place.pointer, key) }
  }
}

/** What a field says. Reports a value for which `read` returns undefined. */
export function readField<Value>(
  node: RulesetNode | undefined,
  read: (node: RulesetNode) => Value | undefined,
  expected: string,
  report: ReportProblem,
  hint?: string,
): Value | undefined {
  if (!node) return undefined
  const value = read(node)
  const { place } = node
  const key = place.pointer.slice(place.pointer.lastIndexOf('/') + 1)
  if (value === undefined) report({ message: `Unexpected \`${key}\`, expected ${expected}`, place, hint })
  return value
}

/** Returns the formats that exist. A list in which none exists matches no document. */
export function readFormats(node: RulesetNode | undefined, { report }: ParseOptions): readonly string[] | undefined {
  return readField(node, ({ items }) => items, 'a list such as `[oas3]`', report)?.flatMap(({ text, value, place }) => {
    const format = text === undefined ? undefined : toFormat(text)
    if (format !== undefined) return [format]
    const shown = text === undefined ? '' : ` \`${text}\``
    report({ message: `Unknown format${shown}`, place, hint: formatHint(String(value)) })
    return []
  })
}

export function readText(node: RulesetNode | undefined, report: ReportProblem): string | undefined {
  return readField(node, ({ text }) => text, 'a string', report)
}

export function readFlag(node: RulesetNode | undefined, report: ReportProblem): boolean | undefined {
  return readField(node, ({ flag }) => flag, '`true` or `false`', report)
}

export function readUrl(node: RulesetNode | undefined, report: ReportProblem): string | undefined {
  const read = ({ text }: RulesetNode) => (text !== undefined && isUrl(text) && URL.canParse(text) ? text : undefined)
  return readField(node, read, 'a URL with `https://`', report)
}

/** The entries of a mapping. Reports a value that is no mapping. */
export function entriesOf(node: RulesetNode | undefined, expected: string, { report }: ParseOptions) {
  return readField(node, ({ entries }) => entries, expected, report) ?? []
}

/** More would only fill the report. */
const maxUnknownKeys = 100

/** Reports the keys of a mapping that are not known. */
export function checkKeys(node: RulesetNode, known: readonly string[], what: string, { report }: ParseOptions): void {
  for (const key of listUnknown(node, known).slice(0, maxUnknownKeys)) {
    const hint = didYouMean(suggest(key, known)) ?? `Expected ${listChoices(known)}`
    report({ message: `Unknown ${what}: \`${shorten(key)}\``, place: node.at(key), on: 'key', hint })
  }
}

/** The unknown key of a mapping that is most like a missing one. */
export function findMisspelt(missing: string, node: RulesetNode, known: readonly string[]): string | undefined {
  return suggest(missing, listUnknown(node, known))
}

/** Keys that start with `x-` are extensions. */
function listUnknown({ entries = [] }: RulesetNode, known: readonly string[]): readonly string[] {
  const keys = entries.map(([key]) => key)
  return keys.filter((key) => !known.includes(key) && !key.startsWith('x-') && key !== '$schema')
}
