import { suggest } from '../text/suggest.ts'
import type { Suggest } from './walk.ts'

/** How many names are compared before there are no more suggestions: a second's work. */
const maxCompared = 1_000_000

/** How many answers are kept. */
const maxKept = 1_000

/**
 * Makes a `suggest` that gives up after much work, so that a hostile document does not cost minutes of comparing names, and that answers
 * a question which was asked before from memory: one mistake can stand in thousands of places.
 */
export function toSparingSuggest(): Suggest {
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
