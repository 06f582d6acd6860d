/** A mapping from JSON or YAML: not a list and not `null`. */
export type JsonObject = { readonly [key: string]: unknown }

/** A value and its location. */
export interface Place {
  /** Path of its file relative to the boundary, or its URL. */
  readonly file: string
  readonly pointer: string
  readonly value: unknown
}

/** Whether a value is a mapping. */
export function isObject(value: unknown): value is JsonObject {
  return isContainer(value) && !Array.isArray(value)
}

/** Reads an object's own key, so that untrusted names such as `constructor` return nothing. */
export function readOwn<Value>(table: { readonly [name: string]: Value } | undefined, name: string): Value | undefined
export function readOwn(value: unknown, key: string): unknown
export function readOwn(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** The first of some keys that an object has. */
export function findOwn(object: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) if (Object.hasOwn(object, key)) return key
  return undefined
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

/** A string field; other types count as absent. */
export function readText(value: unknown, key: string): string | undefined {
  return stringOf(readOwn(value, key))
}

/** Whether a field is `true`. */
export function readFlag(value: unknown, key: string): boolean {
  return readOwn(value, key) === true
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

/** The strings of a list; none if the value is not a list. */
export function listTexts(value: unknown): readonly string[] {
  return listOf(value).filter((text) => typeof text === 'string')
}

/** The strings in a value that is not nested deeply, in order. `key`: their key, or that of the list around them. */
export function listStrings(value: unknown, pointer = '', key = ''): { key: string; pointer: string; text: string }[] {
  if (typeof value === 'string') return [{ key, pointer, text: value }]
  if (!isContainer(value)) return []
  return Object.entries(value).flatMap(([name, child]) =>
    listStrings(child, pointerChild(pointer, name), Array.isArray(value) ? key : name),
  )
}

/** Whether lists and objects are nested more than `limit` levels (at most 1,000), which would overflow recursive code. Visits keys such as `x-a` until then. */
export function isDeeperThan(value: unknown, limit: number, onExtension?: (key: string) => void): boolean {
  if (!isContainer(value)) return false
  if (limit === 0) return true
  // Without functions and lists of the values: this visits every value of a document.
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && isDeeperThan(item, limit - 1, onExtension)) return true
    return false
  }
  for (const key in value) {
    if (key.charCodeAt(1) === 45) onExtension?.(key)
    const item: unknown = value[key as keyof typeof value]
    if (typeof item === 'object' && isDeeperThan(item, limit - 1, onExtension)) return true
  }
  return false
}

/** Whether a value is a list or a mapping. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof WrittenNumber)
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
  return parsePointer(pointer).reduce(readSegment, value)
}

/** The value at a segment of a pointer, which is an index in a list. */
export function readSegment(value: unknown, segment: string): unknown {
  return Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(segment) ? undefined : readStep(value, segment)
}

/** The value of a JSON text; `undefined` if it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether such a number was made since the last `settleNumbers`. Most documents have none. */
let isUnsettled = false

/**
 * A number that JavaScript would write in another way than its document: `1.0`, `1e-05`, an integer above 2^53. As text and in JSON, it is as
 * written; in comparisons, it is a number.
 *
 * Documents have plain numbers, so that everything can compute with them. `readWritten` and `toWritten` return values to print or to send.
 */
