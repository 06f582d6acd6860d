import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createProcessLocks } from '../../../src/store/database/holds.ts'
import { migrate } from '../../../src/store/database/migrations.ts'
import type { OpenedDatabase } from '../../../src/store/database/store-database.ts'
import { openSqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts'
import { createStore } from '../../../src/store/store.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { finishWithSite, hashOf, publishPush, pushAndClaim, readSite, stageSite } from '../site-fixture.ts'
import { addProject, startOfTests } from '../store-fixture.ts'

test('stops only a build on a full disk, and continues when space is free', async () => {
  const database = openSqliteDatabase(join(makeTemporaryFolder(), 'store.sqlite'))
  onTestFinished(() => database.close())
  await migrate(database.writer, 'now')
  const { write } = database
  const now = () => startOfTests
  const opened: OpenedDatabase = {
    database: {
      write,
      reader: database.reader,
      readVersion: database.versions.read,
      untilNoticed: async () => undefined,
      leaseNow: async () => startOfTests,
    },
    limits: undefined,
    locks: createProcessLocks(),
    runLong: (work) => work(),
    backup: async () => undefined,
    close: async () => undefined,
  }
  const store = createStore(opened, { now })
  const project = await addProject(store)
  await publishPush(store, project, { now, sha: 1, texts: { 'index.html': 'one' } })
  const shown = async () => readSite(store, (await store.sites.findPublished(project.id))?.build.id ?? '')

  // SQLite behaves as on a full disk if its file may not grow.
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.writer)
  const setPages = (count: number) => sql`pragma max_page_count = ${sql.lit(count)}`.execute(database.writer)
  await setPages((rows[0]?.page_count ?? 0) + 8)
  const job = await pushAndClaim(store, project, { now, sha: 2 })
  const large = { 'index.html': 'two', 'large.txt': randomBytes(400_000).toString('hex') }
  const before = await store.sites.sizes()
  await expect(stageSite(store, project, job, large)).rejects.toMatchObject({
    name: 'StoreError',
    hint: 'Free some disk space',
  })
  expect(await store.sites.findMissing([hashOf('two')])).toEqual([hashOf('two')])
  expect(await store.sites.sizes()).toEqual(before)
  expect(await shown()).toEqual({ 'index.html': 'one' })

  await setPages(1_000_000)
  const buildId = await stageSite(store, project, job, large)
  expect(await finishWithSite(store, job, { buildId, publish: true }, now)).toBe(true)
  expect(await shown()).toEqual(large)
})

test('rejects a write whose transaction SQLite rolled back, and goes on with the next one', async () => {
  const database = openSqliteDatabase(join(makeTemporaryFolder(), 'store.sqlite'))
  onTestFinished(() => database.close())
  await migrate(database.writer, 'now')
  const { write } = database
  const full = new Error('the disk is full')
  const first = write(async (transaction) => {
    // SQLite does this itself when the disk is full in the middle of a statement.
    await sql`rollback`.execute(transaction)
    throw full
  })
  const second = write(async () => 'goes on')
  await expect(first).rejects.toBe(full)
  expect(await second).toBe('goes on')
})
