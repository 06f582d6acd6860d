import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { openPostgresStore, type Store } from '../../../src/store/store.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { hashOf, pushAndClaim, readSite, stageSite, toContent } from '../site-fixture.ts'
import { addProject, claimUpdate, newPush } from '../store-fixture.ts'
import { useDatabases } from './contract-databases.ts'

describe.skipIf(!hasPostgres)('several processes with one PostgreSQL database', () => {
  const { opened, createDatabase } = useDatabases()

  async function openMany(count: number, options: Partial<Parameters<typeof openPostgresStore>[0]> = {}) {
    const url = await createDatabase()
    const stores: Store[] = []
    for (let index = 0; index < count; index++) stores.push(await openPostgresStore({ url, ...options }))
    opened.push(...stores)
    return { url, stores }
  }

  test('keeps the contents of an unfinished build if the clock of the collecting process is days ahead', async () => {
    const { url, stores } = await openMany(1)
    const [store] = stores as [Store]
    const ahead = await openPostgresStore({ url, now: () => Date.now() + 2 * 24 * 3_600_000 })
    opened.push(ahead)
    const project = await addProject(store)
    const job = await pushAndClaim(store, project, { now: Date.now, sha: 1 })
    await store.sites.addContents([toContent('not in a build yet')])
    const buildId = await stageSite(store, project, job, { 'index.html': 'a page' })
    expect(await ahead.sites.collect()).toEqual({ builds: 0, contents: 0, storedBytes: 0 })
    expect(await readSite(store, buildId)).toEqual({ 'index.html': 'a page' })
    expect(await store.sites.findMissing([hashOf('not in a build yet')])).toEqual([])
  })

  describe('locks of several processes', () => {
    test('run work under a name in one process at a time', async () => {
      const { stores } = await openMany(3)
      let running = 0
      const seen: number[] = []
      const work = async () => {
        running++
        await setTimeout(5)
        seen.push(running)
        running--
      }
      await Promise.all(Array.from({ length: 30 }, (_, index) => stores[index % 3]?.locks('a', work)))
      expect(seen).toEqual(Array.from({ length: 30 }, () => 1))
    })

    test('leave all connections to queries while many of them wait', async () => {
      const { stores } = await openMany(2, { connections: 2 })
      const [first, second] = stores as [Store, Store]
      const done: number[] = []
      await first.locks('a', async () => {
        for (let index = 0; index < 30; index++) void second.locks('a', async () => done.push(index))
        await setTimeout(50)
        await second.ping()
        expect(done).toEqual([])
      })
      await second.locks('a', async () => undefined)
      expect(done).toHaveLength(30)
    })

    test('use one connection for any number of them, and are taken once another process frees them', async () => {
      // Without a message, the second process would try again after 100 s.
      const { url, stores } = await openMany(2, { lockSilenceMs: 400_000 })
      const [first, second] = stores as [Store, Store]
      const names = Array.from({ length: 30 }, (_, index) => `name ${index}`)
      const frees: (() => void)[] = []
      const held = names.map((name) => first.locks(name, () => new Promise<void>((resolve) => frees.push(resolve))))
      await vi.waitUntil(() => frees.length === names.length, 120_000)
      const taken: string[] = []
      const waiting = names.map((name) => second.locks(name, async () => taken.push(name)))
      const client = new pg.Client(url)
      await client.connect()
      await vi.waitFor(async () => {
        const { rows } = await client.query(
          `select query from pg_stat_activity where datname = current_database() and query like '%pg_try_advisory_lock%' and pid <> pg_backend_pid()`,
        )
        expect(rows).toHaveLength(2)
      }, 120_000)
      await client.end()
      expect(taken).toEqual([])
      for (const free of frees) free()
      await Promise.all([...held, ...waiting])
      expect(taken.toSorted()).toEqual(names.toSorted())
    })

    test('are free after their wait was aborted', async () => {
      const { stores } = await openMany(3)
      const [first, second, third] = stores as [Store, Store, Store]
      const stopping = new AbortController()
      let aborted: Promise<unknown> | undefined
      await first.locks('a', async () => {
        aborted = second.locks('a', async () => 'never', { signal: stopping.signal })
        await expect(second.locks('b', async () => 'other')).resolves.toBe('other')
        stopping.abort(new Error('stopped'))
        await expect(aborted).rejects.toThrow('stopped')
      })
      expect(await third.locks('a', async () => 'free')).toBe('free')
    })

    test('are lost with their connection, and then neither confirm nor write', async () => {
      const { url, stores } = await openMany(2)
      const [first, second] = stores as [Store, Store]
      const client = new pg.Client(url)
      await client.connect()
      const late = await first.locks('a', async (hold) => {
        await client.query(
          `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
          where locktype = 'advisory' and datname = current_database()`,
        )
        expect(await second.locks('a', async () => 'taken over')).toBe('taken over')
        const aborted = hold.signal.aborted || (await once(hold.signal, 'abort'))
        expect(aborted).toBeTruthy()
        await expect(hold.confirm()).rejects.toThrow('was lost')
        return await Promise.allSettled([first.notes.write('app-id', '7')])
      })
      await client.end()
      expect(late).toMatchObject([{ status: 'rejected' }])
      expect(await second.notes.read('app-id')).toBeUndefined()
      // The next lock gets a new connection.
      expect(await first.locks('a', async () => 'again')).toBe('again')
    })

    test('are taken from a process that does not respond', async () => {
      const { stores } = await openMany(2, { lockSilenceMs: 300 })
      const [first, second] = stores as [Store, Store]
      await first.locks('a', async (hold) => {
        const other = second.locks('a', async () => undefined)
        // Blocks this process, and the other one with it. The server goes on.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
        await expect(hold.confirm()).rejects.toThrow()
        await other
      })
    })
  })

  test.each([1, -1])('uses the clock of the server for leases if that of a process is off by %i h', async (hours) => {
    const wrongNow = () => Date.now() + hours * 3_600_000
    const { url, stores } = await openMany(1)
    const [store] = stores as [Store]
    const wrong = await openPostgresStore({ url, now: wrongNow })
    opened.push(wrong)
    const project = await addProject(store)
    const push = (sha: number, ref: string) => newPush(store, project, { now: Date.now, sha, ref })
    await store.accept({ updates: [push(1, 'refs/heads/a')] })
    const job = await claimUpdate(store)
    // The wrong clock takes nothing over.
    expect(await wrong.queue.recover()).toEqual([])
    expect(await wrong.queue.claim({ worker: 'wrong', leaseMs: 30_000 })).toBeUndefined()
    expect(await store.queue.heartbeat(job.lease, 30_000)).toBe(30_000)
    // A lease of the wrong clock lasts as long as any other.
    await store.accept({ updates: [push(2, 'refs/heads/b')] })
    const other = await claimUpdate(wrong, 'wrong', 1_000)
    expect(await store.queue.recover()).toEqual([])
    expect(await wrong.queue.heartbeat(other.lease, 700)).toBe(700)
    await setTimeout(750)
    expect(await store.queue.recover()).toMatchObject([{ jobId: other.lease.jobId, outcome: 'requeued' }])
  })
})
