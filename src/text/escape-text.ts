import { toOnce } from './to-once.ts'

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
/** Made on first need: to read `\p` takes V8 a part of the time in which a small document is checked. */
const unsafeCharacters = toOnce(() => new RegExp(`[${controls}${hidden}\\u{e0000}-\\u{e007f}]|\\p{Surrogate}`, 'gu'))
const unsafeAfterStringify = toOnce(() => new RegExp(`[\\x7f-\\x9f${hidden}]|\\udb40[\\udc00-\\udc7f]`, 'g'))
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
