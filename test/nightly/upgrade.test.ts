import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { breaking, type Migration, migrations } from '../../src/store/database/migrations.ts'
import { openPostgresDatabase } from '../../src/store/postgres/postgres-database.ts'
import { openSqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts'
import { openPostgresStore, openSqliteStore, type Store } from '../../src/store/store.ts'
import { StoreError } from '../../src/text/errors.ts'
import { addProject, claimNext, newPush, toCreatedId } from '../store/store-fixture.ts'
import { compileCache } from '../support/compile-cache.ts'
import { futureSteps } from '../support/future-steps.ts'
import { canStartPostgres, startPostgres } from '../support/postgres.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

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
      const store = stores[index % stores.length]
      const job = store && (await claimNext(store, `w${index}`, 60_000))
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
