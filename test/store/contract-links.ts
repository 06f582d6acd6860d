import { expect, test } from 'vitest'
import { addProject, createClock, type OpenStore, startOfTests } from './store-fixture.ts'

const host = 'acme.example'

export function describeLinks(openStore: OpenStore): void {
  test('a link lets in at its place until it ends or is revoked, and no other goes with it', async () => {
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

  test('the links of a project go with it', async () => {
    const { store } = await openStore({ now: createClock().now })
    const { id: projectId, repositoryId } = await addProject(store)
    const place = { host, projectId }
    await store.links.create('one', { ...place, expiresAt: new Date(startOfTests + 60_000).toISOString() }, 'cli')
    await store.projects.apply([{ kind: 'delete-repository', repositoryId }])
    expect(await store.links.check('one', place)).toBeUndefined()
  })
}
