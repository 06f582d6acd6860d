import type { StoreContext } from './store-context.ts'

/**
 * Keeps what `read` gave for a key for as long as nobody has committed anything to the store, in this process or another.
 *
 * The number of the store's state is read before the value: a value can be newer than its number, never older. What was not found is
 * not kept, so that guessing fills nothing. When full it is emptied.
 *
 * @param isKept Which of the values may stay in memory; all of them where absent.
 */
export function createReadCache<Value>(
  { readDataVersion }: Pick<StoreContext, 'readDataVersion'>,
  maxEntries: number,
  read: (key: string) => Promise<Value | undefined>,
  isKept: (value: Value) => boolean = () => true,
): (key: string) => Promise<Value | undefined> {
  if (!readDataVersion) return read
  let entries = new Map<string, Value>()
  let version: number | undefined
  return async (key) => {
    const current = readDataVersion()
    if (current !== version || entries.size >= maxEntries) {
      entries = new Map()
      version = current
    }
    const cached = entries.get(key)
    if (cached !== undefined) return cached
    const target = entries
    const value = await read(key)
    if (value !== undefined && isKept(value)) target.set(key, value)
    return value
  }
}
