import { expect, test } from 'vitest'
import { RequestCounters } from '../../../src/app/http/callers.ts'

test('counts each caller in windows of one minute that begin with its first request', () => {
  let now = 5_000
  const counters = new RequestCounters(() => now)
  expect([counters.count('a', 2), counters.count('a', 2)]).toEqual([0, 0])
  now += 20_000
  expect(counters.count('a', 2)).toBe(40_000)
  expect(counters.count('b', 2)).toBe(0)
  now += 39_999.5
  // Rejected requests do not extend the window.
  expect(counters.count('a', 2)).toBe(1)
  now += 0.5
  expect([counters.count('a', 2), counters.count('a', 2)]).toEqual([0, 0])
  expect(counters.count('a', 2)).toBe(60_000)
})

test('forgets the least recently seen callers if there are too many', () => {
  const counters = new RequestCounters(() => 0)
  expect([counters.count('seen often', 1), counters.count('seen once', 1)]).toEqual([0, 0])
  for (let caller = 0; caller < 49_999; caller += 1) {
    counters.count(`caller ${caller}`, 1)
    if (caller % 1_000 === 0) expect(counters.count('seen often', 1)).toBe(60_000)
  }
  expect(counters.count('seen once', 1)).toBe(0)
  expect(counters.count('seen often', 1)).toBe(60_000)
})
