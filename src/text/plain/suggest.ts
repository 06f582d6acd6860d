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
  let best: string | undefined
  let bestDistance = mostChanges + 1
  for (const candidate of candidates) {
    if (candidate.length > maxLength || word.length > maxLength) continue
    const third = Math.floor(Math.max(word.length, candidate.length) / 3)
    const limit = Math.min(third, bestDistance - 1)
    if (Math.abs(candidate.length - word.length) > limit) continue
    const distance = editDistance(lower, candidate.toLowerCase(), limit)
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

/**
 * Insertions, deletions, replacements and swaps of neighbors that turn one word into the other.
 *
 * Stops early with some number over `limit`: a broken document asks for thousands of words among thousands of names.
 */
function editDistance(left: string, right: string, limit: number): number {
  let beforePrevious: readonly number[] = []
  let previous: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    const at = (list: readonly number[], column: number) => list[column] ?? Number.POSITIVE_INFINITY
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped = row > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      const replaced = at(previous, column - 1) + (isSame ? 0 : 1)
      const swapped = isSwapped ? at(beforePrevious, column - 2) + 1 : replaced
      current.push(Math.min(at(previous, column) + 1, at(current, column - 1) + 1, replaced, swapped))
    }
    // A swap reaches back two rows, so both have to be over the limit.
    if (Math.min(...current, ...previous) > limit) return limit + 1
    beforePrevious = previous
    previous = current
  }
  return previous.at(-1) ?? 0
}

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
