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
