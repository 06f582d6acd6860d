import { createHash } from 'node:crypto'
import pg from 'pg'
import { createTurns, type KeptHold, keepHold, type NamedLocks, readClocks, untilAborted, withHold } from '../database/holds.ts'
import { endClient } from './postgres-pool.ts'

/** One connection that holds all locks of this process. */
interface Session {
  readonly client: pg.Client
  readonly hold: KeptHold
  /** Sends a query after the earlier ones have ended. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
}

interface WaitingLock {
  take(session: Session): void
  fail(error: unknown): void
}

/** Processes send a message here when they unlock something. */
const channel = 'openapi_pages_locks'

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
): { readonly run: NamedLocks; close(): Promise<void> } {
  const takeTurn = createTurns()
  /** By key. Only the first of a name waits here. */
  const waiting = new Map<string, WaitingLock>()
  const held = new Set<string>()
  let session: Session | undefined
  let isTaking = false
  /** Whether a lock may have become free since the last try. */
  let isDue = false
  let isClosed = false

  const drop = async (dropped: Session, reason: Error) => {
    if (session === dropped) session = undefined
    dropped.hold.lose(reason)
    await endClient(dropped.client)
  }

  const open = () =>
    openSession(config, silenceMs, {
      onRenewed(renewed) {
        if (held.size + waiting.size === 0) void drop(renewed, new Error('No lock is held'))
        void takeWaiting()
      },
      onUnlocked: () => void takeWaiting(),
      onLost(lost) {
        void drop(lost, lostConnection())
        void takeWaiting()
      },
    })

  /** Takes the waiting locks that are free. Call it when one may have become free. */
  const takeWaiting = async () => {
    isDue = true
    if (isTaking) return
    isTaking = true
    while (isDue && waiting.size > 0) {
      isDue = false
      const earlier = session
      try {
        session ??= await open()
        const current = session
        if (isClosed) {
          await drop(current, closed())
          continue
        }
        for (const key of await tryLocks(current, [...waiting.keys()])) {
          const lock = waiting.get(key)
          waiting.delete(key)
          if (lock) lock.take(current)
          else await unlock(current, key)
        }
      } catch (error) {
        if (session) await drop(session, lostConnection())
        // The server may have ended the connection just now.
        if (earlier) {
          isDue = true
          continue
        }
        failAll(waiting, toError(error))
      }
    }
    isTaking = false
  }

  const lock = async (key: string, signal: AbortSignal | undefined): Promise<Session> => {
    const taken = new Promise<Session>((resolve, reject) => waiting.set(key, { take: resolve, fail: reject }))
    void takeWaiting()
    return await untilTaken(taken, signal, () => waiting.delete(key), key)
  }

  return {
    async run(name, work, { signal } = {}) {
      // PostgreSQL names locks by 64 bits.
      const key = createHash('sha256').update(name).digest().readBigInt64BE().toString()
      const endTurn = await takeTurn(key, signal)
      try {
        if (isClosed) throw closed()
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
      failAll(waiting, closed())
      if (session) await drop(session, closed())
    },
  }
}

/** Opens the connection for locks, and sends something from time to time until it is lost. */
async function openSession(
  config: pg.ClientConfig,
  silenceMs: number,
  events: {
    readonly onRenewed: (session: Session) => void
    /** A process has unlocked something. */
    readonly onUnlocked: () => void
    readonly onLost: (session: Session) => void
  },
): Promise<Session> {
  const client = new pg.Client(config)
  // A later error of a lost connection must not end the process.
  client.on('error', () => undefined)
  const since = readClocks()
  try {
    await client.connect()
    await client.query(`set idle_session_timeout = ${silenceMs}; listen ${channel}`)
  } catch (error) {
    await endClient(client)
    throw error
  }
  const hold = keepHold({
    since,
    lastsMs: silenceMs,
    everyMs: silenceMs / 4,
    async renew() {
      await opened.query('select')
      events.onRenewed(opened)
      return silenceMs
    },
  })
  let last: Promise<unknown> = Promise.resolve()
  const opened: Session = {
    client,
    hold,
    query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      const result = last.then(() => client.query<Row>(text, values))
      last = result.catch(() => undefined)
      return result
    },
  }
  const lose = () => events.onLost(opened)
  client.on('notification', events.onUnlocked)
  client.once('error', lose)
  client.once('end', lose)
  hold.signal.addEventListener('abort', lose, { once: true })
  return opened
}

/** The keys that were free and are locked now. */
async function tryLocks(session: Session, keys: readonly string[]): Promise<readonly string[]> {
  const { rows } = await session.query<{ key: string; taken: boolean }>(
    'select key::text, pg_try_advisory_lock(key) as taken from unnest($1::bigint[]) as key',
    [keys],
  )
  return rows.flatMap(({ key, taken }) => (taken ? [key] : []))
}

/** @param stopWaiting Whether the lock still waited. */
async function untilTaken(
  taken: Promise<Session>,
  signal: AbortSignal | undefined,
  stopWaiting: () => boolean,
  key: string,
): Promise<Session> {
  try {
    return await untilAborted(taken, signal)
  } catch (error) {
    // It may have been taken in this moment.
    if (!stopWaiting()) {
      taken.then(
        (current) => unlock(current, key),
        () => undefined,
      )
    }
    throw error
  }
}

function failAll(waiting: Map<string, WaitingLock>, error: unknown): void {
  for (const lock of waiting.values()) lock.fail(error)
  waiting.clear()
}

async function unlock(current: Session, key: string): Promise<void> {
  // A lost connection has no locks.
  await current.query('select pg_advisory_unlock($1), pg_notify($2, null)', [key, channel]).catch(() => undefined)
}

const lostConnection = () => new Error('The connection to PostgreSQL that held a lock was lost')

const closed = () => new Error('The store is closed')
