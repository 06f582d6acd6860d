/**
 * The one place where text of strangers becomes GitHub's Markdown.
 *
 * Whatever a document, a path or a message holds: it stays text. It cannot mention a person, refer to an issue, become a link or an
 * image, break a table cell or a fence, or add HTML.
 */

/** Text on one line, with every character that Markdown or GitHub reads a meaning into taken apart. */
export function escapeMarkdown(text: string): string {
  return (
    toOneLine(text)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_~[\]{}()!$]/g, '\\$&')
      // GitHub looks for people, issues and addresses in the finished text, where an escape is gone: only a character between helps.
      .replaceAll(/[@#]/g, `$&${zeroWidthSpace}`)
      .replaceAll(/(gh)-(?=\d)/gi, `$1${zeroWidthSpace}-`)
      .replaceAll('://', `:${zeroWidthSpace}//`)
      .replaceAll(/(www)\./gi, `$1${zeroWidthSpace}.`)
      // At the start of a line these would begin a list or a heading.
      .replace(/^([-+=]+|\d+[.)])(?=\s|$)/, `${zeroWidthSpace}$1`)
      // Tables are cut into cells before anything else is read, so a backslash is not enough.
      .replaceAll('|', '&#124;')
  )
}

/** Code on one line: inside it GitHub neither mentions nor links. A text with `|` cannot be code in a table and stays text. */
export function renderCode(text: string): string {
  const line = toOneLine(text)
  if (line === '') return ''
  if (line.includes('|')) return escapeMarkdown(line)
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const needsSpace = line.startsWith('`') || line.endsWith('`') || (line.startsWith(' ') && line.endsWith(' '))
  return needsSpace ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`
}

/** A message of ours, in which backticks hold names: the names become code, the rest escaped text. */
export function renderMessage(message: string): string {
  const parts = message.split('`')
  // An odd count of backticks means that a name holds one: nothing can be told apart, so all of it is text.
  if (parts.length % 2 === 0) return escapeMarkdown(message)
  return parts.map((part, index) => (index % 2 === 1 ? renderCode(part) : escapeInside(part))).join('')
}

/** A link that shows `text` as code. Only http and https addresses become links. */
export function renderLink(text: string, url: string): string {
  const code = renderCode(text)
  const address = toSafeUrl(url)
  return address === undefined || code === '' ? code : `[${code}](${address})`
}

/** A link with words of ours. */
export function renderWordLink(words: string, url: string): string {
  const address = toSafeUrl(url)
  return address === undefined ? words : `[${words}](${address})`
}

/** The address of a line of a file as the web shows it at a commit. */
export function toBlobUrl(webUrl: string, sha: string, path: string, line: number): string {
  return `${webUrl}/blob/${sha}/${path.split('/').map(encodeURIComponent).join('/')}?plain=1#L${line}`
}

const zeroWidthSpace = '\u200B'

/** Between two names a part keeps its blanks, which `escapeMarkdown` would take off its ends. */
function escapeInside(part: string): string {
  const start = /^\s/.test(part) ? ' ' : ''
  const end = /\s$/.test(part) && part.trim() !== '' ? ' ' : ''
  return `${start}${escapeMarkdown(part)}${end}`
}

/** Line breaks and controls become one blank; what changes the direction of text, which could show one thing and be another, goes. */
function toOneLine(text: string): string {
  return (
    text
      // With the flag `u` only a half that has lost its partner matches.
      .replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD')
      .replaceAll(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '')
      .replaceAll(/[\s\u0000-\u001F\u007F-\u009F]+/g, ' ')
      .trim()
  )
}

function toSafeUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const escapes: Readonly<Record<string, string>> = { '(': '%28', ')': '%29', '|': '%7C', '<': '%3C', '>': '%3E', "'": '%27' }
  return href.replaceAll(/[()|<>']/g, (character) => escapes[character] ?? character)
}
