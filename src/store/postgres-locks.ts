import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { withHold } from './fenced-writes.ts'
import { type KeptHold, keepHold, readClocks, untilAborted } from './keep-hold.ts'
import { createTurns, type NamedLocks } from './named-locks.ts'
import { endClient } from './postgres-pool.ts'
import type { Tables } from './tables.ts'

interface PostgresLocks {
  readonly run: NamedLocks
  close(): Promise<void>
}

/** One connection that holds all locks of this process. */
interface Session {
  readonly client: pg.Client
  readonly hold: KeptHold
}

interface WaitingLock {
  take(session: Session): void
  fail(error: unknown): void
}

/** How often to try to take locks that another process has. */
const retryMs = 25

/**
 * Advisory locks on one connection outside of the pool, so that any number of waiting locks uses no connection for queries.
 *
 * The connection is open while there are locks. It must send something from time to time: the server ends it after `silenceMs`, so that a process
 * that was paused or cut off does not keep its locks.
 *
 * Sources: https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS,
 * https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-IDLE-SESSION-TIMEOUT.
 *
 * @param toError Converts errors of the server.
 */
export function createPostgresLocks(
  config: pg.ClientConfig,
  { toError, silenceMs }: { readonly toError: (error: unknown) => unknown; readonly silenceMs: number },
): PostgresLocks {
  const takeTurn = createTurns()
  /** By key. Only the first of a name waits here. */
  const waiting = new Map<string, WaitingLock>()
  const held = new Set<string>()
  let session: Session | undefined
  let isTaking = false
  let isClosed = false

  const drop = async (dropped: Session, reason: Error) => {
    if (session === dropped) session = undefined
    dropped.hold.lose(reason)
    await endClient(dropped.client)
  }

  const open = async (): Promise<Session> => {
    const client = new pg.Client(config)
    // A later error of a lost connection must not end the process.
    client.on('error', () => undefined)
    const since = readClocks()
    try {
      await client.connect()
      await client.query(`set idle_session_timeout = ${silenceMs}`)
    } catch (error) {
      await endClient(client)
      throw error
    }
    const hold = keepHold({
      since,
      lastsMs: silenceMs,
      everyMs: silenceMs / 4,
      async renew() {
        await client.query('select')
        if (held.size + waiting.size === 0) void drop(opened, new Error('No lock is held'))
        return silenceMs
      },
    })
    const opened: Session = { client, hold }
    const lose = () => void drop(opened, new Error('The connection to PostgreSQL that held a lock was lost'))
    client.once('error', lose)
    client.once('end', lose)
    hold.signal.addEventListener('abort', lose, { once: true })
    return opened
  }

  /** Takes all waiting locks that are free, until none is left. */
  const takeWaiting = async () => {
    if (isTaking) return
    isTaking = true
    for (; waiting.size > 0; await sleep(retryMs)) {
      const earlier = session
      try {
        session ??= await open()
        const current = session
        const { rows } = await current.client.query<{ key: string; taken: boolean }>(
          'select key::text, pg_try_advisory_lock(key) as taken from unnest($1::bigint[]) as key',
          [[...waiting.keys()]],
        )
        for (const { key } of rows.filter(({ taken }) => taken)) {
          const lock = waiting.get(key)
          waiting.delete(key)
          if (lock) lock.take(current)
          else await unlock(current, key)
        }
      } catch (error) {
        if (session) await drop(session, new Error('The connection to PostgreSQL that held a lock was lost'))
        // The server may have ended the connection just now.
        if (earlier) continue
        for (const lock of waiting.values()) lock.fail(toError(error))
        waiting.clear()
      }
    }
    isTaking = false
  }

  const unlock = async ({ client }: Session, key: string) => {
    // A lost connection has no locks.
    await client.query('select pg_advisory_unlock($1)', [key]).catch(() => undefined)
  }

  const lock = async (key: string, signal: AbortSignal | undefined): Promise<Session> => {
    const taken = new Promise<Session>((resolve, reject) => waiting.set(key, { take: resolve, fail: reject }))
    void takeWaiting()
    try {
      return await untilAborted(taken, signal)
    } catch (error) {
      // It may have been taken in this moment.
      if (!waiting.delete(key)) {
        taken.then(
          (current) => unlock(current, key),
          () => undefined,
        )
      }
      throw error
    }
  }

  return {
    async run(name, work, { signal } = {}) {
      const key = toKey(name)
      const endTurn = await takeTurn(key, signal)
      try {
        if (isClosed) throw new Error('The store is closed')
        const taken = await lock(key, signal)
        held.add(key)
        try {
          return await withHold(taken.hold, () => work(taken.hold))
        } finally {
          held.delete(key)
          await unlock(taken, key)
        }
      } finally {
        endTurn()
      }
    },
    async close() {
      isClosed = true
      if (session) await drop(session, new Error('The store is closed'))
    },
  }
}

/** Those of the names that no process has locked. */
export async function findUnlocked(database: Kysely<Tables>, names: readonly string[]): Promise<string[]> {
  const byKey = new Map(names.map((name) => [toKey(name), name]))
  // A shared lock until the end of the statement, so that processes that ask at the same time do not see each other.
  const { rows } = await sql<{ readonly key: string }>`
    select key::text from unnest(${[...byKey.keys()]}::bigint[]) as key
    where pg_try_advisory_xact_lock_shared(key)`.execute(database)
  return rows.map(({ key }) => byKey.get(key) ?? '')
}

/** The number of a name in PostgreSQL: 64 bits of its hash. */
function toKey(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString()
}