export class WrittenNumber {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
    isUnsettled = true
  }

  valueOf(): number {
    return Number(this.#text)
  }

  toString(): string {
    return this.#text
  }

  /** Whether most languages would read another number. */
  get isRounded(): boolean {
    const digits = this.#text.replace(/e.*|\D/gi, '').replace(/^0+|0+$/g, '')
    if (digits === '' || digits.length > 17) return digits !== ''
    return (
      this.valueOf()
        .toExponential(digits.length - 1)
        .replace(/e.*|\D/g, '') !== digits
    )
  }

  toJSON(): unknown {
    const { rawJSON } = JSON as unknown as { rawJSON?(text: string): unknown } // TypeScript lacks it: ECMAScript, "JSON.parse source text access".
    return rawJSON ? rawJSON(this.#text) : this.valueOf()
  }
}

/** A number with its text, if JavaScript would write it in another way. `text` can have a form that only YAML has. */
export function toNumber(value: number, text: string): number | WrittenNumber {
  const digits = text.replace(/^\+/, '')
  if (String(value) === digits || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(digits)) return value
  return new WrittenNumber(digits)
}

/** The number, if a value is one. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return value instanceof WrittenNumber ? value.valueOf() : undefined
}

/** The value of a number without rounding, for comparisons: a `bigint` if it is an integer that a number cannot represent. */
export function toExactNumber(value: unknown): number | bigint | undefined {
  if (typeof value === 'bigint') return value
  const number = numberOf(value)
  return number !== undefined && !Number.isSafeInteger(number) && /^-?\d+$/.test(String(value)) ? BigInt(String(value)) : number
}

/** Parses JSON with its numbers as written. Throws like `JSON.parse`. */
export function parseWrittenJson(text: string): unknown {
  if (!(endsAsWritten.test(text) && mayHaveWritten.test(text))) return JSON.parse(text)
  const parse = JSON.parse as ParseWithSource // TypeScript lacks the reviver's third argument, as above.
  return parse(text, (_, value, context) =>
    typeof value === 'number' && context?.source !== undefined ? toNumber(value, context.source) : value,
  )
}

type ParseWithSource = (
  text: string,
  revive: (key: string, value: unknown, context?: { readonly source?: string }) => unknown,
) => unknown

/** The end of such a number, also in texts. Found in a fifth of the time, because digits are rarer than spaces. */
const endsAsWritten = /(?:-0|\d(?:\.\d*0|(?:\.\d+)?e[+-]?\d+|\d{15}|\.\d{15,}))\s*[,\]}]/i

/** Finds what can be such a number. Reading each number of a text takes long. */
const mayHaveWritten = /[:[,\s](?:-0|-?\d+(?:\.\d*0|(?:\.\d+)?e[+-]?\d+|\d{15}|\.\d{15,}))\s*[,\]}]/i

/** The written numbers of lists and mappings by key, and what is around them. */
const writtenIn = new WeakMap<object, Map<string, WrittenNumber>>()

/** Makes the numbers in a value plain ones, and keeps their texts for `withWritten`. */
export function settleNumbers(value: unknown): unknown {
  if (!isUnsettled) return value
  isUnsettled = false
  settleInside(value, new Set())
  return value instanceof WrittenNumber ? value.valueOf() : value
}

function settleInside(value: unknown, seen: Set<object>): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (seen.has(value)) return writtenIn.has(value)
  seen.add(value)
  const found = writtenIn.get(value) ?? new Map<string, WrittenNumber>()
  let hasSome = writtenIn.has(value)
  for (const [key, inner] of Object.entries(value)) {
    if (inner instanceof WrittenNumber) {
      found.set(key, inner)
      Object.defineProperty(value, key, { value: inner.valueOf(), enumerable: true, configurable: true, writable: true })
    }
    if (inner instanceof WrittenNumber || settleInside(inner, seen)) hasSome = true
  }
  if (hasSome) writtenIn.set(value, found)
  return hasSome
}

/** A list or mapping itself, or a copy in which its own numbers are as written. */
export function withWritten<Value>(value: Value): Value {
  const numbers = typeof value === 'object' && value !== null ? writtenIn.get(value) : undefined
  if (numbers === undefined || numbers.size === 0) return value
  isUnsettled = true
  const read = (key: string, plain: unknown) => {
    const written = numbers.get(key)
    return written?.valueOf() === plain ? written : plain
  }
  if (Array.isArray(value)) return value.map((one, index) => read(String(index), one)) as Value // As the original.
  return Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, read(key, one)])) as Value // As above.
}

/** Gives the numbers of a copy, which has some of the keys of its original, the texts that they have there. */
export function keepWritten<Copy extends object>(copy: Copy, original: object, indexes?: readonly number[]): Copy {
  const numbers = writtenIn.get(original)
  if (!numbers) return copy
  const kept = indexes ? indexes.map((from, to) => [String(to), numbers.get(String(from))] as const) : [...numbers]
  writtenIn.set(copy, new Map(kept.filter((entry): entry is [string, WrittenNumber] => entry[1] !== undefined)))
  return copy
}

/** A value in which all numbers are as written: itself, or a copy. */
export function toWritten(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !writtenIn.has(value)) return value
  const own: object = withWritten(value)
  if (Array.isArray(own)) return own.map(toWritten)
  return Object.fromEntries(Object.entries(own).map(([key, one]) => [key, toWritten(one)]))
}

/** The value of a key with its numbers as written. */
export function readWritten(holder: object, key: string | number): unknown {
  const value: unknown = Object.hasOwn(holder, key) ? holder[key as keyof typeof holder] : undefined
  const written = typeof value === 'number' ? writtenIn.get(holder)?.get(String(key)) : undefined
  return written?.valueOf() === value ? written : toWritten(value)
}
