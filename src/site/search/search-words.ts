/**
 * The words of a text for a search, lower case: `perPage`, `per_page` and `per-page` are each `per`, `page` and `perpage`. Accents are
 * removed. Queries and indexed texts use the same words.
 */
export function splitWords(text: string): string[] {
  const words: string[] = []
  const isAscii = /^[\x00-\x7f]*$/.test(text)
  const pieces = isAscii
    ? text.split(/[^\w-]+/)
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .split(/[^\p{L}\p{N}_-]+/u)
  for (const piece of pieces) {
    if (isAscii && /^[a-z\d]*$/.test(piece)) {
      if (piece !== '') words.push(piece)
      continue
    }
    const parts = splitCompound(piece)
    for (const part of parts) words.push(...splitScript(part.toLowerCase()))
    if (parts.length > 1) words.push(parts.join('').toLowerCase())
  }
  return words
}

/** The parts of `perPage`, `per_page` or `per-page`. */
export function splitCompound(text: string): string[] {
  // Browsers need milliseconds to compile patterns with Unicode properties.
  const [end, start] = /^[\x00-\x7f]*$/.test(text)
    ? [/([a-z\d])([A-Z])/g, /([A-Z])([A-Z][a-z])/g]
    : [/(\p{Ll}|\p{N})(\p{Lu})/gu, /(\p{Lu})(\p{Lu}\p{Ll})/gu]
  return text
    .replace(end, '$1 $2')
    .replace(start, '$1 $2')
    .split(/[\s_-]+/)
    .filter((part) => part !== '')
}

/** Splits words of scripts without spaces into pairs of letters. */
function splitScript(word: string): string[] {
  if (!/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(word)) return [word]
  const letters = [...word]
  return letters.length < 3 ? [word] : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** Whether the index of running text contains a word. It omits numbers but status codes, short Latin words, very long words and common English words. */
export function isTextWord(word: string): boolean {
  return !/^(?:\d{1,2}|\d{4,}|[\x00-\x7f]{1,2}|(?=.*\d).{25,}|.{41,})$/.test(word) && !commonWords.has(word)
}

/** English words that nearly every section contains. */
const commonWords: ReadonlySet<string> = new Set(
  (
    'about after all also and any are been before being both but can could does each for from had has have her here his how into ' +
    'its just may might more most must not only other our out over same should some such than that the their them then there these ' +
    'they this those through too under very was were what when where which while who why will with would you your'
  ).split(' '),
)

/** Words of titles that say nothing about their subject: articles, and adjectives such as in “Create a new …” and “List all …”. */
const emptyWords: ReadonlySet<string> = new Set('a an the all any new existing specified given one its your my'.split(' '))

/** Prepositions. In “Create a repository for the authenticated user”, the subject ends before `for`. */
export const prepositions: ReadonlySet<string> = new Set('for of in on to by with from using at as via under per into'.split(' '))

/** Other words of questions, as in “How do I …” and “What is …”. */
const questionWords: ReadonlySet<string> = new Set('did do does i is it me need we'.split(' '))

/** Whether a word of a query or title says nothing about the subject. */
export function isEmptyWord(word: string): boolean {
  return emptyWords.has(word) || prepositions.has(word)
}

/** Whether a word only makes a sentence of a query, as in “how do I …”. */
export function isFiller(word: string): boolean {
  return (commonWords.has(word) && !emptyWords.has(word)) || questionWords.has(word)
}

/** Whether a query asks for an explanation. */
export function isQuestion(query: string): boolean {
  return /^\s*(?:how|wh(?:at|ere|y))\b/i.test(query)
}

/**
 * Removes English endings, so that `creates`, `created`, `creation` and `create`, or `repositories` and `repository` become the same. Words with
 * the same stem start with the same three letters.
 */
export function toStem(word: string): string {
  if (word.length < 4) return word
  const singular = /ies$/.test(word)
    ? `${word.slice(0, -3)}y`
    : /[^suis]s$/.test(word) || /ses$/.test(word)
      ? word.slice(0, -1)
      : word
  return singular
    .replace(/(?<=f)ied$/, 'y')
    .replace(/(?<=scri)ption$/, 'b')
    .replace(/(?<=f)(?:y|ication)$|(?<=\w{3})(?:at(?:e|ed|ing|ions?)|(?<=[st])ion|ment|(?<=[vw])al|ed|ing)$/, '')
    .replace(/(?<=\w{3})e$/, '')
    .replace(/(?<=\w{3})er$/, 'r')
    .replace(/(?<=\w{3})is$/, 'iz')
    .replace(/(?<=\w\w)(\w)\1$/, '$1')
}
