import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type KeptHold, keepHold, readClocks } from '../../../src/store/database/holds.ts'

const opened: KeptHold[] = []
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  for (const hold of opened.splice(0)) hold.end()
  vi.useRealTimers()
})

function open(renew: () => Promise<number>) {
  const errors: unknown[] = []
  const hold = keepHold({ since: readClocks(), lastsMs: 30_000, everyMs: 5_000, renew, onError: (error) => errors.push(error) })
  opened.push(hold)
  return { hold, errors }
}

/** Moves all clocks without running timers, as a paused process sees it. */
function pauseFor(ms: number): void {
  const timers = vi.getTimerCount()
  expect(timers).toBeGreaterThan(0)
  vi.setSystemTime(Date.now() + ms)
}

test('holds as long as renewals succeed', async () => {
  let renewals = 0
  const { hold } = open(async () => {
    renewals++
    return 30_000
  })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(hold.signal.aborted).toBe(false)
  expect(renewals).toBe(120)
  await hold.confirm()
  // The last renewal is recent enough.
  expect(renewals).toBe(120)
})

test('is lost when the store refuses a renewal', async () => {
  const { hold } = open(async () => 0)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(hold.signal.aborted).toBe(true)
  await expect(hold.confirm()).rejects.toThrow('Another process has taken over the work')
})

test('is lost when the store is unreachable for the whole time, but not before', async () => {
  const { hold, errors } = open(() => Promise.reject(new Error('unreachable')))
  await vi.advanceTimersByTimeAsync(26_900)
  expect(hold.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(5_100)
  expect(hold.signal.aborted).toBe(true)
  expect(errors.length).toBeGreaterThanOrEqual(5)
  await expect(hold.confirm()).rejects.toThrow('did not confirm in time')
})

test('is lost when the store does not respond', async () => {
  const { hold } = open(() => new Promise(() => undefined))
  await vi.advanceTimersByTimeAsync(32_000)
  expect(hold.signal.aborted).toBe(true)
})

test('is lost although its timer runs a part of a millisecond early', async () => {
  // Timers drop the fraction of 360.9 ms.
  const hold = keepHold({
    since: readClocks(),
    lastsMs: 401,
    everyMs: 100,
    renew: () => Promise.reject(new Error('unreachable')),
  })
  opened.push(hold)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(hold.signal.aborted).toBe(true)
})

test('asks the store after a pause, before it confirms', async () => {
  let isOwn = true
  let renewals = 0
  const { hold } = open(async () => {
    renewals++
    return isOwn ? 30_000 : 0
  })
  pauseFor(60_000)
  await hold.confirm()
  expect(renewals).toBe(1)
  pauseFor(60_000)
  isOwn = false
  await expect(hold.confirm()).rejects.toThrow('Another process has taken over the work')
})

test('does not count a renewal that was sent before a pause', async () => {
  const responses: ((lastsMs: number) => void)[] = []
  const { hold } = open(() => new Promise((resolve) => responses.push(resolve)))
  await vi.advanceTimersByTimeAsync(5_000)
  pauseFor(60_000)
  let isConfirmed = false
  const confirming = hold.confirm().then(() => {
    isConfirmed = true
  })
  responses[0]?.(30_000)
  await vi.advanceTimersByTimeAsync(0)
  expect(isConfirmed).toBe(false)
  expect(responses).toHaveLength(2)
  responses[1]?.(30_000)
  await confirming
  expect(isConfirmed).toBe(true)
})

test('does not confirm while the store is unreachable after a pause', async () => {
  const { hold } = open(() => Promise.reject(new Error('unreachable')))
  pauseFor(28_000)
  await expect(hold.confirm()).rejects.toThrow('Cannot confirm')
})

test('does nothing after its end', async () => {
  let renewals = 0
  const { hold } = open(async () => {
    renewals++
    return 0
  })
  hold.end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(renewals).toBe(0)
  expect(hold.signal.aborted).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})
