import { getOrMake } from '../../text/plain/lists.ts'
import { splitWords } from './search-words.ts'

/** A search index as JSON. It is small, and is read without decoding it as a whole, see `openPackedIndex`. */
export interface PackedIndex {
  /** Sorted, separated by spaces. */
  readonly terms: string
  /**
   * For each term, its fields separated by `;`. A field lists its documents in ascending order, each as the number of documents
   * that are skipped: digits of `digits` without separators.
   */
  readonly postings: string
}

export interface OpenedIndex {
  readonly terms: readonly string[]
  /** The documents that contain a term, by field. */
  readonly postingsOf: (term: number) => readonly (readonly number[])[]
}

/** The digits of numbers in base 32. Those of the second half have another one after them, which is worth more. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Indexes documents by the words of their fields. The ID of a document is its position.
 *
 * @param isIndexed whether the index of a field contains a word.
 */
export function packIndex(
  documents: readonly (readonly string[])[],
  isIndexed: (word: string, field: number) => boolean,
): PackedIndex {
  // Most words are in one field.
  const index = new Map<string, (number[] | undefined)[]>()
  // The words of a piece of text, by its field and the piece.
  const known = new Map<number, Map<string, readonly string[]>>()
  for (const [id, fields] of documents.entries()) {
    for (const [field, text] of fields.entries()) {
      const words = getOrMake(known, field, () => new Map<string, readonly string[]>())
      const wordsOf = (piece: string) => splitWords(piece).filter((word) => isIndexed(word, field))
      for (const word of text.split(' ').flatMap((piece) => getOrMake(words, piece, wordsOf))) {
        const byField = getOrMake(index, word, () => Array.from(fields, () => undefined))
        const ids = byField[field]
        if (!ids) byField[field] = [id]
        else if (ids.at(-1) !== id) ids.push(id)
      }
    }
  }
  const sorted = [...index].sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    terms: sorted.map(([term]) => term).join(' '),
    postings: sorted.map(([, byField]) => byField.map((ids = []) => packDocuments(ids)).join(';')).join(' '),
  }
}

function packDocuments(ids: readonly number[]): string {
  const toDigits = (number: number): string =>
    number < 32 ? digits.charAt(number) : digits.charAt(32 + (number % 32)) + toDigits(Math.floor(number / 32))
  return ids.map((id, at) => toDigits(id - (ids[at - 1] ?? -1) - 1)).join('')
}

/** Opens an index. Only the postings of terms that a query matches are decoded. */
export function openPackedIndex({ terms, postings }: PackedIndex): OpenedIndex {
  const lists = split(postings, ' ')
  return {
    terms: split(terms, ' '),
    postingsOf: (term) => (lists[term] ?? '').split(';').map(unpackDocuments),
  }
}

/** Adds the fields of another index of the same documents. `fields` is the number of fields of the first one. */
export function joinIndexes(first: OpenedIndex, fields: number, other: OpenedIndex): OpenedIndex {
  const places = [first, other].map(({ terms }) => new Map(terms.map((term, at) => [term, at])))
  const terms = [...new Set([...first.terms, ...other.terms])].sort()
  const none = Array.from({ length: fields }, () => [])
  return {
    terms,
    postingsOf: (term) => {
      const [at, otherAt] = places.map((place) => place.get(terms[term] ?? ''))
      return [...(at === undefined ? none : first.postingsOf(at)), ...(otherAt === undefined ? [] : other.postingsOf(otherAt))]
    },
  }
}

function unpackDocuments(list: string): number[] {
  let next = 0
  return (list.match(/[g-z\d_-]+[A-Za-f]?|[A-Za-f]/g) ?? []).map((number) => {
    const skipped = [...number].reduceRight((sum, digit) => sum * 32 + (digits.indexOf(digit) % 32), 0)
    next += skipped + 1
    return next - 1
  })
}

function split(text: string, separator: string): string[] {
  return text === '' ? [] : text.split(separator)
}

/** The ID of a heading on most pages: the heading is unique on the page, and the author set no other ID. */
export function toHeadingId(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}
