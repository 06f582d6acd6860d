import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Leadership } from '../../src/store/leadership.ts'
import { openPostgresLeadership } from '../../src/store/postgres-leadership.ts'
import { canStartPostgres, startPostgres } from '../support/postgres.ts'

describe.skipIf(!canStartPostgres)('the leader of several processes', () => {
  const server = canStartPostgres ? startPostgres() : undefined
  afterAll(() => server?.stop())

  /** Processes with one database that note when they begin and end to lead. */
  async function openProcesses(names: readonly string[]) {
    const url = (await server?.createDatabase()) ?? ''
    const leading = new Set<string>()
    const log: string[] = []
    const problems: unknown[] = []
    const processes = new Map<string, Leadership>()
    for (const name of names) {
      const leadership = openPostgresLeadership({ url, onProblem: (error) => problems.push(error), onLead: () => log.push(name) })
      processes.set(name, leadership)
      onTestFinished(() => leadership.stop())
      leadership.start(async (signal) => {
        leading.add(name)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        leading.delete(name)
      })
    }
    const waitForLeader = async (isNew: (name: string) => boolean = () => true) =>
      await vi.waitUntil(() => [...leading].find(isNew), { timeout: 40_000, interval: 50 })
    return { url, leading, log, problems, processes, waitForLeader }
  }

  test('is one of them, and another one after it has stopped', async () => {
    const { leading, log, processes, waitForLeader } = await openProcesses(['a', 'b', 'c'])
    const first = await waitForLeader()
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect([...leading]).toEqual([first])
    await processes.get(first)?.stop()
    expect([...leading]).not.toContain(first)
    const second = await waitForLeader()
    expect(log).toEqual([first, second])
  })

  test('ends its work after the database gave its job to another one', async () => {
    const { url, leading, waitForLeader } = await openProcesses(['a', 'b'])
    const first = await waitForLeader()
    const client = new pg.Client(url)
    await client.connect()
    // As pg-boss does when the heartbeats stop.
    const { rowCount } = await client.query(
      `update pgboss.job set state = 'retry', retry_count = 1, start_after = now() where name = 'leader' and state = 'active'`,
    )
    await client.end()
    expect(rowCount).toBe(1)
    const second = await waitForLeader((name) => name !== first).catch(() => undefined)
    // The first one may have got the job again.
    if (second !== undefined) await vi.waitUntil(() => !leading.has(first), { timeout: 10_000 })
    expect(leading.size).toBe(1)
  })

  test('continues after the server was killed and has started again', async () => {
    const { log, problems, leading, waitForLeader } = await openProcesses(['a', 'b'])
    await waitForLeader()
    server?.kill()
    await vi.waitUntil(() => problems.length > 0, { timeout: 20_000 })
    server?.start()
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    await waitForLeader()
    expect([leading.size, new Set(log).size]).toEqual([1, 1])
  })
})
