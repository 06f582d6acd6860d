import { expect, test } from 'vitest'
import { addProject, createClock, type OpenStore, startOfTests } from './store-fixture.ts'

const host = 'acme.example'
const challenge = 'challenge'

export function describePasses(openStore: OpenStore): void {
  async function open() {
    const clock = createClock()
    const { store, openAgain } = await openStore({ now: clock.now })
    const { id: projectId } = await addProject(store)
    const until = (ms: number) => new Date(startOfTests + ms).toISOString()
    await store.sessions.create('session', { userId: 7, login: 'octocat', sealedTokens: 'x', expiresAt: until(9e9) })
    const sessionId = (await store.sessions.find('session'))?.id ?? ''
    await store.passes.createCode('code', { host, projectId, sessionId, challenge, expiresAt: until(60_000) })
    const redeem = (values: { host?: string; challenge?: string } = {}) =>
      store.passes.redeem('code', { host, challenge, secret: 'pass', expiresAt: until(3_600_000), ...values })
    return { clock, store, other: await openAgain(), projectId, sessionId, redeem }
  }

  test('a code becomes a pass once, and the pass is good at its place until it ends', async () => {
    const { clock, store, other, projectId, redeem } = await open()
    expect(await store.passes.check('code', { host, projectId })).toBe(false)
    expect([await redeem(), await redeem()]).toEqual([true, false])
    expect(await other.passes.check('pass', { host, projectId })).toBe(true)
    expect(await store.passes.check('pass', { host: 'other.example', projectId })).toBe(false)
    expect(await store.passes.check('pass', { host, projectId: 'prj_none' })).toBe(false)
    expect(await store.passes.check('none', { host, projectId })).toBe(false)
    clock.advance(3_600_000)
    expect(await store.passes.check('pass', { host, projectId })).toBe(false)
    expect([await store.prune(), await store.prune()]).toEqual([1, 0])
  })

  test.each([
    ['another host', { host: 'other.example' }],
    ['another browser', { challenge: 'other' }],
  ])('a code at %s is gone, and no pass', async (_name, values) => {
    const { store, projectId, redeem } = await open()
    expect([await redeem(values), await redeem()]).toEqual([false, false])
    expect(await store.passes.check('pass', { host, projectId })).toBe(false)
  })

  test('a code that is too late is no pass', async () => {
    const { clock, redeem } = await open()
    clock.advance(60_000)
    expect(await redeem()).toBe(false)
  })

  test('ends with its session and with its project, for every process', async () => {
    const { store, other, projectId, sessionId, redeem } = await open()
    await redeem()
    expect(await other.passes.check('pass', { host, projectId })).toBe(true)
    await store.sessions.end(sessionId)
    expect(await other.passes.check('pass', { host, projectId })).toBe(false)
    const second = await open()
    await second.redeem()
    await second.store.projects.apply([{ kind: 'delete-project', projectId: second.projectId }])
    expect(await second.store.passes.check('pass', { host, projectId: second.projectId })).toBe(false)
  })
}
