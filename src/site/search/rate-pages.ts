import { isAction, matchWord, type QueryWord, type WordMatch } from './match-words.ts'
import type { OpenedIndex } from './packed-index.ts'
import { isEmptyWord, isFiller, prepositions } from './search-words.ts'

export interface Rating {
  readonly rating: number
  /** The field with the worst match of a word. */
  readonly field: number
  /** The share of the words that match, from 0 to 1. Rare words count more. */
  readonly share: number
  /** Whether all words match, none of them as a typo. */
  readonly isWhole: boolean
}

interface RatedDocuments {
  readonly ratings: ReadonlyMap<number, Rating>
  /** The terms that match, with their quality. */
  readonly terms: ReadonlyMap<string, number>
  /** Those to mark: not of words such as `the`, which `theme` starts with. */
  readonly marks: ReadonlyMap<string, number>
}

/** Rates the documents that contain words of a query. `weights` has the value of each field. */
export function rateDocuments(
  words: readonly QueryWord[],
  index: OpenedIndex,
  documents: number,
  weights: readonly number[],
): RatedDocuments {
  const matches = words.map((query) => {
    const match = matchWord(query, index, documents, weights.length)
    const isOptional = query.isOptional || (query.isCommon && match.isFuzzy)
    const rarity = 0.5 + 0.5 * (Math.log(documents / Math.max(1, match.documents.length)) / Math.log(documents + 1))
    const factor = query.isCompound ? 4 : query.isPart ? 0.4 : isOptional ? 0.3 : 1
    return { ...match, ...valueDocuments(match, documents, weights), isOptional, rarity, factor: factor * rarity }
  })
  const needed = matches.filter(({ isOptional }) => !isOptional)
  const total = needed.reduce((sum, { rarity }) => sum + rarity, 0)
  const ratings = new Map<number, Rating>()
  for (const document of new Set(matches.flatMap((match) => match.documents))) {
    let rating = 0
    let share = 0
    let field = 0
    let isWhole = true
    for (const { value, best, isOptional, isFuzzy, rarity, factor } of matches) {
      const own = value[document] ?? 0
      rating += own * factor
      if (isOptional) continue
      if (own === 0 || isFuzzy) isWhole = false
      if (own === 0) continue
      share += rarity / total
      field = Math.max(field, best[document] ?? 0)
    }
    if (share > 0) ratings.set(document, { rating, field, share, isWhole })
  }
  const joinTerms = (some: typeof matches) => {
    const terms = new Map<string, number>()
    for (const match of some) for (const [term, quality] of match.terms) terms.set(term, Math.max(quality, terms.get(term) ?? 0))
    return terms
  }
  const marked = matches.filter(({ isOptional }, at) => !isOptional || words[at]?.isCompound)
  return { ratings, terms: joinTerms(matches), marks: joinTerms(marked) }
}

/** The value of a word for each document: that of the best field, and a little of the others. */
function valueDocuments({ qualities, documents: matched }: WordMatch, documents: number, weights: readonly number[]) {
  const value = new Float32Array(documents)
  const best = new Uint8Array(documents)
  for (const document of matched) {
    let most = 0
    let sum = 0
    for (let field = 0; field < weights.length; field++) {
      const own = (qualities[document * weights.length + field] ?? 0) * (weights[field] ?? 0)
      sum += own
      if (own > most) {
        most = own
        best[document] = field
      }
    }
    value[document] = most + (sum - most) / 10
  }
  return { value, best }
}

/** A title, or the end of a path, as far as the rating needs it. */
export interface Subject {
  /** What the page is about: in “Create a repository for the authenticated user”, `create` and `repository`. */
  readonly head: readonly string[]
  /** Whether the first word is an action, which matches as a word but is not what the page is about. */
  readonly hasAction: boolean
  /** The number of other words. */
  readonly rest: number
}

/** Faster than `splitWords`, because the first letter of a query matches most titles. Also leaves compound words together. */
export function readSubject(text: string): Subject {
  const isAscii = /^[\x00-\x7f]*$/.test(text)
  const plain = isAscii ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '')
  const words = plain.toLowerCase().split(isAscii ? /[^a-z\d]+/ : /[^\p{L}\p{N}]+/u)
  const head: string[] = []
  let rest = 0
  let isHead = true
  for (const word of words) {
    if (head.length > 0 && prepositions.has(word)) isHead = false
    if (word === '' || isEmptyWord(word) || isFiller(word) || /^v\d+$/.test(word)) continue
    if (isHead) head.push(word)
    else rest++
  }
  return { head, rest, hasAction: head[0] !== undefined && head.length > 1 && isAction(head[0]) }
}

/**
 * How much of a subject the words of a query are, from 0 to 1. Actions count only as words. The last word counts twice: a “repository
 * collaborator” is a collaborator.
 */
export function coverSubject({ head, hasAction }: Subject, terms: ReadonlyMap<string, number>): number {
  let sum = 0
  for (let at = hasAction ? 1 : 0; at < head.length; at++)
    sum += (terms.get(head[at] ?? '') ?? 0) * (at === head.length - 1 ? 2 : 1)
  return sum / (head.length + (hasAction ? 0 : 1))
}
