import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { StatusStore } from '../../store/status-store.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'

const lookEveryMs = 100
const readEveryMs = 1000
const mostWaiters = 5000

/** What has to change: the state, or anything at all. */
type Watched = 'state' | 'revision'

interface Waiter {
  readonly statusId: string
  readonly seen: string | number
  readonly of: Watched
  readonly release: () => void
}

/**
 * Holds requests until their record changes state, for `Prefer: wait` and for the page for people.
 *
 * Looks at the records every 100 ms while anybody waits: the store answers that from memory while nobody wrote, and it
 * sees what other processes wrote, which an event of this process would not.
 */
export class StatusWaiters {
  readonly #statuses: StatusStore
  readonly #waiters = new Set<Waiter>()
  #timer: NodeJS.Timeout | undefined
  #closed = false
  readonly #closing = new AbortController()
  #watching = 0

  constructor(statuses: StatusStore) {
    this.#statuses = statuses
  }

  /** How many requests are being held. */
  get size(): number {
    return this.#waiters.size
  }

  /**
   * Resolves with the newest form of the record once what is watched is another one, once `timeoutMs` have passed, once `signal` aborts,
   * or at once when the server stops or too many wait. `undefined` when the record is gone.
   *
   * @throws {StoreError} when the store cannot be read at the end.
   */
  async wait(
    stored: StoredUpdate,
    { of, timeoutMs, signal }: { of: Watched; timeoutMs: number; signal: AbortSignal },
  ): Promise<StoredUpdate | undefined> {
    if (this.#closed || signal.aborted || this.#waiters.size >= mostWaiters) return stored
    const statusId = stored.update._id
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => waiter.release(), timeoutMs)
      const waiter: Waiter = {
        statusId,
        of,
        seen: watch(stored, of),
        release: () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', waiter.release)
          this.#waiters.delete(waiter)
          resolve()
        },
      }
      signal.addEventListener('abort', waiter.release)
      this.#waiters.add(waiter)
      this.#timer ??= setTimeout(() => void this.#look(), lookEveryMs)
    })
    return this.#statuses.find(statusId)
  }

  /**
   * Resolves once `read` gives another text, once `timeoutMs` have passed, once `signal` aborts, or when the server stops. Asks every
   * second: for pages that show many records.
   *
   * @throws what `read` throws.
   */
  async waitForOther(
    read: () => Promise<string>,
    { seen, timeoutMs, signal }: { seen: string; timeoutMs: number; signal: AbortSignal },
  ): Promise<void> {
    const until = performance.now() + timeoutMs
    const ended = AbortSignal.any([signal, this.#closing.signal])
    while (!ended.aborted && performance.now() < until && this.#watching < mostWaiters) {
      this.#watching += 1
      await sleep(Math.min(readEveryMs, until - performance.now()), undefined, { signal: ended }).catch(() => undefined)
      this.#watching -= 1
      if (ended.aborted || (await read()) !== seen) return
    }
  }

  /** Releases every waiting request and accepts no more, for a graceful stop. */
  close(): void {
    this.#closed = true
    this.#closing.abort()
    clearTimeout(this.#timer)
    for (const { release } of this.#waiters) release()
  }

  async #look(): Promise<void> {
    for (const waiter of this.#waiters) {
      // A store that cannot be read now is no change: the request learns of it when its time is over.
      const stored = await this.#statuses.find(waiter.statusId).catch(() => 'unknown' as const)
      if (stored !== 'unknown' && (!stored || watch(stored, waiter.of) !== waiter.seen)) waiter.release()
    }
    this.#timer = this.#waiters.size > 0 && !this.#closed ? setTimeout(() => void this.#look(), lookEveryMs) : undefined
  }
}

function watch({ update, revision }: StoredUpdate, of: Watched): string | number {
  return of === 'state' ? update.status : revision
}

/** Holds a request until its record changed, the time is over, or the caller went away. `undefined` when the record is gone. */
export async function waitForChange(
  { waiters }: { readonly waiters: StatusWaiters },
  request: FastifyRequest,
  stored: StoredUpdate,
  { seconds, of }: { seconds: number; of: Watched },
): Promise<StoredUpdate | undefined> {
  return await whileThere(request, (signal) => waiters.wait(stored, { of, timeoutMs: seconds * 1000, signal }))
}

/** Does some work with a signal that aborts when the caller goes away. */
export async function whileThere<Result>(
  request: FastifyRequest,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController()
  const abort = () => gone.abort()
  request.raw.socket.once('close', abort)
  try {
    return await work(gone.signal)
  } finally {
    request.raw.socket.off('close', abort)
  }
}

/** `ETag` of a record. The state is part of it: a store put back from a backup counts revisions again. */
export function toETag({ revision, update }: StoredUpdate): string {
  return `"${revision}-${update.status}"`
}

/** Whether `If-None-Match` names an `ETag`; it compares weakly and may list several (RFC 9110, section 13.1.2). */
export function isListed(header: string, etag: string): boolean {
  return header === etag || header === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag)
}

/** Seconds of `wait` among the preferences, at most 60; 0 where there is none that can be read (RFC 7240, sections 2 and 4.3). */
export function parseWait(header: string): number {
  const value = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(header)?.[1]
  return value === undefined ? 0 : Math.min(Number(value), longestWaitSeconds)
}

const longestWaitSeconds = 60

/**
 * The result of some work, or `over()` thrown once the time has passed. The work itself goes on.
 *
 * @throws what the work throws, or `over()`.
 */
export async function withinTime<Result>(work: Promise<Result>, timeoutMs: number, over: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(over()), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
