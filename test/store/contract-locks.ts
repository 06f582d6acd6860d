import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createClock, type OpenStore } from './store-fixture.ts'

export function describeLocks(openStore: OpenStore): void {
  const open = async () => (await openStore({ now: createClock().now })).store

  test('runs work under one name in order, and work under other names at the same time', async () => {
    const { locks } = await open()
    const steps: string[] = []
    let openGate: (() => void) | undefined
    const gate = new Promise<void>((resolve) => {
      openGate = resolve
    })
    const work = [1, 2, 3].map((number) =>
      locks('a', async () => {
        steps.push(`begin ${number}`)
        if (number === 1) await gate
        steps.push(`end ${number}`)
        return number
      }),
    )
    await locks('b', async () => steps.push('other'))
    openGate?.()
    expect(await Promise.all(work)).toEqual([1, 2, 3])
    expect(steps).toEqual(['begin 1', 'other', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3'])
  })

  test('frees a name when its work fails', async () => {
    const { locks } = await open()
    await expect(locks('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await locks('a', async () => 'done')).toBe('done')
  })

  test('confirms the lock while the work runs', async () => {
    const { locks } = await open()
    await locks('a', async (hold) => {
      await hold.confirm()
      expect(hold.signal.aborted).toBe(false)
    })
  })

  test('ends a wait when its signal is aborted, without a gap in the order', async () => {
    const { locks } = await open()
    const stopping = new AbortController()
    let isFirstDone = false
    const first = locks('a', async () => {
      await sleep(100)
      isFirstDone = true
    })
    const second = locks('a', async () => 'never', { signal: stopping.signal })
    const third = locks('a', async () => isFirstDone)
    stopping.abort(new Error('stopped'))
    await expect(second).rejects.toThrow('stopped')
    expect(isFirstDone).toBe(false)
    await first
    expect(await third).toBe(true)
  })
}
