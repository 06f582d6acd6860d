import { expect, test } from 'vitest'
import { createReadCache } from '../../../src/store/database/read-caches.ts'

/** A cache of a table whose rows are numbers, with the keys of each query. */
function openCache(maxSize = 1_000) {
  const rows = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ])
  const table = { version: 1, isBroken: false }
  const queries: (readonly string[])[] = []
  const readAgain = async (keys: readonly string[]) => {
    queries.push(keys)
    if (table.isBroken) throw new Error('The connection was lost')
    return new Map([...rows].filter(([key]) => keys.includes(key)))
  }
  const find = createReadCache<number>(
    { readVersion: () => table.version, tables: ['updates'], maxSize, sizeOf: () => 10, isKept: (value) => value < 100 },
    { read: async (key) => (await readAgain([key])).get(key), readAgain },
  )
  return { rows, table, queries, find }
}

test('reads a value once until the table changes', async () => {
  const { rows, table, queries, find } = openCache()
  expect([await find('a'), await find('a')]).toEqual([1, 1])
  rows.set('a', 5)
  table.version += 1
  expect([await find('a'), await find('a')]).toEqual([5, 5])
  expect(queries).toEqual([['a'], ['a']])
})

test('reads the used values again with one query after a change', async () => {
  const { table, queries, find } = openCache()
  for (const key of ['a', 'b', 'c']) await find(key)
  table.version += 1
  expect(await Promise.all([find('c'), find('a'), find('b')])).toEqual([3, 1, 2])
  table.version += 1
  await find('a')
  table.version += 1
  await find('a')
  expect(queries).toEqual([['a'], ['b'], ['c'], ['a', 'b', 'c'], ['c', 'a', 'b'], ['a']])
})

test('forgets a deleted value', async () => {
  const { rows, table, find } = openCache()
  await find('a')
  rows.delete('a')
  table.version += 1
  expect(await find('a')).toBeUndefined()
  rows.set('a', 6)
  expect(await find('a')).toBe(6)
})

test('shares the query after a change among concurrent requests', async () => {
  const { table, queries, find } = openCache()
  await find('a')
  table.version += 1
  expect(await Promise.all([find('a'), find('a'), find('a')])).toEqual([1, 1, 1])
  expect(queries).toEqual([['a'], ['a']])
})

test('does not cache values that are not kept', async () => {
  const { rows, queries, find } = openCache()
  rows.set('a', 100)
  await find('a')
  rows.set('a', 1)
  expect(await find('a')).toBe(1)
  expect(queries).toEqual([['a'], ['a']])
})

test('does not use a value that was read before a change for requests after it', async () => {
  const { rows, table, find } = openCache()
  const early = find('a')
  rows.set('a', 7)
  table.version += 1
  const late = find('a')
  expect([await early, await late, await find('a')]).toEqual([1, 7, 7])
})

test('does not cache missing values', async () => {
  const { rows, queries, find } = openCache()
  expect(await find('d')).toBeUndefined()
  rows.set('d', 4)
  expect(await find('d')).toBe(4)
  expect(queries).toEqual([['d'], ['d']])
})

test('reports a failed query to each request that waited for it, and tries again', async () => {
  const { table, queries, find } = openCache()
  await find('a')
  await find('b')
  table.isBroken = true
  table.version += 1
  // `b` is read again too, without a request.
  await expect(find('a')).rejects.toThrow('The connection was lost')
  table.isBroken = false
  expect(await find('a')).toBe(1)
  expect(queries).toEqual([['a'], ['b'], ['a', 'b'], ['a']])
})

test('is emptied at its limit', async () => {
  const { queries, find } = openCache(25)
  for (const key of ['a', 'b', 'c', 'c', 'a']) await find(key)
  expect(queries).toEqual([['a'], ['b'], ['c'], ['a']])
})
