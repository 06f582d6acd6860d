import { parseJson } from '../../text/json/json-values.ts'
import { readTokens } from './parse-tree.ts'

/** The longest time that the page is blocked at once, in ms. */
const maxBlocked = 25

/** The deepest level that is indented further. Limits the size of the result. */
const maxIndent = 40

/**
 * Formats JSON with one value per line. Values, keys and their order are unchanged: all digits, duplicate keys, escapes. Waits for `pause` often,
 * so that the page stays usable while it formats megabytes. Returns `undefined` for invalid JSON, or if `pause` resolves with `false`.
 */
export async function formatJson(text: string, pause: () => Promise<boolean>): Promise<string | undefined> {
  if (parseJson(text) === undefined) return undefined
  const parts: string[] = []
  let pieces: string[] = []
  let depth = 0
  let startedAt = performance.now()
  const breakLine = () => pieces.push('\n', '  '.repeat(Math.min(depth, maxIndent)))
  const isOpening = (token: string) => token === '{' || token === '['
  let previous = ''
  for (const [token] of readTokens(text)) {
    if (pieces.length > 20_000) {
      parts.push(pieces.join(''))
      pieces = []
      if (performance.now() - startedAt > maxBlocked) {
        if (!(await pause())) return undefined
        startedAt = performance.now()
      }
    }
    const isClosing = token === '}' || token === ']'
    // Empty objects and arrays stay on one line.
    const changesLevel = isOpening(previous) !== isClosing
    if (changesLevel) depth += isClosing ? -1 : 1
    if (changesLevel || previous === ',') breakLine()
    pieces.push(token === ':' ? ': ' : token)
    previous = token
  }
  return parts.join('') + pieces.join('')
}

/** The most characters of a line that are shown in one piece. Browsers take seconds to wrap a line of a megabyte. */
const maxLine = 10_000

/** Breaks very long lines. */
export function breakLines(text: string): string {
  const parts: string[] = []
  let done = 0
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    for (let at = start + maxLine; at < end; at += maxLine) {
      parts.push(text.slice(done, at), '\n')
      done = at
    }
    start = end + 1
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(done)
}

/** The most matches that are listed. */
export const maxMatches = 10_000

/** Returns a function that finds a string in a text, ignoring case. It lists at most `maxMatches`. */
export function toFinder(text: string): (query: string) => { readonly from: number; readonly to: number }[] {
  let lower: string | undefined
  return (query) => {
    const wanted = toLower(query)
    const found: { from: number; to: number }[] = []
    if (wanted === '') return found
    lower ??= toLower(text)
    for (let from = lower.indexOf(wanted); from >= 0 && found.length < maxMatches; from = lower.indexOf(wanted, from)) {
      const to = from + wanted.length
      found.push({ from, to })
      from = to
    }
    return found
  }
}

/** Lower case with the same length: only `İ` becomes longer. Source: Unicode, SpecialCasing.txt. */
function toLower(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase()
}
