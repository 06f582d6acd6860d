import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLeadership, createProcessLocks, type NamedLocks } from '../../../src/store/database/holds.ts'
import { openPostgresStore } from '../../../src/store/store.ts'
import { canStartPostgres, startPostgres } from '../../support/postgres.ts'
import { type PostgresProxy, startPostgresProxy } from '../../support/postgres-proxy.ts'

const timeout = 60_000

/** Processes that note when they begin and end to lead. */
function startProcesses(locks: Readonly<Record<string, NamedLocks>>) {
  const leading = new Set<string>()
  const log: string[] = []
  const problems: unknown[] = []
  const stops = new Map<string, () => Promise<void>>()
  for (const [name, own] of Object.entries(locks)) {
    const leadership = createLeadership({ locks: own, onProblem: (error) => problems.push(error) })
    stops.set(name, leadership.stop)
    onTestFinished(() => leadership.stop())
    leadership.start(async (signal) => {
      log.push(name)
      leading.add(name)
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      leading.delete(name)
    })
  }
  const waitForLeader = (isNew: (name: string) => boolean = () => true) =>
    vi.waitUntil(() => [...leading].find(isNew), { timeout, interval: 20 })
  return { leading, log, problems, waitForLeader, stop: async (name: string) => await stops.get(name)?.() }
}

test('the only process leads until it stops', async () => {
  const { leading, waitForLeader, stop } = startProcesses({ a: createProcessLocks() })
  expect(await waitForLeader()).toBe('a')
  await stop('a')
  expect([...leading]).toEqual([])
})

describe.skipIf(!canStartPostgres)('the leader of several processes', () => {
  const server = canStartPostgres ? startPostgres() : undefined
  afterAll(() => server?.stop())

  async function openProcesses(names: readonly string[]) {
    const url = (await server?.createDatabase()) ?? ''
    const proxies = new Map<string, PostgresProxy>()
    const locks: Record<string, NamedLocks> = {}
    for (const name of names) {
      const proxy = await startPostgresProxy(url)
      proxies.set(name, proxy)
      const store = await openPostgresStore({ url: proxy.url, lockSilenceMs: 1_000 })
      onTestFinished(() => store.close())
      locks[name] = store.locks
    }
    return { proxies, ...startProcesses(locks) }
  }

  test('is one of them, and another one after it has stopped', { timeout }, async () => {
    const { leading, log, waitForLeader, stop } = await openProcesses(['a', 'b', 'c'])
    const first = await waitForLeader()
    await stop(first)
    expect([...leading]).not.toContain(first)
    const second = await waitForLeader()
    expect(log).toEqual([first, second])
    expect([...leading]).toEqual([second])
  })

  test('ends its work after it was cut off from the database, and another one leads', { timeout }, async () => {
    const { leading, proxies, waitForLeader } = await openProcesses(['a', 'b'])
    const first = await waitForLeader()
    const proxy = proxies.get(first)
    if (proxy) proxy.silencesNew = true
    proxy?.silence()
    const second = await waitForLeader((name) => name !== first)
    await vi.waitUntil(() => !leading.has(first), { timeout })
    expect([...leading]).toEqual([second])
  })

  test('continues after the server was killed and has started again', { timeout }, async () => {
    const { problems, leading, waitForLeader } = await openProcesses(['a', 'b'])
    await waitForLeader()
    server?.kill()
    await vi.waitUntil(() => leading.size === 0, { timeout })
    await vi.waitUntil(() => problems.length > 0, { timeout })
    server?.start()
    await waitForLeader()
    expect(leading.size).toBe(1)
  })
})
