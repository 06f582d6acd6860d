import { expect, test } from 'vitest'
import { createClock, type OpenStore, startOfTests } from './store-fixture.ts'

export function describeSessions(openStore: OpenStore): void {
  const expiresAt = new Date(startOfTests + 60_000).toISOString()
  const person = { userId: 7, login: 'octocat', sealedTokens: 'sealed', expiresAt }

  test('a session is found by its secret until it expires, by every process, and ends for all', async () => {
    const clock = createClock()
    const { store, openAgain } = await openStore({ now: clock.now })
    const other = await openAgain()
    await store.sessions.create('secret', person)
    const found = await other.sessions.find('secret')
    expect(found).toMatchObject(person)
    expect(found?.id).not.toBe('secret')
    expect(await store.sessions.find(found?.id ?? '')).toBeUndefined()
    await other.sessions.end(found?.id ?? '')
    expect(await store.sessions.find('secret')).toBeUndefined()
    await store.sessions.create('second', person)
    clock.advance(60_000)
    expect(await store.sessions.find('second')).toBeUndefined()
    expect([await store.prune(), await store.prune()]).toEqual([1, 0])
  })

  test('tokens are replaced by the first who read them', async () => {
    const { store } = await openStore({ now: createClock().now })
    await store.sessions.create('secret', person)
    const session = await store.sessions.find('secret')
    if (!session) throw new Error('no session')
    expect(await store.sessions.replaceTokens(session, 'first')).toBe(true)
    expect(await store.sessions.replaceTokens(session, 'second')).toBe(false)
    expect((await store.sessions.find('secret'))?.sealedTokens).toBe('first')
  })

  test('all sessions of a person end with the delivery that says so', async () => {
    const { store } = await openStore({ now: createClock().now })
    await store.sessions.create('one', person)
    await store.sessions.create('two', person)
    await store.sessions.create('other', { ...person, userId: 8 })
    await store.accept({ delivery: { id: 'a', event: 'github_app_authorization.revoked' }, endSessionsOf: [7] })
    const found = await Promise.all(['one', 'two', 'other'].map((secret) => store.sessions.find(secret)))
    expect(found.map((session) => session?.userId)).toEqual([undefined, undefined, 8])
  })
}
