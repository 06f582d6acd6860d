import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { GitHubApp } from '../../src/github/apps/github-app.ts'
import { createCheckRun, startCheckRun } from '../../src/github/repositories/check-runs.ts'
import { findCommit } from '../../src/github/repositories/commits.ts'
import { defaultPace, type RequestPace } from '../../src/github/requests/github-client.ts'
import { type BudgetStates, createMemoryStates, RequestBudget } from '../../src/github/requests/request-budget.ts'
import type { LimitStore } from '../../src/store/database/store-database.ts'
import { openPostgresStore, type Store } from '../../src/store/store.ts'
import { StoreError } from '../../src/text/errors.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { fastPace } from '../support/github-app.ts'
import { failureOf } from '../support/github-failure.ts'
import { hasPostgres, startTestDatabases } from '../support/postgres.ts'

const databases = startTestDatabases()
const opened: Store[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})
afterAll(() => databases.stop())

async function createDatabase(): Promise<string> {
  return await databases.createDatabase()
}

async function openStore(url: string, now?: () => number): Promise<Store> {
  const store = await openPostgresStore({ url, connections: 3, ...(now && { now }) })
  opened.push(store)
  return store
}

async function openLimits(url: string, now?: () => number): Promise<LimitStore> {
  const { limits } = await openStore(url, now)
  if (!limits) throw new Error('The store shares no limits')
  return limits
}

async function openStates(url: string, now?: () => number): Promise<BudgetStates> {
  return (await openLimits(url, now)).budgets
}

/** Makes a database unreachable for all processes, or reachable again. */
async function allowConnections(url: string, isAllowed: boolean): Promise<void> {
  const name = /test_\w+/.exec(url)?.[0] ?? ''
  const server = new pg.Client(url.replace(name, 'postgres'))
  await server.connect()
  await server.query(`alter database ${name} allow_connections ${isAllowed}`)
  if (!isAllowed) await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await server.end()
}

/** A clock that only the test moves. */
class TestClock {
  #now = 1_000_000
  readonly #waits: { readonly until: number; readonly resolve: () => void }[] = []

  readonly elapsed = () => this.#now

