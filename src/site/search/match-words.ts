import type { OpenedIndex } from './packed-index.ts'
import { isEmptyWord, isFiller, isTextWord, splitWords, toStem } from './search-words.ts'

/** A word of a query. */
export interface QueryWord {
  readonly word: string
  /** Whether a result can lack the word: words such as `the`, and compounds, which are also separate words. */
  readonly isOptional: boolean
  /** Whether the word is one of several in a name, such as `per` and `page` in `per_page`. */
  readonly isPart: boolean
  /** Whether the word is a whole name, such as `perpage` for `per_page`. */
  readonly isCompound: boolean
  /** Whether the index of running text lacks the word. */
  readonly isCommon: boolean
}

/** How well a query word matches each document, by field. */
export interface WordMatch {
  /** The quality from 0 to 1, at `document * fields + field`. */
  readonly qualities: Float32Array
  /** The documents with a match. */
  readonly documents: readonly number[]
  /** The quality of each matching term. */
  readonly terms: ReadonlyMap<string, number>
  /** Whether no word matches, except similar ones, as for a typo. */
  readonly isFuzzy: boolean
}

/** Actions in titles, with the HTTP methods. Readers and authors use different words for the same action. */
const actions: readonly (readonly string[])[] = [
  ['get', 'retrieve', 'fetch', 'read', 'show', 'view'],
  ['list', 'all'],
  ['create', 'add', 'new', 'post', 'make', 'send'],
  ['update', 'edit', 'change', 'modify', 'patch', 'put', 'set'],
  ['delete', 'remove', 'destroy'],
  ['search', 'find', 'lookup', 'query'],
]
const actionOf = new Map(actions.flatMap((words) => words.map((word) => [toStem(word), words] as const)))

/** Whether a title word names the action of an operation, not its subject. */
export function isAction(word: string): boolean {
  return actionOf.has(toStem(word))
}

/**
 * Whether a query usually concerns one item, as in `/users/{id}`, or many, as in `/users`: by its action, otherwise by a plural at its end.
 * `undefined` if neither is known.
 */
export function concernsItem(words: readonly QueryWord[]): boolean | undefined {
  const action = words.map(({ word }) => actionOf.get(toStem(word))?.[0]).find((found) => found !== undefined)
  if (action === undefined) return /[^suis]s$/.test(words.at(-1)?.word ?? '') ? false : undefined
  return action === 'search' || words[0]?.word === 'add' ? undefined : action !== 'list' && action !== 'create'
}

export function readQuery(query: string): readonly QueryWord[] {
  // Browsers need milliseconds to compile the second pattern.
  const isAscii = /^[\x00-\x7f]*$/.test(query)
  const pieces = query.split(isAscii ? /[^\w-]+/ : /[^\p{L}\p{M}\p{N}_-]+/u).filter((piece) => piece !== '')
  const words = pieces.flatMap((piece, at) => {
    const parts = splitWords(piece)
    const isName = parts.length > 2 && parts.slice(0, -1).join('') === parts.at(-1)
    // The last word can be the beginning of another one.
    if (!isName && at < pieces.length - 1 && isFiller(piece.toLowerCase())) return []
    return parts.map((word, at) => {
      const isCompound = isName && at === parts.length - 1
      return {
        word,
        isOptional: isCompound || (!isName && isEmptyWord(word)),
        isPart: isName,
        isCompound,
        isCommon: !isTextWord(word),
      }
    })
  })
  // Without other words, these are what the reader looks for.
  return words.every(({ isOptional }) => isOptional) ? words.map((one) => ({ ...one, isOptional: false })) : words
}

/** The quality of a longer word that starts with the word of the query. */
const prefixQuality = 0.65

/** Finds a word in an index: itself, its other forms, words of the same action, and longer words; otherwise similar words. */
export function matchWord(
  { word, isPart, isCompound }: QueryWord,
  { terms, postingsOf }: OpenedIndex,
  documents: number,
  fields: number,
): WordMatch {
  const found = new Map<number, number>()
  const add = (term: number, quality: number) => found.set(term, Math.max(quality, found.get(term) ?? 0))
  const stem = toStem(word)
  for (const term of startingWith(terms, word.slice(0, 3))) {
    const text = terms[term] ?? ''
    if (text === word) add(term, 1)
    else if (toStem(text) === stem) add(term, 0.97)
    else if (!isCompound && text.startsWith(word)) add(term, prefixQuality)
  }
  for (const other of (isPart ? undefined : actionOf.get(stem)) ?? []) {
    for (const term of startingWith(terms, other.slice(0, 3))) if (toStem(terms[term] ?? '') === toStem(other)) add(term, 0.85)
  }
  const isFuzzy = found.size === 0
  if (isFuzzy && word.length > 3 && !/\d/.test(word)) {
    const most = word.length < 8 ? 1 : 2
    for (const term of startingWith(terms, word.slice(0, 1))) if (areSimilar(word, terms[term] ?? '', most)) add(term, 0.4)
  }
  const qualities = new Float32Array(documents * fields)
  const isMatched = new Uint8Array(documents)
  const matched: number[] = []
  for (const [term, quality] of found) {
    for (const [field, ids] of postingsOf(term).entries()) {
      // Most documents contain a word with a given first letter, so only those with one in the title match.
      if (field > 0 && word.length === 1 && quality === prefixQuality) break
      for (const document of ids) {
        const at = document * fields + field
        if (quality > (qualities[at] ?? 0)) qualities[at] = quality
        if (isMatched[document] === 0) matched.push(document)
        isMatched[document] = 1
      }
    }
  }
  return {
    qualities,
    documents: matched,
    terms: new Map([...found].map(([term, quality]) => [terms[term] ?? '', quality])),
    isFuzzy,
  }
}

/** The positions of the sorted terms that start with a prefix. */
function* startingWith(terms: readonly string[], prefix: string): Generator<number> {
  let low = 0
  let high = terms.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((terms[middle] ?? '') < prefix) low = middle + 1
    else high = middle
  }
  for (; low < terms.length && terms[low]?.startsWith(prefix); low++) yield low
}

/** Whether at most `most` letters are missing, added, different, or swapped with the next one. */
function areSimilar(one: string, other: string, most: number): boolean {
  if (Math.abs(one.length - other.length) > most) return false
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1]
      let cost = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + (isSame ? 0 : 1))
      if (one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) cost = Math.min(cost, (before[at - 2] ?? 0) + 1)
      next.push(cost)
    }
    if (Math.min(...next) > most) return false
    before = last
    last = next
  }
  return (last.at(-1) ?? 0) <= most
}
