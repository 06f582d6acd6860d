import { isObject } from '../../text/is-object.ts'

/**
 * The name of a key while parts are joined: a key that begins with `$` gets a mark in front.
 *
 * So the library that joins them sees the references to parts and no others: neither those within the document, which are right already,
 * nor a `$ref` in an example, which is data.
 */
export function maskKey(key: string): string {
  return key.startsWith('$') || key.startsWith(mark) ? mark + key : key
}

/** The same value with all its keys masked; a value of unknown meaning is copied like this. */
export function maskKeys(value: unknown): unknown {
  return renameKeys(value, maskKey)
}

/** The opposite of `maskKeys`. */
export function unmaskKeys(value: unknown): unknown {
  return renameKeys(value, (key) => (key.startsWith(mark) ? key.slice(mark.length) : key))
}

const mark = '\u0001'

function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => renameKeys(entry, rename))
  if (!isObject(value)) return value
  // Not by assignment, which would take a key `__proto__` for the prototype.
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [rename(key), renameKeys(entry, rename)]))
}
