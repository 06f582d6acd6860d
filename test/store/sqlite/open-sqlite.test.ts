import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { finishUpdate } from '../../../src/status/update-record.ts'
import { breaking, type Migration, migrate, migrations } from '../../../src/store/database/migrations.ts'
import type { Tables } from '../../../src/store/database/tables.ts'
import { openSqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts'
import { openSqliteStore } from '../../../src/store/store.ts'
import { StoreError } from '../../../src/text/errors.ts'
import { addProject, claimNext, claimUpdate, createClock, newPush, toCreatedId, toRunning } from '../store-fixture.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-pages-store-'))
  path = join(folder, 'data/store.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const pragma = async (database: Kysely<Tables>, name: string) => {
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(database)
  return Object.values(rows[0] ?? {})[0]
}

describe('the file', () => {
  test('is created with its folder, readable only by its owner', async () => {
    const store = await openSqliteStore({ path })
    await addProject(store)
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
    const files = readdirSync(join(folder, 'data'))
    expect(files.sort()).toEqual(['store.sqlite', 'store.sqlite-shm', 'store.sqlite-wal', 'store.sqlite.id'])
    for (const file of files) expect(statSync(join(folder, 'data', file)).mode & 0o777).toBe(0o600)
    await store.close()
    await store.close()
    expect(readdirSync(join(folder, 'data')).sort()).toEqual(['store.sqlite', 'store.sqlite.id'])
  })

  test('gets limits as numbers, because SQLite prepares a statement again for each one that is a parameter', async () => {
    const database = openSqliteDatabase(path)
    const { sql: text, parameters } = database.reader.selectFrom('jobs').select('id').limit(3).compile()
    expect({ text, parameters }).toEqual({ text: 'select "id" from "jobs" limit 3', parameters: [] })
    await database.close()
  })

  test('is in WAL mode and every commit is synced', async () => {
    const database = openSqliteDatabase(path)
    expect(await pragma(database.writer, 'journal_mode')).toBe('wal')
    // 2 is FULL.
    expect(await pragma(database.writer, 'synchronous')).toBe(2)
    await database.close()
  })

  test.each([
    ['is not a database', () => writeFileSync(path, 'x'.repeat(5000)), 'SQLITE_NOTADB', 'file is not a database'],
    ['is a folder', () => mkdirSync(path), 'EISDIR', 'illegal operation on a directory'],
  ])('rejects one that %s, with its name', async (_title, make, code, message) => {
    mkdirSync(join(folder, 'data'))
    make()
    const failure = await openSqliteStore({ path }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreError)
    expect(failure).toMatchObject({ code, message: expect.stringContaining(path) })
    expect(failure).toMatchObject({ message: expect.stringContaining(message) })
  })

  test.runIf(process.platform !== 'win32')('is not opened through a link, and nothing is written through one', async () => {
    await (await openSqliteStore({ path })).close()
    const planted = join(folder, 'planted')
    for (const [name, problem] of [
      [path, 'symbolic link'],
      [`${path}.id`, 'symbolic link'],
      [`${path}-wal`, 'unable to open database file'],
    ] as const) {
      const moved = join(folder, 'moved')
      const exists = existsSync(name)
      if (exists) renameSync(name, moved)
      symlinkSync(planted, name)
      await expect(openSqliteStore({ path })).rejects.toThrow(problem)
      expect(existsSync(planted)).toBe(false)
      rmSync(name)
      if (exists) renameSync(moved, name)
    }
    await (await openSqliteStore({ path })).close()
  })

  test('opens a store whose first start ended before it wrote the identity to the file next to it', async () => {
    await (await openSqliteStore({ path })).close()
    const identity = readFileSync(`${path}.id`, 'utf8')
    writeFileSync(`${path}.id`, '')
    await (await openSqliteStore({ path })).close()
    expect(readFileSync(`${path}.id`, 'utf8')).toBe(identity)
    expect(statSync(`${path}.id`).mode & 0o777).toBe(0o600)
  })

  test('writes nothing but an identity to the file next to it', async () => {
    await (await openSqliteStore({ path })).close()
    rmSync(`${path}.id`)
    const database = new DatabaseSync(path)
    database.prepare("update facts set value = '* * * * * root id' where name = 'identity'").run()
    database.close()
    await expect(openSqliteStore({ path })).rejects.toThrow(`Cannot open the store ${path}: its identity is damaged`)
    expect(existsSync(`${path}.id`)).toBe(false)
  })

  test('distinguishes a working store from a closed one', async () => {
    const store = await openSqliteStore({ path })
    await expect(store.ping()).resolves.toBeUndefined()
    await store.close()
    await expect(store.ping()).rejects.toThrow()
  })

  test('fails with a hint while another program holds the lock', async () => {
    const store = await openSqliteStore({ path, busyTimeoutMs: 50 })
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    await expect(store.ping()).rejects.toMatchObject({ code: 'SQLITE_BUSY', hint: expect.stringContaining('another process') })
    other.exec('rollback')
    await store.ping()
    other.close()
    await store.close()
  })

  test('does not block the process while waiting for another program', async () => {
    const store = await openSqliteStore({ path })
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
      if (ticks === 10) other.exec('rollback')
    }, 10)
    await store.ping()
    clearInterval(timer)
    expect(ticks).toBeGreaterThanOrEqual(10)
    other.close()
    await store.close()
  })
})

