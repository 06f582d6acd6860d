import { escapeText } from '../text/escape-text.ts'

const maxLength = 300

/** Where the Markdown stands: in a cell of a table a `|` inside code needs a backslash, elsewhere it would show one. */
export type MarkdownPlace = 'paragraph' | 'cell'

/**
 * Shows a stranger's text in GitHub's Markdown, on one line, so that it is only ever text: no markup, no HTML, no link, and
 * nobody is mentioned. What stands between backticks is shown as code. Long texts are cut.
 */
export function escapeMarkdown(text: string, place: MarkdownPlace): string {
  const parts = cut(text).split('`')
  // Backticks that do not come in pairs were written by the stranger.
  if (parts.length % 2 === 0) return parts.map(escapePlain).join('\\`')
  return parts.map((part, index) => (index % 2 === 0 ? escapePlain(part) : toCode(part, place))).join('')
}

/** Shows a stranger's text as code, on one line. Long texts are cut. */
export function toCode(text: string, place: MarkdownPlace): string {
  const shown = escapeText(cut(text))
  if (shown === '') return ''
  // A fence is longer than every run of backticks inside; code that begins or ends with one needs a blank there.
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const blank = longest > 0 || /^ .* $/.test(shown) ? ' ' : ''
  return fence + blank + (place === 'cell' ? shown.replaceAll('|', '\\|') : shown) + blank + fence
}

/**
 * Signs that begin something only at the start of a line need nothing, as no line starts with this text. A character of no
 * width keeps GitHub from making a mention, a reference or a link.
 */
function escapePlain(text: string): string {
  return escapeText(text)
    .replace(/[\\`*_[\]<>|~&$]/g, '\\$&')
    .replace(/[@#]/g, '$&&#8203;')
    .replace(/(https?|ftp|mailto|xmpp)(?=:)|www(?=\.)/gi, '$&&#8203;')
}

/** Code in which a cut text ended stays code: the backtick that was lost is put back. */
function cut(text: string): string {
  if (text.length <= maxLength) return text
  const shortened = text.slice(0, maxLength)
  return `${shortened}…${shortened.split('`').length % 2 === 0 ? '`' : ''}`
}
