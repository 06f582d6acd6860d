import { LRUCache } from 'lru-cache'
import type { ReadVersion } from './table-versions.ts'
import type { Tables } from './tables.ts'

interface CacheOptions<Value> {
  readonly readVersion: ReadVersion
  /** The tables that can change kept values. */
  readonly tables: readonly (keyof Tables)[]
  /** Beyond this sum of `sizeOf`, values that were not used for long go. */
  readonly maxSize: number
  /** Default: 1, so that `maxSize` is a number of values. */
  readonly sizeOf?: (value: Value) => number
  /** Which values to cache. Default: all. */
  readonly isKept?: (value: Value) => boolean
}

/**
 * Caches values until a commit by any process changes one of the tables. Reads the version before the value, so that a value is never older than
 * its version. Missing values are not cached, so that guessed keys cannot fill the cache.
 */
export function createReadCache<Value extends object | string | number>(
  { readVersion, tables, maxSize, sizeOf = () => 1, isKept = () => true }: CacheOptions<Value>,
  read: (key: string) => Promise<Value | undefined>,
): (key: string) => Promise<Value | undefined> {
  const values = new LRUCache<string, Value>({ maxSize, sizeCalculation: sizeOf })
  let version: number | undefined

  return async (key) => {
    const current = readVersion(tables)
    if (current !== version) {
      version = current
      values.clear()
    }
    const cached = values.get(key)
    if (cached !== undefined) return cached
    const value = await read(key)
    // Another call may have seen a newer version meanwhile.
    if (value === undefined || !isKept(value) || version !== current) return value
    values.set(key, value)
    return value
  }
}
