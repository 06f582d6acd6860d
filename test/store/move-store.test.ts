import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Move, type MoveEvent, moveStore } from '../../src/store/move-store.ts'
import { openMove, undoStoreMove } from '../../src/store/open-move.ts'
import { openPostgresStore } from '../../src/store/open-postgres-store.ts'
import { openSqliteStore } from '../../src/store/open-sqlite-store.ts'
import { openPostgresDatabase } from '../../src/store/postgres-database.ts'
import { openSqliteDatabase } from '../../src/store/sqlite-database.ts'
import { changesTable, progressTable, readTableShapes } from '../../src/store/table-shape.ts'
import type { Store } from '../../src/store/types.ts'
import { fillStore } from '../support/fill-store.ts'
import { hasPostgres, startTestDatabases } from '../support/postgres.ts'
import { putSite } from '../support/put-site.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { addProject, newPush, toCreatedId } from './store-fixture.ts'

test('every table of a store is moved, except those about the database itself', async () => {
  const path = join(makeTemporaryFolder(), 'store.sqlite')
  await (await openSqliteStore({ path })).close()
  const { reader, close } = openSqliteDatabase(path)
  const shapes = await readTableShapes(reader)
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(reader)
  const all = rows.map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'))
  expect(all.filter((name) => !shapes.some((shape) => shape.name === name))).toEqual(['schema_version'])
  // Batches need a key.
  expect(shapes.filter(({ key }) => key.length === 0)).toEqual([])
  await close()
})

