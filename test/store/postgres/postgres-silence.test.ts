import { once } from 'node:events'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { migrations } from '../../../src/store/database/migrations.ts'
import type { PostgresTimes } from '../../../src/store/postgres/postgres-pool.ts'
import { openPostgresStore, type Store } from '../../../src/store/store.ts'
import { StoreError } from '../../../src/text/errors.ts'
import { hasPostgres, startTestDatabases } from '../../support/postgres.ts'
import { startPostgresProxy } from '../../support/postgres-proxy.ts'

const connections = 4
const times = { statementMs: 2_000, answerMs: 400 }

describe.skipIf(!hasPostgres)('connections that never answer', () => {
  const databases = startTestDatabases()
  afterAll(() => databases.stop())

  async function open(options: { readonly lockSilenceMs?: number; readonly times?: Partial<PostgresTimes> } = {}) {
    const url = await databases.createDatabase()
    const openStore = async (place: string) => {
      const store = await openPostgresStore({ url: place, connections, times, ...options })
      onTestFinished(() => store.close())
      return store
    }
    // Creates the schema.
    const other = await openStore(url)
    const proxy = await startPostgresProxy(url)
    return { url, proxy, other, store: await openStore(proxy.url) }
  }

  const pingAll = (store: Store) => Promise.allSettled(Array.from({ length: connections }, () => store.ping()))

  // A query that ends early leaves its connection to the next one. A connection that still opens is not idle.
  const openAll = (store: Store) =>
    expect
      .poll(async () => {
        await pingAll(store)
        return store.connections?.().idle
      })
      .toBe(connections)

  test('are given up together after one of them has failed', async () => {
    const { proxy, store } = await open()
    await openAll(store)
    expect(proxy.silence()).toBeGreaterThanOrEqual(connections)
    await expect(store.ping()).rejects.toThrow(StoreError)
    for (let count = 0; count < connections; count++) await store.ping()
  })

  test('are given up while all of them are in use', async () => {
    const { proxy, store } = await open()
    await openAll(store)
    proxy.silence()
    const results = await pingAll(store)
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: connections }, () => 'rejected'))
    const again = await pingAll(store)
    expect(again.map(({ status }) => status)).toEqual(Array.from({ length: connections }, () => 'fulfilled'))
  })

  test('are given up while they are opened', async () => {
    const { proxy, store } = await open()
    proxy.silence()
    proxy.silencesNew = true
    const waiting = store.ping().then(
      () => 'written',
      (error: unknown) => error,
    )
    await expect(waiting).resolves.toBeInstanceOf(StoreError)
    proxy.silencesNew = false
    await vi.waitFor(() => store.ping(), { timeout: 120_000, interval: 50 })
  })

  test('do not hide a commit that succeeded', async () => {
    const { proxy, store } = await open()
    const made = await store.tokens.create(
      { grant: { scope: 'admin' }, name: 'ci', expiresAt: '2999-01-01T00:00:00.000Z' },
      'cli',
    )
    const { token = '', stored } = made ?? {}
    expect((await store.tokens.check(token)).kind).toBe('valid')
    const lost = proxy.silenceOn('commit', { isDelivered: true })
    await expect(store.tokens.revoke(stored?.id ?? '', 'cli')).rejects.toThrow(StoreError)
    await lost
    expect(await store.tokens.check(token)).toEqual({ kind: 'revoked' })
  })

  test('are ended by the server too, so that they do not use all of its connections', async () => {
    const { proxy, store, other, url } = await open({ times: { ...times, sessionMs: 500 } })
    await other.close()
    await pingAll(store)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    expect(rows).toHaveLength(connections)
    proxy.silence()
    const countLeft = async () => {
      const pids = rows.map(({ pid }) => pid)
      return (await client.query('select from pg_stat_activity where pid = any($1)', [pids])).rowCount
    }
    await vi.waitFor(async () => expect(await countLeft()).toBe(0), { timeout: 120_000, interval: 50 })
    await vi.waitFor(() => store.ping(), { timeout: 120_000, interval: 50 })
  })

  test('lose their locks, which are taken again on a new connection', async () => {
    const { proxy, store } = await open({ lockSilenceMs: 400 })
    await store.locks('a', async ({ signal }) => {
      expect(proxy.silence('advisory_lock(')).toBe(1)
      if (!signal.aborted) await once(signal, 'abort')
    })
    expect(await store.locks('a', async () => 'again')).toBe('again')
  })

  test('are not confused with a migration that takes long', async () => {
    const { url } = await open()
    const slowStep = async (transaction: Parameters<(typeof migrations)[number]>[0]) => {
      await sql`select pg_sleep(1)`.execute(transaction)
    }
    const steps = [...migrations, slowStep]
    const store = await openPostgresStore({ url, connections, times: { statementMs: 200, answerMs: 400 }, steps })
    onTestFinished(() => store.close())
    await store.ping()
  })
})
