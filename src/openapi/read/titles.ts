import { findOwn, isObject, listOf, readOwn, readText } from '../../text/json/json-values.ts'
import type { ExternalDocs, Label, LabelColor } from '../types.ts'

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

/** An `operationId` in words: `list_auto_moderation_rules` is "List auto moderation rules". `undefined` if it has no letters. */
export function toWordsOfId(operationId: string): string | undefined {
  const spaced = operationId.replace(/(\p{Lu}{2})(\p{Lu}\p{Ll})/gu, '$1 $2').replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
  const words = spaced.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)
  return /\p{L}/u.test(operationId) ? toSentence(words) : undefined
}

/** Converts an identifier such as `code-scanning` to "Code scanning". Names with capital letters or spaces only get a capital first letter. */
export function toReadableName(name: string): string {
  const isIdentifier = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(name)
  return isIdentifier ? toSentence(name.split(/[-_]/)) : name.charAt(0).toUpperCase() + name.slice(1)
}

/** Words as a sentence. Abbreviations such as `API` keep their capital letters, versions such as `v1` have none. */
function toSentence(words: readonly string[]): string {
  const text = words.map(toSentenceWord).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function toSentenceWord(word: string): string {
  const lower = word.toLowerCase()
  if (/^v\d+$/.test(lower)) return lower
  return acronyms.get(lower) ?? (word.length > 1 && word === word.toUpperCase() ? word : lower)
}

const acronyms: ReadonlyMap<string, string> = new Map(
  'API APIs CDN CI CLI CSV DNS HTTP ID IDs IP JSON JWT OAuth OAuth2 OIDC OpenID PDF SAML SCIM SDK SKU SKUs SMS SQL SSH SSL SSO TLS UI URL URLs VM VPC VPN XML'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
)

/** The most labels of one object, and the most characters of a label. */
const maxLabels = 8
const maxLength = 40

const none: readonly Label[] = []

/**
 * Reads the labels of an operation, parameter or schema: `x-badges` (Redocly, Scalar), `x-mint.pre` and `post` (Mintlify), `x-beta`, `x-stability-level` (oasdiff), and the
 * date of `x-sunset` or `sunset`. Values of the wrong type are ignored. Labels with the same text are shown once.
 *
 * @param shownFields Further fields whose values are labels. If the value is `true`, the name of the field is the label.
 */
export function readLabels(value: unknown, shownFields: readonly string[] = []): readonly Label[] {
  if (!isObject(value)) return none
  if (findOwn(value, fields) === undefined && findOwn(value, shownFields) === undefined) return none
  const { 'x-badges': badges, 'x-mint': mint, 'x-beta': beta, 'x-stability-level': stability } = value
  const { pre, post } = isObject(mint) ? mint : {}
  const found = [
    ...listOf(pre).flatMap((text) => toLabel(text, 'before')),
    ...listOf(badges).flatMap(toBadge),
    ...(beta === true ? toLabel('Beta', 'after', 'violet') : []),
    ...toStability(stability),
    ...shownFields.flatMap((field) => toFieldLabels(field, readOwn(value, field))),
    ...listOf(post).flatMap((text) => toLabel(text, 'after')),
    ...toSunset(value['x-sunset'] ?? value['sunset']),
  ]
  return [...new Map(found.map((label) => [label.text.toLowerCase(), label])).values()].slice(0, maxLabels)
}

const fields = ['x-badges', 'x-mint', 'x-beta', 'x-stability-level', 'x-sunset', 'sunset']

function toLabel(text: unknown, position: Label['position'], color?: LabelColor): Label[] {
  const line = typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : ''
  const cut = line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line
  return line === '' ? [] : [{ text: cut, position, ...(color && { color }) }]
}

function toFieldLabels(field: string, value: unknown): Label[] {
  const values = value === true ? [field] : Array.isArray(value) ? value.slice(0, maxLabels) : [value]
  return values.flatMap((one: unknown) => toLabel(typeof one === 'number' ? String(one) : one, 'after'))
}

function toBadge(badge: unknown): Label[] {
  if (!isObject(badge)) return []
  const { name, position, color } = badge
  return toLabel(name, position === 'before' ? 'before' : 'after', typeof color === 'string' ? toColor(color) : undefined)
}

function toStability(level: unknown): Label[] {
  if (typeof level !== 'string' || /^(?:stable|ga)$/i.test(level.trim())) return []
  return toLabel(level.charAt(0).toUpperCase() + level.slice(1), 'after', 'violet')
}

/** A date as in RFC 3339. */
function toSunset(date: unknown): Label[] {
  const day = typeof date === 'string' ? /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(date.trim())?.[0] : undefined
  return day === undefined ? [] : toLabel(`Sunset ${day}`, 'after', 'amber')
}

/** The names of colors and states that `x-badges` can have. */
const colors: ReadonlyMap<string, LabelColor> = new Map(
  (
    [
      ['green', 'green turquoise grass persian-green success approved active'],
      ['amber', 'orange carrot yellow warning pending deprecated'],
      ['red', 'red raspberry error declined'],
      ['blue', 'blue sky blueberry processing product'],
      ['violet', 'purple magenta violet pink'],
    ] as const
  ).flatMap(([color, names]) => names.split(' ').map((name) => [name, color] as const)),
)

/** The nearest color of a name, or of a hexadecimal color by its hue; `undefined` for grey and other colors. */
function toColor(written: string): LabelColor | undefined {
  const name = written.trim().toLowerCase()
  const hex = /^#(?:([\da-f])([\da-f])([\da-f])|([\da-f]{2})([\da-f]{2})([\da-f]{2}))$/.exec(name)
  if (!hex) return colors.get(name)
  const [red = 0, green = 0, blue = 0] = hex.slice(1).flatMap((digits: string | undefined) => {
    return digits === undefined ? [] : Number.parseInt(digits.length === 1 ? digits + digits : digits, 16)
  })
  const max = Math.max(red, green, blue)
  const range = max - Math.min(red, green, blue)
  if (range < 40) return undefined
  const sector = max === red ? (green - blue) / range : max === green ? 2 + (blue - red) / range : 4 + (red - green) / range
  const hue = (sector * 60 + 360) % 360
  if (hue < 20 || hue >= 335) return 'red'
  if (hue < 65) return 'amber'
  if (hue < 175) return 'green'
  return hue < 255 ? 'blue' : 'violet'
}

/** The External Documentation Object of another one; absent if it has no URL. */
export function readExternalDocs(owner: unknown): ExternalDocs | undefined {
  const docs = readOwn(owner, 'externalDocs')
  const url = readText(docs, 'url')
  return url === undefined ? undefined : { url, description: readText(docs, 'description') }
}
