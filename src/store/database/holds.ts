import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Write } from './table-versions.ts'
import type { JobRow, Tables } from './tables.ts'

/** The job's lease was lost, so this attempt may not write any more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/** What the current work depends on. */
interface Scope {
  readonly lease?: Lease
  readonly holds: readonly Hold[]
}

const scopes = new AsyncLocalStorage<Scope>()

/**
 * Runs the work of a job. Each of its writes to the store fails with `LeaseLostError` once another attempt has begun or the lease was revoked.
 */
export function withLease<Value>(lease: Lease, work: () => Promise<Value>): Promise<Value> {
  return scopes.run({ holds: [], ...scopes.getStore(), lease }, work)
}

/** Runs work whose writes to the store fail once the hold is lost. */
export function withHold<Value>(hold: Hold, work: () => Promise<Value>): Promise<Value> {
  const scope = scopes.getStore()
  return scopes.run({ ...scope, holds: [...(scope?.holds ?? []), hold] }, work)
}

/** Whether the running work has a lease or a hold, which its writes check. */
export function isFenced(): boolean {
  return scopes.getStore() !== undefined
}

/** Checks the lease of the current job in each transaction. */
export function fenceWrites(write: Write): Write {
  return async (work) => {
    const scope = scopes.getStore()
    if (!scope) return await write(work)
    const { lease, holds } = scope
    for (const hold of holds) await hold.confirm()
    return await write(async (transaction) => {
      if (lease && !(await findLeased(transaction, lease)))
        throw new LeaseLostError(`Attempt ${lease.attempt} of the job was lost`)
      return await work(transaction)
    })
  }
}

/** The job, if this lease still owns it. */
export async function findLeased(transaction: Kysely<Tables>, { jobId, attempt }: Lease): Promise<JobRow | undefined> {
  return await transaction
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where('attempt', '=', attempt)
    .where('state', '=', 'leased')
    .executeTakeFirst()
}

/** Proves that an attempt owns a job. Plain data that can be sent to a worker thread. */
export interface Lease {
  readonly jobId: string
  /** Counts from 1. Fences off earlier attempts. */
  readonly attempt: number
}

/**
 * Runs work while no other work runs under the same name. Waiting work of a process runs in order.
 *
 * With PostgreSQL, this holds for all processes. A process that loses its connection or does not respond for some seconds loses its locks: `hold`
 * is aborted, and its writes to the store fail. With SQLite, it holds for one process.
 */
export type NamedLocks = <Value>(
  name: string,
  work: (hold: Hold) => Promise<Value>,
  options?: {
    /** Ends the wait for the lock. */
    readonly signal?: AbortSignal | undefined
  },
) => Promise<Value>

/** A hold that is never lost. */
const safeHold: Hold = { signal: new AbortController().signal, confirm: async () => undefined }

/** Creates a set of locks for this process. */
export function createProcessLocks(): NamedLocks {
  const takeTurn = createTurns()
  return async (name, work, { signal } = {}) => {
    const endTurn = await takeTurn(name, signal)
    try {
      return await work(safeHold)
    } finally {
      endTurn()
    }
  }
}

/** Returns a function that waits until all earlier turns of a name have ended, and resolves with a function that ends the own turn. */
export function createTurns(): (name: string, signal: AbortSignal | undefined) => Promise<() => void> {
  const tails = new Map<string, Promise<unknown>>()
  return async (name, signal) => {
    const before = tails.get(name) ?? Promise.resolve()
    let endTurn: () => void = () => undefined
    const turn = new Promise<void>((resolve) => {
      endTurn = resolve
    })
    // The turn after a canceled one still waits for those before it.
    const tail = Promise.all([before, turn]).then(() => {
      if (tails.get(name) === tail) tails.delete(name)
    })
    tails.set(name, tail)
    try {
      await untilAborted(before, signal)
    } catch (error) {
      endTurn()
      throw error
    }
    return endTurn
  }
}

/** What this process holds for a limited time, such as the lease of a job, until it is lost. */
export interface Hold {
  /** Aborted when it is lost. */
  readonly signal: AbortSignal
  /**
   * Call this right before an effect that only the holder may have. Asks the store if the time since the last renewal is too long to be sure, for
   * example because the process was paused.
   *
   * @throws if it is lost, or if the store cannot be asked.
   */
  confirm(): Promise<void>
}

export interface KeptHold extends Hold {
  /** Ends it as lost. */
  lose(reason: Error): void
  /** Stops renewing. */
  end(): void
}

/** The times of two clocks in milliseconds. */
export interface ClockReading {
  readonly monotonicMs: number
  readonly wallMs: number
}

