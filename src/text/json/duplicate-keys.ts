import {
  decodeWithoutCaching,
  type OffsetRange,
  type SourceFile,
  type SyntaxProblem,
  toDuplicateKeyProblem,
} from '../plain/source-file.ts'
import { isContainer, pointerChild } from './json-values.ts'

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
  const waiting: object[] = isContainer(top) ? [top] : []
  for (let value = waiting.pop(); value; value = waiting.pop()) {
    const entries: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (!Array.isArray(value)) count += entries.length
    for (const entry of entries) if (isContainer(entry)) waiting.push(entry)
  }
  return count
}

/** A mapping or list that is not closed yet. */
interface Open {
  readonly pointer: string
  /** The keys of a mapping, `undefined` for a list. */
  readonly keys: Map<string, OffsetRange> | undefined
  /** The key or index of the value that follows. */
  child: string | number
}

function listDuplicates(text: string): SyntaxProblem[] {
  const faults: SyntaxProblem[] = []
  const open: Open[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    const around = open.at(-1)
    if (character === '{' || character === '[') {
      const pointer = around ? pointerChild(around.pointer, around.child) : ''
      open.push(character === '{' ? { pointer, keys: new Map(), child: '' } : { pointer, keys: undefined, child: 0 })
    } else if (character === '}' || character === ']') open.pop()
    else if (character === ',' && typeof around?.child === 'number') around.child++
    else if (character === '"') {
      const offsets = { start: at, end: endOfString(text, at) }
      at = offsets.end - 1
      if (!around?.keys || !/^\s*:/.test(text.slice(offsets.end, offsets.end + 1_000))) continue
      const key = JSON.parse(text.slice(offsets.start, offsets.end)) as string // The offsets of a string in valid JSON.
      around.child = key
      const first = around.keys.get(key)
      if (!first) around.keys.set(key, offsets)
      else faults.push({ ...toDuplicateKeyProblem(key, offsets, first), pointer: pointerChild(around.pointer, key) })
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
