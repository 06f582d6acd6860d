import type { ReadVersion } from './table-versions.ts'
import type { Tables } from './tables.ts'

interface CacheOptions<Value> {
  readonly readVersion: ReadVersion
  /** The tables that can change kept values. */
  readonly tables: readonly (keyof Tables)[]
  /** Beyond this sum of `sizeOf`, the cache is emptied. */
  readonly maxSize: number
  /** Default: 1, so that `maxSize` is a number of values. */
  readonly sizeOf?: (value: Value) => number
  /** Which values to cache. Default: all. */
  readonly isKept?: (value: Value) => boolean
}

interface Reads<Value> {
  readonly read: (key: string) => Promise<Value | undefined>
  /** Reads several values with one query. Default: each is read when it is used. */
  readonly readAgain?: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>
}

/** Values beyond this number are not read again together, but when they are used. */
const maxRefreshed = 500

/**
 * Caches values until a commit by any process changes one of the tables. Reads the version before the value, so that a value is never older than
 * its version.
 *
 * With PostgreSQL, a query takes longer than the rest of a request, and the version changes at least every second (`ReadVersion`). So the values that
 * were used since the last change are read again with one query, if there is `readAgain`, not one query for each. Missing values are not cached, so that guessed keys
 * cannot fill the cache.
 */
export function createReadCache<Value>(
  { readVersion, tables, maxSize, sizeOf = () => 1, isKept = () => true }: CacheOptions<Value>,
  { read, readAgain }: Reads<Value>,
): (key: string) => Promise<Value | undefined> {
  let generation = createGeneration<Value>()
  let version: number | undefined

  const keep = (target: Generation<Value>, key: string, value: Value) => {
    target.size += sizeOf(value)
    if (target.size > maxSize) {
      target.values.clear()
      target.size = sizeOf(value)
    }
    target.values.set(key, value)
  }

  const refresh = ({ values, used }: Generation<Value>) => {
    const keys = [...used].filter((key) => values.has(key)).slice(0, maxRefreshed)
    if (keys.length === 0 || !readAgain) return
    const target = generation
    const all = readAgain(keys)
    for (const key of keys) {
      const reading = all
        .then((values) => {
          const value = values.get(key)
          if (value !== undefined && isKept(value)) keep(target, key, value)
          return value
        })
        .finally(() => target.refreshing.delete(key))
      // There may be no request that handles its error.
      reading.catch(() => undefined)
      target.refreshing.set(key, reading)
    }
  }

  return async (key) => {
    // Before the query, so that a value is never older than its version.
    const current = readVersion(tables)
    if (current !== version) {
      const earlier = generation
      version = current
      generation = createGeneration()
      refresh(earlier)
    }
    const target = generation
    target.used.add(key)
    const cached = target.values.get(key)
    if (cached !== undefined) return cached
    const refreshing = target.refreshing.get(key)
    if (refreshing) return await refreshing
    const value = await read(key)
    if (value === undefined || !isKept(value)) target.used.delete(key)
    else keep(target, key, value)
    return value
  }
}

/** What was read and used under one version. */
interface Generation<Value> {
  readonly values: Map<string, Value>
  readonly used: Set<string>
  readonly refreshing: Map<string, Promise<Value | undefined>>
  size: number
}

function createGeneration<Value>(): Generation<Value> {
  return { values: new Map(), used: new Set(), refreshing: new Map(), size: 0 }
}
