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

  test('accepts a share link for its site only, until it expires or is revoked', async () => {
    const { clock, store, openAgain, project, create } = await open()
    const place = { host: 'pets.example', projectId: project.id }
    const share = async (ms: number) => {
      const until = new Date(startOfTests + ms).toISOString()
      const link = { grant: { scope: 'link', ...place }, name: 'Created by octocat', expiresAt: until } as const
      const made = await store.tokens.create(link, 'github:octocat')
      if (!made) throw new Error('not made')
      return made
    }
    const [one, two] = [await share(60_000), await share(120_000)]
    const token = await create({ scope: 'read', projectId: project.id })
    expect((await store.tokens.listLinks(project.id)).map(({ id }) => id)).toEqual([two.stored.id, one.stored.id])
    for (const { token, stored } of [one, two]) expect(await store.tokens.checkLink(token, place)).toEqual(stored)
    for (const [secret, where] of [
      [token.token, place],
      [`opk_${'a'.repeat(43)}`, place],
      ['one', place],
      [one.token, { ...place, host: 'other.example' }],
      [one.token, { ...place, projectId: 'prj_other' }],
    ] as const) {
      expect(await store.tokens.checkLink(secret, where)).toBeUndefined()
    }
    // It opens a site, and nothing of the API.
    expect(await store.tokens.check(one.token)).toEqual({ kind: 'unknown' })

    const other = await openAgain()
    const revoke = (id: string, of = project.id) => other.tokens.revoke(id, 'github:octocat', of)
    expect([await revoke(two.stored.id, 'prj_other'), await revoke(token.stored.id)]).toEqual([false, false])
    expect([await revoke(two.stored.id), await revoke(two.stored.id)]).toEqual([true, false])
    expect(await store.tokens.checkLink(two.token, place)).toBeUndefined()
    expect(await store.tokens.checkLink(one.token, place)).toEqual(one.stored)
    expect((await store.tokens.check(token.token)).kind).toBe('valid')
    const lines = (await store.audit.list()).map(({ action, detail }) => `${action} ${detail}`)
    expect(lines).toContainEqual(expect.stringContaining(`token.create link ${project.id} at pets.example, until `))

    clock.advance(60_000)
    expect(await store.tokens.checkLink(one.token, place)).toBeUndefined()
    expect(await store.tokens.listLinks(project.id)).toEqual([])
  })

  test('deletes share links with their project, and all tokens long after their end', async () => {
    const { clock, store, project, create } = await open()
    const place = { host: 'pets.example', projectId: project.id }
    const link = await store.tokens.create({ grant: { scope: 'link', ...place }, name: 'Created by octocat', expiresAt }, 'cli')
    await create({ scope: 'admin' })
    await store.projects.apply([{ kind: 'delete-repository', repositoryId: project.repositoryId }])
    expect(await store.tokens.checkLink(link?.token ?? '', place)).toBeUndefined()
    clock.advance(2 * 365 * 24 * 3_600_000)
    await store.prune()
    expect(await store.tokens.list()).toEqual([])
  })
}
