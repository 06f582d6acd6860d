import { lazy } from './lazy.ts'

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