export function readClocks(): ClockReading {
  return { monotonicMs: performance.now(), wallMs: Date.now() }
}

/**
 * Milliseconds since a reading, at least. The monotonic clock stops while a machine is suspended, and the other one may be set back, so the clock
 * that moved further counts.
 */
export function elapsedSince({ monotonicMs, wallMs }: ClockReading, now = readClocks()): number {
  return Math.max(now.monotonicMs - monotonicMs, now.wallMs - wallMs)
}

/** A part of the time is not used, for clocks that run at different speeds and slow connections. */
const usedPart = 0.9

/**
 * Renews a hold until it ends. It is lost if the store refuses a renewal, or if none succeeds for the whole time that it lasts.
 *
 * @param options.since Before the store was asked for it.
 * @param options.renew Resolves with the milliseconds that it lasts from now; 0 if it is lost.
 */
export function keepHold(options: {
  readonly since: ClockReading
  readonly lastsMs: number
  readonly everyMs: number
  readonly renew: () => Promise<number>
  /** Called for each failure of `renew`. */
  readonly onError?: (error: unknown) => void
}): KeptHold {
  const { everyMs, renew, onError } = options
  const lost = new AbortController()
  let since = options.since
  let usedMs = options.lastsMs * usedPart
  let renewing: Promise<void> | undefined
  let expiry: NodeJS.Timeout | undefined
  let isEnded = false

  const isHeld = () => !lost.signal.aborted && elapsedSince(since) < usedMs

  const end = () => {
    isEnded = true
    clearInterval(beat)
    clearTimeout(expiry)
  }

  const lose = (reason: Error) => {
    end()
    lost.abort(reason)
  }

  const expectRenewal = () => {
    clearTimeout(expiry)
    if (isEnded) return
    expiry = setTimeout(() => void expire(), Math.max(0, usedMs - elapsedSince(since)))
  }

  const renewOnce = (): Promise<void> => {
    renewing ??= (async () => {
      const startedAt = readClocks()
      try {
        const lastsMs = await renew()
        if (lastsMs <= 0) return isEnded ? undefined : lose(new Error('Another process has taken over the work'))
        since = startedAt
        usedMs = lastsMs * usedPart
        expectRenewal()
      } catch (error) {
        onError?.(error)
      } finally {
        renewing = undefined
      }
    })()
    return renewing
  }

  /** Asks once more: the process may have been paused, and its work may still be its own. */
  const expire = async () => {
    await Promise.race([confirm().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, everyMs).unref())])
    if (isEnded) return
    // A timer may run a part of a millisecond early.
    if (isHeld()) expectRenewal()
    else lose(new Error('The store did not confirm in time that the work is still held'))
  }

  const confirm = async () => {
    // A renewal that was sent before a pause does not count.
    for (let tries = 0; tries < 2 && !isHeld() && !lost.signal.aborted; tries++) await untilAborted(renewOnce(), lost.signal)
    lost.signal.throwIfAborted()
    if (!isHeld()) throw new Error('Cannot confirm that the work is still held')
  }

  const beat = setInterval(() => void renewOnce(), everyMs)
  expectRenewal()
  return { signal: lost.signal, confirm, lose, end }
}

/** @throws the reason of the signal once it is aborted. */
export async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return await work
  signal.throwIfAborted()
  let abort: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (abort) signal.removeEventListener('abort', abort)
  }
}

/** Decides which process of the server does the work that only one process may do at a time. */
export interface Leadership {
  /**
   * Starts `work` in one process. In another one, it starts after the first one has ended, stopped or lost its lock.
   *
   * @param work Ends after its signal aborts: on `stop`, or because another process may lead. It may be called again.
   */
  start(work: (signal: AbortSignal) => Promise<void>): void
  /** Ends the work of this process, which another one may continue. */
  stop(): Promise<void>
}

interface LeadershipOptions {
  readonly locks: NamedLocks
  /** Receives problems that pass by themselves, such as a restart of the database. */
  readonly onProblem: (error: unknown) => void
}

const retryMs = 5_000

/** The process that holds a lock leads. The others wait for it. */
export function createLeadership({ locks, onProblem }: LeadershipOptions): Leadership {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  const lead = async (work: (signal: AbortSignal) => Promise<void>) => {
    while (!signal.aborted) {
      try {
        await locks('leader', (hold) => work(AbortSignal.any([signal, hold.signal])), { signal })
      } catch (error) {
        if (!signal.aborted) onProblem(error)
      }
      await sleep(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    start(work) {
      running = lead(work)
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