describe('migrations', () => {
  const steps: Migration[] = [
    ...migrations,
    async (database) => {
      await database.schema.createTable('second').addColumn('id', 'text').execute()
    },
    async (database) => {
      await database.schema.createTable('third').addColumn('id', 'text').execute()
    },
  ]
  const tablesOf = async (database: Kysely<Tables>) => {
    const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(database)
    return rows.map(({ name }) => name)
  }

  test('are all or nothing', async () => {
    const database = openSqliteDatabase(path)
    const failing = [...steps, () => Promise.reject(new Error('boom'))]
    await expect(migrate(database.writer, 'now', { steps: failing })).rejects.toThrow('boom')
    expect(await tablesOf(database.reader)).toEqual([])
    await database.close()
  })

  test('reject a store that a newer version made incompatible, without changing it', async () => {
    const database = openSqliteDatabase(path)
    const breakingSteps = steps.map((step, index) => (index === migrations.length ? breaking(step) : step))
    await migrate(database.writer, 'now', { steps: breakingSteps })
    await database.close()
    await expect(openSqliteStore({ path })).rejects.toThrow(
      `Cannot open the store: its schema has version ${steps.length}, and this program supports versions up to ${migrations.length}`,
    )
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ hint: expect.stringContaining('or a newer one') })
  })
})

test('runs records that have no job', async () => {
  const clock = createClock()
  const store = await openSqliteStore({ path, now: clock.now })
  const project = await addProject(store)
  const id = toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now })] }))
  // The store never does this itself, but a person may edit the database.
  const hand = new DatabaseSync(path)
  hand.exec('delete from jobs')
  hand.close()
  expect(await store.queue.recover()).toEqual([
    { jobId: id, kind: 'run', outcome: 'requeued', reason: 'its job no longer exists', origin: {} },
  ])
  expect(await store.queue.recover()).toEqual([])
  expect(await claimNext(store)).toMatchObject({ kind: 'run', stored: { update: { _id: id } } })
  await store.close()
})

test('does not end a record whose report cannot be kept', async () => {
  const clock = createClock()
  const store = await openSqliteStore({ path, now: clock.now })
  const project = await addProject(store)
  const id = toCreatedId(await store.accept({ updates: [newPush(store, project, { now: clock.now })] }))
  const job = await claimUpdate(store)
  const ended = finishUpdate(toRunning(job), {
    status: 'success',
    summary: 'Valid.',
    endedAt: new Date(clock.now()).toISOString(),
    logs: [],
  })
  const hand = new DatabaseSync(path)
  hand.exec("create trigger fails before update of kind on jobs begin select raise(abort, 'the disk is broken'); end")
  await expect(store.queue.finish(job.lease, ended)).rejects.toThrow()
  expect((await store.statuses.find(id))?.update.status).toBe('queued')
  hand.exec('drop trigger fails')
  hand.close()
  expect(await store.queue.finish(job.lease, ended)).toBe(true)
  expect((await store.statuses.find(id))?.update.status).toBe('success')
  expect(await store.queue.stats()).toEqual({ waiting: 0, leased: 1, refused: 0, delayed: 0 })
  await store.close()
})

test('continues the queue after a job without a record', async () => {
  const clock = createClock()
  const store = await openSqliteStore({ path, now: clock.now })
  const project = await addProject(store)
  const push = (branch: string) => newPush(store, project, { now: clock.now, ref: `refs/heads/${branch}` })
  const gone = toCreatedId(await store.accept({ updates: [push('a')] }))
  const id = toCreatedId(await store.accept({ updates: [push('b')] }))
  const hand = new DatabaseSync(path)
  hand.prepare('delete from updates where id = ?').run(gone)
  hand.close()
  expect(await claimNext(store)).toMatchObject({ lease: { jobId: id } })
  expect(await store.queue.stats()).toEqual({ waiting: 0, leased: 1, refused: 0, delayed: 0 })
  await store.close()
})

test('stores only the hash of a token', async () => {
  const store = await openSqliteStore({ path })
  const made = await store.tokens.create({ grant: { scope: 'admin' }, name: 'ci', expiresAt: '2099-01-01T00:00:00.000Z' }, 'cli')
  const secret = made?.token.slice('opk_'.length) ?? ''
  const database = new DatabaseSync(path)
  const [row] = database.prepare('select * from tokens').all()
  database.close()
  const [hash = ''] = /\b[0-9a-f]{64}\b/.exec(Object.values(row ?? {}).join(' ')) ?? []
  // Closing writes the log back into the file.
  await store.close()
  const bytes = readFileSync(path)
  expect(bytes.includes(hash)).toBe(true)
  expect(bytes.includes(secret)).toBe(false)
})
