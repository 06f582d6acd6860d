import { createHash } from 'node:crypto'
import pg from 'pg'
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.ts'
import type { AppProcess } from './app-process.ts'
import type { SimulatedDatabase } from './world.ts'

/** The processes of a history, chosen by its seed. */
const roles: readonly (readonly AppProcess['role'][])[] = [
  ['all', 'all'],
  ['web', 'worker', 'worker'],
  ['all', 'worker'],
]

/** Databases in PostgreSQL: one, which is emptied for each history. */
export async function createPostgresDatabases(url: string): Promise<(seed: number) => SimulatedDatabase> {
  const client = new pg.Client({ connectionString: url, options: '-c client_min_messages=warning' })
  await client.connect()
  await client.query('set synchronous_commit = off; drop schema public cascade; create schema public')
  // Creates the tables.
  await (await openPostgresStore({ url })).close()
  const clear = await prepareClear(client)
  const query = async (text: string, worker: string) => void (await client.query(text, [toKey(worker)]))
  const marks = {
    set: (worker: string) => query('select pg_advisory_lock($1)', worker),
    remove: (worker: string) => query('select pg_advisory_unlock($1)', worker),
  }
  return (seed) => ({
    roles: roles[seed % roles.length] ?? ['all'],
    marks,
    clear: async () => {
      await client.query('select pg_advisory_unlock_all()')
      await clear()
    },
    open: ({ now, randomBytes }) => openPostgresStore({ url, connections: 2, now, leaseNow: now, randomBytes }),
  })
}

/** Returns a function that makes the tables as they are after a migration. */
async function prepareClear(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  await client.query('drop schema if exists kept cascade; create schema kept')
  for (const { name } of rows) await client.query(`create table kept.${name} as table public.${name}`)
  // New files, so that the rows of the next history have the same order on disk, and in results without an order.
  const all = rows.map(({ name }) => `public.${name}`).join(', ')
  const text = [`truncate ${all};`, ...rows.map(({ name }) => `insert into public.${name} table kept.${name};`)]
  // Without triggers, the order of the tables does not matter.
  await client.query('set session_replication_role = replica')
  return async () => void (await client.query(text.join('\n')))
}

/** As in `postgres-locks.ts`. */
function toKey(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString()
}
