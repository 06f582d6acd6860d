/** Groups values by key, in order of first appearance. */
export function groupBy<Value, Key>(values: Iterable<Value>, keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) addTo(groups, keyOf(value), value)
  return groups
}

/** A `Map` or `WeakMap`. */
interface ByKey<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** Adds a value to the list of a key. */
export function addTo<Key, Value>(lists: ByKey<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Returns the value of a key. If the map has none, makes it first. */
export function getOrMake<Key, Value>(map: ByKey<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make(key)
  map.set(key, made)
  return made
}

/** Makes the value of each object once. */
export function onceFor<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => getOrMake(known, key, make)
}

/** Whether a list has a value twice. Most lists are short, and need no set. */
export function hasRepeated(list: readonly unknown[]): boolean {
  if (list.length > 16) return new Set(list).size < list.length
  for (let index = 1; index < list.length; index++) if (list.indexOf(list[index]) < index) return true
  return false
}

/** Counts values. */
export function countBy<Value, Key>(values: Iterable<Value>, keyOf: (value: Value) => Key): Map<Key, number> {
  const counts = new Map<Key, number>()
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1)
  return counts
}

/** Compares UTF-16 units, so that the order does not depend on the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The first letter in upper case. */
export function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** Formats choices as "`a`, `b` or `c`". */
export function listChoices(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `\`${choice}\``)
  return quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` : quoted.join('')
}

/** The number of elements that two lists start with alike. */
export function countShared<Element>(list: readonly Element[], other: readonly Element[]): number {
  const differing = list.findIndex((element, index) => element !== other[index])
  return differing === -1 ? list.length : differing
}

/** Formats `1,240`. `toLocaleString` is not used because its first call is slow. */
export function formatNumber(count: number): string {
  let rest = String(count)
  let shown = ''
  for (; rest.length > 3; rest = rest.slice(0, -3)) shown = `,${rest.slice(-3)}${shown}`
  return rest + shown
}

/** Lists the first entries, and counts the others: "a, b and 3 more". */
export function listFirst<Entry>(entries: readonly Entry[], most: number, toText: (entry: Entry) => string): string {
  const listed = entries.slice(0, most).map(toText).join(', ')
  return entries.length > most ? `${listed} and ${formatNumber(entries.length - most)} more` : listed
}

/** Runs work on each item, on at most `limit` items at a time. Begins no further work after a failure. */
export async function forEachLimited<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  let left = items.values()
  await Promise.all(
    Array.from({ length: Math.min(limit, items.length) }, async () => {
      for (let next = left.next(); !next.done; next = left.next()) {
        await work(next.value).catch((error: unknown) => {
          left = [].values()
          throw error
        })
      }
    }),
  )
}

/** Creates a value on first call and caches it. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The index of the last number that is at most `value`, in an ascending list, or -1. */
export function findLastUpTo(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
