import { decodeWithoutCaching, type SourceFile, type SyntaxProblem, toDuplicateKeyProblem } from '../plain/source-file.ts'

/**
 * Finds duplicate keys in valid JSON. `value` is its parsed value.
 *
 * Text without duplicates has as many keys as its value, so keys are only compared if the counts differ. The pattern also counts colons
 * in strings, such as in `"\\":"`, which only costs an unnecessary comparison.
 */
export function findDuplicateKeys(source: SourceFile, value: unknown): SyntaxProblem[] {
  const text = decodeWithoutCaching(source)
  const mostKeys = text.match(/"[ \t\r\n]*:/g)?.length ?? 0
  return countKeys(value) === mostKeys ? [] : listDuplicates(text)
}

/** Not recursive, because JSON can be nested deeper than the stack. */
function countKeys(top: unknown): number {
  let count = 0
  const waiting: object[] = typeof top === 'object' && top !== null ? [top] : []
  for (let value = waiting.pop(); value; value = waiting.pop()) {
    const entries: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (!Array.isArray(value)) count += entries.length
    for (const entry of entries) if (typeof entry === 'object' && entry !== null) waiting.push(entry)
  }
  return count
}

function listDuplicates(text: string): SyntaxProblem[] {
  const faults: SyntaxProblem[] = []
  /** The keys of each enclosing mapping, `undefined` for a list. */
  const open: (Map<string, { readonly start: number; readonly end: number }> | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{') open.push(new Map())
    else if (character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const offsets = { start: at, end: endOfString(text, at) }
      at = offsets.end - 1
      const keys = open.at(-1)
      if (!keys || !/^\s*:/.test(text.slice(offsets.end, offsets.end + 1_000))) continue
      const key = JSON.parse(text.slice(offsets.start, offsets.end)) as string // The offsets of a string in valid JSON.
      const first = keys.get(key)
      if (first) faults.push(toDuplicateKeyProblem(key, offsets, first))
      else keys.set(key, offsets)
    }
  }
  return faults
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1
    if (text[at] === '\\') at++
  }
  return text.length
}
