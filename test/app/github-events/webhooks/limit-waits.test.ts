import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasPostgres, startTestDatabases } from '../../../support/postgres.ts'
import { addProjectOf, connectApp, docsConfig, validDocument } from '../../support/connected-app.ts'

describe.skipIf(!hasPostgres)('a webhook that the database delays', () => {
  const databases = startTestDatabases()
  afterAll(() => databases.stop())

  test('gets 503 before GitHub gives up, and is stored once if it is sent again', async () => {
    const database = await databases.createDatabase()
    const { github, app, store, updates, logLines } = await connectApp({
      withoutRuns: true,
      env: { DATABASE_URL: database, BASE_URL: 'https://pages.example.com' },
    })
    const repository = github.createRepository('acme/api', { files: { 'docs.json': docsConfig, 'openapi.yaml': validDocument } })
    await addProjectOf({ store }, repository)
    const payload = repository.pushPayload(repository.commit({ files: { 'a.mdx': 'a' } }))
    const deliver = (guid: string) => github.deliver('push', payload, { guid })
    const isStored = async (guid: string) => (await store.deliveries.findMissing([guid])).length === 0
    const client = new pg.Client(database)
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('begin; lock table deliveries in exclusive mode')

    // The fake GitHub gives up after ten seconds, with the status 0.
    expect(await deliver('late')).toMatchObject({ status: 503 })
    expect(github.deliveries.at(-1)?.responseHeaders).toMatchObject({ 'retry-after': '30' })
    const problem = JSON.parse(github.deliveries.at(-1)?.responseBody ?? '')
    expect(problem).toMatchObject({ code: 'unavailable', detail: 'The database is too slow. Try again later' })

    await client.query('commit')
    await vi.waitUntil(() => isStored('late'), 120_000)

    // The server ends a statement that waits longer than its limit.
    await client.query('begin; lock table deliveries in exclusive mode')
    expect(await deliver('refused')).toMatchObject({ status: 503 })
    const countWaiting = async () => {
      const { rows } = await client.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length
    }
    await vi.waitUntil(async () => (await countWaiting()) === 0, 120_000)
    await client.query('commit')
    expect(await isStored('refused')).toBe(false)
    expect((await updates()).map(({ update }) => update.status)).toEqual(['queued'])
    await vi.waitUntil(async () => (await deliver('refused')).status === 202, 120_000)
    expect((await deliver('late')).status).toBe(202)
    expect(await updates()).toHaveLength(1)
    const text = await app.tools.metrics.registry.metrics()
    expect(text).toMatch(/^openapi_pages_webhook_deliveries_total\{event="other",outcome="refused"\} [2-9]$/m)
    expect(text).toMatch(/^openapi_pages_webhook_deliveries_total\{event="push",outcome="repeated"\} 1$/m)
    expect(logLines.filter((line) => line.includes('"Request failed"') && line.includes('"deliveryId":"late"'))).toHaveLength(1)
  })
})
