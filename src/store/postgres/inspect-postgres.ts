import pg from 'pg'
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
