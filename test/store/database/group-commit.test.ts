import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGroupCommit, type Write } from '../../../src/store/database/group-commit.ts'
import { migrate } from '../../../src/store/database/migrations.ts'
import type { Tables } from '../../../src/store/database/tables.ts'
import { prepareSqlite } from '../../../src/store/sqlite/node-sqlite.ts'

let folder = ''
let database: Kysely<Tables>
let write: Write
let commits = 0

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-pages-store-'))
  const connection = new DatabaseSync(join(folder, 'store.sqlite'))
  database = new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        close: () => connection.close(),
        prepare(text) {
          if (text === 'commit') commits += 1
          return prepareSqlite(connection, text)
        },
      },
    }),
  })
  await migrate(database, 'now')
  write = createGroupCommit(database, () => undefined)
  commits = 0
})

afterEach(async () => {
  await database.destroy()
  rmSync(folder, { recursive: true, force: true })
})

const insert = (id: string) =>
  write(async (transaction) => {
    await transaction.insertInto('deliveries').values({ id, event: 'push', received_at: 'now' }).execute()
    return id
  })
const stored = async () => (await database.selectFrom('deliveries').select('id').orderBy('id').execute()).map(({ id }) => id)

test('shares commits between simultaneous writes and returns each result', async () => {
  const ids = Array.from({ length: 100 }, (_value, index) => String(index).padStart(3, '0'))
  expect(await Promise.all(ids.map(insert))).toEqual(ids)
  expect(await stored()).toEqual(ids)
  expect(commits).toBe(2)
})

test('rolls back only the write that fails', async () => {
  const fail = write(async (transaction) => {
    await transaction.insertInto('deliveries').values({ id: 'half', event: 'push', received_at: 'now' }).execute()
    throw new Error('boom')
  })
  const results = await Promise.allSettled([insert('a'), fail, insert('a'), insert('b')])
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))).toEqual([
    'a',
    'Error: boom',
    expect.stringContaining('UNIQUE constraint failed'),
    'b',
  ])
  expect(await stored()).toEqual(['a', 'b'])
  expect(commits).toBe(1)
})

test('rejects every write when the commit fails', async () => {
  await database.schema
    .createTable('strict')
    .addColumn('id', 'text', (column) => column.references('deliveries.id').notNull())
    .execute()
  // Fails at the commit, like a full disk.
  const dangling = write(async (transaction) => {
    await sql`pragma defer_foreign_keys = on`.execute(transaction)
    await sql`insert into strict values ('text')`.execute(transaction)
  })
  const results = await Promise.allSettled([insert('a'), dangling, insert('b')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await stored()).toEqual([])
  expect(await insert('c')).toBe('c')
})
