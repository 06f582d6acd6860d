import { isObject, readOwn } from '../../../source/is-object.ts'
import type { DescribedOperation } from '../../request/read-operation.ts'
import { withoutCredentials } from '../remember-values.ts'
import type { Sent } from '../send/sent.ts'
import { readStored, siteKey, writeStored } from '../site-storage.ts'
import { toRequest } from '../to-request.ts'
import type { PlaygroundValues } from '../types.ts'

/** A request that was sent earlier, without credentials and without its response. */
export interface HistoryEntry {
  /** The path of the operation's page on this site. */
  readonly page: string
  /** The key of the operation's values in the tab's session. */
  readonly memoryKey: string
  readonly title: string
  readonly method: string
  /** The path and query that were sent. */
  readonly path: string
  /** In ms since 1970. */
  readonly sentAt: number
  /** Absent if there was no response. */
  readonly status: number | undefined
  /** The values in the format of `rememberValues`. */
  readonly values: unknown
}

/** The most requests that are kept, and the most characters of one. */
const maxEntries = 50
const maxLength = 20_000

const key = () => siteKey('playground-history')

/** The requests that were sent from this site, newest first. */
export function readHistory(): readonly HistoryEntry[] {
  const found = readStored(key())
  return Array.isArray(found) ? found.filter(isEntry) : []
}

export function clearHistory(): void {
  writeStored(key(), undefined)
}

/** Adds a finished request. Longer requests are not kept. */
export function recordRequest(operation: DescribedOperation, memoryKey: string, values: PlaygroundValues, sent: Sent): void {
  const safe = withoutCredentials(values)
  const credentials = { alternative: -1, byScheme: {} }
  const { request } = toRequest(
    operation,
    { ...values, ...safe, credentials },
    { base: location.href, purpose: 'send', others: undefined },
  )
  const entry: HistoryEntry = {
    page: location.pathname,
    memoryKey,
    title: operation.title,
    method: operation.method,
    path: request.url.replace(/^\w+:\/\/[^/?#]*/, ''),
    sentAt: sent.startedAt,
    status: sent.response?.status,
    values: safe,
  }
  if (JSON.stringify(entry).length > maxLength) return
  const all = [entry, ...readHistory().filter(({ sentAt }) => sentAt !== entry.sentAt)].slice(0, maxEntries)
  // The browser limits the size of its storage. Fewer requests are better than none.
  if (!writeStored(key(), all)) writeStored(key(), all.slice(0, 5))
}

function isEntry(value: unknown): value is HistoryEntry {
  if (!isObject(value) || typeof value['sentAt'] !== 'number' || !isObject(value['values'])) return false
  const { page } = value
  // A page of this site: `//host` would be another one.
  const isPage = typeof page === 'string' && /^\/(?!\/)/.test(page)
  return isPage && ['memoryKey', 'title', 'method', 'path'].every((name) => typeof readOwn(value, name) === 'string')
}
