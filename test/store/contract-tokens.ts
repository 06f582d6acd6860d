import { expect, test } from 'vitest'
import { addProject, createClock, type OpenStore, startOfTests } from './store-fixture.ts'

export function describeTokens(openStore: OpenStore): void {
  const expiresAt = new Date(startOfTests + 60_000).toISOString()

  async function open() {
    const clock = createClock()
    const opened = await openStore({ now: clock.now })
    const project = await addProject(opened.store)
    const create = async (grant: { scope: 'read' | 'write'; projectId: string } | { scope: 'admin' }) => {
      const made = await opened.store.tokens.create({ grant, name: 'ci', expiresAt }, 'cli')
      if (!made) throw new Error('not made')
      return made
    }
    return { ...opened, clock, project, create }
  }

  test('creates tokens of 256 random bits with a prefix, and finds them', async () => {
    const { store, project, create } = await open()
    const read = await create({ scope: 'read', projectId: project.id })
    const admin = await create({ scope: 'admin' })
    expect(read.token).toMatch(/^opk_[A-Za-z0-9_-]{43}$/)
    expect(read.token).not.toBe(admin.token)
    expect(read.stored).toMatchObject({ grant: { scope: 'read', projectId: project.id }, name: 'ci', expiresAt })
    for (const { token, stored } of [read, admin]) {
      expect(await store.tokens.check(token)).toEqual({ kind: 'valid', token: stored })
      expect(await store.tokens.check(token)).toEqual({ kind: 'valid', token: stored })
    }
    expect(new Set((await store.tokens.list()).map(({ id }) => id))).toEqual(new Set([read.stored.id, admin.stored.id]))
    expect(JSON.stringify([await store.tokens.list(), await store.audit.list()])).not.toContain(read.token)
  })

  test('rejects every other text', async () => {
    const { store, create } = await open()
    const { token } = await create({ scope: 'admin' })
    const wrong = [
      '',
      'opk_',
      token.slice(0, -1),
      `${token}a`,
      token.toUpperCase(),
      `opk_${'a'.repeat(43)}`,
      `${token}\n`,
      "opk_' or 1=1",
    ]
    for (const text of wrong) expect(await store.tokens.check(text)).toEqual({ kind: 'unknown' })
  })

  test('creates no token for a project that does not exist', async () => {
    const { store } = await open()
    expect(
      await store.tokens.create({ grant: { scope: 'read', projectId: 'prj_none' }, name: 'x', expiresAt }, 'cli'),
    ).toBeUndefined()
    expect(await store.audit.list()).toEqual([])
  })

  test('expires on the millisecond, even right after a check', async () => {
    const { store, clock, create } = await open()
    const { token } = await create({ scope: 'admin' })
    clock.advance(59_999)
    expect((await store.tokens.check(token)).kind).toBe('valid')
    clock.advance(1)
    expect(await store.tokens.check(token)).toEqual({ kind: 'expired' })
  })

  test('rejects a token in the next request after another process revoked it', async () => {
    const { store, openAgain, create } = await open()
    const other = await openAgain()
    for (let round = 0; round < 2; round++) {
      const { token, stored } = await create({ scope: 'admin' })
      expect((await store.tokens.check(token)).kind).toBe('valid')
      expect((await other.tokens.check(token)).kind).toBe('valid')
      expect(await other.tokens.revoke(stored.id, 'cli')).toBe(true)
      expect(await other.tokens.check(token)).toEqual({ kind: 'revoked' })
      expect(await store.tokens.check(token)).toEqual({ kind: 'revoked' })
      if (round > 0) expect(await store.tokens.revoke(stored.id, 'cli')).toBe(false)
    }
    expect(await store.tokens.revoke('tok_none', 'cli')).toBe(false)
  })

  test('writes audit lines for creating and revoking, newest first', async () => {
    const { store, project, create } = await open()
    const { stored } = await create({ scope: 'write', projectId: project.id })
    await store.tokens.revoke(stored.id, 'cli')
    await store.audit.add({
      actor: 'github:octocat',
      action: 'check.regenerate',
      subject: 'x',
      detail: `Bearer ghs_${'a'.repeat(36)}`,
    })
    expect((await store.audit.list()).map(({ actor, action, subject, detail }) => [actor, action, subject, detail])).toEqual([
      ['github:octocat', 'check.regenerate', 'x', 'Bearer ghs_***'],
      ['cli', 'token.revoke', stored.id, ''],
      ['cli', 'token.create', stored.id, `write ${project.id}, until ${expiresAt}: ci`],
    ])
    expect(await store.audit.list(1)).toHaveLength(1)
  })
}
