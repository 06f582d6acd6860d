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
  const queries: string[] = []
  const find = createReadCache<number>(
    { readVersion: () => table.version, tables: ['updates'], maxSize, sizeOf: () => 10, isKept: (value) => value < 100 },
    async (key) => {
      queries.push(key)
      if (table.isBroken) throw new Error('The connection was lost')
      return rows.get(key)
    },
  )
  return { rows, table, queries, find }
}

test('reads a value once until the table changes', async () => {
  const { rows, table, queries, find } = openCache()
  expect([await find('a'), await find('a')]).toEqual([1, 1])
  rows.set('a', 5)
  table.version += 1
  expect([await find('a'), await find('a')]).toEqual([5, 5])
  expect(queries).toEqual(['a', 'a'])
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

test('does not cache values that are not kept', async () => {
  const { rows, queries, find } = openCache()
  rows.set('a', 100)
  await find('a')
  rows.set('a', 1)
  expect(await find('a')).toBe(1)
  expect(queries).toEqual(['a', 'a'])
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
  expect(queries).toEqual(['d', 'd'])
})

test('reports a failed query, and tries again', async () => {
  const { table, queries, find } = openCache()
  table.isBroken = true
  await expect(find('a')).rejects.toThrow('The connection was lost')
  table.isBroken = false
  expect(await find('a')).toBe(1)
  expect(queries).toEqual(['a', 'a'])
})

test('is emptied at its limit', async () => {
  const { queries, find } = openCache(25)
  for (const key of ['a', 'b', 'c', 'c', 'a']) await find(key)
  expect(queries).toEqual(['a', 'b', 'c', 'a'])
})
