/** A mapping from JSON or YAML: not a list and not `null`. */
export type JsonObject = { readonly [key: string]: unknown }

/** Whether a value is a mapping. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an object's own key, so that untrusted names such as `constructor` return nothing. */
export function readOwn<Value>(table: { readonly [name: string]: Value } | undefined, name: string): Value | undefined
export function readOwn(value: unknown, key: string): unknown
export function readOwn(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Reads an object's own key, or an entry of a list. */
export function readStep(value: unknown, step: string | number): unknown {
  return isContainer(value) && Object.hasOwn(value, step) ? value[step as keyof typeof value] : undefined
}

/** Sets an object's own key, `__proto__` too. */
export function setOwn(object: object, key: string | number, value: unknown): void {
  // An assignment to `__proto__` would change the prototype. Others are faster.
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key as keyof typeof object] = value as never
}

/** The value if it is a string. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The entries of an object; empty for any other value. */
export function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

/** The value if it is a list; an empty list otherwise. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The entries of an object with a string value. */
export function stringEntries(value: object): { [key: string]: string } {
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** The objects of a list; none if the value is not a list. */
export function listObjects(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject)
}

/** Whether lists and objects are nested more than `limit` levels (at most 1,000), which would overflow recursive code. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (!isContainer(value)) return false
  if (limit === 0) return true
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, limit - 1))
  for (const name in value) if (isDeeperThan(readOwn(value, name), limit - 1)) return true
  return false
}

/** Whether a value is a list or a mapping. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** The pointer for a path. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${typeof step === 'number' ? step : escapePointerSegment(step)}`).join('')
}

/** Escapes a segment of a JSON Pointer: `~` as `~0` and `/` as `~1`. Source: RFC 6901, section 3. */
export function escapePointerSegment(segment: string): string {
  return segment.includes('~') || segment.includes('/') ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment
}

/** Unescapes a segment. Source: RFC 6901, section 4. */
export function unescapePointerSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment
}

/** Appends a segment to a pointer. */
export function pointerChild(pointer: string, segment: string | number): string {
  return typeof segment === 'number' ? `${pointer}/${segment}` : `${pointer}/${escapePointerSegment(segment)}`
}

/** The unescaped segments of a pointer, none for `''`. Source: RFC 6901, section 4. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  const segments = pointer.slice(1).split('/')
  if (!pointer.includes('~')) return segments
  return segments.map(unescapePointerSegment)
}

/** Whether `pointer` equals `around` or is inside it. */
export function isWithin(pointer: string, around: string): boolean {
  return pointer === around || pointer.startsWith(`${around}/`)
}

/** The pointer of the parent value. The parent of `''` is `''`. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
}

/**
 * The value at a pointer, or `undefined` if a segment is missing.
 *
 * Only own keys are followed, so `/constructor` in an untrusted document finds nothing.
 */
export function valueAtPointer(value: unknown, pointer: string): unknown {
  let current = value
  for (const segment of parsePointer(pointer)) {
    if (Array.isArray(current)) {
      if (!/^(0|[1-9]\d*)$/.test(segment)) return undefined
      current = current[Number(segment)]
    } else {
      current = readOwn(current, segment)
    }
  }
  return current
}

/** The value of a JSON text; `undefined` if it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * How integers above 2^53 are read: `rounded` to a JavaScript number, as most tools do, or `exact` as a `bigint` for documents that are
 * written again.
 */
export type IntegerReading = 'rounded' | 'exact'

/** Whether text may contain an integer that a number cannot represent. */
export function mayHaveLargeIntegers(text: string): boolean {
  return /\d{16}/.test(text)
}

/** Returns a `bigint` for an integer that a number cannot represent. */
export function toExactInteger(value: unknown, written: string): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^[-+]?\d+$/.test(written)
  return isRounded ? BigInt(written.replace('+', '')) : value
}

/** Parses JSON with exact integers. Throws like `JSON.parse`. */
export function parseExactJson(text: string): unknown {
  const parse = JSON.parse as ParseWithSource // TypeScript lacks the reviver's third argument: ECMAScript, "JSON.parse source text access".
  return parse(text, (_, value, context) => (context.source === undefined ? value : toExactInteger(value, context.source)))
}

type ParseWithSource = (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown

/** Writes JSON with exact integers. */
export function stringifyExactJson(value: unknown, indent: number): string {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown } // As above.
  return JSON.stringify(value, (_, entry: unknown) => (typeof entry === 'bigint' ? rawJSON(String(entry)) : entry), indent)
}
