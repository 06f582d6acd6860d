/** Longer words are never near. */
const maxLength = 200

/**
 * The candidate nearest to a word that was mistyped, or `undefined` when none is near.
 *
 * Near means at most a third of the longer word changed (Damerau-Levenshtein), or equal but for case; ties go to the first candidate.
 *
 * @param mostChanges however long the words are. Default: without a limit.
 */
export function suggest(word: string, candidates: Iterable<string>, mostChanges = Number.POSITIVE_INFINITY): string | undefined {
  const lower = word.toLowerCase()
  const letters = countLetters(lower)
  let best: string | undefined
  let bestDistance = mostChanges + 1
  for (const candidate of candidates) {
    if (candidate.length > maxLength || word.length > maxLength) continue
    const third = Math.floor(Math.max(word.length, candidate.length) / 3)
    const limit = Math.min(third, bestDistance - 1)
    if (Math.abs(candidate.length - word.length) > limit) continue
    const other = candidate.toLowerCase()
    if (leastDistance(letters, lower.length, other) > limit) continue
    const distance = editDistance(lower, other, limit)
    if (distance <= limit) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/**
 * Whether two names with as many words differ only by typos, word endings and whole numbers. With another word, or another number in a
 * word, a name means something else, however long the rest is.
 */
export function hasSimilarWords(left: string, right: string, separator: string): boolean {
  const words = left.toLowerCase().split(separator)
  const others = right.toLowerCase().split(separator)
  return words.length !== others.length || words.every((word, index) => isSimilar(word, others[index] ?? ''))
}

function isSimilar(word: string, other: string): boolean {
  if (word === other || (/^\d+$/.test(word) && /^\d+$/.test(other))) return true
  if (word.replace(/\d/g, '') === other.replace(/\d/g, '')) return false
  return word.startsWith(other) || other.startsWith(word) || suggest(word, [other]) !== undefined
}

/** The hint for a suggested name. */
export function didYouMean(near: string | undefined): string | undefined {
  return near === undefined ? undefined : `Did you mean \`${near}\`?`
}

/** Counts the letters of a word by the lowest six bits of their codes. */
function countLetters(word: string): Uint8Array {
  const counts = new Uint8Array(64)
  for (let index = 0; index < word.length; index++) {
    const letter = word.charCodeAt(index) & 63
    counts[letter] = (counts[letter] ?? 0) + 1
  }
  return counts
}

const unused = new Uint8Array(64)

/** A lower bound for the distance of two words. It rules out most candidates. */
function leastDistance(letters: Uint8Array, length: number, other: string): number {
  unused.set(letters)
  let shared = 0
  for (let index = 0; index < other.length; index++) {
    const letter = other.charCodeAt(index) & 63
    const left = unused[letter] ?? 0
    if (left === 0) continue
    unused[letter] = left - 1
    shared++
  }
  return Math.max(length, other.length) - shared
}

/**
 * Insertions, deletions, replacements and swaps of neighbors that turn one word into the other.
 *
 * Stops early with some number over `limit`: a broken document asks for thousands of words among thousands of names.
 */
function editDistance(left: string, right: string, limit: number): number {
  let [beforePrevious, previous, current] = rows
  for (let column = 0; column <= right.length; column++) previous[column] = column
  let leastBefore = 0
  for (let row = 1; row <= left.length; row++) {
    const letter = left.charCodeAt(row - 1)
    const letterBefore = row > 1 ? left.charCodeAt(row - 2) : -1
    current[0] = row
    let least = row
    for (let column = 1; column <= right.length; column++) {
      const other = right.charCodeAt(column - 1)
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (letter === other ? 0 : 1),
      )
      const swapped = column > 1 && letterBefore === other && letter === right.charCodeAt(column - 2)
      if (swapped) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1)
      current[column] = cost
      least = Math.min(least, cost)
    }
    // A swap reaches back two rows, so both have to be over the limit.
    if (Math.min(least, leastBefore) > limit) return limit + 1
    leastBefore = least
    const oldest = beforePrevious
    beforePrevious = previous
    previous = current
    current = oldest
  }
  return previous[right.length] ?? 0
}

/** Reused rows of the distance matrix. Lower case can lengthen a word. */
const rows: readonly [Uint16Array, Uint16Array, Uint16Array] = [
  new Uint16Array(3 * maxLength + 1),
  new Uint16Array(3 * maxLength + 1),
  new Uint16Array(3 * maxLength + 1),
]

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

/** Makes untrusted text fit a message: one line, limited length. */
export function shorten(text: string, maxLength = 80): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
}

/** Finds the candidate most similar to a misspelled word; see `suggest`. Candidates are listed only if needed. */
export type Suggest = (word: string, listCandidates: () => readonly string[]) => string | undefined
