import { expect, test } from 'vitest'
import type { StoredApiChanges } from '../../src/store/records/stored-records.ts'
import { addProject, claimUpdate, createClock, newPush, type OpenStore, toSha, toSucceeded } from './store-fixture.ts'

export function describeApiChanges(openStore: OpenStore): void {
  const main = { ref: 'refs/heads/main', limit: 10 }

  async function open() {
    const clock = createClock()
    const opened = await openStore({ now: clock.now })
    const { store } = opened
    const project = await addProject(store)
    const end = async (sha: number, apiChanges?: StoredApiChanges, ref = main.ref) => {
      const push = newPush(store, project, { now: clock.now, sha, ref })
      await store.accept({ updates: [{ ...push, once: 'always' }] })
      const job = await claimUpdate(store)
      const ended = toSucceeded(job, clock.now)
      await store.queue.finish(job.lease, ended, { apiChanges })
      await store.queue.complete(job.lease)
      return ended._id
    }
    const list = async (options = {}) => {
      const found = await store.apiChanges.list(project.id, { ...main, ...options })
      return found?.commits.map(({ stored, counts }) => [Number.parseInt(stored.update.commit.sha, 16), counts.breaking])
    }
    return { ...opened, clock, project, end, list }
  }

  const changes = (breaking: number, compatible = 1): StoredApiChanges => ({
    kind: 'compared',
    counts: { breaking, risky: 0, compatible, accepted: 0 },
  })

  test('stores the changes of an update with its end', async () => {
    const { store, end } = await open()
    const id = await end(1, changes(2))
    expect(await store.apiChanges.find(id)).toEqual(changes(2))
    const failed = { kind: 'unavailable', reason: 'its base is gone' } as const
    expect(await store.apiChanges.find(await end(4, failed))).toEqual(failed)
    const without = await end(2)
    expect(await store.apiChanges.find(without)).toBeUndefined()
    expect(await store.apiChanges.findBreaking([id, without, await end(3, changes(0))])).toEqual(new Set([id]))
    expect(await store.apiChanges.findBreaking([])).toEqual(new Set())
  })

  test('lists the commits of a ref with changes, newest first, in pages', async () => {
    const { store, project, end, list } = await open()
    for (const sha of [1, 2, 3]) await end(sha, changes(sha))
    await end(4, changes(0, 0))
    await end(5, changes(5), 'refs/heads/other')
    await end(6)
    expect(await list()).toEqual([
      [3, 3],
      [2, 2],
      [1, 1],
    ])
    const first = await store.apiChanges.list(project.id, { ...main, limit: 2 })
    expect(first?.commits.map(({ counts }) => counts)).toEqual([
      { breaking: 3, risky: 0, compatible: 1, accepted: 0 },
      { breaking: 2, risky: 0, compatible: 1, accepted: 0 },
    ])
    expect(await list({ limit: 2, cursor: first?.nextCursor })).toEqual([[1, 1]])
    expect(await store.apiChanges.list(project.id, { ...main, cursor: 'x' })).toBeUndefined()
    expect(await store.apiChanges.list('prj_other', main)).toEqual({ commits: [] })
  })

  test('lists the newest comparison of a commit', async () => {
    const { end, list } = await open()
    await end(1, changes(1))
    await end(1, changes(2))
    expect(await list()).toEqual([[1, 2]])
    // A failed comparison replaces none.
    await end(1, { kind: 'unavailable', reason: 'its base is gone' })
    expect(await list()).toEqual([[1, 2]])
    await end(1, changes(0, 0))
    expect(await list()).toEqual([])
  })

  test('purges the changes of a deleted project', async () => {
    const { store, project, end, clock, list } = await open()
    const id = await end(1, changes(1))
    await store.projects.apply([{ kind: 'delete-project', projectId: project.id }])
    clock.advance(31 * 24 * 3_600_000)
    await store.prune()
    expect(await store.apiChanges.find(id)).toBeUndefined()
    expect(await list()).toEqual([])
  })

  test('lists nothing of a lost attempt', async () => {
    const { store, project, clock, list } = await open()
    await store.accept({ updates: [newPush(store, project, { now: clock.now, sha: 1 })] })
    const job = await claimUpdate(store)
    const ended = toSucceeded(job, clock.now)
    await store.queue.release(job.lease)
    expect(await store.queue.finish(job.lease, ended, { apiChanges: changes(1) })).toBe(false)
    expect(await store.apiChanges.find(ended._id)).toBeUndefined()
    expect(await list()).toEqual([])
    expect(ended.commit.sha).toBe(toSha(1))
  })
}
