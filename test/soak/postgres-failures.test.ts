import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addProjectOf, type ConnectedApp, connectApp, validDocument } from '../app/support/connected-app.ts'
import { canStartPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts'

/** Longer than the app needs to connect again. */
const recoveryMs = 20_000

/** Problems of a private server, which it must survive. */
interface Problem {
  readonly name: string
  /**
   * @param proxy What the app connects to.
   * @returns how to end the problem.
   */
  begin(postgres: TestPostgres, url: string, proxy: PostgresProxy): Promise<() => Promise<void>>
}

const endConnections =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'openapi-pages' and pid <> pg_backend_pid()"

const problems: readonly Problem[] = [
  {
    name: 'PostgreSQL was killed',
    async begin(postgres) {
      postgres.kill()
      return async () => postgres.start()
    },
  },
  {
    name: 'PostgreSQL is read-only',
    async begin(_postgres, url) {
      const change = (value: string) => `alter role postgres set default_transaction_read_only = ${value}`
      await query(url, change('on'))
      await query(url, endConnections)
      return async () => {
        await query(url, `set transaction read write; ${change('off')}`)
        await query(url, endConnections)
      }
    },
  },
  {
    name: 'other programs use all connections',
    async begin(_postgres, url) {
      const taken: pg.Client[] = []
      // The app may connect between two tries, so the last connection is one that the app does not have either.
      // A server that ends a connection has space for another one a moment later.
      for (let refusals = 0; refusals < 20; ) {
        const client = new pg.Client(url)
        client.on('error', () => undefined)
        const isConnected = await client.connect().then(
          () => true,
          () => false,
        )
        if (isConnected) taken.push(client)
        const ended = await (taken[0] as pg.Client).query(endConnections)
        refusals = !isConnected && ended.rowCount === 0 ? refusals + 1 : 0
      }
      return async () => {
        await Promise.all(taken.map((client) => client.end()))
      }
    },
  },
  {
    name: 'PostgreSQL never answers',
    async begin(_postgres, _url, proxy) {
      proxy.silence()
      proxy.silencesNew = true
      // The connections that were lost stay open.
      return async () => {
        proxy.silencesNew = false
      }
    },
  },
  {
    name: 'another program has locked the jobs',
    async begin(_postgres, url) {
      const client = new pg.Client(url)
      await client.connect()
      await client.query('begin; lock table jobs in access exclusive mode')
      return async () => client.end()
    },
  },
]

describe.skipIf(!canStartPostgres)('failures of PostgreSQL', () => {
  let postgres: TestPostgres
  beforeAll(() => {
    postgres = startPostgres({ settings: ['max_connections=25'] })
  })
  afterAll(() => postgres.stop())

  test.each(problems)('responds 503 while $name, then continues alone', async ({ begin }) => {
    const url = await postgres.createDatabase()
    const proxy = await startPostgresProxy(url)
    const connected = await connectApp({ env: { DATABASE_URL: proxy.url, DATABASE_CONNECTIONS: '4' } })
    // A stop waits for what the app has asked on lost connections, some of it for two minutes.
    onTestFinished(() => proxy.cut())
    const { github } = connected
    const repository = github.createRepository('acme/api', { files: { 'openapi.yaml': validDocument } })
    await addProjectOf(connected, repository)
    const push = async (text: string) => await repository.push({ files: { 'openapi.yaml': `${validDocument}# ${text}\n` } })
    const before = await push('before')
    expect(before.delivery.status).toBe(202)
    const end = await begin(postgres, url, proxy)
    const { delivery: refused } = await push('during')
    expect(refused.status).toBe(503)
    expect(refused.body).not.toMatch(/\bat .+:\d+/)
    expect(github.deliveries.at(-1)?.responseHeaders['retry-after']).toMatch(/^\d+$/)
    expect((await readReadiness(connected)).status).toBe(503)
    await end()
    await expect.poll(async () => (await readReadiness(connected)).status, { timeout: recoveryMs }).toBe(200)
    const after = await push('after')
    expect(after.delivery.status).toBe(202)
    // The app may also have requested the refused delivery already.
    const ended = await connected.idle()
    expect(ended.map(({ update }) => update.commit.sha)).toEqual(expect.arrayContaining([before.sha, after.sha]))
    expect([...new Set(ended.map(({ update }) => update.status))]).toEqual(['success'])
    const ids = repository.checkRuns.map(({ externalId }) => externalId)
    expect(ids.length).toBe(new Set(ids).size)
  })
})

async function readReadiness({ app }: ConnectedApp): Promise<Response> {
  return await fetch(`${app.address}/readyz`, { signal: AbortSignal.timeout(15_000) })
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(text).finally(() => client.end())
}
