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
