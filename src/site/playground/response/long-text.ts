/** The longest time that the page is blocked at once, in ms. */
const maxBlocked = 25

/** The deepest level that is indented further. Limits the size of the result. */
const maxIndent = 40

/**
 * Formats JSON with one value per line. Values, keys and their order are unchanged: all digits, duplicate keys, escapes. Waits for `pause` often,
 * so that the page stays usable while it formats megabytes. Returns `undefined` for invalid JSON, or if `pause` resolves with `false`.
 */
export async function formatJson(text: string, pause: () => Promise<boolean>): Promise<string | undefined> {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const parts: string[] = []
  let pieces: string[] = []
  let depth = 0
  let startedAt = performance.now()
  const breakLine = () => pieces.push('\n', '  '.repeat(Math.min(depth, maxIndent)))
  for (let at = 0; at < text.length; ) {
    if (pieces.length > 20_000) {
      parts.push(pieces.join(''))
      pieces = []
      if (performance.now() - startedAt > maxBlocked) {
        if (!(await pause())) return undefined
        startedAt = performance.now()
      }
    }
    const start = at
    const character = text[at] ?? ''
    at += 1
    if (character === '"') {
      at = findEndOfString(text, start)
      pieces.push(text.slice(start, at))
    } else if (character === '{' || character === '[') {
      pieces.push(character)
      at = skipSpace(text, at)
      const next = text[at]
      if (next === '}' || next === ']') {
        pieces.push(next)
        at += 1
      } else {
        depth += 1
        breakLine()
      }
    } else if (character === '}' || character === ']') {
      depth -= 1
      breakLine()
      pieces.push(character)
    } else if (character === ',') {
      pieces.push(character)
      breakLine()
    } else if (character === ':') {
      pieces.push(': ')
    } else if (!isSpace(character)) {
      while (at < text.length && /[^\s,:\]}]/.test(text[at] ?? '')) at += 1
      pieces.push(text.slice(start, at))
    }
  }
  return parts.join('') + pieces.join('')
}

/** The offset after the string that starts at an offset. */
function findEndOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text[at] ?? '')) at += 1
  return at
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
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
