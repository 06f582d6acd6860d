/** The class of the color of a JSON token: key, string, number, or `true`, `false` and `null`. */
type JsonColor = 'f' | 's' | 'n' | 'k'

/**
 * Matches the tokens of JSON that have a color. The groups are a string, and the colon after it if it is a key. Everything between the
 * matches is whitespace or punctuation. For use with `replace` and `matchAll`.
 */
export const jsonToken = /((?<!\\)"(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g

/** The color of a match of `jsonToken`. */
export function toJsonColor(match: string): JsonColor {
  if (match.startsWith('"')) return match.endsWith(':') ? 'f' : 's'
  return /^[-\d]/.test(match) ? 'n' : 'k'
}
