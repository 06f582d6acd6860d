import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** Time limits of connections to PostgreSQL, in milliseconds. */
export const usualTimes = {
  /** The server ends a statement, so that it is known to have failed. */
  statementMs: 10_000,
  /** The server ends a transaction without a statement. A paused process must not hold up the others for longer. */
  idleMs: 5_000,
  /** The client gives up a connection without an answer. The outcome is then unknown, so this is longer than `statementMs`. */
  answerMs: 12_000,
  /** The server ends a connection without a query. Longer than the client keeps such connections, which is 10 seconds, so it lost them. */
  sessionMs: 20_000,
}
export type PostgresTimes = Readonly<typeof usualTimes>

/** For a program that only copies data, with statements that take minutes. */
export const longTimes: PostgresTimes = { ...usualTimes, statementMs: 3_600_000, idleMs: 60_000, answerMs: 3_660_000 }

const slowWork = new AsyncLocalStorage<number>()

/** Runs work whose statements may take longer than usual, such as a migration. Connections that it takes meanwhile have this limit. */
export function withTimeFor<Value>(statementMs: number, work: () => Promise<Value>): Promise<Value> {
  return slowWork.run(statementMs, work)
}

/** A connection for some queries, with the functions that Kysely needs. */
interface PooledConnection {
  query(sql: string, parameters?: readonly unknown[]): Promise<pg.QueryResult>
  /** Returns it to the pool, or closes it if it cannot be used again. */
  release(): void
}

/**
 * A pool that gives up connections that never answer. A server that fails without closing its connections, or a firewall that forgets them, leaves
 * them half-open: TCP alone notices that after 15 minutes or not at all.
 *
 * Once one connection is lost, all that have not answered since its last query was sent are closed before their next use, because they
 * probably had the same fate.
 *
 * @param config Its `query_timeout` is replaced.
 * @param options.toError Converts the errors of connections and queries.
 */
export function openPool(
  config: pg.PoolConfig,
  { times, toError }: { readonly times: PostgresTimes; readonly toError: (error: unknown) => unknown },
) {
  // PgBouncer refuses clients that send these settings when they connect.
  const settings = [
    `set statement_timeout = ${times.statementMs}`,
    `set idle_in_transaction_session_timeout = ${times.idleMs}`,
    `set idle_session_timeout = ${times.sessionMs}`,
  ].join('; ')
  const onConnect = async (client: pg.ClientBase) => void (await client.query(settings))
  const pool = new pg.Pool({ ...config, query_timeout: times.answerMs, onConnect })
  const answeredAt = new WeakMap<pg.PoolClient, number>()
  let suspectUntil = 0
  // An idle connection was lost. The pool opens another one for the next query.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    answeredAt.set(client, performance.now())
    // It may be lost in use, and its next query fails. Without a listener, the process would end.
    client.on('error', () => undefined)
  })

  const guard = (client: pg.PoolClient, answerMs: number): PooledConnection => {
    let isLost = false
    return {
      async query(text, values = []) {
        // Such as the end of a transaction that failed.
        if (isLost) throw toError(new Error('The connection was lost'))
        const sentAt = performance.now()
        const query = { text, values: [...values], query_timeout: answerMs }
        try {
          const result = await client.query(query)
          answeredAt.set(client, performance.now())
          return result
        } catch (error) {
          // Otherwise the server has answered.
          if (!(error instanceof pg.DatabaseError)) {
            isLost = true
            suspectUntil = Math.max(suspectUntil, sentAt)
          }
          throw toError(error)
        }
      },
      // A connection with an open transaction cannot be used again.
      release: () => (isLost ? close(client) : client.release(client.getTransactionStatus() !== 'I')),
    }
  }

  return {
    pool,
    async connect() {
      for (;;) {
        const client = await pool.connect().catch((error: unknown) => {
          throw toError(error)
        })
        if ((answeredAt.get(client) ?? 0) < suspectUntil) {
          close(client)
          continue
        }
        const statementMs = slowWork.getStore()
        if (statementMs === undefined) return guard(client, times.answerMs)
        const connection = guard(client, statementMs + times.answerMs - times.statementMs)
        try {
          await connection.query(`set statement_timeout = ${statementMs}`)
        } catch (error) {
          connection.release()
          throw error
        }
        // Its settings are not the usual ones.
        return { ...connection, release: () => client.release(true) }
      }
    },
  }
}

function close(client: pg.PoolClient): void {
  client.release(true)
  // The server may never confirm the end.
  client.connection.stream.destroy()
}

/** How long the server may take to confirm the end of a connection. */
const endMs = 1_000

/** Ends a connection, also if its server does not respond. Never rejects. */
export async function endClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), endMs)
  try {
    await client.end()
  } catch {
    // It has ended.
  } finally {
    clearTimeout(timer)
  }
}
