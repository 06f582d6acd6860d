import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Project } from '../../../src/status/update-record.ts'
import { openPostgresStore, type Store } from '../../../src/store/store.ts'
import { hasPostgres, startTestDatabases } from '../../support/postgres.ts'
import { addProject, claimUpdate, newPush, startOfTests, toCreatedId, toSucceeded } from '../store-fixture.ts'

/** The longest time until every process has noticed a change. */
const longestDelayMs = 1_000

// What one process has in memory, and what another one changes.
describe.skipIf(!hasPostgres)('caches with PostgreSQL', () => {
  const databases = startTestDatabases()
  let url = ''
  let store: Store
  let other: Store
  let admin: pg.Client
  let project: Project

  beforeEach(async () => {
    url = await databases.createDatabase()
    store = await openPostgresStore({ url, now })
    other = await openPostgresStore({ url, now })
    admin = new pg.Client(url)
    await admin.connect()
    project = await addProject(store)
  })
  afterEach(async () => {
    await admin.end()
    await store.close()
    await other.close()
  })
  afterAll(() => databases.stop())

  const now = () => startOfTests
  const addToken = async () => {
    const expiresAt = new Date(startOfTests + 60_000).toISOString()
    const grant = { scope: 'read', projectId: project.id } as const
    const made = await store.tokens.create({ grant, name: 'ci', expiresAt }, 'cli')
    if (!made) throw new Error('The token was not created')
    return { text: made.token, id: made.stored.id }
  }
  test('rejects a token that another program revoked within a second', async () => {
    const { text, id } = await addToken()
    expect((await store.tokens.check(text)).kind).toBe('valid')
    await admin.query('update tokens set revoked_at = $1 where id = $2', [new Date(startOfTests).toISOString(), id])
    await setTimeout(longestDelayMs)
    expect(await store.tokens.check(text)).toEqual({ kind: 'revoked' })
  })

  test('finds the changes of an ended record by another process within a second', async () => {
    const id = toCreatedId(await store.accept({ updates: [newPush(store, project, { now })] }))
    const job = await claimUpdate(store)
    await store.queue.finish(job.lease, toSucceeded(job, now))
    await store.queue.complete(job.lease)
    const first = await store.statuses.findRecent(id)
    await other.statuses.addDetails(id, { checkRunId: 7 })
    await admin.query('update updates set revision = revision + 1 where id = $1', [id])
    await setTimeout(longestDelayMs)
    const details = { ...first?.details, checkRunId: 7 }
    expect(await store.statuses.findRecent(id)).toEqual({ ...first, details, revision: (first?.revision ?? 0) + 1 })
  })
})
