import pg from 'pg'
import { createTableVersions, noteChanges } from '../../../src/store/database/table-versions.ts'
import { openPostgresDatabase } from '../../../src/store/postgres/postgres-database.ts'
import { openPostgresStore } from '../../../src/store/store.ts'
import { chooseRoles, createProcessStore, type SimulatedDatabase } from './simulated-databases.ts'

/** Databases in PostgreSQL: one, which is emptied for each history. */
export async function createPostgresDatabases(url: string): Promise<(seed: number) => SimulatedDatabase> {
  prepareStatements()
  const client = new pg.Client({ connectionString: url, options: '-c client_min_messages=warning' })
  await client.connect()
  await client.query('set synchronous_commit = off; drop schema public cascade; create schema public')
  await client.query(toSettings({ synchronous_commit: 'off', plan_cache_mode: 'force_generic_plan', jit: 'off' }))
  // Creates the tables.
  await (await openPostgresStore({ url })).close()
  const clear = await prepareClear(client)
  const opened = openPostgresDatabase(url, { connections: 2, times: patientTimes })
  // Processes notice a commit at once.
  const versions = createTableVersions()
  const write = noteChanges(opened.write, versions.change)
  return (seed) => ({
    roles: chooseRoles(seed),
    isShared: true,
    clear,
    open: (options) => createProcessStore({ reader: opened.database, write, readVersion: versions.read }, options),
  })
}

const hourMs = 3_600_000

/** A run with a low priority may wait for long. */
const patientTimes = { statementMs: hourMs, idleMs: hourMs, answerMs: hourMs, sessionMs: hourMs }

/** Lets the server plan each statement once for a connection. */
function prepareStatements(): void {
  const names = new Map<string, string>()
  const { query } = pg.Client.prototype
  const queryPrepared = function (this: pg.Client, config: unknown, ...rest: readonly unknown[]): unknown {
    const isStatement = typeof config === 'object' && config !== null && 'text' in config && 'values' in config
    const text = isStatement && Array.isArray(config.values) && config.values.length > 0 ? String(config.text) : undefined
    if (text === undefined) return Reflect.apply(query, this, [config, ...rest])
    const name = names.get(text) ?? `statement ${names.size}`
    names.set(text, name)
    return Reflect.apply(query, this, [{ ...(config as object), name }, ...rest]) // An object, see above.
  }
  Object.assign(pg.Client.prototype, { query: queryPrepared })
}

/** A statement that changes settings of the database for later connections. */
function toSettings(settings: Readonly<Record<string, string>>): string {
  const changes = Object.entries(settings).map(
    ([name, value]) => `execute format('alter database %I set ${name} = ${value}', current_database());`,
  )
  return `do $$ begin ${changes.join(' ')} end $$`
}

/** Returns a function that makes the tables as they are after a migration. */
async function prepareClear(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  await client.query('drop schema if exists kept cascade; create schema kept')
  const names: string[] = []
  const filled: string[] = []
  for (const { name } of rows) {
    names.push(name)
    const { rowCount } = await client.query(`create table kept.${name} as table public.${name}`)
    if (rowCount !== null && rowCount > 0) filled.push(name)
  }
  // Without triggers, the order of the tables does not matter.
  await client.query('set session_replication_role = replica')
  const empty = names.map((name) => `delete from public.${name}`).join(';')
  const fill = filled.map((name) => `insert into public.${name} table kept.${name}`).join(';')
  return async () => {
    // One result for each statement.
    const results = (await client.query(empty)) as unknown as readonly pg.QueryResult[]
    const used = names.filter((_name, index) => results[index]?.rowCount !== 0)
    // Shortens their files, so that the rows of the next history have the same order on disk, and in results without an order. Unlike `truncate`,
    // creates no files.
    await client.query(`vacuum (index_cleanup on) ${used.map((name) => `public.${name}`).join(', ')}`)
    await client.query(fill)
  }
}
