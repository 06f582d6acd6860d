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
