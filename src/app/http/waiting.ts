import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { StoredUpdate } from '../../store/records/stored-records.ts'
import type { Store } from '../../store/store.ts'

/** How often to look at the number that tells whether records have changed. */
const lookIntervalMs = 10
/** How long to wait after an error of the store. */
const retryIntervalMs = 100
/** Looking at the records themselves may take up to a tenth of the time. */
const restPerLook = 9
const pageRefreshMs = 1000
const maxWaiters = 5000

/** `state` waits for a new status, `revision` for any change. */
type Watched = 'state' | 'revision'

interface Waiter {
  readonly statusId: string
  readonly seen: string | number
  readonly of: Watched
  /** The version of the records at which this one was last read; `undefined` for a new waiter. */
  version: number | undefined
  /** @param changed The record if it changed; `'deleted'` if it does not exist any more; `undefined` if the time is over. */
  readonly release: (changed?: StoredUpdate | 'deleted') => void
}

/**
 * Delays responses until a record changes, for `Prefer: wait` and for live pages.
 *
 * Looks at the version of the records instead of using events because other processes write them too. When it has changed, one query reads
 * the revisions of all records that requests wait for.
 */
export class StatusWaiters {
  readonly #statuses: Store['statuses']
  readonly #waiters = new Set<Waiter>()
  #timer: NodeJS.Timeout | undefined
  #closed = false
  readonly #closing = new AbortController()
  #watching = 0

  constructor(statuses: Store['statuses']) {
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
    const changed = await new Promise<StoredUpdate | 'deleted' | undefined>((resolve) => {
      const stop = () => waiter.release()
      const timer = setTimeout(stop, timeoutMs)
      const waiter: Waiter = {
        statusId: stored.update._id,
        of,
        seen: of === 'state' ? stored.update.status : stored.revision,
        version: undefined,
        release: (record) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', stop)
          this.#waiters.delete(waiter)
          resolve(record)
        },
      }
      signal.addEventListener('abort', stop)
      this.#waiters.add(waiter)
      this.#lookLater(lookIntervalMs)
    })
    if (changed === 'deleted') return undefined
    return changed ?? this.#statuses.find(stored.update._id)
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

  #lookLater(afterMs: number): void {
    if (this.#waiters.size === 0 || this.#closed) return
    this.#timer ??= setTimeout(async () => {
      const startedAt = performance.now()
      // Ignore errors of the store here. `wait` reports them when it reads the record.
      const least = await this.#look().then(
        () => lookIntervalMs,
        () => retryIntervalMs,
      )
      this.#timer = undefined
      this.#lookLater(Math.max(least, (performance.now() - startedAt) * restPerLook))
    }, afterMs)
  }

  async #look(): Promise<void> {
    // Before the query, so that a revision is never older than its version.
    const version = this.#statuses.readVersion()
    const waiters = [...this.#waiters].filter((waiter) => waiter.version !== version)
    if (waiters.length === 0) return
    const revisions = await this.#statuses.readRevisions([...new Set(waiters.map(({ statusId }) => statusId))])
    const changed = waiters.filter((waiter) => {
      const found = revisions.get(waiter.statusId)
      const isChanged = !found || (waiter.of === 'state' ? found.status : found.revision) !== waiter.seen
      if (!isChanged) waiter.version = version
      return isChanged
    })
    const records = new Map<string, StoredUpdate | 'deleted'>()
    for (const { statusId, release } of changed) {
      const record = records.get(statusId) ?? (await this.#statuses.find(statusId)) ?? 'deleted'
      records.set(statusId, record)
      release(record)
    }
  }
}

/** Waits until the record changes, the time is over, or the caller disconnects. Returns `undefined` if the record was deleted. */
export async function waitForChange(
  waiters: StatusWaiters,
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
export function matchesETag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header === etag || header === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag)
}

/** Reads `wait=N` from a `Prefer` header, at most 60. Returns 0 if it is missing or invalid (RFC 7240, sections 2 and 4.3). */
export function parseWait(header: IncomingHttpHeaders['prefer']): number {
  const value = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(String(header))?.[1]
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
