import { lazy } from './lists.ts'

/**
 * Escapes untrusted text for one line of a terminal or log.
 *
 * Control characters, and characters that hide or reorder text, become `\n`, `\t` or `\u001b`. Workflow commands of CI systems
 * (`::error` at the start of a line, `##[group]` and `##vso[…]` anywhere) are escaped too.
 */
export function escapeText(text: string): string {
  if (!suspicious.test(text)) return text
  return text
    .replace(unsafeCharacters(), escapeCharacter)
    .replace(/^(\s*):(?=:)/, '$1\\u003a')
    .replace(/##(?=\w*\[)/g, '#\\u0023')
}

/** Escapes each line of a text, such as a stack. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeText).join('\n')
}

/**
 * Formats a value as indented JSON that is safe in a terminal or log and parses to the same value.
 *
 * `JSON.stringify` does not escape some of the characters that `escapeText` escapes, nor `##[` in a string.
 */
export function toSafeJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
    .replace(unsafeAfterStringify(), escapeUnit)
    .replace(/##(?=\w*\[)/g, '#\\u0023')
}

/**
 * Escapes the characters that change text direction, such as `\u202e`, and keeps everything else. For a whole HTML page, or a line of
 * escaped JSON.
 *
 * Source: Unicode Bidirectional Algorithm (UAX #9), section 2, "Directional Formatting Characters".
 */
export function escapeDirection(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, escapeUnit)
}

// C0 and C1 controls, DEL, line and paragraph separators, direction marks, invisible spaces and lone surrogates.
const controls = '\\x00-\\x1f\\x7f-\\x9f'
const hidden = '\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb'

/** Compiled on first use, because few strings need it. */
const unsafeCharacters = lazy(() => new RegExp(`[${controls}${hidden}\\u{e0000}-\\u{e007f}]|\\p{Surrogate}`, 'gu'))
const unsafeAfterStringify = lazy(() => new RegExp(`[\\x7f-\\x9f${hidden}]|\\udb40[\\udc00-\\udc7f]`, 'g'))
const suspicious = new RegExp(`[${controls}${hidden}\\ud800-\\udfff]|^\\s*::|##`)

const shortEscapes = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escapeCharacter(character: string): string {
  return shortEscapes.get(character) ?? escapeUnit(character)
}

function escapeUnit(character: string): string {
  let escaped = ''
  for (let index = 0; index < character.length; index++) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  }
  return escaped
}

/** Escapes text for HTML and for attributes in double quotes, like `preact-render-to-string`. */
export function escapeHtml(text: string): string {
  return /[&<"]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;') : text
}

/** Escapes text for the content of an element, where quotes stay as they are: code is full of them. */
export function escapeHtmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Reverses `escapeHtml`. */
export function unescapeHtml(text: string): string {
  return text.includes('&') ? text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&') : text
}

/** The parts of a text inside and outside of backticks, by turns. The first one is outside. An unpaired backtick is left unchanged. */
export const splitAtCode = (text: string): string[] => text.split(/`([^`]+)`/)

/** Escapes text for XML and for attributes. Characters that XML does not allow must be replaced first. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, (found) => `&#${found.charCodeAt(0)};`)
}

/** Joins the lines of trusted text. */
export function toOneLine(text: string): string {
  return text.replace(/(?<!\s)\s*\n\s*/g, ' ')
}

/**
 * Replaces control characters, except tabs and line ends, by U+FFFD. HTML and Markdown do not allow them.
 *
 * Source: HTML, "Preprocessing the input stream"; CommonMark, section 2.3.
 */
export function withoutControls(text: string): string {
  return unprintable.test(text) ? text.replace(new RegExp(unprintable, 'g'), '\uFFFD') : text
}

const unprintable = /[\0-\x08\x0b\x0e-\x1f\x7f]/

/**
 * Replaces characters that our files cannot contain by U+FFFD: lone surrogates (invalid in UTF-8), and U+FFFE and U+FFFF (invalid in
 * YAML 1.2.2, section 5.1). JSON escapes can produce them.
 */
export function toWellFormed(text: string): string {
  return text.replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd')
}

/**
 * The width of text in terminal cells: two for wide characters and emoji, none for combining marks.
 *
 * An approximation from Unicode properties, because terminals differ. The text must not contain control characters.
 */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += joining.test(character) ? 0 : wide.test(character) ? 2 : 1
  return width
}

const joining = /^(?:\p{Mark}|\u200c|\u200d|\p{Emoji_Modifier})$/u
const wide =
  /^[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u

/** Formats attributes as `name="value"`, separated by spaces. Escapes the values. */
export function toXmlAttributes(values: { readonly [name: string]: string | number }): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(toWellFormed(escapeText(String(value))))}"`)
    .join(' ')
}

/** Escapes lines for the content of an element and joins them. They must be free of control characters, such as after `escapeText`. */
export function toXmlLines(lines: readonly string[]): string {
  return lines.map((line) => escapeXml(toWellFormed(line))).join('\n')
}

/**
 * Replaces probable secrets with `***`: GitHub tokens, API tokens of this app, `Authorization` values, JSON Web Tokens, user names and
 * passwords in URLs, and PEM private keys (also with escaped newlines, in base64, or truncated). Linear in the length of the text.
 *
 * Logs, records, error messages and the output of Git all pass through this function. It is a second line of defense: callers keep
 * secrets out of messages in the first place.
 */
export function maskSecrets(text: string): string {
  let masked = text
  for (const [pattern, replacement] of patterns) masked = masked.replace(pattern, replacement)
  return masked.includes('eyJ') ? masked.replace(/[\w.-]+/g, maskJsonWebToken) : masked
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '*** (private key)'],
  // The same in base64, as `PRIVATE_KEY` may be given.
  [/LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]+/g, '*** (private key)'],
  [/\b(gh[opsur]_)[A-Za-z0-9_.-]{8,}/g, '$1***'],
  [/\b(github_pat_)[A-Za-z0-9_]{8,}/g, '$1***'],
  [/\b(opk_)[A-Za-z0-9_-]{8,}/g, '$1***'],
  [/\b((?:bearer|basic|token)\s+)(?!\*\*\*)[A-Za-z0-9._~+/-]{16,}=*/gi, '$1***'],
  [/\b(authorization: *\w+ +)(?!\*\*\*)[^\s"',]+/gi, '$1***'],
  // A token may be the user name. The scheme is not part of the pattern: it may be missing, and the search stays linear.
  [/(\/\/)[^\s/?#"]*@/g, '$1***@'],
]

/** Masks everything from a possible JSON Web Token header to its signature. */
function maskJsonWebToken(word: string): string {
  const parts = word.split('.')
  const first = parts.findIndex((part, index) => {
    const start = part.indexOf('eyJ')
    return start !== -1 && part.length - start >= 11 && (parts[index + 1]?.length ?? 0) >= 8 && index + 2 < parts.length
  })
  if (first === -1) return word
  const header = parts[first] ?? ''
  const before = [...parts.slice(0, first), header.slice(0, header.indexOf('eyJ'))].join('.')
  return [`${before}*** (JWT)`, ...parts.slice(first + 3)].join('.')
}
