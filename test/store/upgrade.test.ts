import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/store/migrate-schema.ts'
import { breaking, type Migration, migrations } from '../../src/store/migrations.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { openPostgresDatabase } from '../../src/store/postgres/postgres-database.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { openSqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts'
import { StoreError } from '../../src/store/store-context.ts'
import type { Store } from '../../src/store/types.ts'
import { compileCache } from '../support/compile-cache.ts'
import { futureSteps } from '../support/future-steps.ts'
import { canStartPostgres, startPostgres } from '../support/postgres.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { addProject, newPush, toCreatedId } from './store-fixture.ts'

const postgres = canStartPostgres ? startPostgres() : undefined
afterAll(() => postgres?.stop())
const opened: Store[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

interface Database {
  readonly place: string
  open(steps?: readonly Migration[]): Promise<Store>
  query<Row>(text: string): Promise<readonly Row[]>
}

const steps = [...migrations, ...futureSteps]

async function createSqlite(): Promise<Database> {
  const place = join(makeTemporaryFolder(), 'store.sqlite')
  return {
    place,
    async open(steps) {
      const store = await openSqliteStore({ path: place, ...(steps && { steps }) })
      opened.push(store)
      return store
    },
    async query<Row>(text: string) {
      const { reader, close } = openSqliteDatabase(place)
      const { rows } = await sql.raw<Row>(text).execute(reader)
      await close()
      return rows
    },
  }
}

async function createPostgres(): Promise<Database> {
  if (!postgres) throw new Error('PostgreSQL is missing')
  const place = await postgres.createDatabase()
  return {
    place,
    async open(steps) {
      const store = await openPostgresStore({ url: place, ...(steps && { steps }) })
      opened.push(store)
      return store
    },
    async query<Row>(text: string) {
      const { database, close } = openPostgresDatabase(place, { connections: 1 })
      const { rows } = await sql.raw<Row>(text).execute(database)
      await close()
      return rows
    },
  }
}

function startNewer(place: string, ...args: string[]): ChildProcess {
  const script = join(import.meta.dirname, '../support/upgrade-process.ts')
  const child = spawn(process.execPath, [script, place, ...args], {
    env: { ...process.env, ...compileCache },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function runUntilMiddle(place: string): Promise<ChildProcess> {
  const child = startNewer(place, 'pause')
  await once(child.stdout ?? child, 'data')
  return child
}

const databases = [
  { name: 'SQLite', create: createSqlite, isMissing: false },
  { name: 'PostgreSQL', create: createPostgres, isMissing: !canStartPostgres },
]

describe.each(databases)('an upgrade on $name', ({ create, isMissing }) => {
  const clock = { now: Date.now }
  const list = (database: Database) => database.query<{ version: number }>('select version from schema_version order by version')
  const newest = steps.map((_step, index) => ({ version: index + 1 }))

  test.skipIf(isMissing)('lets the old and the new version work side by side, and the old one start again', async () => {
    const database = await create()
    const old = await database.open()
    const project = await addProject(old)
    const accept = async (store: Store, branch: string) =>
      toCreatedId(await store.accept({ updates: [newPush(store, project, { ...clock, ref: `refs/heads/${branch}` })] }))
    const before = await accept(old, 'before')
    const upgraded = await database.open(steps)
    const rolledBack = await database.open()
    const stores = [old, upgraded, rolledBack]
    const ids = [before]
    for (const [index, store] of stores.entries()) for (const side of 'ab') ids.push(await accept(store, `${side}${index}`))
    const claimed: string[] = []
    for (let index = 0; index <= ids.length; index++) {
      const job = await stores[index % stores.length]?.queue.claim({ worker: `w${index}`, leaseMs: 60_000 })
      if (job) claimed.push(job.lease.jobId)
    }
    expect(claimed.toSorted()).toEqual(ids.toSorted())
    expect(await list(database)).toEqual(newest)
    expect(await database.query('select distinct priority from updates')).toEqual([{ priority: 0 }])
  })

  test.skipIf(isMissing)('prevents an older version from starting after a breaking step', async () => {
    const database = await create()
    await database.open([...migrations, breaking(async () => undefined), ...futureSteps])
    const failure = await database.open().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreError)
    expect(failure).toMatchObject({
      message: `Cannot open the store: its schema has version ${steps.length + 1}, and this program supports versions up to ${migrations.length}`,
      hint: expect.stringContaining('restore a backup'),
    })
    // The version that added the breaking step is not the newest.
    await database.open([...migrations, breaking(async () => undefined)])
  })

  test.skipIf(isMissing)('is repeated after its process was killed in the middle', async () => {
    const database = await create()
    const old = await database.open()
    const project = await addProject(old)
    const child = await runUntilMiddle(database.place)
    child.kill('SIGKILL')
    await once(child, 'close')
    await old.accept({ updates: [newPush(old, project, clock)] })
    expect(await list(database)).toEqual(migrations.map((_step, index) => ({ version: index + 1 })))
    await database.open(steps)
    expect(await list(database)).toEqual(newest)
    expect(await database.query('select id from projects')).toEqual([{ id: project.id }])
  })

  test.skipIf(isMissing)('runs once if several processes start at the same time', async () => {
    const database = await create()
    const processes = [1, 2, 3].map(() => startNewer(database.place))
    const ends = await Promise.all(
      processes.map(async (child) => {
        const output = child.stdout?.toArray()
        const [code] = await once(child, 'close')
        return { code, error: Buffer.concat((await output) ?? []).toString() }
      }),
    )
    expect(ends).toEqual(processes.map(() => ({ code: 0, error: '' })))
    expect(await list(database)).toEqual(newest)
    expect(await database.query('select id from regions')).toEqual([{ id: 'eu' }])
  })
})

test.skipIf(!canStartPostgres)('an upgrade is repeated after PostgreSQL was killed in the middle', async () => {
  const database = await createPostgres()
  await (await database.open()).ping()
  for (const store of opened.splice(0)) await store.close()
  const child = await runUntilMiddle(database.place)
  postgres?.kill()
  postgres?.start()
  child.stdin?.end('continue')
  // The lost connection must not end the process with an unhandled event.
  expect(String(await once(child.stdout ?? child, 'data'))).toMatch(/^Cannot use the store .*\n$/)
  expect(await once(child, 'close')).toEqual([1, null])
  await database.open(steps)
  expect(await database.query('select id from regions')).toEqual([{ id: 'eu' }])
})

describe('the steps of the schema', () => {
  /** The steps before the first release, which no older program has to survive. */
  const released = 15

  /** What the queries of a step do that an older program could notice. */
  async function findBreaks(steps: readonly Migration[]): Promise<string[]> {
    const breaks: string[] = []
    let isCollecting = false
    const created = new Set<string>()
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        if (isCollecting) breaks.push(...describeBreaks(node, created))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const { writer, close } = openSqliteDatabase(join(makeTemporaryFolder(), 'store.sqlite'))
    await migrate(writer.withPlugin(plugin), 'now', {
      steps: steps.map((step, index) => async (database) => {
        isCollecting = index >= released && step.isBreaking === undefined
        await step(database)
        isCollecting = false
      }),
    })
    await close()
    return breaks
  }

  function describeBreaks(node: RootOperationNode, created: Set<string>): string[] {
    switch (node.kind) {
      case 'CreateTableNode':
        created.add(node.table.table.identifier.name)
        return []
      case 'CreateIndexNode': {
        const table = node.table?.table.identifier.name ?? ''
        return node.unique && !created.has(table) ? [`unique index on ${table}`] : []
      }
      case 'AlterTableNode': {
        const table = node.table.table.identifier.name
        const { kind, table: _table, columnAlterations = [], ...others } = node
        const wrong = columnAlterations.filter(
          (change) =>
            change.kind !== 'AddColumnNode' || (change.column.notNull === true && change.column.defaultTo === undefined),
        )
        return [...wrong.map((change) => `${change.kind} in ${table}`), ...Object.keys(others).map((key) => `${key} in ${table}`)]
      }
      case 'InsertQueryNode':
      case 'UpdateQueryNode':
      case 'SelectQueryNode':
        return []
      default:
        return [node.kind]
    }
  }

  test('only add to the schema unless they are marked as breaking', async () => {
    expect(await findBreaks(migrations)).toEqual([])
    expect(await findBreaks([...migrations, futureSteps[0] as Migration])).toEqual([])
  })

  test.each<[string, Migration]>([
    ['dropColumn', async ({ schema }) => await schema.alterTable('jobs').dropColumn('reason').execute()],
    ['DropTableNode', async ({ schema }) => await schema.dropTable('cpu_slots').execute()],
    ['renameTo', async ({ schema }) => await schema.alterTable('cpu_slots').renameTo('slots').execute()],
    ['RenameColumn', async ({ schema }) => await schema.alterTable('jobs').renameColumn('worker', 'holder').execute()],
    ['unique index', async ({ schema }) => await schema.createIndex('x').on('jobs').column('id').unique().execute()],
  ])('are checked for %s', async (_what, step) => {
    expect(await findBreaks([...migrations, step])).toHaveLength(1)
    expect(await findBreaks([...migrations, breaking(step)])).toEqual([])
  })
})

describe('a store that an earlier version was moving to PostgreSQL while its server ran', () => {
  const withoutLast = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === 'dropMove'),
  )

  async function createMoving(...facts: readonly string[]): Promise<Database> {
    const database = await createSqlite()
    await (await database.open(withoutLast)).close()
    const file = new DatabaseSync(database.place)
    for (const fact of ['moving', ...facts]) file.prepare('insert into facts values (?, ?)').run(fact, 'x')
    file.exec(`
      create table store_changes (seq integer primary key autoincrement, table_name text not null, key text not null);
      create trigger "move_log_updates_insert" after insert on updates begin
        insert into store_changes (table_name, key) values ('updates', json_array(new.id)); end;
      create trigger "move_freeze_facts_update" before update on facts when new.name not in ('probe', 'moved-to')
        begin select raise(abort, 'it moves'); end;
      create trigger "move_freeze_projects_insert" before insert on projects begin select raise(abort, 'it moves'); end;`)
    file.close()
    return database
  }

  test('can be written again', async () => {
    const database = await createMoving()
    const store = await database.open()
    await addProject(store)
    const left = `select name from sqlite_schema where type = 'trigger' or name = 'store_changes'`
    expect(await database.query(left)).toEqual([])
    expect(await database.query(`select name from facts where name like 'mov%'`)).toEqual([])
    expect(await store.notes.read('backup-of')).toBeUndefined()
  })

  test('is as old as a backup if the move had finished', async () => {
    const before = new Date().toISOString()
    const store = await (await createMoving('moved-to')).open()
    expect((await store.notes.read('backup-of')) ?? '').toSatisfy((time: string) => time >= before)
  })

  test.skipIf(!canStartPostgres)('is not opened in PostgreSQL, where it has only a part of the rows', async () => {
    const database = await createPostgres()
    await (await database.open(withoutLast)).close()
    await database.query(`insert into facts values ('moving-from', 'x')`)
    await expect(database.open()).rejects.toThrow('a move to it has not finished')
  })
})
