import { expect, test } from 'vitest'
import { type EndedUpdate, finishUpdate, type Project, type UpdateState } from '../../src/status/update-record.ts'
import type { ListOptions } from '../../src/store/records/status-store.ts'
import type { Store } from '../../src/store/store.ts'
import {
  addProject,
  claimUpdate,
  createClock,
  newPush,
  type OpenStore,
  toCreatedId,
  toRunning,
  toSha,
  toSucceeded,
} from './store-fixture.ts'

export function describeStatuses(openStore: OpenStore): void {
  async function open() {
    const clock = createClock()
    const opened = await openStore({ now: clock.now })
    const project = await addProject(opened.store)
    return { ...opened, clock, project }
  }

  function ended(
    store: Store,
    project: Project,
    now: () => number,
    status: EndedUpdate['status'],
    push: { sha?: number; ref?: string },
  ) {
    const { update, details } = newPush(store, project, { now, ...push })
    const running = { ...update, status: 'in_progress' as const }
    return { update: finishUpdate(running, { status, summary: 'Done.', endedAt: new Date(now()).toISOString() }), details }
  }

  test('returns nothing for an unknown ID', async () => {
    const { store } = await open()
    for (const id of [store.newId(), '', "' or 1=1 --", 'x'.repeat(10_000)]) expect(await store.statuses.find(id)).toBeUndefined()
  })

  test('returns the last write, even of another process, and counts revisions', async () => {
    const { store, openAgain, project, clock } = await open()
    const other = await openAgain()
    const id = toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now })] }))
    const read = async (from: Store) => {
      const stored = await from.statuses.find(id)
      return stored && [stored.update.status, stored.revision, JSON.parse(stored.json).status]
    }
    for (let round = 0; round < 3; round++) {
      expect(await read(store)).toEqual(['queued', 1, 'queued'])
      expect(await read(other)).toEqual(['queued', 1, 'queued'])
    }
    const job = await claimUpdate(other)
    await other.queue.save(job.lease, toRunning(job))
    expect(await read(store)).toEqual(['in_progress', 2, 'in_progress'])
    expect(await read(other)).toEqual(['in_progress', 2, 'in_progress'])
    await store.queue.finish(job.lease, toSucceeded(job, clock.now))
    expect(await read(store)).toEqual(['success', 3, 'success'])
    expect(await read(other)).toEqual(['success', 3, 'success'])
  })

  test('finds an ended record in memory while other records change', async () => {
    const { store, project, clock } = await open()
    const input = ended(store, project, clock.now, 'success', {})
    await store.acceptEnded(input)
    const isSame = async () => {
      const first = await store.statuses.findRecent(input.update._id)
      await store.acceptEnded(ended(store, project, clock.now, 'success', {}))
      // The cached object itself, so nothing was read.
      return (await store.statuses.findRecent(input.update._id)) === first
    }
    // With PostgreSQL, it is read again once a second.
    await expect.poll(isSame).toBe(true)
  })

  test('finds each change of an open record at once in the same process, and soon in others', async () => {
    const { store, openAgain, project, clock } = await open()
    const other = await openAgain()
    const id = toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now })] }))
    const read = async (from: Store) => (await from.statuses.findRecent(id))?.update.status
    expect([await read(store), await read(other)]).toEqual(['queued', 'queued'])
    const job = await claimUpdate(store)
    await store.queue.save(job.lease, toRunning(job))
    expect(await read(store)).toBe('in_progress')
    await expect.poll(() => read(other)).toBe('in_progress')
    await store.queue.finish(job.lease, toSucceeded(job, clock.now))
    expect(await read(store)).toBe('success')
    await expect.poll(() => read(other)).toBe('success')
  })

  test('hides the records of a deleted project, at once in the process that deleted it', async () => {
    const { store, openAgain, project, clock } = await open()
    const other = await openAgain()
    const input = ended(store, project, clock.now, 'success', {})
    await store.acceptEnded(input)
    const id = input.update._id
    for (const one of [store, other]) expect(await one.statuses.findRecent(id)).toBeDefined()
    await store.projects.apply([{ kind: 'delete-project', projectId: project.id }])
    expect(await store.statuses.findRecent(id)).toBeUndefined()
    await expect.poll(() => other.statuses.findRecent(id)).toBeUndefined()
  })

  test('returns the revisions of many records, without those of a deleted project', async () => {
    const { store, openAgain, project, clock } = await open()
    const other = await openAgain()
    const id = toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now })] }))
    const unknown = Array.from({ length: 1_200 }, () => store.newId())
    expect(await store.statuses.readRevisions([...unknown, id])).toEqual(new Map([[id, { revision: 1, status: 'queued' }]]))
    const version = store.statuses.readVersion()
    const job = await claimUpdate(other)
    await other.queue.save(job.lease, toRunning(job))
    expect(await store.statuses.readRevisions([id])).toEqual(new Map([[id, { revision: 2, status: 'in_progress' }]]))
    await expect.poll(() => store.statuses.readVersion()).not.toBe(version)
    await other.projects.apply([{ kind: 'delete-project', projectId: project.id }])
    expect(await store.statuses.readRevisions([id])).toEqual(new Map())
    expect(await store.statuses.readRevisions([])).toEqual(new Map())
  })

  test('keeps every character of a record', async () => {
    const { store, project, clock } = await open()
    const push = newPush(store, project, { now: clock.now })
    const message = 'quote " \\ \u0000 \u2028 é 漢字 🐙 </script> \ud83d'
    const update = { ...push.update, author: "O'Hara", commit: { ...push.update.commit, message } }
    await store.accept({ updates: [{ ...push, update }] })
    expect((await store.statuses.find(update._id))?.update).toEqual(update)
  })

  test('lists newest first, in pages, with every filter', async () => {
    const { store, project, clock } = await open()
    const other = await addProject(store, { repositoryId: 200 })
    const all: { id: string; ref: string; sha: string; status: UpdateState }[] = []
    for (let index = 0; index < 30; index++) {
      const ref = index % 2 ? 'refs/heads/main' : 'refs/heads/next'
      const sha = 1 + (index % 3)
      clock.advance(index % 4 ? 0 : 1)
      const status = index % 5 === 0 ? 'failure' : 'success'
      const input = ended(store, project, clock.now, status, { ref, sha })
      await store.acceptEnded(input)
      await store.acceptEnded(ended(store, other, clock.now, status, { ref, sha }))
      all.unshift({ id: input.update._id, ref, sha: toSha(sha), status })
    }
    async function collect(options: ListOptions, limit: number): Promise<string[]> {
      const ids: string[] = []
      let cursor: string | undefined
      do {
        const page = await store.statuses.list(project.id, { ...options, limit, ...(cursor ? { cursor } : {}) })
        expect(page?.updates.length).toBeLessThanOrEqual(limit)
        ids.push(...(page?.updates ?? []).map(({ update }) => update._id))
        cursor = page?.nextCursor
      } while (cursor)
      return ids
    }
    const filters: ListOptions[] = [
      {},
      { ref: 'refs/heads/main' },
      { sha: toSha(2) },
      { status: 'failure' },
      { ref: 'refs/heads/next', status: 'failure' },
      { ref: 'refs/heads/main', sha: toSha(3), status: 'success' },
      { status: 'queued' },
      { ref: 'refs/heads/none' },
    ]
    for (const filter of filters) {
      const expected = all
        .filter(
          ({ ref, sha, status }) =>
            (filter.ref ?? ref) === ref && (filter.sha ?? sha) === sha && (filter.status ?? status) === status,
        )
        .map(({ id }) => id)
      for (const limit of [1, 7, 100]) expect(await collect(filter, limit)).toEqual(expected)
    }
    expect((await store.statuses.list(project.id))?.updates).toHaveLength(20)
    expect((await store.statuses.list(project.id, { limit: 1_000_000 }))?.updates).toHaveLength(30)
    expect((await store.statuses.list(project.id, { limit: 0 }))?.updates).toHaveLength(1)
  })

  test('returns the same page while new records arrive', async () => {
    const { store, project, clock } = await open()
    for (let index = 0; index < 6; index++) await store.acceptEnded(ended(store, project, clock.now, 'success', {}))
    const first = await store.statuses.list(project.id, { limit: 3 })
    const rest = await store.statuses.list(project.id, { limit: 3, cursor: first?.nextCursor ?? '' })
    await store.acceptEnded(ended(store, project, clock.now, 'success', {}))
    expect(await store.statuses.list(project.id, { limit: 3, cursor: first?.nextCursor ?? '' })).toEqual(rest)
    expect(rest?.nextCursor).toBeUndefined()
  })

  test.each([['x'], [''], ['%%%'], [Buffer.from('not an id').toString('base64url')]])('rejects the cursor %j', async (cursor) => {
    const { store, project } = await open()
    expect(await store.statuses.list(project.id, { cursor })).toBeUndefined()
  })

  test('compares with the last successful record of the ref, not the last one', async () => {
    const { store, project, clock } = await open()
    const add = async (status: EndedUpdate['status'], sha: number, ref?: string) => {
      const input = ended(store, project, clock.now, status, { sha, ...(ref ? { ref } : {}) })
      await store.acceptEnded(input)
      return input.update._id
    }
    const ofMain = { ref: 'refs/heads/main', status: 'success' } as const
    expect(await store.statuses.findNewest(project.id, ofMain)).toBeUndefined()
    await add('success', 1)
    const base = await add('success', 2)
    await add('failure', 3)
    await add('success', 4, 'refs/heads/next')
    expect((await store.statuses.findNewest(project.id, ofMain))?.update._id).toBe(base)
  })

  test('merges details without changing the record or its revision', async () => {
    const { store, project, clock } = await open()
    const id = toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now })] }))
    expect(await store.statuses.addDetails(id, { checkRunId: 12 })).toBe(true)
    // The type forbids an explicit `undefined`, but an untyped caller may send it.
    expect(await store.statuses.addDetails(id, { pullNumber: 3, checkRunId: undefined } as object)).toBe(true)
    const stored = await store.statuses.find(id)
    expect(stored?.details).toMatchObject({ trigger: 'push', checkRunId: 12, pullNumber: 3 })
    expect(stored?.revision).toBe(1)
    expect(await store.statuses.addDetails(store.newId(), { checkRunId: 1 })).toBe(false)
  })

  test('stores a report of the Action as an ended record without a job, once per idempotency key', async () => {
    const { store, project, clock } = await open()
    const input = ended(store, project, clock.now, 'success', {})
    const idempotency = { projectId: project.id, key: 'run-1', bodyHash: 'a' }
    const first = await store.acceptEnded({ ...input, report: '{"findings":[]}', idempotency })
    expect(toCreatedId(first)).toBe(input.update._id)
    expect(await store.statuses.findReport(input.update._id)).toBe('{"findings":[]}')
    expect(await store.statuses.findReport(store.newId())).toBeUndefined()
    const again = await store.acceptEnded({ ...ended(store, project, clock.now, 'success', {}), idempotency })
    expect(again).toEqual({ kind: 'repeated-key', statusIds: [input.update._id] })
    const unknown = ended(store, { ...project, id: 'prj_none' }, clock.now, 'success', {})
    expect(await store.acceptEnded(unknown)).toMatchObject({ updates: [{ outcome: 'no-project' }] })
    expect(await store.statuses.find(unknown.update._id)).toBeUndefined()
    expect(await store.queue.stats()).toEqual({ waiting: 0, leased: 0, refused: 0, delayed: 0 })
  })
}
