import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { escapeText, escapeXml, toOneLine } from '../../text/plain/escape-text.ts'
import { encodeFilePath, isUrl } from '../../text/plain/urls.ts'
import type { Feedback } from './feedback.ts'

/**
 * The only module that turns untrusted text into Markdown for GitHub.
 *
 * Text from a document, a path or a message is rendered as plain text, on one line and cut at 300 characters. It cannot mention a
 * person, reference an issue or commit, become a link, image, formula or emoji, break a table cell or a fence, or add HTML.
 */

/** Escapes every character that has a meaning in Markdown or on GitHub. */
export function escapeMarkdown(text: string): string {
  return escapePlain(cut(text))
}

/** Inline code, in which GitHub creates no mentions or links. */
export function renderCode(text: string): string {
  return toCode(cut(text))
}

/** Code in an HTML block such as `<summary>`, where Markdown has no effect. */
export function renderHtmlCode(text: string): string {
  // GitHub also finds formulas in HTML.
  return `<code>${escapeXml(escapeText(cut(text))).replaceAll('$', '&#36;')}</code>`
}

/** A message with names in backticks: renders the names as code and escapes the rest. */
export function renderMessage(message: string): string {
  const parts = cut(message).split('`')
  // An odd number of backticks means that a name contains one, so names and text cannot be distinguished. Render all of it as
  // text.
  if (parts.length % 2 === 0) return escapePlain(parts.join('`'))
  return parts.map((part, index) => (index % 2 === 1 ? toCode(part) : escapePlain(part))).join('')
}

/** A link that shows `text` as code. Only http and https URLs become links. */
export function renderLink(text: string, url: string): string {
  const code = renderCode(text)
  const address = toSafeUrl(url)
  return address === undefined || address.length > longestLink || code === '' ? code : `[${code}](${address})`
}

/** A link that shows untrusted text as text. */
export function renderTextLink(text: string, url: string): string {
  const words = escapeMarkdown(text)
  const address = toSafeUrl(url)
  return address === undefined || address.length > longestLink || words === '' ? words : `[${words}](${address})`
}

/**
 * A linked screenshot for the reader's light or dark theme; empty when a URL is invalid. The alternative text must be trusted.
 */
export function renderScreenshot({ light, dark }: { light: string; dark: string }, url: string, alternative: string): string {
  const [address, lightUrl, darkUrl] = [url, light, dark].map(toSafeUrl)
  if (address === undefined || lightUrl === undefined || darkUrl === undefined) return ''
  const source = `<source media="(prefers-color-scheme: dark)" srcset="${darkUrl}">`
  return `<a href="${address}"><picture>${source}<img src="${lightUrl}" width="640" alt="${alternative}"></picture></a>`
}

/** A link with trusted text. */
export function renderTrustedLink(words: string, url: string): string {
  const address = toSafeUrl(url)
  return address === undefined ? words : `[${words}](${address})`
}

/** The URL of a file, or of one of its lines, at a commit. */
export function toBlobUrl(webUrl: string, sha: string, path: string, line?: number): string {
  const place = line === undefined ? '' : `?plain=1#L${line}`
  return `${webUrl}/blob/${sha}/${encodeFilePath(path)}${place}`
}

const maxLength = 300

/** Longer URLs are not linked: no real path is this long, and a few hundred of them would fill a summary. */
const longestLink = 2_000
const gap = '\u200B'

function escapePlain(text: string): string {
  return (
    escapeText(text)
      // Four spaces at the start of a line would begin a code block.
      .replaceAll(/ {2,}/g, ' ')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_~[\]{}()!$]/g, '\\$&')
      // GitHub searches the rendered text, without escapes, for people, issues, commits, emoji and URLs. An invisible character
      // prevents a match.
      .replaceAll(/[@#]/g, `$&${gap}`)
      .replaceAll(/(?<![0-9a-z])(gh|ghsa|cve)-(?=\w)/gi, `$1${gap}-`)
      .replaceAll(/(?<![0-9a-z])[0-9a-f]{7,}(?![0-9a-z])/gi, (run) => run.replaceAll(/.{6}(?=.)/g, `$&${gap}`))
      .replaceAll(/:(?=[\w+-]+:)/g, `:${gap}`)
      .replaceAll(/:(?=\/\/)|(?<=mailto|xmpp):/gi, `:${gap}`)
      .replaceAll(/(www)\./gi, `$1${gap}.`)
      // At the start of a line these would begin a list or a heading.
      .replace(/^([-+=]+|\d+[.)])(?=\s|$)/, `${gap}$1`)
      // GitHub splits tables into cells first, so a backslash is not enough.
      .replaceAll('|', '&#124;')
  )
}

function toCode(text: string): string {
  const shown = escapeText(text)
  if (shown.trim() === '') return ''
  // In a table, `|` ends the cell even within backticks.
  if (shown.includes('|')) return `<code>${escapePlain(text)}</code>`
  // The fence must be longer than every run of backticks inside. Code that begins or ends with a backtick needs a space there.
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const blank = longest > 0 || /^ .* $/.test(shown) ? ' ' : ''
  return fence + blank + shown + blank + fence
}

/** Closes inline code that the cut left open. */
function cut(text: string): string {
  if (text.length <= maxLength) return text
  const shortened = text.slice(0, maxLength)
  const isOpen = shortened.split('`').length % 2 === 0 && text.split('`').length % 2 === 1
  return `${shortened}…${isOpen ? '`' : ''}`
}

function toSafeUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const escapes: Readonly<Record<string, string>> = { '(': '%28', ')': '%29', '|': '%7C', '<': '%3C', '>': '%3E', "'": '%27' }
  return href.replaceAll(/[()|<>']/g, (character) => readOwn(escapes, character) ?? character)
}

/** The location of a diagnostic as a link to its line at the commit. A document at a URL is not linked. */
export function renderLocation(
  { file, range }: Pick<Diagnostic, 'file' | 'range'>,
  feedback: Pick<Feedback, 'webUrl' | 'headSha'>,
): string {
  const place = `${file}:${range.start.line}`
  return isUrl(file) ? renderCode(place) : renderLink(place, toBlobUrl(feedback.webUrl, feedback.headSha, file, range.start.line))
}

/** The message and the hint: `Unexpected field … Did you mean …?` */
export function renderProblem({ message, hint }: Pick<Diagnostic, 'message' | 'hint'>): string {
  if (hint === undefined) return renderMessage(message)
  const shown = toOneLine(hint)
  return `${renderMessage(message)}. ${renderMessage(shown.charAt(0).toUpperCase() + shown.slice(1))}`
}
