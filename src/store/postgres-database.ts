import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Kysely,
  Kysely as KyselyDatabase,
  type KyselyPlugin,
  PostgresDialect,
  type PostgresPoolClient,
  RawNode,
  sql,
} from 'kysely'
import pg from 'pg'
import type { Write } from './group-commit.ts'
import { StoreError } from './store-context.ts'
import { collectChanges, openTableVersions, type TableVersions } from './table-versions.ts'
import type { Tables } from './tables.ts'

/** A pool of connections to one PostgreSQL database. */
interface PostgresDatabase {
  /** The host and database, without the password. */
  readonly place: string
  readonly database: Kysely<Tables>
  readonly write: Write
  readonly writeAlone: Write
  readonly versions: TableVersions
  close(): Promise<void>
}

/** Longer than any query of the app takes on a slow server. A lost connection must not hold its locks for longer. */
const timeouts = {
  connectionTimeoutMillis: 10_000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
} as const

/**
 * Opens a pool of connections.
 *
 * @param url As for `psql`: `postgres://user:password@host:5432/database?sslmode=…`.
 * @param connections The maximum number of connections for queries. One more waits for messages.
 */
export function openPostgresDatabase(url: string, connections = 10): PostgresDatabase {
  const config: pg.ClientConfig = {
    connectionString: url,
    application_name: 'openapi-pages',
    keepAlive: true,
    types: { getTypeParser: getTypeParser as typeof pg.types.getTypeParser },
    ...timeouts,
  }
  const pool = new pg.Pool({ ...config, max: connections })
  // An idle connection was lost. The pool opens another one for the next query.
  pool.on('error', () => undefined)
  // Or one in use, whose next query fails. Without a listener, the process would end.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const place = describePlace(config)
  const versions = openTableVersions(config, pool)
  const database = new KyselyDatabase<Tables>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => guard(await pool.connect().catch(rethrow(place)), place),
        end: () => pool.end(),
        options: pool.options,
      },
    }),
  })
  const write = createWrite(database, versions)
  let closed: Promise<void> | undefined
  return {
    place,
    database,
    versions,
    write,
    writeAlone: (work) =>
      database.connection().execute(async (connection) => {
        // Before the transaction, because it sees the data of the time when it began.
        await sql`select pg_advisory_lock(${writeLock})`.execute(connection)
        try {
          return await createWrite(connection, versions)(work)
        } finally {
          await sql`select pg_advisory_unlock(${writeLock})`.execute(connection)
        }
      }),
    close() {
      closed ??= versions.close().then(() => database.destroy())
      return closed
    },
  }
}

/** The lock of `writeAlone`. Any number that no other program uses. */
const writeLock = 7_340_022

/** PostgreSQL's 64-bit integers. All of ours are GitHub's IDs, counts and sizes, which are safe integers. */
const int8 = 20

function getTypeParser(type: number, format?: 'text' | 'binary'): unknown {
  return type === int8 ? Number : pg.types.getTypeParser(type, format)
}

/** Failed tries of a transaction after which it is given up. Each waits longer than the one before. */
const maxTries = 12

/**
 * Runs writes as if one ran after another, as SQLite does: PostgreSQL ends a transaction that cannot be ordered, which is then tried again.
 *
 * Source: https://www.postgresql.org/docs/current/transaction-iso.html#XACT-SERIALIZABLE.
 */
function createWrite(database: Kysely<Tables>, versions: TableVersions): Write {
  return async (work) => {
    for (let tries = 1; ; tries++) {
      const tables = new Set<keyof Tables>()
      try {
        const value = await database
          .transaction()
          .setIsolationLevel('serializable')
          .execute((transaction) => work(transaction.withPlugin(collectChanges(tables))))
        versions.change(tables)
        return value
      } catch (error) {
        const isConflict = error instanceof StoreError && conflicts.has(error.code ?? '')
        if (!isConflict || tries === maxTries) throw error
        await sleep(Math.random() * 2 ** tries)
      }
    }
  }
}

/** `serialization_failure` and `deadlock_detected`. */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01'])

/** Converts the errors of queries to a `StoreError`. */
function guard(client: pg.PoolClient, place: string): PostgresPoolClient {
  return {
    query: (async (...parameters: Parameters<typeof client.query>) => {
      return await (client.query(...parameters) as unknown as Promise<unknown>).catch(rethrow(place))
    }) as unknown as PostgresPoolClient['query'],
    release: () => client.release(),
  }
}

function rethrow(place: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error)) throw error
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
    const hint = code === undefined ? undefined : (hints[code] ?? hints[code.slice(0, 2)])
    throw new StoreError(`Cannot use the store ${place}: ${error.message || code}`, {
      cause: error,
      ...(code !== undefined && { code }),
      ...(hint !== undefined && { hint }),
    })
  }
}

/**
 * By SQLSTATE, its class, or the code of a system error.
 *
 * Source: https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
const hints: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Check that PostgreSQL runs and that DATABASE_URL has its host and port',
  ENOENT: 'Check that PostgreSQL runs and that DATABASE_URL has its host and port',
  ENOTFOUND: 'Check the host in DATABASE_URL',
  '28': 'Check the user and password in DATABASE_URL',
  '3D000': 'Create the database, or change its name in DATABASE_URL',
  '42501': 'Give the user of DATABASE_URL the right to create tables in the schema `public`',
  '25006': 'Point DATABASE_URL to the primary server. This one is read-only',
  '53100': 'Free some disk space on the server',
  '53300': 'Increase max_connections of the server, or lower DATABASE_CONNECTIONS',
  '57P03': 'The server is starting or stopping. Try again later',
}

/** The host and database, without the password. */
function describePlace(config: pg.ClientConfig): string {
  const { host, port, database } = new pg.Client(config)
  return `${host}${host.startsWith('/') ? '' : `:${port}`}/${database ?? ''}`
}

/** Makes texts sort by their bytes, as in SQLite, whatever the language of the database. For migrations. */
export const sortTextByBytes: KyselyPlugin = {
  transformQuery: ({ node }) => (node.kind === 'CreateTableNode' || node.kind === 'AlterTableNode' ? replaceText(node) : node),
  transformResult: async ({ result }) => result,
}

function replaceText<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(replaceText) as Node
  if (typeof node !== 'object' || node === null) return node
  if ('kind' in node && node.kind === 'DataTypeNode' && 'dataType' in node && node.dataType === 'text') {
    return RawNode.createWithSql('text collate "C"') as Node
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, replaceText(value)])) as Node
}
