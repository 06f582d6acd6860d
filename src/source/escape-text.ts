import { lazy } from './lazy.ts'

/**
 * Shows a stranger's text on one line of a terminal or log so that it is only ever text.
 *
 * Characters that a terminal obeys, or that hide or turn round what stands beside them, become `\n`, `\t` or `\u001b`. What a CI
 * system takes for a command of its own — `::error` at the start of a line, `##[group]` and `##vso[…]` anywhere — is broken the
 * same way.
 */
export function escapeText(text: string): string {
  if (!suspicious.test(text)) return text
  return text
    .replace(unsafeCharacters(), escapeCharacter)
    .replace(/^(\s*):(?=:)/, '$1\\u003a')
    .replace(/##(?=\w*\[)/g, '#\\u0023')
}

/**
 * Writes a value as indented JSON that is safe on a terminal and in a log, and reads back as the same value.
 *
 * `JSON.stringify` leaves some of the characters that `escapeText` escapes, and `##[` inside a string.
 */
export function toSafeJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
    .replace(unsafeAfterStringify(), escapeUnit)
    .replace(/##(?=\w*\[)/g, '#\\u0023')
}

/**
 * Writes the characters that turn the direction of the text around them as `\u202e`, and leaves all else: for a whole HTML page, or a line of
 * JSON, which is escaped already. `escapeText` and Markdown show them the same way.
 *
 * Source: Unicode Bidirectional Algorithm (UAX #9), section 2, "Directional Formatting Characters".
 */
export function escapeDirection(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, escapeUnit)
}

// C0 and C1 controls, DEL, line and paragraph separators, signs of direction, invisible blanks and halves of a pair.
const controls = '\\x00-\\x1f\\x7f-\\x9f'
const hidden = '\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb'

/** Compiled on first use: few texts need it. */
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

/** Our own text of several lines on one, for where a line is all there is. */
export function toOneLine(text: string): string {
  return text.replace(/(?<!\s)\s*\n\s*/g, ' ')
}

/**
 * A text without the characters that HTML and Markdown have no place for, each replaced by U+FFFD: controls but for tabs and ends of lines.
 *
 * Source: HTML, "Preprocessing the input stream"; CommonMark, section 2.3.
 */
export function withoutControls(text: string): string {
  return unprintable.test(text) ? text.replace(new RegExp(unprintable, 'g'), '\uFFFD') : text
}

const unprintable = /[\0-\x08\x0b\x0e-\x1f\x7f]/

/**
 * Replaces by U+FFFD what no file of ours can hold: halves of surrogate pairs, which UTF-8 cannot write, and U+FFFE and U+FFFF, which YAML
 * cannot (YAML 1.2.2, section 5.1). JSON escapes can bring them in.
 */
export function toWellFormed(text: string): string {
  return text.replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd')
}

/**
 * How many cells of a terminal a text takes: two for wide characters and emoji, none for marks that join the one before.
 *
 * An approximation by Unicode properties, as terminals differ among themselves; the text has no control characters.
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
