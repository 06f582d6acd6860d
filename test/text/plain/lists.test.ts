import { expect, test } from 'vitest'
import { forEachLimited } from '../../../src/text/plain/lists.ts'

test('runs work on each item, on no more than the limit at a time', async () => {
  const done: number[] = []
  let [running, most] = [0, 0]
  await forEachLimited([1, 2, 3, 4, 5], 2, async (item) => {
    running++
    most = Math.max(most, running)
    await Promise.resolve()
    running--
    done.push(item)
  })
  expect([done, most]).toEqual([[1, 2, 3, 4, 5], 2])
})

test('begins no further work after a failure', async () => {
  const begun: number[] = []
  const failure = forEachLimited([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item)
    if (item === 1) throw new Error('failed')
    await new Promise((resolve) => setImmediate(resolve))
  })
  await expect(failure).rejects.toThrow('failed')
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual([1, 2])
})
