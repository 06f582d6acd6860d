/**
 * The words of a text for a search, lower case: `perPage`, `per_page` and `per-page` are both `per`, `page` and, whole, `perpage`; letters
 * keep no accents. The same text gives the same words when it is indexed and when it is looked for.
 */
export function splitWords(text: string): string[] {
  const words: string[] = []
  for (const piece of text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .split(/[^\p{L}\p{N}_-]+/u)) {
    const parts = piece
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .split(/[\s_-]+/)
      .filter((part) => part !== '')
    for (const part of parts) words.push(...splitScript(part.toLowerCase()))
    if (parts.length > 1) words.push(parts.join('').toLowerCase())
  }
  return words
}

/** Scripts without blanks between words are looked for by pairs of letters. */
function splitScript(word: string): string[] {
  if (!/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(word)) return [word]
  const letters = [...word]
  return letters.length < 3 ? [word] : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** A word of running text as it is kept; `null` for those that say nothing: numbers, Latin ones of one or two letters, and what joins the others. */
export function keepTextWord(word: string): string | null {
  return /^(?:\d+|[\x00-\x7f]{1,2}|.{25,})$/.test(word) || joiningWords.has(word) ? null : word
}

/** In nearly every section of an English text, so that they tell none from another. */
const joiningWords: ReadonlySet<string> = new Set(
  (
    'about after all also and any are been before being both but can could does each for from had has have her here his how into ' +
    'its just may might more most must not only other our out over same should some such than that the their them then there these ' +
    'they this those through too under very was were what when where which while who why will with would you your'
  ).split(' '),
)

/** A search index as `MiniSearch` writes it, as far as packing looks into it. */
export interface PlainIndex {
  readonly documentCount: number
  readonly fieldIds: Readonly<Record<string, number>>
  readonly averageFieldLength: readonly number[]
  readonly serializationVersion: number
  /** Words of each field, by document. */
  readonly fieldLength: Readonly<Record<string, readonly number[]>>
  /** How often each term is in a field of a document, by field and document. */
  readonly index: readonly (readonly [string, Readonly<Record<string, Readonly<Record<string, number>>>>])[]
}

/** The same in half of the bytes that travel. */
export interface PackedIndex
  extends Pick<PlainIndex, 'documentCount' | 'fieldIds' | 'averageFieldLength' | 'serializationVersion'> {
  readonly lengths: string
  /** Sorted. */
  readonly terms: string
  /** For each term its fields between `;`, in each the documents: how many are passed over, and after `*` how often, all in base 36. */
  readonly postings: string
}

/** Packs an index of documents whose ids are 0, 1, 2 and so on, from which nothing was removed. Terms have no blanks. */
export function packIndex({ fieldLength, index, ...plain }: PlainIndex): PackedIndex {
  const { documentCount, fieldIds, averageFieldLength, serializationVersion } = plain
  const fields = Object.values(fieldIds)
  const sorted = index.toSorted(([one], [other]) => (one < other ? -1 : 1))
  const ids = Array.from({ length: documentCount }, (_, id) => id)
  return {
    documentCount,
    fieldIds,
    averageFieldLength,
    serializationVersion,
    lengths: ids.map((id) => fields.map((field) => toDigits(fieldLength[id]?.[field] ?? 0)).join(',')).join(' '),
    terms: sorted.map(([term]) => term).join(' '),
    postings: sorted.map(([, byField]) => fields.map((field) => packDocuments(byField[field] ?? {})).join(';')).join(' '),
  }
}

/** The index again, as `MiniSearch.loadJS` takes it. */
export function unpackIndex({ lengths, terms, postings, ...packed }: PackedIndex) {
  const { documentCount, fieldIds, averageFieldLength, serializationVersion } = packed
  const fields = Object.values(fieldIds)
  const documents = split(postings, ' ')
  return {
    documentCount,
    nextId: documentCount,
    documentIds: Object.fromEntries(Array.from({ length: documentCount }, (_, id) => [id, id])),
    fieldIds,
    fieldLength: Object.fromEntries(split(lengths, ' ').map((list, id) => [id, list.split(',').map(toNumber)])),
    averageFieldLength: [...averageFieldLength],
    storedFields: {},
    dirtCount: 0,
    index: split(terms, ' ').map((term, at): [string, Record<string, Record<string, number>>] => {
      const lists = (documents[at] ?? '').split(';')
      return [term, Object.fromEntries(fields.flatMap((field, at) => (lists[at] ? [[field, unpackDocuments(lists[at])]] : [])))]
    }),
    serializationVersion,
  }
}

function packDocuments(documents: Readonly<Record<string, number>>): string {
  let next = 0
  return Object.entries(documents)
    .map(([id, count]) => {
      const passed = Number(id) - next
      next = Number(id) + 1
      return count === 1 ? toDigits(passed) : `${toDigits(passed)}*${toDigits(count)}`
    })
    .join(',')
}

function unpackDocuments(list: string): Record<string, number> {
  let next = 0
  const entries = list.split(',').map((one): [number, number] => {
    const [passed = '', count = '1'] = one.split('*')
    const id = next + toNumber(passed)
    next = id + 1
    return [id, toNumber(count)]
  })
  return Object.fromEntries(entries)
}

function split(text: string, separator: string): string[] {
  return text === '' ? [] : text.split(separator)
}

function toDigits(value: number): string {
  return value.toString(36)
}

function toNumber(digits: string): number {
  return Number.parseInt(digits, 36)
}

/** The anchor of a heading on most pages: its text is unique on the page, and the author set no other id. */
export function toHeadingId(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}
