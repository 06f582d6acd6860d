import { expect, test } from 'vitest'
import { addProject, createClock, type OpenStore, startOfTests } from './store-fixture.ts'

const octocat = { userId: 7, login: 'octocat', issuer: 'github', subject: '7', groups: ['github:acme/docs'] }

export function describeSessions(openStore: OpenStore): void {
  const expiresAt = new Date(startOfTests + 60_000).toISOString()
  const person = { ...octocat, sealedTokens: 'sealed', expiresAt }

  test('finds a session by its secret until it expires, and ends it for every process', async () => {
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

  test('lets only the first reader replace the tokens', async () => {
    const { store } = await openStore({ now: createClock().now })
    await store.sessions.create('secret', person)
    const session = await store.sessions.find('secret')
    if (!session) throw new Error('no session')
    expect(await store.sessions.replaceTokens(session, 'first')).toBe(true)
    expect(await store.sessions.replaceTokens(session, 'second')).toBe(false)
    expect((await store.sessions.find('secret'))?.sealedTokens).toBe('first')
  })

  test('ends all sessions of a person with the delivery that revokes them', async () => {
    const { store } = await openStore({ now: createClock().now })
    await store.sessions.create('one', person)
    await store.sessions.create('two', person)
    await store.sessions.create('other', { ...person, userId: 8 })
    await store.accept({ delivery: { id: 'a', event: 'github_app_authorization.revoked' }, endSessionsOf: [7] })
    const found = await Promise.all(['one', 'two', 'other'].map((secret) => store.sessions.find(secret)))
    expect(found.map((session) => session?.userId)).toEqual([undefined, undefined, 8])
  })
}

const host = 'acme.example'
const challenge = 'challenge'

export function describePasses(openStore: OpenStore): void {
  async function open() {
    const clock = createClock()
    const { store, openAgain } = await openStore({ now: clock.now })
    const { id: projectId } = await addProject(store)
    const until = (ms: number) => new Date(startOfTests + ms).toISOString()
    await store.sessions.create('session', { ...octocat, sealedTokens: 'x', expiresAt: until(9e9) })
    const sessionId = (await store.sessions.find('session'))?.id ?? ''
    const times = { expiresAt: until(60_000), passExpiresAt: until(3_600_000) }
    await store.passes.createCode('code', { host, projectId, sessionId, challenge, ...times })
    const redeem = (values: { host?: string; challenge?: string } = {}) =>
      store.passes.redeem('code', { host, challenge, secret: 'pass', ...values })
    return { clock, store, other: await openAgain(), projectId, sessionId, redeem }
  }

  test('exchanges a code once for a pass that is valid for its site until it expires', async () => {
    const { clock, store, other, projectId, redeem } = await open()
    expect(await store.passes.check('code', { host, projectId })).toBeUndefined()
    expect([await redeem(), await redeem()]).toEqual([true, false])
    expect(await other.passes.check('pass', { host, projectId })).toEqual({ userId: 7, groups: octocat.groups })
    expect(await store.passes.check('pass', { host: 'other.example', projectId })).toBeUndefined()
    expect(await store.passes.check('pass', { host, projectId: 'prj_none' })).toBeUndefined()
    expect(await store.passes.check('none', { host, projectId })).toBeUndefined()
    clock.advance(3_600_000)
    expect(await store.passes.check('pass', { host, projectId })).toBeUndefined()
    expect([await store.prune(), await store.prune()]).toEqual([1, 0])
  })

  test('ends a pass for every process when the groups of its session change', async () => {
    const { clock, store, other, projectId, redeem } = await open()
    await redeem()
    const session = await store.sessions.find('session')
    if (!session) throw new Error('no session')
    expect(session.checkedAt).toBeUndefined()
    clock.advance(1000)
    await store.sessions.recordGroups(session, octocat.groups)
    expect(await store.sessions.find('session')).toMatchObject({
      groups: octocat.groups,
      checkedAt: new Date(clock.now()).toISOString(),
    })
    expect(await store.passes.check('pass', { host, projectId })).toEqual({ userId: 7, groups: octocat.groups })
    await store.sessions.recordGroups(session, [])
    expect((await store.sessions.find('session'))?.groups).toEqual([])
    await expect.poll(() => other.passes.check('pass', { host, projectId })).toBeUndefined()
  })

  test.each([
    ['another host', { host: 'other.example' }],
    ['another browser', { challenge: 'other' }],
  ])('invalidates a code used at %s', async (_name, values) => {
    const { store, projectId, redeem } = await open()
    expect([await redeem(values), await redeem()]).toEqual([false, false])
    expect(await store.passes.check('pass', { host, projectId })).toBeUndefined()
  })

  test('rejects an expired code', async () => {
    const { clock, redeem } = await open()
    clock.advance(60_000)
    expect(await redeem()).toBe(false)
  })

  test('ends a pass with its session and its project, for every process', async () => {
    const { store, other, projectId, sessionId, redeem } = await open()
    await redeem()
    expect(await other.passes.check('pass', { host, projectId })).toEqual({ userId: 7, groups: octocat.groups })
    await store.sessions.end(sessionId)
    await expect.poll(() => other.passes.check('pass', { host, projectId })).toBeUndefined()
    const second = await open()
    await second.redeem()
    await second.store.projects.apply([{ kind: 'delete-project', projectId: second.projectId }])
    expect(await second.store.passes.check('pass', { host, projectId: second.projectId })).toBeUndefined()
  })
}
