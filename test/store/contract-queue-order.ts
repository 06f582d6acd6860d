import { expect, test } from 'vitest'
import { finishUpdate } from '../../src/status/finish-update.ts'
import type { Project } from '../../src/status/types.ts'
import type { Store } from '../../src/store/types.ts'
import {
  addProject,
  claimUpdate,
  createClock,
  newPush,
  type OpenStore,
  toCreatedId,
  toRunning,
  type UpdateJob,
} from './store-fixture.ts'

const leaseMs = 30_000

export function describeQueueOrder(openStore: OpenStore): void {
  async function open() {
    const clock = createClock()
    const { store } = await openStore({ now: clock.now })
    const project = await addProject(store)
    const push = async (sha: number, to: { ref?: string; project?: Project; once?: 'always'; validationOnly?: boolean } = {}) => {
      const { project: target = project, validationOnly, ...rest } = to
      const update = newPush(store, target, { now: clock.now, sha, before: sha - 1, ...rest })
      return toCreatedId(await store.accept({ updates: [{ ...update, ...(validationOnly ? { validationOnly } : {}) }] }))
    }
    return { store, clock, project, push }
  }

  async function end(store: Store, job: UpdateJob, now: () => number): Promise<void> {
    const ended = finishUpdate(toRunning(job), { status: 'success', summary: 'Valid.', endedAt: new Date(now()).toISOString() })
    expect(await store.queue.finish(job.lease, ended)).toBe(true)
  }

  test('one run per branch at a time, the newest first, the older ones after it, validation only', async () => {
    const { store, clock, push } = await open()
    const ids = [await push(1), await push(2), await push(3)]
    const order: [string, boolean][] = []
    for (let index = 0; index < 3; index++) {
      const job = await claimUpdate(store)
      expect(await store.queue.claim({ worker: 'w2', leaseMs })).toBeUndefined()
      order.push([job.lease.jobId, job.validationOnly])
      await end(store, job, clock.now)
    }
    expect(order).toEqual([
      [ids[2], false],
      [ids[1], true],
      [ids[0], true],
    ])
  })

  test('a newer push does not stop the run under way; lost, it comes back after the newer one', async () => {
    const { store, clock, push } = await open()
    const first = await push(1)
    const running = await claimUpdate(store)
    const second = await push(2)
    expect(await store.queue.claim({ worker: 'w2', leaseMs })).toBeUndefined()
    clock.advance(leaseMs)
    const next = await claimUpdate(store)
    expect(next).toMatchObject({ lease: { jobId: second }, validationOnly: false })
    expect(await store.queue.save(running.lease, toRunning(running))).toBe(false)
    await end(store, next, clock.now)
    expect(await claimUpdate(store)).toMatchObject({ lease: { jobId: first, attempt: 2 }, validationOnly: true })
  })

  test('branches and projects run beside each other', async () => {
    const { store, push } = await open()
    const docs = await addProject(store, { root: 'docs' })
    const ids = [await push(1), await push(1, { ref: 'refs/heads/next' }), await push(1, { project: docs })]
    const claimed = [await claimUpdate(store), await claimUpdate(store), await claimUpdate(store)].map(({ lease }) => lease.jobId)
    expect(claimed).toEqual(ids)
  })

  test('a re-run of the tip is a full run; one of an older commit validates only where the caller says so', async () => {
    const { store, clock, push } = await open()
    await push(1)
    const tip = await push(2)
    const again = await push(2, { once: 'always' })
    const old = await push(1, { once: 'always', validationOnly: true })
    const order: [string, boolean][] = []
    for (let index = 0; index < 3; index++) {
      const job = await claimUpdate(store)
      order.push([job.lease.jobId, job.validationOnly])
      await end(store, job, clock.now)
    }
    expect(order).toEqual([
      [again, false],
      [tip, false],
      [old, true],
    ])
  })

  test('a push that a later one overtook on its way is an older one', async () => {
    const { store, clock, push } = await open()
    const later = await push(3)
    const overtaken = await push(2)
    const order: [string, boolean][] = []
    for (let index = 0; index < 2; index++) {
      const job = await claimUpdate(store)
      order.push([job.lease.jobId, job.validationOnly])
      await end(store, job, clock.now)
    }
    expect(order).toEqual([
      [later, false],
      [overtaken, true],
    ])
  })

  test('pushes that move a branch there and back are taken in the order they came', async () => {
    const { store, project, clock } = await open()
    const move = async (before: number, sha: number) =>
      toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now, sha, before })] }))
    await move(1, 2)
    const back = await move(2, 1)
    expect(await claimUpdate(store)).toMatchObject({ lease: { jobId: back }, validationOnly: false })
  })

  test('while the newest waits for its next attempt, the older ones of its branch go on', async () => {
    const { store, clock, push } = await open()
    const first = await push(1)
    const second = await push(2)
    const job = await claimUpdate(store)
    expect(job.lease.jobId).toBe(second)
    await store.queue.retry(job.lease, { reason: 'GitHub answered 502' })
    expect(await claimUpdate(store)).toMatchObject({ lease: { jobId: first }, validationOnly: true })
    clock.advance(10_000)
    expect(await store.queue.claim({ worker: 'w2', leaseMs })).toBeUndefined()
  })

  test('requirement 39: installations take turns, however much one of them has waiting', async () => {
    const { store, push } = await open()
    const busy = await addProject(store, { repositoryId: 1, installationId: 1 })
    const quiet = await addProject(store, { repositoryId: 2, installationId: 2 })
    const late = await addProject(store, { repositoryId: 3, installationId: 3 })
    for (let index = 0; index < 20; index++) await push(1, { project: busy, ref: `refs/heads/b${index}` })
    for (let index = 0; index < 3; index++) await push(1, { project: quiet, ref: `refs/heads/b${index}` })
    const claimInstallation = async () => (await claimUpdate(store)).project.installationId
    const first = [await claimInstallation(), await claimInstallation(), await claimInstallation()]
    await push(1, { project: late })
    const then: (number | undefined)[] = []
    for (let index = 0; index < 6; index++) then.push(await claimInstallation())
    expect(first).toEqual([1, 2, 1])
    expect(then).toEqual([3, 2, 1, 2, 1, 1])
  })

  test('an installation whose branches are all busy does not hold up the others', async () => {
    const { store, push } = await open()
    const one = await addProject(store, { repositoryId: 1, installationId: 1 })
    const two = await addProject(store, { repositoryId: 2, installationId: 2 })
    await push(1, { project: one })
    await claimUpdate(store)
    for (let sha = 2; sha < 6; sha++) await push(sha, { project: one })
    const ids = [await push(1, { project: two }), await push(1, { project: two, ref: 'refs/heads/next' })]
    expect([(await claimUpdate(store)).lease.jobId, (await claimUpdate(store)).lease.jobId]).toEqual(ids)
    expect(await store.queue.claim({ worker: 'w', leaseMs })).toBeUndefined()
  })

  test('reports come before runs, so that no check waits for a long queue', async () => {
    const { store, clock, push } = await open()
    const first = await push(1)
    const job = await claimUpdate(store)
    await end(store, job, clock.now)
    await store.queue.release(job.lease)
    await push(2)
    expect(await claimUpdate(store)).toMatchObject({ kind: 'report', lease: { jobId: first } })
    expect(await claimUpdate(store)).toMatchObject({ kind: 'run' })
  })
}
