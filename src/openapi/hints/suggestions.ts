import type { JsonObject } from '../../text/json/json-values.ts'
import { suggest } from '../../text/plain/suggest.ts'
import type { ObjectTable, Suggest, Walk } from '../walk.ts'

/** Suggestions stop after this many comparisons, about one second of work. */
const maxCompared = 1_000_000

/** Size of the cache of suggestions. */
const maxCached = 1_000

/**
 * Creates a `suggest` function with a work limit, so that a hostile document cannot cost minutes of comparisons. Results are cached,
 * because one mistake can occur thousands of times.
 */
export function createSuggest(): Suggest {
  let compared = 0
  const cache = new Map<string, { readonly candidates: readonly string[]; readonly answer: string | undefined }>()
  return (word, listCandidates) => {
    if (compared > maxCompared) return undefined
    const candidates = listCandidates()
    const before = cache.get(word)
    if (before?.candidates === candidates) return before.answer
    compared += candidates.length
    if (before && isEqual(before.candidates, candidates)) return before.answer
    const answer = suggest(word, candidates)
    if (cache.size < maxCached) cache.set(word, { candidates, answer })
    return answer
  }
}

function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left === right || (left.length === right.length && left.every((name, index) => name === right[index]))
}

/** Finds the misspelled key of a missing field. The key is reported as `unknown-field`, so nothing else needs to be reported. */
export function findMistyped(table: ObjectTable, value: JsonObject, field: string, suggest: Suggest): string | undefined {
  if (table.open) return undefined
  return suggest(field, () => Object.keys(value).filter((name) => !table.fields.has(name) && !name.startsWith('x-')))
}

/** Finds a misspelled `$ref`. An object with a reference needs no other fields. */
export function findMistypedReference(table: ObjectTable, value: JsonObject): string | undefined {
  if (table.reference === 'none' || table.open || Object.hasOwn(value, '$ref')) return undefined
  return Object.keys(value).find((key) => !table.fields.has(key) && isMistypedReference(key, value[key]))
}

/** Whether an unknown field is a misspelled `$ref`, such as `ref`, `$reff`, `$rf`, `$Ref` or `"ref$"`. */
export function isMistypedReference(key: string, value: unknown): boolean {
  return typeof value === 'string' && /[#/.]/.test(value) && /^[$&@_]?(?:ref+|re|rf|ef|rfe|erf|refs|reference)\$?$/i.test(key)
}

/** Names the current value: its field, or the list that contains it. */
export function nameValue(walk: Walk): string {
  const last = walk.path.at(-1)
  if (typeof last === 'string') return `\`${shorten(last)}\``
  const list = walk.path.at(-2)
  return typeof list === 'string' ? `an entry of \`${shorten(list)}\`` : 'the document'
}

/** Makes untrusted text fit a message: one line, limited length. */
export function shorten(text: string, maxLength = 80): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
}
