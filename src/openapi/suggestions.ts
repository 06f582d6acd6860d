import type { JsonObject } from '../source/is-object.ts'
import { suggest } from '../source/suggest.ts'
import type { ObjectTable, Suggest, Walk } from './walk.ts'

/** How many names are compared before there are no more suggestions: a second's work. */
const maxCompared = 1_000_000

/** How many answers are kept. */
const maxKept = 1_000

/**
 * Makes a `suggest` that gives up after much work, so that a hostile document does not cost minutes of comparing names, and that answers
 * a question which was asked before from memory: one mistake can stand in thousands of places.
 */
export function createSuggest(): Suggest {
  let compared = 0
  const kept = new Map<string, { readonly candidates: readonly string[]; readonly answer: string | undefined }>()
  return (word, listCandidates) => {
    if (compared > maxCompared) return undefined
    const candidates = listCandidates()
    const before = kept.get(word)
    if (before && isEqual(before.candidates, candidates)) return before.answer
    compared += candidates.length
    const answer = suggest(word, candidates)
    if (kept.size < maxKept) kept.set(word, { candidates, answer })
    return answer
  }
}

function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left === right || (left.length === right.length && left.every((name, index) => name === right[index]))
}

/**
 * The key of an object under which a field that it lacks stands mistyped. It has a finding of its own (`unknown-field`), so that nothing
 * else that comes of it is told.
 */
export function findMistyped(table: ObjectTable, value: JsonObject, field: string, suggest: Suggest): string | undefined {
  if (table.open) return undefined
  return suggest(field, () => Object.keys(value).filter((name) => !table.fields.has(name) && !name.startsWith('x-')))
}

/** The key of an object that is meant for `$ref`: then the object lacks nothing else. */
export function findMistypedReference(table: ObjectTable, value: JsonObject): string | undefined {
  if (table.reference === 'none' || table.open || Object.hasOwn(value, '$ref')) return undefined
  return Object.keys(value).find((key) => !table.fields.has(key) && isMistypedReference(key, value[key]))
}

/** Whether a field that OpenAPI does not have is meant for `$ref`: `ref`, `$reff`, `$rf`, `$Ref`, `"ref$"`. */
export function isMistypedReference(key: string, value: unknown): boolean {
  return typeof value === 'string' && /[#/.]/.test(value) && /^[$&@_]?(?:ref+|re|rf|ef|rfe|erf|refs|reference)\$?$/i.test(key)
}

/** Says which value is meant: its field, or the list it is an entry of. */
export function nameValue(walk: Walk): string {
  const last = walk.path.at(-1)
  if (typeof last === 'string') return `\`${shorten(last)}\``
  const list = walk.path.at(-2)
  return typeof list === 'string' ? `an entry of \`${shorten(list)}\`` : 'the document'
}

/** A text of a stranger's document for a message: on one line and not too long. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 80)}…` : line
}

export function didYouMean(near: string | undefined): string | undefined {
  return near === undefined ? undefined : `Did you mean \`${near}\`?`
}
