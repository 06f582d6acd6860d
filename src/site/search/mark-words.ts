import { isEmptyWord, splitCompound, splitWords } from './search-words.ts'

/** Words of `splitWords`. */
interface Terms {
  readonly has: (word: string) => boolean
}

interface Match {
  readonly start: number
  readonly end: number
  readonly words: readonly string[]
}

/** The most characters of a snippet, and of its text before the first match. */
const maxSnippet = 160
const maxBefore = 40

/** The part of a text with the most different matching words. Starts and ends at spaces, if the text has some. */
export function cutSnippet(text: string, terms: Terms): string {
  if (text.length <= maxSnippet) return text
  const matches = listMatches(text, terms)
  const countFrom = ({ start }: Match) => {
    const near = matches.filter((one) => one.start >= start && one.end <= start + maxSnippet - maxBefore)
    return new Set(near.flatMap(({ words }) => words)).size
  }
  const counted = matches.map((match) => ({ ...match, count: countFrom(match) }))
  const best = counted.reduce((one, other) => (other.count > one.count ? other : one), { start: 0, end: 0, count: 0 })
  // Near the end of a text, a snippet is shorter: narrow screens show only its first words.
  const wanted = Math.max(0, best.start - maxBefore)
  const space = text.indexOf(' ', wanted) + 1
  const start = wanted > 0 && space > 0 && space <= best.start ? space : wanted
  const last = text.lastIndexOf(' ', start + maxSnippet)
  const end = start + maxSnippet >= text.length ? text.length : last > best.end ? last : start + maxSnippet
  // Do not cut pairs of surrogates.
  const part = text.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '… ' : ''}${part}${end < text.length ? ' …' : ''}`
}

/** Splits a text at its matching words, which have the odd positions of the result. */
export function splitAtMatches(text: string, terms: Terms): readonly string[] {
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of listMatches(text, terms)) {
    pieces.push(text.slice(at, start), text.slice(start, end))
    at = end
  }
  return [...pieces, text.slice(at)]
}

/** Whole words, or parts of compounds: in `createdAfter`, `created` can match. */
function listMatches(text: string, terms: Terms): readonly Match[] {
  const matches: Match[] = []
  const add = (start: number, length: number, words: readonly string[]) => {
    const last = matches.at(-1)
    // Pairs of letters of scripts without spaces overlap.
    if (last && start <= last.end)
      matches[matches.length - 1] = { start: last.start, end: start + length, words: [...last.words, ...words] }
    else matches.push({ start, end: start + length, words })
  }
  const isTerm = (word: string) => terms.has(word) && !isEmptyWord(word) && !/^[\x00-\x7f]$/.test(word)
  // Browsers need milliseconds to compile the second pattern.
  const pattern = /^[\x00-\x7f]*$/.test(text) ? /[\w-]+/g : /[\p{L}\p{M}\p{N}_-]+/gu
  for (const { 0: piece, index } of text.matchAll(pattern)) {
    const words = splitWords(piece)
    const parts = splitCompound(piece)
    if (parts.length > 1 && isTerm(words.at(-1) ?? '')) {
      add(index, piece.length, words.slice(-1))
      continue
    }
    let at = 0
    for (const part of parts) {
      at = piece.indexOf(part, at)
      const own = splitWords(part)
      if (own.length === 1) {
        if (isTerm(own[0] ?? '')) add(index + at, part.length, own)
      } else {
        for (const word of own) {
          const inside = part.toLowerCase().indexOf(word)
          if (inside !== -1 && isTerm(word)) add(index + at + inside, word.length, [word])
        }
      }
      at += part.length
    }
  }
  return matches
}
