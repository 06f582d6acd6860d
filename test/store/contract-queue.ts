import { expect, test } from 'vitest'
import { finishUpdate, type Project, startUpdate } from '../../src/status/update-record.ts'
import type { Lease } from '../../src/store/database/holds.ts'
import type { Recovery } from '../../src/store/queue/jobs.ts'
import type { Store } from '../../src/store/store.ts'
import {
  addProject,
  claimNext,
  claimUpdate,
  createClock,
  listOpen,
  newPush,
  type OpenStore,
  toCreatedId,
  toRunning,
  toSucceeded,
  type UpdateJob,
} from './store-fixture.ts'

const leaseMs = 30_000

export function describeQueue(openStore: OpenStore): void {
  async function open() {
    const clock = createClock()
    const opened = await openStore({ now: clock.now })
    const { store } = opened
    const project = await addProject(store)
    const time = () => new Date(clock.now()).toISOString()
    const queue = async (sha = 1) =>
      toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now, sha })] }))
    const claim = () => claimNext(store, 'w', leaseMs)
    const end = (job: UpdateJob) => toSucceeded(job, clock.now)
    return { ...opened, clock, project, time, queue, claim, end }
  }

  test('runs a job from the queue to the end', async () => {
    const { store, project, queue, claim, end, clock } = await open()
    const id = await queue()
    const job = await claimUpdate(store)
    expect(job).toMatchObject({ kind: 'run', lease: { jobId: id, attempt: 1 }, project, validationOnly: false })
    expect(job.stored.update.status).toBe('queued')
    expect(await claim()).toBeUndefined()
    expect(await store.queue.stats()).toEqual({ waiting: 0, leased: 1, refused: 0, delayed: 0 })

    if (job.stored.update.status !== 'queued') throw new Error('not queued')
    expect(await store.queue.save(job.lease, startUpdate(job.stored.update, 'Checking'))).toBe(true)
    expect(await store.queue.complete(job.lease)).toBe(false)
    clock.advance(2000)
    expect(await store.queue.finish(job.lease, end(job), { report: '{"findings":[]}' })).toBe(true)
    expect((await store.statuses.find(id))?.update).toMatchObject({ status: 'success', endedAt: '2026-11-20T07:00:02.000Z' })
    expect(await store.statuses.findReport(id)).toBe('{"findings":[]}')
    expect(await store.queue.complete(job.lease)).toBe(true)
    expect(await store.queue.complete(job.lease)).toBe(false)
    expect(await store.queue.stats()).toEqual({ waiting: 0, leased: 0, refused: 0, delayed: 0 })
    expect(await listOpen(store)).toEqual([])
  })

  test('wants the same of a record once, however often it is asked, but each press of a button', async () => {
    const { store, queue } = await open()
    const statusId = await queue(1)
    await queue(2)
    const want = async (subject: 'check' | 'button') => {
      await store.accept({ wanted: [{ statusId, subject }] })
      return (await store.queue.stats()).waiting
    }
    // Two runs and two checks.
    expect([await want('check'), await want('check')]).toEqual([4, 4])
    expect([await want('button'), await want('button')]).toEqual([5, 6])
  })

  test('gives the origin of the work with each of its jobs, also for the report by another worker', async () => {
    const { store, project, clock, claim, end } = await open()
    const origin = { deliveryId: 'd-1', requestId: 'r-1' }
    const update = newPush(store, project, { now: clock.now })
    const task = { id: store.newId(), name: 'discover', installationId: 0, payload: '{}' }
    await store.accept({ updates: [update], tasks: [task], origin })
    expect(await claim()).toMatchObject({ kind: 'task', origin })
    const job = await claimUpdate(store)
    expect(job.origin).toEqual(origin)
    await store.queue.save(job.lease, toRunning(job))
    await store.queue.finish(job.lease, end(job))
    clock.advance(leaseMs + 1)
    const recovered = await store.queue.recover()
    expect(recovered).toMatchObject([{ origin }, { origin }])
    await claim()
    expect(await claim()).toMatchObject({ origin })
    await store.accept({ updates: [newPush(store, project, { now: clock.now, sha: 2 })] })
    expect((await claimUpdate(store)).origin).toEqual({})
  })

  test('never gives two processes the same job', async () => {
    const { store, openAgain, project, clock } = await open()
    const other = await openAgain()
    for (let index = 0; index < 20; index++) {
      await store.accept({ updates: [newPush(store, project, { now: clock.now, ref: `refs/heads/b${index}` })] })
    }
    const jobs = await Promise.all(
      Array.from({ length: 50 }, (_value, index) => (index % 2 ? store : other).queue.claim({ worker: 'w', leaseMs })),
    )
    const ids = jobs.flatMap((job) => (job ? [job.lease.jobId] : []))
    // Each run, and each check.
    expect(ids).toHaveLength(40)
    expect(new Set(ids).size).toBe(40)
  })

  test('never changes a final record', async () => {
    const { store, queue, end } = await open()
    const id = await queue()
    const job = await claimUpdate(store)
    await store.queue.finish(job.lease, end(job))
    const before = await store.statuses.find(id)
    expect(await store.queue.save(job.lease, toRunning(job))).toBe(false)
    const failure = finishUpdate(toRunning(job), { status: 'failure', summary: 'No.', endedAt: before?.update.endedAt ?? '' })
    expect(await store.queue.finish(job.lease, failure)).toBe(false)
    expect(await store.statuses.find(id)).toEqual(before)
  })

  test('extends a lease by heartbeats, up to the longest run', async () => {
    const { store, queue, claim, clock } = await open()
    await queue()
    const job = await claimUpdate(store)
    const beats: boolean[] = []
    for (let minute = 0; minute < 16; minute += 0.25) {
      beats.push((await store.queue.heartbeat(job.lease, leaseMs)) > 0)
      if (beats.at(-1)) expect(await claim()).toBeUndefined()
      clock.advance(15_000)
    }
    expect(beats.slice(0, 60).every(Boolean)).toBe(true)
    expect(beats.slice(60).some(Boolean)).toBe(false)
    expect(await claimUpdate(store)).toMatchObject({ lease: { attempt: 2 } })
  })

  test('restarts a lost run and fences off its first worker', async () => {
    const { store, queue, claim, clock, end } = await open()
    const id = await queue()
    const lost = await claimUpdate(store)
    await store.queue.save(lost.lease, toRunning(lost))
    clock.advance(leaseMs - 1)
    expect(await claim()).toBeUndefined()
    expect(await store.queue.recover()).toEqual([])
    clock.advance(1)
    const again = await claimUpdate(store)
    expect(again).toMatchObject({ kind: 'run', lease: { jobId: id, attempt: 2 } })
    expect(again.stored.update.status).toBe('in_progress')
    expect(again.stored.update.logs).toEqual([
      'Attempt 1 was lost: last heartbeat of the worker at 2026-11-20T07:00:00.000Z. The run will be retried.',
    ])
    const late = [
      await store.queue.heartbeat(lost.lease, leaseMs),
      await store.queue.save(lost.lease, toRunning(lost)),
      await store.queue.finish(lost.lease, end(lost)),
      await store.queue.release(lost.lease),
      await store.queue.complete(lost.lease),
    ]
    expect(late).toEqual([0, false, false, false, false])
    expect(await store.queue.retry(lost.lease, { reason: 'late' })).toEqual({ kind: 'lease-lost' })
    expect(await store.queue.finish(again.lease, end(again))).toBe(true)
  })

  test('fails a run that was lost five times, with the reason, and reports its check', async () => {
    const { store, queue, clock } = await open()
    const id = await queue()
    for (const minute of ['00:00', '00:30', '01:00', '01:30']) {
      await claimUpdate(store)
      clock.advance(leaseMs)
      const reason = `last heartbeat of the worker at 2026-11-20T07:${minute}.000Z`
      expect(await store.queue.recover()).toEqual([{ jobId: id, kind: 'run', outcome: 'requeued', reason, origin: {} }])
    }
    const last = await claimUpdate(store)
    clock.advance(10_000)
    await store.queue.heartbeat(last.lease, leaseMs)
    clock.advance(leaseMs)
    expect(await store.queue.recover()).toMatchObject([{ jobId: id, outcome: 'given-up' }])
    expect(await store.queue.recover()).toEqual([])
    const summary =
      'Failed: the worker stopped responding 5 times, and the run was not retried (last heartbeat at 2026-11-20T07:02:10.000Z).'
    const stored = await store.statuses.find(id)
    expect(stored?.update).toMatchObject({ status: 'failure', summary, endedAt: '2026-11-20T07:02:40.000Z' })
    expect(stored?.update.logs.at(-1)).toBe(summary)
    expect(await claimUpdate(store)).toMatchObject({ kind: 'wanted', lease: { jobId: id, attempt: 6 } })
  })

  test('reports the lost jobs that a claim finds', async () => {
    const { store, queue, claim, clock } = await open()
    const id = await queue()
    const check = await store.queue.claim({ worker: 'w', leaseMs })
    if (check) await store.queue.complete(check.lease)
    const recovered: Recovery[] = []
    const claimAndReport = () =>
      store.queue.claim({ worker: 'w', leaseMs, onRecovered: (changes) => void recovered.push(...changes) })
    await claimAndReport()
    expect(recovered).toEqual([])
    for (let loss = 1; loss <= 5; loss++) {
      clock.advance(leaseMs)
      await claimAndReport()
    }
    expect(recovered.map(({ outcome }) => outcome)).toEqual([...Array(4).fill('requeued'), 'given-up'])
    expect(new Set(recovered.map(({ jobId, kind }) => `${kind} ${jobId}`))).toEqual(new Set([`run ${id}`]))
    expect(await claim()).toBeUndefined()
  })

  test('leaves the report to the next worker after a crash between record and report', async () => {
    const { store, queue, clock, end } = await open()
    const id = await queue()
    const job = await claimUpdate(store)
    await store.queue.finish(job.lease, end(job))
    clock.advance(leaseMs)
    const report = await claimUpdate(store)
    expect(report).toMatchObject({ kind: 'wanted', lease: { jobId: id, attempt: 2 } })
    expect(report.stored.update.status).toBe('success')
    expect(await store.queue.complete(job.lease)).toBe(false)
    expect(await store.queue.complete(report.lease)).toBe(true)
  })

  test.for(['run', 'wanted'] as const)('keeps a job `%s` whatever GitHub answers', async (kind, { expect }) => {
    const { store, project, queue, end, clock } = await open()
    const id = await queue()
    let job = await claimUpdate(store)
    if (kind === 'wanted') await store.queue.finish(job.lease, end(job))
    const waits: number[] = []
    for (let tries = 1; tries <= 40; tries++) {
      const reason = `403 Resource not accessible by integration (${tries})`
      const result = await store.queue.retry(job.lease, { reason, refusal: 'forbidden' })
      expect(await store.queue.stats()).toMatchObject({ leased: 0, refused: 1, delayed: 0 })
      const refusal = { by: 'github', reason: 'forbidden', words: reason }
      const group = { kind: kind === 'run' ? 'run' : 'check', state: 'waiting', projectId: project.id, refusal, count: 1 }
      const refusedGroups = (await store.queue.listGroups()).filter((one) => one.refusal)
      expect(refusedGroups).toMatchObject([{ ...group, since: job.stored.update.createdAt }])
      const waitMs = result.kind === 'waiting' ? Date.parse(result.availableAt) - clock.now() : Number.NaN
      waits.push(waitMs)
      clock.advance(waitMs - 1)
      expect(await claimNext(store, 'w', leaseMs)).toBeUndefined()
      clock.advance(1)
      job = await claimUpdate(store)
      expect(job).toMatchObject({ kind, lease: { jobId: id }, answer: reason, isBulk: true })
    }
    // Seconds, minutes, an hour.
    expect(waits.slice(0, 2).every((waitMs) => waitMs <= 12_000)).toBe(true)
    expect(Math.max(...waits)).toBe(3_600_000)
    for (const [retryAfterMs, refused] of [
      [0, 1],
      [1_000, 0],
    ] as const) {
      await store.queue.retry(job.lease, { reason: '502 Bad Gateway', retryAfterMs })
      expect(await store.queue.stats()).toMatchObject({ waiting: 1 - refused, refused })
      clock.advance(3_600_000)
      job = await claimUpdate(store)
      expect(job.answer).toBe(refused === 1 ? `403 Resource not accessible by integration (40)` : undefined)
    }
    expect(await store.queue.complete(job.lease)).toBe(kind === 'wanted')
  })

  test('tries again within 45 seconds what failed at GitHub less than 20 times, then more rarely', async () => {
    const { store, queue, clock } = await open()
    await queue()
    const waits: number[] = []
    for (let tries = 1; tries <= 25; tries++) {
      const job = await claimUpdate(store)
      const result = await store.queue.retry(job.lease, { reason: '502 Bad Gateway' })
      waits.push(result.kind === 'waiting' ? Date.parse(result.availableAt) - clock.now() : Number.NaN)
      clock.advance(waits.at(-1) ?? 0)
    }
    expect(Math.max(...waits.slice(0, 20))).toBe(45_000)
    expect(Math.max(...waits)).toBe(600_000)
  })

  test.for([
    ['storage', 60_000],
    ['unexpected', 600_000],
  ] as const)(
    'keeps a run that the server cannot do (%s), and says so without blocking for ever',
    async ([refusal, longestMs], { expect }) => {
      const { store, queue, clock } = await open()
      const id = await queue()
      const reason = `no ghs_${'a'.repeat(36)}`
      const words = 'no ghs_***'
      const details = async () => (await store.statuses.find(id))?.details
      const shown: string[] = []
      const waits: number[] = []
      while ((await details())?.waiting?.isLong !== true && waits.length < 20) {
        const job = await store.queue.claim({ worker: 'w', leaseMs })
        if (!job || job.kind === 'task') throw new Error('No job')
        if (job.kind === 'wanted') {
          shown.push(`${job.subject}: ${(await details())?.waiting?.line}`)
          await store.queue.complete(job.lease)
          continue
        }
        // GitHub is not asked about the commit again.
        expect(job).toMatchObject({ kind: 'run', answer: undefined })
        await store.queue.save(job.lease, toRunning(job))
        const result = await store.queue.retry(job.lease, { reason, refusal })
        expect(await store.queue.stats()).toMatchObject({ leased: 0, refused: 0, delayed: 1 })
        expect(await store.queue.listGroups()).toContainEqual(
          expect.objectContaining({ kind: 'run', refusal: { by: 'server', reason: refusal, words } }),
        )
        waits.push(result.kind === 'waiting' ? Date.parse(result.availableAt) - clock.now() : Number.NaN)
        clock.advance(waits.length === 15 ? 24 * 3_600_000 : (waits.at(-1) ?? 0))
      }
      const often = longestMs === 60_000 ? 'minute' : '10 minutes'
      const line = `Waiting since 2026-11-20 07:00 UTC: ${words} (tried again every ${often})`
      expect(shown).toEqual(['check: undefined', `check: ${line}`])
      expect([waits[0], Math.max(...waits)]).toEqual([expect.closeTo(5_500, -4), longestMs])
      expect(await store.queue.claim({ worker: 'w', leaseMs })).toMatchObject({ kind: 'wanted', subject: 'check' })
      const { update } = (await store.statuses.find(id)) ?? {}
      expect(update).toMatchObject({ status: 'in_progress', summary: line })
      expect(update?.logs[0]).toMatch(/^Attempt 1 failed: no ghs_\*\*\* The next attempt is at 2026-11-20T07:00:0\d\.\d{3}Z\.$/)
      expect(JSON.stringify(update)).not.toContain('aaaaaaa')
    },
  )

  test('does not count the loss of a lease whose worker goes on', async () => {
    const { store, queue, clock } = await open()
    await queue()
    for (let times = 0; times < 10; times++) {
      const job = await store.queue.claim({ worker: 'v', leaseMs })
      if (!job) throw new Error('No job')
      clock.advance(leaseMs + 600_000)
      // Before or after another worker finds it.
      if (times % 2 === 0) await store.queue.recover()
      await store.queue.releaseAll('v', job.lease)
    }
    expect(await claimUpdate(store)).toMatchObject({ kind: 'run' })
  })

  test('waits as long as GitHub requires', async () => {
    const { store, queue, clock } = await open()
    await queue()
    const job = await claimUpdate(store)
    const result = await store.queue.retry(job.lease, { reason: 'rate limit', retryAfterMs: 3_600_000 })
    expect(result).toEqual({ kind: 'waiting', availableAt: new Date(clock.now() + 3_600_000).toISOString() })
  })

  test('returns jobs at a graceful stop without counting a failure', async () => {
    const { store, queue } = await open()
    await queue()
    for (let attempt = 1; attempt <= 10; attempt++) {
      const job = await claimUpdate(store)
      expect(job.lease.attempt).toBe(attempt)
      expect(await store.queue.release(job.lease)).toBe(true)
      expect(await store.queue.release(job.lease)).toBe(false)
    }
    expect((await store.queue.stats()).waiting).toBe(1)
  })

  test('returns the job of a worker that does not know it, without counting a loss', async () => {
    const { store, queue } = await open()
    const id = await queue()
    for (let attempt = 1; attempt <= 10; attempt++) {
      const unknown = await claimUpdate(store, 'w')
      await store.queue.releaseAll('other')
      expect(await store.queue.stats()).toMatchObject({ waiting: 0, leased: 1 })
      await store.queue.releaseAll('w')
      expect(await store.queue.heartbeat(unknown.lease, leaseMs)).toBe(0)
    }
    expect((await store.statuses.find(id))?.update).toMatchObject({ status: 'queued', logs: [] })
  })

  test('counts the jobs that could begin now, without bulk work', async () => {
    const { store, queue, claim } = await open()
    expect(await store.queue.readDueCount()).toBe(0)
    await queue()
    await store.queue.release((await claimUpdate(store)).lease)
    const task = { name: 'discover', installationId: 4, payload: '{}' }
    await store.accept({ tasks: [{ ...task, id: store.newId() }] })
    await store.accept({ tasks: [{ ...task, id: store.newId(), isBulk: true }] })
    expect(await store.queue.readDueCount()).toBe(2)
    const job = await claim()
    expect(await store.queue.readDueCount()).toBe(1)
    // Due again later.
    if (job) await store.queue.retry(job.lease, { reason: 'GitHub did not respond' })
    expect(await store.queue.readDueCount()).toBe(1)
  })

  test('tries a task again, however often it failed', async () => {
    const { store, claim, clock } = await open()
    const id = store.newId()
    await store.accept({ tasks: [{ id, name: 'discover', installationId: 4, payload: '{"repositoryId":1}' }] })
    for (let attempt = 1; attempt <= 12; attempt++) {
      const job = await claim()
      expect(job).toEqual({
        kind: 'task',
        lease: { jobId: id, attempt },
        name: 'discover',
        installationId: 4,
        payload: '{"repositoryId":1}',
        isBulk: false,
        origin: {},
      })
      if (!job) return
      expect(await store.queue.retry(job.lease, { reason: 'no answer' })).toMatchObject({ kind: 'waiting' })
      clock.advance(3_600_000)
    }
  })

  test('ends a lease written by a clock hours ahead after a minute', async () => {
    const { store, queue, claim, clock } = await open()
    await queue(1)
    await claim()
    // The process dies here, and the clock is set back.
    clock.advance(-6 * 3_600_000)
    await queue(2)
    await store.queue.recover()
    clock.advance(59_999)
    expect(await store.queue.recover()).toEqual([])
    clock.advance(1)
    expect(await store.queue.recover()).toMatchObject([{ outcome: 'requeued' }])
    expect(await claim()).toMatchObject({ kind: 'run' })
  })

  test('lets a worker keep its job when the clock is set back', async () => {
    const { store, queue, end, clock } = await open()
    await queue()
    const job = await claimUpdate(store)
    clock.advance(-6 * 3_600_000)
    expect(await store.queue.recover()).toEqual([])
    expect(await store.queue.heartbeat(job.lease, leaseMs)).toBe(leaseMs)
    expect(await store.queue.finish(job.lease, end(job))).toBe(true)
  })

  test('does not delay jobs that were created or postponed while the clock was ahead', async () => {
    const { store, queue, claim, clock } = await open()
    await queue(1)
    clock.advance(6 * 3_600_000)
    const job = await claimUpdate(store)
    expect(await store.queue.retry(job.lease, { reason: 'GitHub is unreachable' })).toMatchObject({ kind: 'waiting' })
    await store.accept({ tasks: [{ id: store.newId(), name: 'discover', installationId: 0, payload: '{}' }] })
    clock.advance(-6 * 3_600_000)
    expect(await claim()).toMatchObject({ kind: 'task' })
    expect(await claim()).toBeUndefined()
    await store.queue.recover()
    clock.advance(60_000)
    expect(await claim()).toMatchObject({ kind: 'run' })
  })

  test('repeats what GitHub refused an installation a few times at once when it accepts a write of it', async () => {
    const { store, claim, clock } = await open()
    const add = (name: string, installationId: number) =>
      store.accept({ tasks: [{ id: store.newId(), name, installationId, payload: '{}' }] })
    const claimTask = async () => {
      const job = await claim()
      return job?.kind === 'task' ? job : undefined
    }
    const refuse = async () => {
      const job = await claimTask()
      if (job) await store.queue.retry(job.lease, { reason: '403', refusal: 'forbidden', retryAfterMs: 3_600_000 })
      return job?.name
    }
    await add('refused', 4)
    await add('refused elsewhere', 5)
    expect([await refuse(), await refuse()]).toEqual(['refused', 'refused elsewhere'])
    const tryAfter = async (waitMs: number, isAccepted = true) => {
      clock.advance(waitMs)
      await add('accepted', 4)
      const job = await claimTask()
      expect(job && (await store.queue.complete(job.lease, { isAccepted }))).toBe(true)
      return await refuse()
    }
    expect([await tryAfter(5_000, false), await tryAfter(0)]).toEqual([undefined, 'refused'])
    // Two tries within moments could both miss a new commit.
    expect([await tryAfter(4_999), await tryAfter(1)]).toEqual([undefined, 'refused'])
    const tried: (string | undefined)[] = []
    for (let task = 0; task < 10; task++) tried.push(await tryAfter(5_000))
    // Then, it is probably refused for good.
    expect(tried).toEqual([...Array(8).fill('refused'), undefined, undefined])
    expect(await store.queue.stats()).toEqual({ waiting: 0, leased: 0, refused: 2, delayed: 0 })
  })

  test('does not let a worker write another record under its lease', async () => {
    const { store, queue, end } = await open()
    await queue(1)
    const job = await claimUpdate(store)
    const lease: Lease = { jobId: store.newId(), attempt: 1 }
    await expect(store.queue.save(lease, toRunning(job))).rejects.toThrow('Cannot write update')
    await expect(store.queue.finish(lease, end(job))).rejects.toThrow('Cannot write update')
  })
}

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
    expect(await store.queue.finish(job.lease, toSucceeded(job, now))).toBe(true)
  }

  /** Runs as many updates, one after the other, and tells which ones, and whether only to validate. */
  async function runInOrder(store: Store, count: number, now: () => number): Promise<(readonly [string, boolean])[]> {
    const order: (readonly [string, boolean])[] = []
    for (let index = 0; index < count; index++) {
      const job = await claimUpdate(store)
      expect(await claimNext(store, 'w2', leaseMs)).toBeUndefined()
      order.push([job.lease.jobId, job.validationOnly === true])
      await end(store, job, now)
    }
    return order
  }

  test('runs one update per branch at a time: the newest first, then the older ones with validation only', async () => {
    const { store, clock, push } = await open()
    const ids = [await push(1), await push(2), await push(3)]
    expect(await runInOrder(store, 3, clock.now)).toEqual([
      [ids[2], false],
      [ids[1], true],
      [ids[0], true],
    ])
  })

  test('does not stop a run because of a newer push, and retries it after the newer one when lost', async () => {
    const { store, clock, push } = await open()
    const first = await push(1)
    const running = await claimUpdate(store)
    const second = await push(2)
    expect(await claimNext(store, 'w2', leaseMs)).toBeUndefined()
    clock.advance(leaseMs)
    const next = await claimUpdate(store)
    expect(next).toMatchObject({ lease: { jobId: second }, validationOnly: false })
    expect(await store.queue.save(running.lease, toRunning(running))).toBe(false)
    await end(store, next, clock.now)
    expect(await claimUpdate(store)).toMatchObject({ lease: { jobId: first, attempt: 2 }, validationOnly: true })
  })

  test('runs branches and projects in parallel', async () => {
    const { store, push } = await open()
    const docs = await addProject(store, { root: 'docs' })
    const ids = [await push(1), await push(2, { ref: 'refs/heads/next' }), await push(1, { project: docs })]
    const claimed = [await claimUpdate(store), await claimUpdate(store), await claimUpdate(store)].map(({ lease }) => lease.jobId)
    expect(claimed).toEqual(ids)
  })

  test('re-runs the tip fully, and an older commit with validation only if requested', async () => {
    const { store, clock, push } = await open()
    await push(1)
    const tip = await push(2)
    const again = await push(2, { once: 'always' })
    const old = await push(1, { once: 'always', validationOnly: true })
    expect(await runInOrder(store, 3, clock.now)).toEqual([
      [again, false],
      [tip, false],
      [old, true],
    ])
  })

  test('treats a push as older if the webhook of a later push arrived first', async () => {
    const { store, clock, push } = await open()
    const later = await push(3)
    const overtaken = await push(2)
    expect(await runInOrder(store, 2, clock.now)).toEqual([
      [later, false],
      [overtaken, true],
    ])
  })

  test('keeps the order of arrival for pushes that move a branch back and forth', async () => {
    const { store, project, clock } = await open()
    const move = async (before: number, sha: number) =>
      toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now, sha, before })] }))
    await move(1, 2)
    const back = await move(2, 1)
    expect(await claimUpdate(store)).toMatchObject({ lease: { jobId: back }, validationOnly: false })
  })

  test('runs older updates of a branch while the newest waits for its next attempt', async () => {
    const { store, clock, push } = await open()
    const first = await push(1)
    const second = await push(2)
    const job = await claimUpdate(store)
    expect(job.lease.jobId).toBe(second)
    await store.queue.retry(job.lease, { reason: 'GitHub answered 502' })
    expect(await claimUpdate(store)).toMatchObject({ lease: { jobId: first }, validationOnly: true })
    clock.advance(10_000)
    expect(await claimNext(store, 'w2', leaseMs)).toBeUndefined()
  })

  test('lets installations take turns, however many jobs one of them has waiting', async () => {
    const { store } = await open()
    const add = (installationId: number) =>
      store.accept({ tasks: [{ id: store.newId(), name: 'x', installationId, payload: '{}' }] })
    for (let index = 0; index < 20; index++) await add(1)
    for (let index = 0; index < 3; index++) await add(2)
    const claimInstallation = async () => {
      const job = await claimNext(store)
      return job?.kind === 'task' ? job.installationId : undefined
    }
    const first = [await claimInstallation(), await claimInstallation(), await claimInstallation()]
    await add(3)
    const then: (number | undefined)[] = []
    for (let index = 0; index < 6; index++) then.push(await claimInstallation())
    expect(first).toEqual([1, 2, 1])
    expect(then).toEqual([3, 2, 1, 2, 1, 1])
  })

  test('does not delay other installations if all branches of one are busy', async () => {
    const { store, push } = await open()
    const one = await addProject(store, { repositoryId: 1, installationId: 1 })
    const two = await addProject(store, { repositoryId: 2, installationId: 2 })
    await push(1, { project: one })
    await claimUpdate(store)
    for (let sha = 2; sha < 6; sha++) await push(sha, { project: one })
    const ids = [await push(1, { project: two }), await push(2, { project: two, ref: 'refs/heads/next' })]
    expect([(await claimUpdate(store)).lease.jobId, (await claimUpdate(store)).lease.jobId]).toEqual(ids)
    expect(await claimNext(store, 'w', leaseMs)).toBeUndefined()
  })

  test('does all other work of an installation before bulk work', async () => {
    const { store, clock, project, push } = await open()
    const accept = async (sha: number, isBulk: boolean) => {
      const ref = `refs/heads/b${sha}`
      const task = { id: store.newId(), name: `check-${sha}`, installationId: 1, payload: '{}', isBulk }
      const update = newPush(store, project, { now: clock.now, sha, ref })
      const bulk = { ...update, details: { ...update.details, trigger: 'catch-up' } } as const
      await store.accept({ updates: [isBulk ? bulk : update], tasks: [task] })
    }
    for (const sha of [1, 2, 3]) await accept(sha, true)
    await accept(4, false)
    await push(5)
    await push(6)
    const order: string[] = []
    for (;;) {
      const job = await claimNext(store, 'w', leaseMs)
      if (!job) break
      if (job.kind === 'run') await end(store, job, clock.now)
      order.push(job.kind === 'task' ? job.name : `${job.stored.update.commit.ref} ${Number(job.stored.update.commit.sha)}`)
      await store.queue.complete(job.lease)
    }
    expect(order).toEqual([
      'check-4',
      'refs/heads/b4 4',
      'refs/heads/main 6',
      'refs/heads/main 5',
      'check-1',
      'check-2',
      'check-3',
      'refs/heads/b1 1',
      'refs/heads/b2 2',
      'refs/heads/b3 3',
    ])
  })

  test('runs reports before updates, so that no check waits for a long queue', async () => {
    const { store, clock, push } = await open()
    const first = await push(1)
    const job = await claimUpdate(store)
    await end(store, job, clock.now)
    await store.queue.release(job.lease)
    await push(2)
    expect(await claimUpdate(store)).toMatchObject({ kind: 'wanted', lease: { jobId: first } })
    expect(await claimUpdate(store)).toMatchObject({ kind: 'run' })
  })
}
