import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { StoreError } from '../../text/errors.ts'
import { type ClockReading, elapsedSince, readClocks } from '../database/holds.ts'
import type { Tables } from '../database/tables.ts'
import { endClient } from './postgres-pool.ts'

/** The state of a PostgreSQL server. */
export interface PostgresState {
  /** `15.18`. */
  readonly version: string
  readonly majorVersion: number
  /** A standby server, or read-only for another reason. */
  readonly isReadOnly: boolean
  readonly maxConnections: number
  /** How far the server's clock is ahead of this machine's. */
  readonly clockAheadMs: number
}

/**
 * Reads the state without changing anything.
 *
 * @param url As for `psql`.
 * @throws a system error or an error of PostgreSQL.
 */
export async function inspectPostgres(url: string): Promise<PostgresState> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 10_000 })
  // A lost connection also rejects the running query.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const settings = await client.query<{ version: string; number: number; connections: number; read_only: string }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
        current_setting('transaction_read_only') as read_only`,
    )
    const [server] = settings.rows
    const sentAt = Date.now()
    const clock = await client.query<{ ms: number }>(`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`)
    const clockAheadMs = (clock.rows[0]?.ms ?? 0) - (sentAt + Date.now()) / 2
    if (!server) throw new Error('PostgreSQL returned no settings')
    return {
      // Debian adds its own version: `15.18 (Debian 15.18-1)`.
      version: server.version.split(' ', 1)[0] ?? '',
      majorVersion: Math.floor(server.number / 10_000),
      isReadOnly: server.read_only === 'on',
      maxConnections: server.connections,
      clockAheadMs,
    }
  } finally {
    await endClient(client)
  }
}

/** The clock of this process must not run on its own for longer. */
const maxAgeMs = 1_000

/**
 * The clock of a PostgreSQL server, which is the same for all machines, in milliseconds since 1970.
 *
 * It is read at most once per second. In between, the time that has passed in this process is added.
 */
export function createServerClock(): (database: Kysely<Tables>) => Promise<number> {
  let known: { readonly at: ClockReading; readonly timeMs: number } | undefined
  return async (database) => {
    if (!known || elapsedSince(known.at) >= maxAgeMs) {
      const query = sql<{ readonly now: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`
      const { rows } = await query.execute(database)
      // Afterwards, so that the result is never ahead of the server.
      known = { at: readClocks(), timeMs: rows[0]?.now ?? Number.NaN }
    }
    return Math.floor(known.timeMs + performance.now() - known.at.monotonicMs)
  }
}

/**
 * Rejects a pooler that gives a connection to another client after each transaction: a lock would then belong to several processes.
 *
 * PgBouncer gives a transaction the connection that was used last, which may be that of another process: hence several tries.
 *
 * @throws {StoreError}
 */
export async function rejectSharedConnections(database: Kysely<Tables>, place: string): Promise<void> {
  const readProcess = async (connection: Kysely<Tables>) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)).rows[0]?.pid
  const isShared = await database.connection().execute(async (one) => {
    for (let tries = 0; tries < 3; tries++) {
      const pid = await readProcess(one)
      if (await database.transaction().execute(async (other) => (await readProcess(other)) === pid)) return true
    }
    return false
  })
  if (!isShared) return
  throw new StoreError(`Cannot use the database ${place}: a connection pooler lets several clients share a connection`, {
    hint: 'Set the pooler to session mode (PgBouncer: `pool_mode = session`), or connect to the server itself',
  })
}
