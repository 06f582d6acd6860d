import { describe, expect, test } from 'vitest'
import { withLease } from '../../src/store/database/holds.ts'
import type { StoreLimits } from '../../src/store/database/store-database.ts'
import type { AcceptResult, IdempotencyKey } from '../../src/store/queue/jobs.ts'
import {
  addProject,
  claimUpdate,
  createClock,
  listOpen,
  newPush,
  type OpenStore,
  toCreatedId,
  toRunning,
  toSha,
} from './store-fixture.ts'

const hour = 3_600_000
const day = 24 * hour

export function describeAccept(openStore: OpenStore): void {
  async function open({ limits }: { readonly limits?: Partial<StoreLimits> } = {}) {
    const clock = createClock()
    const opened = await openStore({ now: clock.now, ...(limits && { limits }) })
    const project = await addProject(opened.store)
    const push = (values: Partial<Parameters<typeof newPush>[2]> = {}) =>
      newPush(opened.store, project, { now: clock.now, ...values })
    return { ...opened, clock, project, push }
  }

  test('writes the record, its run, its check and the delivery', async () => {
    const { store, push, project } = await open()
    const update = push()
    const result = await store.accept({ delivery: { id: 'd1', event: 'push' }, updates: [update] })
    const statusId = update.update._id
    expect(result).toEqual({
      kind: 'accepted',
      updates: [{ projectId: project.id, outcome: 'created', statusId }],
      superseded: [],
    })
    expect(await store.statuses.find(statusId)).toEqual({
      update: update.update,
      json: JSON.stringify(update.update),
      revision: 1,
      details: update.details,
    })
    expect(await store.deliveries.findMissing(['d1'])).toEqual([])
    expect(await store.queue.stats()).toEqual({
      waiting: 2,
      leased: 0,
      refused: 0,
      delayed: 0,
      oldestWaitingAt: update.update.createdAt,
    })
  })

  test('creates one record for a repeated delivery', async () => {
    const { store, openAgain, push } = await open()
    const other = await openAgain()
    const delivery = { id: 'd1', event: 'push' }
    const results = await Promise.all([
      store.accept({ delivery, updates: [push()] }),
      other.accept({ delivery, updates: [push({ sha: 2 })] }),
      store.accept({
        delivery,
        updates: [push({ sha: 3, once: 'always' })],
        tasks: [{ id: store.newId(), name: 'x', installationId: 1, payload: '{}' }],
      }),
    ])
    expect(results.map((result) => result.kind).sort()).toEqual(['accepted', 'repeated-delivery', 'repeated-delivery'])
    expect(await listOpen(store)).toHaveLength(1)
  })

  test('returns the same record for another delivery of the same push', async () => {
    const { store, push, project } = await open()
    const first = toCreatedId(
      await store.accept({ delivery: { id: 'd1', event: 'push' }, updates: [push({ sha: 2, before: 1 })] }),
    )
    const second = await store.accept({ delivery: { id: 'd2', event: 'push' }, updates: [push({ sha: 2, before: 1 })] })
    expect(second).toMatchObject({ updates: [{ projectId: project.id, outcome: 'same-push', statusId: first }] })
    expect(await listOpen(store)).toHaveLength(1)
  })

  test('creates new updates when a branch moves back and forth, also if the push between is lost', async () => {
    const { store, push } = await open()
    const pushAt = (pushedAt: string) => {
      const update = push({ sha: 2, before: 1 })
      return store.accept({ updates: [{ ...update, details: { ...update.details, pushedAt } }] })
    }
    const first = toCreatedId(await pushAt('2026-11-20T07:15:03.000Z'))
    const second = toCreatedId(await pushAt('2026-11-20T07:15:09.000Z'))
    expect(second).not.toBe(first)
    expect(await pushAt('2026-11-20T07:15:09.000Z')).toMatchObject({ updates: [{ outcome: 'same-push', statusId: second }] })
  })

  test('treats the same commits on another branch or project as another push', async () => {
    const { store, push, clock } = await open()
    const docs = await addProject(store, { root: 'docs' })
    toCreatedId(await store.accept({ updates: [push()] }))
    toCreatedId(await store.accept({ updates: [push({ ref: 'refs/heads/next' })] }))
    toCreatedId(await store.accept({ updates: [newPush(store, docs, { now: clock.now })] }))
  })

  test('never treats re-runs, retries and API triggers as known pushes', async () => {
    const { store, push } = await open()
    toCreatedId(await store.accept({ updates: [push()] }))
    toCreatedId(await store.accept({ updates: [push({ once: 'always' })] }))
    toCreatedId(await store.accept({ updates: [push({ once: 'always' })] }))
    expect(await listOpen(store)).toHaveLength(3)
  })

  test('creates a record for a pull request only if its head has none', async () => {
    const { store, push } = await open()
    const first = toCreatedId(await store.accept({ updates: [push({ sha: 5 })] }))
    const known = await store.accept({ updates: [push({ sha: 5, ref: 'refs/pull/1/head', once: 'head' })] })
    expect(known).toMatchObject({ updates: [{ outcome: 'same-head', statusId: first }] })
    toCreatedId(await store.accept({ updates: [push({ sha: 6, ref: 'refs/pull/1/head', once: 'head' })] }))
  })

  test('creates one record per project for a push to several docs directories', async () => {
    const { store, push, clock } = await open()
    const docs = await addProject(store, { root: 'docs' })
    const result = await store.accept({
      delivery: { id: 'd1', event: 'push' },
      updates: [push(), newPush(store, docs, { now: clock.now })],
    })
    expect(result).toMatchObject({ updates: [{ outcome: 'created' }, { outcome: 'created', projectId: docs.id }] })
  })

  test('creates no record for an unknown or disabled project', async () => {
    const { store, push, project } = await open()
    const other = { ...project, id: `prj_${'9'.repeat(24)}` }
    expect(await store.accept({ updates: [newPush(store, other, { now: Date.now })] })).toMatchObject({
      updates: [{ outcome: 'no-project', statusId: undefined }],
    })
    await store.projects.set(project.id, { enabled: false }, 'test')
    expect(await store.accept({ updates: [push()] })).toMatchObject({ updates: [{ outcome: 'no-project' }] })
    expect((await store.queue.stats()).waiting).toBe(0)
  })

  describe('webhooks at the same time', () => {
    const branch = 'refs/heads/main'

    test('are accepted with a record each, in any number of projects and installations', async () => {
      const { store, project, clock } = await open()
      const projects = [project]
      for (let index = 1; index < 30; index++) {
        projects.push(await addProject(store, { repositoryId: 200 + index, installationId: 7 + (index % 3) }))
      }
      const results = await Promise.all(
        Array.from({ length: 150 }, (_, index) => {
          const pushed = projects[index % projects.length] ?? project
          const update = newPush(store, pushed, { now: clock.now, sha: index + 1, ref: `refs/heads/b${index}` })
          const task = { id: store.newId(), name: 'x', installationId: project.installationId ?? 0, payload: '{}' }
          return store.accept({ delivery: { id: `d${index}`, event: 'push' }, updates: [update], tasks: [task] })
        }),
      )
      const ids = results.map(toCreatedId)
      expect(new Set(ids).size).toBe(150)
      expect((await store.queue.stats()).waiting).toBe(450)
      for (const id of ids) expect((await store.statuses.find(id))?.update.status).toBe('queued')
      expect(await store.deliveries.findMissing(results.map((_, index) => `d${index}`))).toEqual([])
    })

    test('create one record for two deliveries of a push, and none for a repeated delivery', async () => {
      const { store, push } = await open()
      const accept = (id: string) => store.accept({ delivery: { id, event: 'push' }, updates: [push()] })
      const results = await Promise.all(['d1', 'd1', 'd2'].map(accept))
      expect(results.map(({ kind }) => kind)).toEqual(['accepted', 'repeated-delivery', 'accepted'])
      const [first, , third] = results
      expect(third).toMatchObject({ updates: [{ outcome: 'same-push', statusId: toCreatedId(first as AcceptResult) }] })
    })

    test('keep their order on a branch', async () => {
      const { store, push } = await open()
      const results = await Promise.all(
        Array.from({ length: 52 }, (_, index) =>
          store.accept({ delivery: { id: `d${index}`, event: 'push' }, updates: [push({ sha: index + 1, before: index })] }),
        ),
      )
      const ids = results.map(toCreatedId)
      // More than 50 are too many, and each of the two newest ended one.
      expect(results.slice(-2)).toMatchObject([{ superseded: [ids[0]] }, { superseded: [ids[1]] }])
      const kinds = [await claimUpdate(store), await claimUpdate(store), await claimUpdate(store)]
      expect(kinds.map(({ kind, lease, validationOnly }) => [kind, lease.jobId, validationOnly])).toEqual([
        ['wanted', ids[0], undefined],
        ['wanted', ids[1], undefined],
        ['run', ids[51], false],
      ])
    })

    test('do not fail because of another one', async () => {
      const { store, push } = await open()
      const [good, bad, again] = [push({ ref: branch }), push({ sha: 2 }), push({ sha: 3, before: 1 })]
      const results = await Promise.allSettled([
        store.accept({ delivery: { id: 'd1', event: 'push' }, updates: [good] }),
        store.accept({ delivery: { id: 'd2', event: 'push' }, updates: [{ ...bad, details: { trigger: 'push' } }] }),
        store.accept({ delivery: { id: 'd3', event: 'push' }, updates: [again] }),
        // The database rejects this one.
        store.accept({
          delivery: { id: 'd4', event: 'push' },
          updates: [{ ...push({ sha: 4, before: 3 }), update: { ...bad.update, _id: good.update._id } }],
        }),
      ])
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
      expect(await store.deliveries.findMissing(['d1', 'd2', 'd3', 'd4'])).toEqual(['d2', 'd4'])
      expect((await store.queue.stats()).waiting).toBe(4)
    })

    test('check the lease of the job that sends them', async () => {
      const { store, push } = await open()
      await store.accept({ updates: [push()] })
      const { lease } = await claimUpdate(store)
      await store.queue.release(lease)
      const [late, other] = await Promise.allSettled([
        withLease(lease, () => store.accept({ delivery: { id: 'd1', event: 'push' }, updates: [push({ sha: 2, before: 1 })] })),
        store.accept({ delivery: { id: 'd2', event: 'push' }, updates: [push({ sha: 3, before: 2 })] }),
      ])
      expect(late).toMatchObject({ status: 'rejected', reason: { name: 'LeaseLostError' } })
      expect(other.status).toBe('fulfilled')
    })

    test('end the oldest updates of an installation that has too many', async () => {
      const { store, project, push } = await open({ limits: { maxWaitingPerInstallation: 3 } })
      const other = await addProject(store, { repositoryId: 200, installationId: 1 })
      const first = toCreatedId(await store.accept({ updates: [push({ ref: 'refs/heads/a' })] }))
      const results = await Promise.all(
        ['b', 'c', 'd', 'e'].map((name, index) => {
          const pushed = index % 2 ? other : project
          const update = newPush(store, pushed, { now: Date.now, sha: 2 + index, ref: `refs/heads/${name}` })
          return store.accept({ delivery: { id: name, event: 'push' }, updates: [update] })
        }),
      )
      const ended = results.flatMap((result) => (result.kind === 'accepted' ? result.superseded : []))
      expect(ended).toEqual([first, toCreatedId(results[0] as AcceptResult)])
      expect(await listOpen(store)).toHaveLength(3)
    })

    test('end bulk work of an installation that has too many before its pushes', async () => {
      const { store, push } = await open({ limits: { maxWaitingPerInstallation: 2 } })
      const kept = toCreatedId(await store.accept({ updates: [push()] }))
      const update = push({ ref: 'refs/heads/a' })
      const details = { ...update.details, trigger: 'catch-up' } as const
      const bulk = toCreatedId(await store.accept({ updates: [{ ...update, details }] }))
      const result = await store.accept({ updates: [push({ ref: 'refs/heads/b' })] })
      expect(result).toMatchObject({ superseded: [bulk] })
      const waiting = await listOpen(store)
      expect(waiting.map(({ update }) => update._id)).toEqual([kept, toCreatedId(result)])
    })
  })

  test('rolls back the delivery, the changes and the first record when the second record fails', async () => {
    const { store, push } = await open()
    const good = push()
    const bad = { ...push({ sha: 2 }), details: { trigger: 'push' as const } }
    const facts = {
      installationId: 7,
      repositoryId: 7,
      owner: 'o',
      repo: 'r',
      root: '',
      hasDocsConfig: true,
      defaultBranch: 'main',
      private: false,
    }
    await expect(
      store.accept({
        delivery: { id: 'd1', event: 'push' },
        projectChanges: [{ kind: 'upsert', project: facts }],
        updates: [good, bad],
      }),
    ).rejects.toThrow('missing `details.before`')
    expect(await store.deliveries.findMissing(['d1'])).toEqual(['d1'])
    expect(await store.statuses.find(good.update._id)).toBeUndefined()
    expect(await store.projects.findByRepository(7)).toEqual([])
    expect((await store.queue.stats()).waiting).toBe(0)
  })

  test.each([
    ['catch-up', 'tip'],
    ['pull_request', 'head'],
  ] as const)('reuses the record that %s created when the push arrives later', async (trigger, once) => {
    const { store, push } = await open()
    const found = (sha: number) => ({ ...push({ sha, once }), details: { trigger } })
    const outcomes = async (update: ReturnType<typeof push>) => {
      const result = await store.accept({ updates: [update] })
      return result.kind === 'accepted' ? result.updates.map(({ outcome }) => outcome) : []
    }
    expect(await outcomes(found(2))).toEqual(['created'])
    expect(await outcomes(found(2))).toEqual(['same-head'])
    // The webhook of the push that moved the branch there, and of the push before.
    const same = push({ sha: 2, before: 1 })
    expect(await outcomes(same)).toEqual(['same-push'])
    expect(await listOpen(store)).toMatchObject([{ details: { trigger, before: same.details.before } }])
    expect(await outcomes(push({ sha: 1, before: 0 }))).toEqual(['created'])
    // The branch moves on and back again: this is a separate push.
    expect(await outcomes(push({ sha: 3, before: 2 }))).toEqual(['created'])
    expect(await outcomes(push({ sha: 2, before: 3 }))).toEqual(['created'])
  })

  test('does not reuse the record that catch-up created for another project', async () => {
    const { store, push, clock } = await open()
    const docs = await addProject(store, { root: 'docs' })
    const found = newPush(store, docs, { now: clock.now, sha: 2, once: 'tip' })
    await store.accept({ updates: [{ ...found, details: { trigger: 'catch-up' } }] })
    // The commit is known here too.
    await store.accept({ updates: [push({ sha: 2, ref: 'refs/heads/next' })] })
    toCreatedId(await store.accept({ updates: [push({ sha: 2, before: 1 })] }))
  })

  test.each([
    ['before', [2, 1], 'same-push'],
    ['before, and those before it', [1, 0, 2, 1], 'same-push'],
    ['back from one push later', [2, 3], 'created'],
    ['back from two pushes later', [4, 3, 2, 4], 'created'],
  ] as const)('knows whether a later push moved the branch from the commit of a pull request: %s', async (_, moves, expected) => {
    const { store, push } = await open()
    await store.accept({ updates: [{ ...push({ sha: 2, once: 'head' }), details: { trigger: 'pull_request' } }] })
    // The next push arrives first.
    await store.accept({ updates: [push({ sha: 3, before: 2 })] })
    const outcomes: string[] = []
    for (let index = 0; index < moves.length; index += 2) {
      const result = await store.accept({ updates: [push({ sha: moves[index] ?? 0, before: moves[index + 1] ?? 0 })] })
      if (result.kind === 'accepted') outcomes.push(...result.updates.map(({ outcome }) => outcome))
    }
    expect(outcomes.at(-1)).toBe(expected)
  })

  test('applies project changes before the records, in the same transaction', async () => {
    const { store, push, project } = await open()
    const result = await store.accept({
      delivery: { id: 'd1', event: 'installation' },
      projectChanges: [{ kind: 'delete-repository', repositoryId: project.repositoryId }],
      updates: [push()],
      audit: [{ actor: 'github:octocat', action: 'installation.delete', subject: '1', detail: `opk_${'a'.repeat(43)}` }],
    })
    expect(result).toMatchObject({ updates: [{ outcome: 'no-project' }] })
    expect(await store.projects.find(project.id)).toBeUndefined()
    expect(await store.audit.list()).toMatchObject([{ action: 'installation.delete', detail: 'opk_***' }])
  })

  test('returns the first record for an idempotency key for 24 hours, and a conflict for another body', async () => {
    const { store, push, project, clock } = await open()
    const idempotency: IdempotencyKey = { projectId: project.id, key: 'k', bodyHash: 'a' }
    const trigger = (key: IdempotencyKey) => store.accept({ updates: [push({ once: 'always' })], idempotency: key })
    const first = toCreatedId(await trigger(idempotency))
    expect(await trigger(idempotency)).toEqual({ kind: 'repeated-key', statusIds: [first] })
    expect(await trigger({ ...idempotency, bodyHash: 'b' })).toEqual({ kind: 'key-conflict' })
    const other = await addProject(store, { repositoryId: 200 })
    expect(await trigger({ ...idempotency, projectId: other.id })).toMatchObject({ kind: 'accepted' })
    clock.advance(day - 1)
    expect(await trigger(idempotency)).toMatchObject({ kind: 'repeated-key' })
    clock.advance(1)
    expect(toCreatedId(await trigger({ ...idempotency, bodyHash: 'b' }))).not.toBe(first)
  })

  test('keeps delivery IDs for at least 8 days, then prunes them', async () => {
    const { store, push, clock } = await open()
    await store.accept({ delivery: { id: 'd1', event: 'push' }, updates: [push()] })
    clock.advance(8 * day)
    await store.prune()
    expect(await store.accept({ delivery: { id: 'd1', event: 'push' }, updates: [push()] })).toEqual({
      kind: 'repeated-delivery',
    })
    expect(await store.deliveries.findMissing(['d0', 'd1', 'd2'])).toEqual(['d0', 'd2'])
    clock.advance(2 * day)
    // The delivery and the push key.
    expect(await store.prune()).toBe(2)
    expect(await store.deliveries.findMissing(['d1'])).toEqual(['d1'])
    expect(await store.prune()).toBe(0)
  })

  test('finds missing deliveries among thousands', async () => {
    const { store } = await open()
    for (let index = 0; index < 1200; index += 3) await store.accept({ delivery: { id: `d${index}`, event: 'ping' } })
    const ids = Array.from({ length: 1200 }, (_value, index) => `d${index}`)
    expect(await store.deliveries.findMissing(ids)).toEqual(ids.filter((_id, index) => index % 3 !== 0))
    expect(await store.deliveries.findMissing([])).toEqual([])
  })

  test('fails the oldest of more than 50 waiting updates, and reports their checks', async () => {
    const { store, push } = await open()
    const ids: string[] = []
    for (let index = 1; index <= 52; index++) {
      const result = await store.accept({ updates: [push({ sha: index, before: index - 1 })] })
      ids.push(toCreatedId(result))
      const superseded = result.kind === 'accepted' ? result.superseded : []
      expect(superseded).toEqual(index > 50 ? [ids[index - 51]] : [])
    }
    const [first, , third] = ids
    const { update } = (await store.statuses.find(first ?? '')) ?? {}
    expect(update).toMatchObject({ status: 'failure', summary: `Not run: superseded by ${toSha(51).slice(0, 7)}.` })
    expect(update?.endedAt).toBe(update?.createdAt)
    expect((await store.statuses.find(third ?? ''))?.update.status).toBe('queued')
    expect((await listOpen(store)).length).toBe(50)
    const reports = [await claimUpdate(store), await claimUpdate(store)]
    expect(reports.map((job) => [job.kind, job.lease.jobId])).toEqual(ids.slice(0, 2).map((id) => ['wanted', id]))
    expect(await store.queue.complete(reports[0]?.lease ?? { jobId: '', attempt: 0 })).toBe(true)
  })

  test('ends waiting updates only of the branch that has too many', async () => {
    const { store, push, clock } = await open({ limits: { maxWaitingPerBranch: 2 } })
    const docs = await addProject(store, { root: 'docs' })
    for (const update of [newPush(store, docs, { now: clock.now }), push({ ref: 'refs/heads/next' })])
      await store.accept({ updates: [update] })
    const first = toCreatedId(await store.accept({ updates: [push({ sha: 2 })] }))
    await store.accept({ updates: [push({ sha: 3, before: 2 })] })
    expect(await store.accept({ updates: [push({ sha: 4, before: 3 })] })).toMatchObject({ superseded: [first] })
  })

  test('does not end a running update because of newer ones', async () => {
    const { store, push } = await open()
    const first = toCreatedId(await store.accept({ updates: [push({ sha: 1 })] }))
    const job = await claimUpdate(store)
    for (let index = 2; index <= 60; index++) await store.accept({ updates: [push({ sha: index, before: index - 1 })] })
    expect(await store.queue.save(job.lease, toRunning(job))).toBe(true)
    expect((await store.statuses.find(first))?.update.status).toBe('in_progress')
  })
}
