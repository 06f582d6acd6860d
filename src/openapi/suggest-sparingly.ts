import { suggest } from '../text/suggest.ts'

/** The candidate nearest to a mistyped word; see `suggest`. Candidates are only listed when they are looked at. */
export type Suggest = (word: string, listCandidates: () => readonly string[]) => string | undefined

/** How many names are compared before there are no more suggestions: a second's work. */
const maxCompared = 1_000_000

/** Makes a `suggest` that gives up after much work, so that a hostile document does not cost minutes of comparing names. */
export function toSparingSuggest(): Suggest {
  let compared = 0
  return (word, listCandidates) => {
    if (compared > maxCompared) return undefined
    const candidates = listCandidates()
    compared += candidates.length
    return suggest(word, candidates)
  }
}
