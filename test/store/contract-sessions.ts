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

export function describeLinks(openStore: OpenStore): void {
  test('accepts a link for its site only, until it expires or is revoked', async () => {
    const clock = createClock()
    const { store, openAgain } = await openStore({ now: clock.now })
    const { id: projectId } = await addProject(store)
    const place = { host, projectId }
    const make = (secret: string, ms: number) =>
      store.links.create(secret, { ...place, expiresAt: new Date(startOfTests + ms).toISOString() }, 'github:octocat')
    const one = await make('one', 60_000)
    expect(one).toMatchObject({ ...place, id: expect.stringMatching(/^lnk_[0-9a-f]{24}$/), createdBy: 'github:octocat' })
    clock.advance(1000)
    const two = await make('two', 120_000)
    expect((await store.links.list(projectId)).map(({ id }) => id)).toEqual([two.id, one.id])
    expect(await store.links.check('one', place)).toEqual(one)
    expect(await store.links.check('two', place)).toEqual(two)
    for (const [secret, where] of [
      ['three', place],
      ['one', { ...place, host: 'other.example' }],
      ['one', { ...place, projectId: 'prj_other' }],
    ] as const) {
      expect(await store.links.check(secret, where)).toBeUndefined()
    }

    const other = await openAgain()
    expect(await other.links.revoke('prj_other', two.id, 'cli')).toBe(false)
    expect([await other.links.revoke(projectId, two.id, 'cli'), await other.links.revoke(projectId, two.id, 'cli')]).toEqual([
      true,
      false,
    ])
    expect(await store.links.check('two', place)).toBeUndefined()
    expect(await store.links.check('one', place)).toEqual(one)
    const actions = (await store.audit.list()).filter(({ subject }) => subject === projectId).map(({ action }) => action)
    // Two processes write in the same millisecond.
    expect(actions.toSorted()).toEqual(['site.link', 'site.link', 'site.link.revoke'])

    clock.advance(60_000)
    expect(await store.links.check('one', place)).toBeUndefined()
    expect(await store.links.list(projectId)).toEqual([])
    expect(await store.prune()).toBe(1)
  })

  test('deletes the links of a project with it', async () => {
    const { store } = await openStore({ now: createClock().now })
    const { id: projectId, repositoryId } = await addProject(store)
    const place = { host, projectId }
    await store.links.create('one', { ...place, expiresAt: new Date(startOfTests + 60_000).toISOString() }, 'cli')
    await store.projects.apply([{ kind: 'delete-repository', repositoryId }])
    expect(await store.links.check('one', place)).toBeUndefined()
  })
}
