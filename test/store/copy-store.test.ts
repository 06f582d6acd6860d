import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CopyProgress, copyStore } from '../../src/store/copy-store.ts'
import { migrations } from '../../src/store/database/migrations.ts'
import { openPostgresDatabase } from '../../src/store/postgres/postgres-database.ts'
import { openSqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts'
import { openPostgresStore, openSqliteStore, type Store } from '../../src/store/store.ts'
import { fillStore } from '../support/fill-store.ts'
import { futureSteps } from '../support/future-steps.ts'
import { hasPostgres, startTestDatabases } from '../support/postgres.ts'
import { runsOr } from '../support/properties.ts'
import { putSite } from '../support/put-site.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { addProject, claimNext, newPush } from './store-fixture.ts'

const recordCount = runsOr(600, 10_000)

describe.skipIf(!hasPostgres)('a copy from SQLite to PostgreSQL', () => {
  const databases = startTestDatabases()
  afterAll(() => databases.stop())

  let path = ''
  let url = ''
  const opened: Store[] = []
  beforeEach(async () => {
    path = join(makeTemporaryFolder(), 'store.sqlite')
    url = await databases.createDatabase()
    const store = await openSqliteStore({ path })
    const project = await addProject(store)
    await putSite(store, project, {
      'index.html': '<h1>Pets</h1>',
      'logo.bin': new Uint8Array(300_000).map((_value, index) => index % 251),
    })
    await store.tokens.create({ grant: { scope: 'admin' }, name: 'ci', expiresAt: '2099-01-01T00:00:00.000Z' }, 'cli')
    await store.accept({
      delivery: { id: 'delivery', event: 'push' },
      updates: [newPush(store, project, { now: Date.now, ref: 'refs/heads/topic' })],
    })
    await store.close()
    const filling = new DatabaseSync(path)
    fillStore(filling, recordCount)
    filling.close()
  })
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  async function open(store: Promise<Store>): Promise<Store> {
    opened.push(await store)
    return await store
  }

  const copy = (report: (progress: CopyProgress) => void = () => undefined) =>
    copyStore({ path, url, secrets: new Map([['link-key', 'abc']]), report })

  async function queryTarget<Row>(text: string): Promise<readonly Row[]> {
    const { database, close } = openPostgresDatabase(url, { connections: 1 })
    try {
      return (await sql.raw<Row>(text).execute(database)).rows
    } finally {
      await close()
    }
  }

  /** All rows of both stores by table, as text, sorted. */
  async function readBoth() {
    const sqlite = openSqliteDatabase(path)
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`.execute(sqlite.reader)
    const both = { source: new Map<string, readonly string[]>(), target: new Map<string, readonly string[]>() }
    for (const { name } of rows) {
      const text = `select * from ${name}${name === 'facts' ? ` where name not in ('identity', 'probe')` : ''}`
      both.source.set(name, (await sql.raw<object>(text).execute(sqlite.reader)).rows.map(toText).toSorted())
      both.target.set(name, (await queryTarget<object>(text)).map(toText).toSorted())
    }
    await sqlite.close()
    return both
  }

  function toText(row: object): string {
    const shown = Object.entries(row).map(([column, value]) => [
      column,
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    ])
    return JSON.stringify(shown.toSorted())
  }

  const readUpdates = () => queryTarget(`select id from updates`)

  test('has every row and the keys of the server, and leaves the SQLite file unchanged', async () => {
    const before = readFileSync(path)
    const events: CopyProgress[] = []
    const copied = await copy((progress) => events.push(progress))
    expect(readFileSync(path).equals(before)).toBe(true)
    const { source, target } = await readBoth()
    expect(source.get('updates')).toHaveLength(recordCount + 2)
    const others = ['secrets', 'schema_version']
    const isData = ([name]: [string, unknown]) => !others.includes(name)
    expect([...target].filter(isData)).toEqual([...source].filter(isData))
    const data = [...source].filter(([name]) => name !== 'schema_version').flatMap(([, rows]) => rows)
    // The fact about compatible programs is that of each database.
    expect(copied.rows).toBe(data.length - 1)
    expect(events.filter(({ isDone }) => isDone).map(({ table }) => table)).toEqual(
      [...source.keys()].filter((name) => name !== 'schema_version').toSorted(),
    )
    const store = await open(openPostgresStore({ url }))
    expect(await store.secrets.read('link-key')).toBe('abc')
    expect(await claimNext(store)).toMatchObject({
      stored: { update: { commit: { ref: 'refs/heads/topic' } } },
    })
    await open(openSqliteStore({ path }))
  })

  test('has the commits of a process that was killed', async () => {
    const store = await open(openSqliteStore({ path }))
    await addProject(store, { repositoryId: 7 })
    const killed = join(makeTemporaryFolder(), 'store.sqlite')
    for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${killed}${suffix}`)
    path = killed
    await copy()
    expect(await queryTarget(`select id from projects where repository_id = 7`)).toHaveLength(1)
  })

  test('is refused while a process uses the store', async () => {
    const store = await openSqliteStore({ path })
    await expect(copy()).rejects.toMatchObject({
      message: `Cannot open the store ${path}: another process uses it`,
      hint: expect.stringContaining('Stop the server'),
    })
    await store.close()
    await copy()
  })

  test('keeps other processes from using the store', async () => {
    const attempts: Promise<unknown>[] = []
    await copy(() => {
      attempts.push(openSqliteStore({ path, busyTimeoutMs: 0 }).catch(({ code }) => code))
    })
    expect(new Set(await Promise.all(attempts))).toEqual(new Set(['SQLITE_BUSY']))
  })

  test('is refused if the database has rows, such as those of an earlier copy', async () => {
    await copy()
    await expect(copy()).rejects.toMatchObject({
      message: expect.stringMatching(/^Cannot copy to the store .*: its table \w+ already has rows$/),
      hint: expect.stringContaining('empty database'),
    })
    expect(await readUpdates()).toHaveLength(recordCount + 2)
  })

  test('leaves the database empty if it fails, and can be repeated', async () => {
    const failing = copy(({ table }) => {
      if (table === 'updates') throw new Error('The connection was lost')
    })
    await expect(failing).rejects.toThrow('The connection was lost')
    expect(await queryTarget(`select id from projects`)).toEqual([])
    await copy()
    expect(await readUpdates()).toHaveLength(recordCount + 2)
  })

  test.each([
    ['stores other values', `new.owner = 'other'; return new`, 'the copied rows differ'],
    ['stores fewer rows', 'return null', '101 rows became 0'],
  ])('fails if the database %s', async (_what, body, message) => {
    await (await openPostgresStore({ url })).close()
    await queryTarget(`create function change() returns trigger language plpgsql as 'begin ${body.replaceAll("'", "''")}; end'`)
    await queryTarget('create trigger changes before insert on projects for each row execute function change()')
    await expect(copy()).rejects.toThrow(`Cannot copy the table projects: ${message}`)
    expect(await queryTarget('select id from deliveries')).toEqual([])
  })

  test('is refused for a store of another version', async () => {
    path = join(makeTemporaryFolder(), 'store.sqlite')
    const steps = [...migrations, ...futureSteps]
    await (await openSqliteStore({ path, steps })).close()
    await expect(copy()).rejects.toMatchObject({
      message: expect.stringContaining(`its schema has version ${steps.length}, and this program needs version`),
      hint: expect.stringContaining('Use the version of openapi-pages that wrote it'),
    })
  })
})
