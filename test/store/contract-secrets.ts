import { expect, test } from 'vitest'
import { createClock, type OpenStore } from './store-fixture.ts'

export function describeSecrets(openStore: OpenStore): void {
  test('keeps the first value for all processes, also if two store one at the same time', async () => {
    const { store, openAgain } = await openStore({ now: createClock().now })
    const other = await openAgain()
    expect(await store.secrets.read('link-key')).toBeUndefined()
    const values = await Promise.all([store.secrets.keep('link-key', 'one'), other.secrets.keep('link-key', 'two')])
    expect(new Set(values).size).toBe(1)
    expect(await store.secrets.keep('link-key', 'three')).toBe(values[0])
    expect([await store.secrets.read('link-key'), await other.secrets.read('link-key')]).toEqual(values)
  })

  test('removes one value', async () => {
    const { store } = await openStore({ now: createClock().now })
    await store.secrets.keep('link-key', 'one')
    await store.secrets.keep('setup-key', 'two')
    await store.secrets.remove('setup-key')
    expect([await store.secrets.read('link-key'), await store.secrets.read('setup-key')]).toEqual(['one', undefined])
    expect(await store.secrets.keep('setup-key', 'three')).toBe('three')
  })
}