  readonly wait = (ms: number): Promise<void> => new Promise((resolve) => this.#waits.push({ until: this.#now + ms, resolve }))

  get waiting(): number {
    return this.#waits.length
  }

  advance(ms: number): void {
    this.#now += ms
  }

  /** Moves to the end of the shortest wait. */
  endNextWait(): void {
    const [next] = this.#waits.sort((one, other) => one.until - other.until).splice(0, 1)
    this.#now = Math.max(this.#now, next?.until ?? 0)
    next?.resolve()
  }

  /** The same states, with the times of this clock. */
  measure(states: BudgetStates): BudgetStates {
    const withTime = <Read extends object>(read: Read) => ({ ...read, now: this.#now })
    return {
      read: async (id) => withTime(await states.read(id)),
      change: async (id, plan) => withTime(await states.change(id, (state) => plan(state, this.#now))),
    }
  }
}

/** Runs work in several processes, moving the clock when all of them wait. */
async function runTogether(clock: TestClock, works: readonly (() => Promise<void>)[]): Promise<void> {
  let running = works.length
  const ends = Promise.all(works.map((work) => work().finally(() => running--)))
  while (running > 0) {
    if (clock.waiting === running) clock.endNextWait()
    await nextTurn()
  }
  await ends
}

const engines: readonly { readonly engine: string; readonly openTwice: () => Promise<readonly BudgetStates[]> }[] = [
  {
    engine: 'memory',
    async openTwice() {
      const states = createMemoryStates()
      return [states, states]
    },
  },
  {
    engine: 'PostgreSQL',
    async openTwice() {
      const url = await createDatabase()
      return [await openStates(url), await openStates(url)]
    },
  },
]

describe.each(engines)('the write budget of an installation in $engine', ({ engine, openTwice }) => {
  const isSkipped = engine === 'PostgreSQL' && !hasPostgres

  async function openBudgets(limits: Partial<RequestPace>) {
    const clock = new TestClock()
    const budgets = (await openTwice()).map(
      (states) => new RequestBudget(7, { ...defaultPace, longestWaitMs: 0, ...limits }, { states: clock.measure(states), clock }),
    )
    const [one, other] = budgets
    if (!one || !other) throw new Error('Expected two budgets')
    return { clock, one, other }
  }

  test.skipIf(isSkipped)('spaces the writes of all processes', async () => {
    const { clock, one, other } = await openBudgets({ longestWaitMs: 60_000 })
    const times: number[] = []
    const write = (budget: RequestBudget) => async () => {
      for (let count = 0; count < 5; count++) {
        await budget.takeWrite(undefined)
        times.push(clock.elapsed() - 1_000_000)
      }
    }
    await runTogether(clock, [write(one), write(other)])
    expect(times).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000])
  })

  test.skipIf(isSkipped)('limits the writes per minute and per hour over all processes', async () => {
    const { clock, one, other } = await openBudgets({ spacingMs: 0, writesPerMinute: 4, writesPerHour: 6 })
    const writeAll = async () => {
      let writes = 0
      const write = async (budget: RequestBudget) => {
        for (;;) {
          await budget.takeWrite(undefined)
          writes++
        }
      }
      const failures = await Promise.all([failureOf(write(one)), failureOf(write(other))])
      expect(failures).toMatchObject([{ failure: 'rate-limited' }, { failure: 'rate-limited' }])
      return { writes, retryAfterMs: failures[0]?.retryAfterMs ?? 0 }
    }
    expect((await writeAll()).writes).toBe(4)
    clock.advance(59_000)
    expect((await writeAll()).writes).toBe(0)
    clock.advance(4_000)
    const last = await writeAll()
    expect(last.writes).toBe(2)
    clock.advance(last.retryAfterMs - 1)
    expect((await writeAll()).writes).toBe(0)
    clock.advance(1)
    expect((await writeAll()).writes).toBe(4)
  })

  test.skipIf(isSkipped)('leaves a quarter of the writes per hour to work that is not bulk', async () => {
    const { clock, one, other } = await openBudgets({ spacingMs: 0, writesPerHour: 8, longestWaitMs: 60_000 })
    const bulk = { isBulk: true }
    for (let count = 0; count < 3; count++) {
      await one.takeWrite(undefined, bulk)
      await other.takeWrite(undefined)
    }
    const failure = await failureOf(other.takeWrite(undefined, bulk))
    expect(failure).toMatchObject({ failure: 'rate-limited' })
    // Bulk work does not wait in front of it.
    await other.takeWrite(undefined)
    await one.takeWrite(undefined)
    expect(await failureOf(one.takeWrite(undefined))).toMatchObject({ failure: 'rate-limited' })
    clock.advance(failure?.retryAfterMs ?? 0)
    await one.takeWrite(undefined, bulk)
  })

  test.skipIf(isSkipped)('pauses the writes of all processes at once and their reads within a second', async () => {
    const { clock, one, other } = await openBudgets({})
    await other.takeRead(undefined)
    await one.pause(5_000)
    expect(await failureOf(other.takeWrite(undefined))).toMatchObject({ failure: 'rate-limited', retryAfterMs: 5_000 })
    clock.advance(1_000)
    expect(await failureOf(other.takeRead(undefined))).toMatchObject({ failure: 'rate-limited', retryAfterMs: 4_000 })
    // A shorter pause does not replace a longer one.
    await other.pause(1_000)
    clock.advance(3_999)
    expect(await failureOf(one.takeRead(undefined))).toMatchObject({ failure: 'rate-limited', retryAfterMs: 1 })
    clock.advance(1)
    await Promise.all([one.takeRead(undefined), other.takeWrite(undefined)])
  })

  test.skipIf(isSkipped)('sends waiting writes one after another when a pause ends', async () => {
    const { clock, one, other } = await openBudgets({ longestWaitMs: 60_000 })
    await one.takeWrite(undefined)
    const times: number[] = []
    let isPaused = false
    const write = (budget: RequestBudget) => async () => {
      await budget.takeWrite(undefined)
      times.push(clock.elapsed() - 1_000_000)
    }
    const pauseOnce = async () => {
      // Both writes wait for their second.
      while (clock.waiting < 2) await nextTurn()
      await one.pause(30_000)
      isPaused = true
    }
    await runTogether(clock, [write(one), write(other), pauseOnce])
    expect(isPaused).toBe(true)
    expect(times).toEqual([30_000, 31_000])
  })
})

describe.skipIf(!hasPostgres)('two workers on one PostgreSQL database', () => {
  const hour = 3_600_000

  test('share the budget although the clock of one is an hour wrong', async () => {
    const url = await createDatabase()
    const states = [await openStates(url), await openStates(url, () => Date.now() + hour)]
    const budgets = states.map(
      (one) => new RequestBudget(7, { ...defaultPace, spacingMs: 0, writesPerHour: 5, longestWaitMs: 0 }, { states: one }),
    )
    const takes = await Promise.allSettled(
      Array.from({ length: 4 }, () => budgets.map((budget) => budget.takeWrite(undefined))).flat(),
    )
    expect(takes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  test('see the CPU time of both, although the clock of one is an hour wrong', async () => {
    const url = await createDatabase()
    const stores = [
      await openStore(url),
      await openStore(url, () => Date.now() + hour),
      await openStore(url, () => Date.now() - hour),
    ]
    for (const store of stores) await Promise.all([store.usage.addCpuTime(7, 1_000), store.usage.addCpuTime(7, 200)])
    for (const { usage } of stores) {
      expect((await usage.read(7)).cpuMs).toBe(3_600)
      const parts = await usage.readCpuTime(7)
      expect(parts.reduce((sum, { cpuMs }) => sum + cpuMs, 0)).toBe(3_600)
      for (const { countsForMs } of parts) expect([countsForMs > hour - 300_000, countsForMs <= hour]).toEqual([true, true])
    }
  })

  async function startWorkers(url: string, pace: Partial<RequestPace>) {
    const github = await startFakeGitHub()
    onTestFinished(() => github.close())
    const repository = github.createRepository('acme/api')
    const clients = []
    for (let worker = 0; worker < 2; worker++) {
      const app = new GitHubApp({
        appId: github.app.id,
        privateKey: github.app.privateKey,
        apiUrl: github.url,
        pace: { ...fastPace, ...pace },
        budgets: await openStates(url),
      })
      clients.push(app.installation(repository.installation?.id ?? 0))
    }
    const [one, other] = clients
    if (!one || !other) throw new Error('Expected two clients')
    const headSha = repository.tipOf('main')
    const detailsUrl = 'https://docs.example.com/updates/status-1'
    const check = { name: 'openapi-pages', headSha, externalId: 'status-1', detailsUrl }
    return { github, one, other, check }
  }

  const name = { owner: 'acme', repo: 'api' }

  test('write together at most what GitHub allows', async () => {
    const { github, one, other, check } = await startWorkers(await createDatabase(), { writesPerHour: 6, longestWaitMs: 0 })
    const writes = Array.from({ length: 12 }, (_, index) =>
      createCheckRun(index % 2 === 0 ? one : other, name, { ...check, externalId: `status-${index}` }),
    )
    const results = await Promise.allSettled(writes)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
    expect(github.requestsTo('POST /repos/{owner}/{repo}/check-runs')).toHaveLength(6)
  })

  test('both stop when GitHub sends one of them `retry-after`', async () => {
    const { github, one, other, check } = await startWorkers(await createDatabase(), { longestWaitMs: 0 })
    const { id } = await createCheckRun(one, name, check)
    const route = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}'
    github.fault({ route, status: 429, headers: { 'retry-after': '900' } })
    const update = (client: typeof one) => failureOf(startCheckRun(client, name, id, '2026-11-20T07:15:03Z'))
    expect(await update(one)).toMatchObject({ failure: 'rate-limited', status: 429 })
    const stopped = await update(other)
    expect(stopped).toMatchObject({ failure: 'rate-limited', status: undefined })
    expect(stopped.retryAfterMs).toBeGreaterThan(890_000)
    expect(await failureOf(findCommit(other, name, 'main'))).toMatchObject({ failure: 'rate-limited', status: undefined })
    expect(github.requestsTo(route)).toHaveLength(1)
  })

  test('write nothing without their budget if the store is lost', async () => {
    const url = await createDatabase()
    const { github, one, check } = await startWorkers(url, {})
    await createCheckRun(one, name, check)
    await allowConnections(url, false)
    const failure = await createCheckRun(one, name, { ...check, externalId: 'status-2' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreError)
    expect(github.requestsTo('POST /repos/{owner}/{repo}/check-runs')).toHaveLength(1)
  })
})

test.skipIf(!hasPostgres)('budgets that were not used for a day are deleted', async () => {
  const url = await createDatabase()
  const store = await openStore(url)
  await store.limits?.budgets.change(1, () => 'old')
  await store.limits?.budgets.change(2, () => 'new')
  const client = new pg.Client(url)
  await client.connect()
  await client.query('update github_budgets set used_at = used_at - 86400001 where installation_id = 1')
  await store.prune()
  expect((await client.query('select installation_id::int as id from github_budgets')).rows).toEqual([{ id: 2 }])
  await client.end()
})