describe.skipIf(!hasPostgres)('a move from SQLite to PostgreSQL', () => {
  const databases = hasPostgres ? startTestDatabases() : undefined
  afterAll(() => databases?.stop())

  let path = ''
  let url = ''
  let source: Store
  const opened: { close(): Promise<void> }[] = []
  const keep = <Value extends { close(): Promise<void> }>(value: Value): Value => {
    opened.push(value)
    return value
  }
  beforeEach(async () => {
    path = join(makeTemporaryFolder(), 'store.sqlite')
    url = (await databases?.createDatabase()) ?? ''
    source = keep(await openSqliteStore({ path }))
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })

  async function run(
    options: Partial<Move> & { readonly restart?: boolean; readonly keys?: readonly (readonly [string, string])[] } = {},
  ) {
    const move = await openMove({ path, url, restart: options.restart ?? false })
    const events: MoveEvent[] = []
    try {
      const result = await moveStore({
        ...move,
        signal: new AbortController().signal,
        drainMs: 0,
        copyOnly: false,
        ...options,
        report(event) {
          events.push(event)
          options.report?.(event)
        },
      })
      if (result.differences === 0 && !options.copyOnly) await move.finish(new Map(options.keys))
      return { result, events, move }
    } finally {
      await move.close()
    }
  }

  /** All rows of both stores, as text. */
  async function readBoth() {
    const sqlite = openSqliteDatabase(path)
    const postgres = openPostgresDatabase(url, { connections: 1 })
    const shapes = await readTableShapes(sqlite.reader)
    const read = async (database: typeof sqlite.reader) => {
      const tables = shapes.map(async ({ name, key, skipped }) => {
        const { rows } = await sql<
          Record<string, unknown>
        >`select * from ${sql.table(name)} order by ${sql.join(key.map((column) => sql.ref(column)))}`.execute(database)
        const data = rows.filter((row) => !skipped.includes(String(row['name'])))
        return [
          name,
          data.map((row) =>
            Object.entries(row)
              .map(([column, value]) => [column, value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value])
              .toSorted(),
          ),
        ]
      })
      return Object.fromEntries(await Promise.all(tables)) as Record<string, unknown[]>
    }
    const both = { source: await read(sqlite.reader), target: await read(postgres.database) }
    await sqlite.close()
    await postgres.close()
    return both
  }

  async function addWork(store: Store) {
    const project = await addProject(store)
    await putSite(store, project, {
      'index.html': '<h1>Pets</h1>',
      'logo.bin': new Uint8Array(300_000).map((_v, index) => index % 251),
    })
    await store.tokens.create({ grant: { scope: 'admin' }, name: 'ci', expiresAt: '2099-01-01T00:00:00.000Z' }, 'cli')
    return project
  }

  const accept = async (store: Store, project: Awaited<ReturnType<typeof addProject>>, branch: string) =>
    toCreatedId(
      await store.accept({
        delivery: { id: `delivery-${branch}`, event: 'push' },
        updates: [newPush(store, project, { now: Date.now, ref: `refs/heads/${branch}` })],
      }),
    )

  test('copies every row, and both servers know which store to use', async () => {
    const project = await addWork(source)
    const filling = new DatabaseSync(path)
    fillStore(filling, 600)
    filling.close()
    await accept(source, project, 'topic')
    const { result } = await run({ keys: [['link-key', 'abc']] })
    const { source: before, target: after } = await readBoth()
    expect(after).toEqual({ ...before, secrets: after['secrets'] })
    expect(before['updates']).toHaveLength(602)
    expect(result).toMatchObject({ differences: 0, rows: Object.values(before).flat().length })
    const target = keep(await openPostgresStore({ url }))
    expect(await target.secrets.read('link-key')).toBe('abc')
    const job = await target.queue.claim({ worker: 'w', leaseMs: 1_000 })
    expect(job).toMatchObject({ stored: { update: { commit: { ref: 'refs/heads/topic' } } } })
    // A server that still runs on the old store serves reads and passes `/readyz`, but loses no work.
    expect(await source.projects.list()).toEqual(await target.projects.list())
    await source.ping()
    await expect(accept(source, project, 'late')).rejects.toThrow('it moves to another database and refuses writes')
    await expect(openSqliteStore({ path })).rejects.toThrow('it was moved to')
    await expect(run()).rejects.toThrow('it was already moved to')
    expect(await undoStoreMove(path)).toBe(true)
    expect(await undoStoreMove(path)).toBe(false)
    await accept(source, project, 'again')
    keep(await openSqliteStore({ path }))
  })

  test('marks a store that was moved and is used again as restored, because the other store may have been used', async () => {
    await addWork(source)
    await run({ copyOnly: true })
    await undoStoreMove(path)
    expect(await source.notes.read('backup-of')).toBeUndefined()
    await run({ restart: true })
    const before = new Date().toISOString()
    await undoStoreMove(path)
    expect((await source.notes.read('backup-of')) ?? '').toSatisfy((time: string) => time >= before)
  })

  test('includes every change that is made meanwhile', async () => {
    const project = await addWork(source)
    const filling = new DatabaseSync(path)
    fillStore(filling, 600)
    filling.close()
    let count = 0
    const changes: Promise<unknown>[] = []
    const refusals: string[] = []
    await run({
      report(event) {
        if (event.kind !== 'progress') return
        count += 1
        const made = [
          accept(source, project, `branch-${count}`),
          source.queue.claim({ worker: `w${count}`, leaseMs: 1 }),
          source.projects.set(project.id, { subdomain: `name-${count}` }, 'cli'),
          source.prune(),
        ]
        // The last ones may come too late.
        for (const change of made) changes.push(change.catch(({ message }: Error) => refusals.push(message)))
      },
    })
    await Promise.all(changes)
    expect(count).toBeGreaterThan(20)
    expect(refusals.filter((message) => !message.includes('refuses writes'))).toEqual([])
    expect(refusals.length).toBeLessThan(changes.length / 2)
    const { source: before, target: after } = await readBoth()
    expect(after).toEqual(before)
  })

  test('copies a unique value that goes from a copied row to another one', async () => {
    const filling = new DatabaseSync(path)
    fillStore(filling, 10)
    let swapped = false
    await run({
      report(event) {
        if (swapped || event.kind !== 'progress' || event.table !== 'projects') return
        swapped = true
        filling.exec(
          `update projects set subdomain = 'gone' where repo = 'api-1'; update projects set subdomain = 'acme-api-1' where repo = 'api-99'`,
        )
      },
    })
    filling.close()
    const { source: before, target: after } = await readBoth()
    expect(after['projects']).toEqual(before['projects'])
  })

  test('continues where it was interrupted', async () => {
    await addWork(source)
    const filling = new DatabaseSync(path)
    fillStore(filling, 600)
    filling.close()
    const stopping = new AbortController()
    const stop = {
      signal: stopping.signal,
      report: (event: MoveEvent) => void (event.kind === 'progress' && event.table === 'push_keys' && stopping.abort()),
    }
    await expect(run(stop)).rejects.toThrow('aborted')
    await source.ping()
    const unfinished = openPostgresStore({ url })
    await expect(unfinished).rejects.toThrow('a move to it has not finished')
    const { events, move } = await run()
    expect(move.isContinued).toBe(true)
    const copied = events.flatMap((event) => (event.kind === 'progress' && event.phase === 'copy' ? [event.table] : []))
    expect(copied).not.toContain('deliveries')
    expect(copied).toContain('push_keys')
    const { source: before, target: after } = await readBoth()
    expect(after).toEqual(before)
  })

  test('reports rows that differ, keeps the source in use, and starts again', async () => {
    const project = await addWork(source)
    await run({ copyOnly: true })
    const target = openPostgresDatabase(url, { connections: 1 })
    await target.database.updateTable('projects').set({ owner: 'other' }).execute()
    await target.database.deleteFrom('tokens').execute()
    await target.database.insertInto('deliveries').values({ id: 'x', event: 'push', received_at: 'now' }).execute()
    await sql`delete from ${sql.table(progressTable)} where pass = 'compare'`.execute(target.database)
    const { result, events } = await run()
    expect(result.differences).toBe(3)
    expect(events.filter(({ kind }) => kind === 'difference')).toMatchObject([
      { table: 'deliveries', key: ['x'], what: 'only in the target' },
      { table: 'projects', key: [project.id], what: 'different in the target' },
      { table: 'tokens', what: 'missing in the target' },
    ])
    await accept(source, project, 'topic')
    await target.close()
    expect((await run({ restart: true })).result.differences).toBe(0)
    const { source: before, target: after } = await readBoth()
    expect(after).toEqual(before)
  })

  test('refuses a target with other data', async () => {
    const other = keep(await openPostgresStore({ url }))
    await other.ping()
    const project = await addProject(source)
    await run({ copyOnly: true })
    await undoStoreMove(path)
    await accept(source, project, 'topic')
    await expect(run()).rejects.toMatchObject({ hint: expect.stringContaining('--restart') })
    await run({ restart: true })
    await undoStoreMove(path)
    await expect(run()).rejects.toThrow(/the table \w+ already has rows/)
    await expect(run({ restart: true })).rejects.toThrow(/the table \w+ already has rows/)
  })

  test('waits for running jobs while it refuses new ones', async () => {
    const project = await addProject(source)
    await accept(source, project, 'a')
    await accept(source, project, 'b')
    const job = await source.queue.claim({ worker: 'w', leaseMs: 60_000 })
    if (job?.kind !== 'run') throw new Error('No job')
    const tries: Promise<unknown>[] = []
    const { events } = await run({
      drainMs: 60_000,
      report(event) {
        if (event.kind !== 'waiting' || event.jobs === 0 || tries.length > 0) return
        tries.push(
          expect(source.queue.claim({ worker: 'w2', leaseMs: 1_000 })).rejects.toThrow('refuses writes'),
          expect(accept(source, project, 'c')).rejects.toThrow('refuses writes'),
          source.queue.heartbeat(job.lease, 60_000).then(() => source.queue.release(job.lease)),
        )
      },
    })
    await Promise.all(tries)
    expect(events).toContainEqual({ kind: 'waiting', jobs: 1 })
    expect(events).toContainEqual({ kind: 'waiting', jobs: 0 })
    const target = keep(await openPostgresStore({ url }))
    expect(await target.queue.stats()).toMatchObject({ waiting: 2, leased: 0 })
  })

  test('leaves nothing in the target but the data', async () => {
    await addProject(source)
    await run()
    const { database, close } = openPostgresDatabase(url, { connections: 1 })
    const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(
      database,
    )
    expect(rows.map(({ name }) => name)).not.toContain(progressTable)
    expect(rows.map(({ name }) => name)).not.toContain(changesTable)
    expect(await database.selectFrom('facts').select('name').execute()).toEqual([{ name: 'compatible-from' }])
    await close()
  })
})
