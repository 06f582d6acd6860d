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
import { codeOf, StoreError } from '../../text/errors.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { type ClockReading, elapsedSince, readClocks } from '../database/holds.ts'
import { createTableVersions, noteChanges, type TableVersions, waitUntilNoticed } from '../database/table-versions.ts'
import type { Tables } from '../database/tables.ts'
import { createPostgresLocks } from './postgres-locks.ts'
import { openPool, type PostgresTimes, usualTimes } from './postgres-pool.ts'

export interface ConnectionOptions {
  /** The maximum number of connections for queries, at least 2. One more holds locks. Default: 10. */
  readonly connections?: number | undefined
  /** The time after which a process that does not respond loses its locks. Default: 10,000. */
  readonly lockSilenceMs?: number | undefined
  /** Time limits of connections. Default: `usualTimes`. */
  readonly times?: Partial<PostgresTimes> | undefined
}

/**
 * Opens a pool of connections.
 *
 * @param url As for `psql`: `postgres://user:password@host:5432/database?sslmode=…`.
 */
export function openPostgresDatabase(
  url: string,
  { connections = 10, lockSilenceMs = 10_000, times: given }: ConnectionOptions = {},
) {
  const times = { ...usualTimes, ...given }
  const config: pg.ClientConfig = {
    connectionString: url,
    application_name: 'openapi-pages',
    keepAlive: true,
    // The default of Linux is two hours.
    keepAliveInitialDelayMillis: 5_000,
    types: { getTypeParser: getTypeParser as typeof pg.types.getTypeParser },
    connectionTimeoutMillis: 10_000,
  }
  const place = describePlace(config)
  const toError = (error: unknown) => toStoreError(error, place)
  const { pool, connect } = openPool({ ...config, max: connections }, { times, toError })
  const versions = createAgingVersions()
  const database = new KyselyDatabase<Tables>({
    dialect: new PostgresDialect({
      pool: {
        // A pooled connection has the functions that Kysely needs.
        connect: async () => (await connect()) as unknown as PostgresPoolClient,
        end: () => pool.end(),
        options: pool.options,
      },
    }),
  })
  const locks = createPostgresLocks({ ...config, query_timeout: lockSilenceMs }, { toError, silenceMs: lockSilenceMs })
  let closed: Promise<void> | undefined
  return {
    /** The host and database, without the password. */
    place,
    database,
    versions,
    locks: locks.run,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max: connections }),
    write: noteChanges((work) => transact(database, work), versions.change),
    close() {
      closed ??= locks.close().then(() => database.destroy())
      return closed
    },
  }
}

/** How long a process may use a value after another one has changed it. */
const maxAgeMs = 1_000

/** Processes do not tell each other about their commits. What is in memory is read again every second. */
function createAgingVersions(): TableVersions {
  const { read, change, changeEverything } = createTableVersions()
  let refreshed: ClockReading | undefined
  return {
    read(tables) {
      if (!refreshed || elapsedSince(refreshed) >= maxAgeMs) {
        changeEverything()
        refreshed = readClocks()
      }
      return read(tables)
    },
    change,
    untilNoticed: () => waitUntilNoticed(maxAgeMs),
  }
}

/** The lock of all writes. Any number that no other program uses. */
const writeLock = 7_340_022

/** PostgreSQL's 64-bit integers. The integers of the app are GitHub's IDs, counts and sizes, which are safe integers. */
const int8 = 20

function getTypeParser(type: number, format?: 'text' | 'binary'): unknown {
  return type === int8 ? Number : pg.types.getTypeParser(type, format)
}

/** Failed tries of a transaction after which it is given up. Each waits longer than the one before. */
const maxTries = 5

/**
 * Runs a transaction that sees everything that was committed before it got its lock.
 *
 * Transactions that are isolated by PostgreSQL alone (`serializable`) had to be tried again often. Ten at once were slower than one after another,
 * because webhooks read and write the same few pages of the tables of jobs.
 */
async function transact<Value>(database: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.connection().execute(async (connection) => {
        // In one message, because each takes as long as the way to the server.
        await sql.raw(`begin; select pg_advisory_xact_lock(${writeLock})`).execute(connection)
        try {
          const result = await work(connection)
          await sql`commit`.execute(connection)
          return result
        } catch (error) {
          // If this fails too, the pool closes the connection, which ends the transaction.
          await sql`rollback`.execute(connection).catch(() => undefined)
          throw error
        }
      })
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== deadlock || tries === maxTries) throw error
      await sleep(Math.random() * 2 ** tries)
    }
  }
}

/** `deadlock_detected`. */
const deadlock = '40P01'

/** Converts the errors of connections and queries to a `StoreError`. */
function toStoreError(error: unknown, place: string): unknown {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  const hint = code === undefined ? undefined : (readOwn(hints, code) ?? readOwn(hints, code.slice(0, 2)))
  return new StoreError(`Cannot use the store ${place}: ${error.message || code}`, {
    cause: error,
    ...(code !== undefined && { code }),
    ...(hint !== undefined && { hint }),
  })
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
  '42704': 'Use PostgreSQL 14 or later',
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
