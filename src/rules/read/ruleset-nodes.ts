import { isObject, type JsonObject, pointerChild } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { type FunctionDefinition, formatHint, type ReportProblem, type RulesetPlace, toFormat } from '../ruleset.ts'

export interface ParseOptions {
  /** Relative to the boundary, a URL, or the name of a built-in ruleset. */
  readonly file: string
  /** The functions that rules can use. `undefined`: it was named in `functions` but cannot be used, which is already reported. */
  readonly functions: ReadonlyMap<string, FunctionDefinition | undefined>
  readonly report: ReportProblem
  /** Counts rules. Returns false at the limit, which it reports. */
  readonly countRule: (place: RulesetPlace) => boolean
  /** Counts the size of patterns in `files`. Returns false at the limit, which it reports. */
  readonly countPattern: (size: number, place: RulesetPlace) => boolean
  /** Checks a path expression without alias. Returns what is wrong with it. */
  readonly checkPath: (expression: string) => string | undefined
}

/** A value of a ruleset and its location. */
export interface RulesetNode {
  readonly value: unknown
  readonly place: RulesetPlace
}

/** Returns the formats that exist. A list in which none exists matches no document. */
export function readFormats(node: RulesetNode | undefined, { report }: ParseOptions): readonly string[] | undefined {
  if (!node) return undefined
  if (!Array.isArray(node.value)) {
    report({ message: 'Unexpected `formats`, expected a list such as `[oas3]`', place: node.place })
    return undefined
  }
  return items(node).flatMap(({ value, place }) => {
    const format = typeof value === 'string' ? toFormat(value) : undefined
    if (format !== undefined) return [format]
    const shown = typeof value === 'string' ? ` \`${value}\`` : ''
    report({ message: `Unknown format${shown}`, place, hint: formatHint(String(value)) })
    return []
  })
}

export function readText(node: RulesetNode | undefined, report: ReportProblem): string | undefined {
  if (!node || typeof node.value === 'string') return node?.value as string | undefined
  report({ message: `Unexpected \`${lastKey(node)}\`, expected a string`, place: node.place })
  return undefined
}

export function readFlag(node: RulesetNode | undefined, report: ReportProblem): boolean | undefined {
  if (!node || typeof node.value === 'boolean') return node?.value as boolean | undefined
  report({ message: `Unexpected \`${lastKey(node)}\`, expected \`true\` or \`false\``, place: node.place })
  return undefined
}

export function readUrl(node: RulesetNode | undefined, { report }: ParseOptions): string | undefined {
  if (!node) return undefined
  if (typeof node.value === 'string' && isUrl(node.value) && URL.canParse(node.value)) return node.value
  report({ message: 'Unexpected `documentationUrl`, expected a URL with `https://`', place: node.place })
  return undefined
}

function lastKey({ place: { pointer } }: RulesetNode): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

/** More would only fill the report. */
const maxUnknownKeys = 100

/** Reports the keys of a mapping that are not known. Keys that start with `x-` are extensions. */
export function checkKeys(
  node: RulesetNode,
  value: JsonObject,
  known: readonly string[],
  what: string,
  { report }: ParseOptions,
): void {
  const unknown = Object.keys(value).filter((key) => !known.includes(key) && !key.startsWith('x-') && key !== '$schema')
  for (const key of unknown.slice(0, maxUnknownKeys)) {
    const hint = didYouMean(suggest(key, known)) ?? `Expected ${listChoices(known)}`
    const place = childPlace(node.place, key)
    report({ message: `Unknown ${what}: \`${shorten(key)}\``, place, on: 'key', hint })
  }
}

/** The unknown key of a mapping that is most like a missing one. */
export function findMisspelt(missing: string, value: JsonObject, known: readonly string[]): string | undefined {
  const unknown = Object.keys(value).filter((key) => !known.includes(key) && !key.startsWith('x-'))
  return suggest(missing, unknown)
}

/** The entries of a mapping. Reports a value that is no mapping. */
export function entriesOf(
  node: RulesetNode | undefined,
  expected: string,
  { report }: ParseOptions,
): readonly (readonly [string, RulesetNode])[] {
  if (!node) return []
  if (isObject(node.value)) {
    return Object.entries(node.value).map(([key, value]) => [key, { value, place: childPlace(node.place, key) }])
  }
  report({ message: `Unexpected \`${lastKey(node)}\`, expected ${expected}`, place: node.place })
  return []
}

export function items({ value, place }: RulesetNode): readonly RulesetNode[] {
  return Array.isArray(value) ? value.map((entry: unknown, index) => ({ value: entry, place: childPlace(place, index) })) : []
}

export function child(node: RulesetNode, key: string): RulesetNode | undefined {
  const { value, place } = node
  if (!isObject(value) || !Object.hasOwn(value, key) || value[key] === undefined) return undefined
  return { value: value[key], place: childPlace(place, key) }
}

export function childPlace({ file, pointer }: RulesetPlace, key: string | number): RulesetPlace {
  return { file, pointer: pointerChild(pointer, key) }
}

export function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
