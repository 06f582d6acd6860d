import type { SyntaxFault } from './parse-source.ts'
import { bytesOf, type SourceFile, textOnce } from './source-file.ts'

const quote = 0x22

const backslash = 0x5c

const colon = 0x3a

/**
 * Finds keys that stand twice in one mapping of a JSON text that `JSON.parse` accepts; `value` is what that made of it.
 *
 * Whether there are any is told by counting: as many keys as the value has, and as many colons as stand outside of strings. Only where
 * the two differ are the keys of each mapping compared.
 */
export function findDuplicateKeys(source: SourceFile, value: unknown): SyntaxFault[] {
  const keys = countKeys(value)
  return keys === countQuotedColons(textOnce(source)) || keys === countColons(bytesOf(source)) ? [] : listDuplicates(source.text)
}

/**
 * Counts the colons behind a quote: those of all keys, and some within strings, so that what is no more than the keys is just these.
 *
 * Most texts have none of the others. The expression is compiled sooner than a loop over the bytes, which would take two compilers even
 * for a small document.
 */
function countQuotedColons(text: string): number {
  return text.match(/"[ \t\r\n]*:/g)?.length ?? 0
}

function countColons(bytes: Buffer): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at]
    if (code === colon) count++
    else if (code === quote) {
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
    }
  }
  return count
}

/** With a list of its own and not by recursion, as JSON can be nested deeper than the stack. */
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

function listDuplicates(text: string): SyntaxFault[] {
  const faults: SyntaxFault[] = []
  /** The keys of each mapping around the current place; `undefined` for a list. */
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
      const key = JSON.parse(text.slice(offsets.start, offsets.end)) as string // A string, as it stands in valid JSON.
      const first = keys.get(key)
      if (first) faults.push(toFault(key, offsets, first))
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

function toFault(key: string, offsets: SyntaxFault['offsets'], first: SyntaxFault['offsets']): SyntaxFault {
  return {
    code: 'duplicate-key',
    message: `Unexpected duplicate key \`${key}\``,
    offsets,
    related: { offsets: first, message: 'first used here' },
    hint: 'remove or rename one of the two',
  }
}

/**
 * How integers over 2^53 are read: `rounded` to a number as JavaScript has them, which is what tools see, or `exact` as a `bigint`, for a
 * document that is written again.
 */
export type IntegerReading = 'rounded' | 'exact'

/** Whether a text may have an integer that a number cannot hold. */
export function mayHaveLargeIntegers(text: string): boolean {
  return /\d{16}/.test(text)
}

/** The integer that a text is, as a `bigint` where a number cannot hold it. */
export function toExactInteger(value: unknown, written: string): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^[-+]?\d+$/.test(written)
  return isRounded ? BigInt(written.replace('+', '')) : value
}

/** Reads a JSON text with integers as they are written. Throws as `JSON.parse` does. */
export function parseExactJson(text: string): unknown {
  const parse = JSON.parse as ParseWithSource // TypeScript does not know yet what a reviver is told: ECMAScript, "JSON.parse source text access".
  return parse(text, (_, value, context) => (context.source === undefined ? value : toExactInteger(value, context.source)))
}

type ParseWithSource = (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown

/** Writes JSON with integers as they were read. */
export function stringifyExactJson(value: unknown, indent: number): string {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown } // As above.
  return JSON.stringify(value, (_, entry: unknown) => (typeof entry === 'bigint' ? rawJSON(String(entry)) : entry), indent)
}
