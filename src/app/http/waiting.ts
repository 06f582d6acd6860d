import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { StatusStore } from '../../store/status-store.ts'
import type { StoredUpdate } from '../../store/update-rows.ts'

const pollIntervalMs = 100
const pageRefreshMs = 1000
const maxWaiters = 5000

/** `state` waits for a new status, `revision` for any change. */
type Watched = 'state' | 'revision'

interface Waiter {
  readonly statusId: string
  readonly seen: string | number
  readonly of: Watched
  readonly release: () => void
}

/**
 * Delays responses until a record changes, for `Prefer: wait` and for live pages.
 *
 * Polls the store instead of using events because other processes write to it too. Reads are served from memory until something changes.
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

  /** Number of waiting requests. */
  get size(): number {
    return this.#waiters.size
  }

  /**
   * Resolves with the current record when it changes, after `timeoutMs`, when `signal` aborts, or when the server stops. Resolves at once
   * if too many requests are waiting, and with `undefined` if the record was deleted.
   *
   * @throws {StoreError} if the store cannot be read.
   */
  async wait(
    stored: StoredUpdate,
    { of, timeoutMs, signal }: { of: Watched; timeoutMs: number; signal: AbortSignal },
  ): Promise<StoredUpdate | undefined> {
    if (this.#closed || signal.aborted || this.#waiters.size >= maxWaiters) return stored
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
      this.#timer ??= setTimeout(() => void this.#look(), pollIntervalMs)
    })
    return this.#statuses.findRecent(statusId)
  }

  /**
   * Resolves when `read` returns a different text, after `timeoutMs`, when `signal` aborts, or when the server stops. For pages that show
   * many records.
   *
   * @throws what `read` throws.
   */
  async waitForOther(
    read: () => Promise<string>,
    { seen, timeoutMs, signal }: { seen: string; timeoutMs: number; signal: AbortSignal },
  ): Promise<void> {
    const until = performance.now() + timeoutMs
    const ended = AbortSignal.any([signal, this.#closing.signal])
    while (!ended.aborted && performance.now() < until && this.#watching < maxWaiters) {
      this.#watching += 1
      await sleep(Math.min(pageRefreshMs, until - performance.now()), undefined, { signal: ended }).catch(() => undefined)
      this.#watching -= 1
      if (ended.aborted || (await read()) !== seen) return
    }
  }

  /** Releases all waiting requests and accepts no more. */
  close(): void {
    this.#closed = true
    this.#closing.abort()
    clearTimeout(this.#timer)
    for (const { release } of this.#waiters) release()
  }

  async #look(): Promise<void> {
    for (const waiter of this.#waiters) {
      // Ignore store errors here; `wait` reports them when it reads the record.
      const stored = await this.#statuses.findRecent(waiter.statusId).catch(() => 'unknown' as const)
      if (stored !== 'unknown' && (!stored || watch(stored, waiter.of) !== waiter.seen)) waiter.release()
    }
    this.#timer = this.#waiters.size > 0 && !this.#closed ? setTimeout(() => void this.#look(), pollIntervalMs) : undefined
  }
}

function watch({ update, revision }: StoredUpdate, of: Watched): string | number {
  return of === 'state' ? update.status : revision
}

/** Waits until the record changes, the time is over, or the caller disconnects. Returns `undefined` if the record was deleted. */
export async function waitForChange(
  { waiters }: { readonly waiters: StatusWaiters },
  request: FastifyRequest,
  stored: StoredUpdate,
  { seconds, of }: { seconds: number; of: Watched },
): Promise<StoredUpdate | undefined> {
  return await withDisconnectSignal(request, (signal) => waiters.wait(stored, { of, timeoutMs: seconds * 1000, signal }))
}

/** Passes `work` a signal that aborts when the caller disconnects. */
export async function withDisconnectSignal<Result>(
  request: FastifyRequest,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const disconnect = new AbortController()
  const abort = () => disconnect.abort()
  request.raw.socket.once('close', abort)
  try {
    return await work(disconnect.signal)
  } finally {
    request.raw.socket.off('close', abort)
  }
}

/** Includes the status because a store restored from a backup repeats revision numbers. */
export function toETag({ revision, update }: StoredUpdate): string {
  return `"${revision}-${update.status}"`
}

/** Whether an `If-None-Match` header includes the `ETag`, with weak comparison (RFC 9110, section 13.1.2). */
export function matchesETag(header: string, etag: string): boolean {
  return header === etag || header === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag)
}

/** Reads `wait=N` from a `Prefer` header, at most 60. Returns 0 if it is missing or invalid (RFC 7240, sections 2 and 4.3). */
export function parseWait(header: string): number {
  const value = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(header)?.[1]
  return value === undefined ? 0 : Math.min(Number(value), maxWaitSeconds)
}

const maxWaitSeconds = 60

/**
 * Rejects with `createError()` after `timeoutMs`, but does not stop the work.
 *
 * @throws what the work throws, or `createError()`.
 */
export async function withTimeout<Result>(work: Promise<Result>, timeoutMs: number, createError: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(createError()), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
