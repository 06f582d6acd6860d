import { yieldToBrowser } from '../loading.tsx'

/** The longest time that the page is blocked at once, in ms. */
const maxBlocked = 25

/** The deepest level that is indented further. Limits the size of the result. */
const maxIndent = 40

/**
 * Formats JSON with one value per line. Values, keys and their order stay as they are: all digits, duplicate keys, escapes. Pauses often, so that
 * the page stays usable while it formats megabytes. Returns `undefined` for invalid JSON, or if it is aborted.
 */
export async function formatJson(text: string, signal?: AbortSignal): Promise<string | undefined> {
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
        await yieldToBrowser()
        if (signal?.aborted) return undefined
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

/** The most matches that are listed. */
export const maxMatches = 10_000

/** Finds a string, ignoring case. Lists at most `maxMatches`. */
export function findText(text: string, query: string): { readonly from: number; readonly to: number }[] {
  if (query === '') return []
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi')
  const found: { from: number; to: number }[] = []
  for (let match = pattern.exec(text); match && found.length < maxMatches; match = pattern.exec(text)) {
    found.push({ from: match.index, to: match.index + match[0].length })
  }
  return found
}
