import { readOwn } from '../../text/json/json-values.ts'

/** A summary as a title, and the Markdown of the summary that the title leaves out. */
interface TitledSummary {
  readonly title: string
  readonly rest: string | undefined
}

/** The most characters of a title. */
const maxTitle = 80
/** The fewest characters of a part of a sentence that can be a title. */
const minClause = 24
/** The most characters of a summary that are searched for a title. */
const maxSearched = 4000

/**
 * Splits a summary into a title in plain text, at most 80 characters long, and the rest.
 *
 * The title is the first sentence. If it is too long, the title is its start up to a comma or a similar mark, or else up to a word, and the rest is the
 * whole summary. Notes before the summary are not titles: paragraphs that start in bold, such as `**NOTE:** Requires a key`, and everything above a rule (`---`).
 */
export function splitSummary(summary: string): TitledSummary {
  const text = findTitleParagraph(summary.trim().slice(0, maxSearched))
  const end = findSentenceEnd(text)
  const sentence = toPlainText(text.slice(0, end))
  if (sentence.length > maxTitle || sentence === '') return { title: cutTitle(sentence), rest: summary.trim() }
  // A note before the title stays with its rest.
  const isStart = summary.trimStart().startsWith(text.slice(0, end))
  const rest = isStart ? summary.trimStart().slice(end).trim() : summary.trim()
  return { title: withoutStop(sentence), rest: rest === '' ? undefined : rest }
}

/** The description of an operation, after the rest of its summary. A description that repeats the summary is shown once. */
export function joinDescription(summary: string | undefined, description: string | undefined): string | undefined {
  const rest = summary === undefined ? undefined : splitSummary(summary).rest
  if (summary === undefined || rest === undefined) return description
  if (description === undefined || description.trim() === '') return rest
  const same = (text: string) => text.replace(/\s+/g, ' ').trim()
  return same(description).includes(same(rest)) ? description : `${rest}\n\n${description}`
}

/** The first paragraph that is not a note, or else the first one. */
function findTitleParagraph(summary: string): string {
  const below = summary
    .split(/\n[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*\n/)
    .at(1)
    ?.trim()
  const paragraphs = (below || summary).split(/\n[ \t]*\n/).map((paragraph) => paragraph.trim())
  return paragraphs.find((paragraph) => paragraph !== '' && !isNote(paragraph)) ?? paragraphs[0] ?? summary
}

/** Whether a paragraph starts with a word such as `**NOTE:**` or `**Deprecated.**`, or is a block quote. */
function isNote(paragraph: string): boolean {
  return /^(?:>|(?:\*\*|__)[^*_\n]{1,60}(?:[:!?.](?:\*\*|__)|(?:\*\*|__):))/.test(paragraph)
}

/** The index after the first sentence: after a full stop, `!` or `?` that ends a word outside of code, links and abbreviations. */
function findSentenceEnd(text: string): number {
  for (const { index } of text.matchAll(/[.!?](?=["')*_]{0,3}(?:\s|$))/g)) {
    const end = index + 1 + (/^["')*_]{0,3}/.exec(text.slice(index + 1))?.[0].length ?? 0)
    const start = text.slice(0, end)
    if (!abbreviation.test(text.slice(0, index + 1)) && isBalanced(start)) return end
  }
  return text.length
}

const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|incl|resp|no|inc|ltd|dr|mr|mrs|st|\p{L})\.$/iu

/** Whether code spans, brackets and bold text that start in a text also end in it. */
function isBalanced(text: string): boolean {
  const count = (mark: string) => text.split(mark).length - 1
  return count('`') % 2 === 0 && count('[') === count(']') && count('(') === count(')') && count('**') % 2 === 0
}

/** The start of a long sentence. */
function cutTitle(sentence: string): string {
  const start = sentence.slice(0, maxTitle + 1)
  const clauses = [...start.matchAll(/[,;](?= )| (?=\()| (?=[–—-] )/g)].filter(
    ({ index }) => index >= minClause && index <= maxTitle && isBalanced(start.slice(0, index)),
  )
  const clause = clauses.at(-1)
  if (clause) return start.slice(0, clause.index).trim()
  // One character is for the ellipsis.
  const cut = sentence.slice(0, maxTitle)
  const space = cut.lastIndexOf(' ')
  if (space < minClause) return `${cut.slice(0, maxTitle - 1).toWellFormed()}…`
  const words = cut.slice(0, space).split(' ')
  const last = words.findLastIndex((word) => !needsNext.has(word.toLowerCase()))
  return `${words.slice(0, last + 1).join(' ')}…`
}

/** Words that do not end a title, because they need the next one. */
const needsNext = new Set('a an the and or of for to in on at by from with as is are be that which this it its your'.split(' '))

/** A title has no full stop. Abbreviations and ellipses keep theirs. */
function withoutStop(title: string): string {
  return title.endsWith('..') || abbreviation.test(title) ? title : title.replace(/(?<=[\p{L}\p{N})\]"'”’])\.$/u, '')
}

/** Inline Markdown and HTML as plain text on one line. */
export function toPlainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^[\]]*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)?(?: "[^"]*")?\)/g, '$1')
    .replace(/\[([^[\]]+)\]\[[^[\]]*\]/g, '$1')
    .replace(/<(https?:\/\/[^<>\s]*)>/g, '$1')
    .replace(/<\/?(?:a|b|i|em|strong|code|br|p|span|u|sub|sup|small|kbd|tt)(?:\s[^<>]*)?\/?>/gi, '')
    .replace(/`+/g, '')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/(?<![\p{L}\p{N}\\])\*([^*\s][^*]*)\*/gu, '$1')
    .replace(/(?<![\p{L}\p{N}_\\])__?([^_\s][^_]*)__?(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/~~([^~\n]*)~~/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>)[ \t]+/gm, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => readOwn(entities, name) ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }
