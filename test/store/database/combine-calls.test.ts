import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readTogether } from '../../../src/store/database/group-commit.ts'

test('combines reads, and begins a new query for those that arrive during a query', async () => {
  const queries: string[][] = []
  const read = readTogether(async (keys: readonly string[]) => {
    const number = queries.push([...keys])
    // A read during the query is not part of it.
    await setImmediate()
    return new Map(keys.filter((key) => key !== 'missing').map((key) => [key, `${key} of query ${number}`]))
  })
  const early = Promise.all([read('a'), read('b'), read('a'), read('missing')])
  await setImmediate()
  const late = read('a')
  expect(await early).toEqual(['a of query 1', 'b of query 1', 'a of query 1', undefined])
  expect(await late).toBe('a of query 2')
  expect(queries).toEqual([['a', 'b', 'missing'], ['a']])
})

test('fails all reads of a failed query, and none of the next one', async () => {
  let fails = true
  const read = readTogether(async (keys: readonly string[]) => {
    if (fails) throw new Error('no connection')
    return new Map(keys.map((key) => [key, key]))
  })
  const results = await Promise.allSettled([read('a'), read('b')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await read('a')).toBe('a')
})
