import { AsyncLocalStorage } from 'node:async_hooks'
import type { GitHubClient } from './types.ts'

/** Whether work may still write to GitHub: it holds a lease or a lock that another process can take over. */
export interface RequestFence {
  /** Aborts all requests of the work, and their waits. */
  readonly signal: AbortSignal
  /** Called right before each write is sent. Rejects if the work may not write. */
  confirm(): Promise<void>
  /** Whether the work must leave a part of the hourly writes to other work of the installation. */
  readonly isBulk?: boolean
}

const fences = new AsyncLocalStorage<readonly RequestFence[]>()

/** Runs work whose requests to GitHub depend on the fence, in addition to those of the work around it. */
export function withRequestFence<Value>(fence: RequestFence, work: () => Promise<Value>): Promise<Value> {
  return fences.run([...listFences(), fence], work)
}

/** Aborted when the current work may not send requests any more; `undefined` outside of fences. */
export function fencedSignal(): AbortSignal | undefined {
  const current = listFences()
  return current.length === 0 ? undefined : AbortSignal.any(current.map(({ signal }) => signal))
}

/** Whether the current work must leave a part of the hourly writes to other work. */
export function isBulkWork(): boolean {
  return listFences().some(({ isBulk }) => isBulk === true)
}

function listFences(): readonly RequestFence[] {
  return fences.getStore() ?? []
}

/**
 * Makes a client obey the fences of the work that uses it. Requests for tokens are exempt, because all work of an installation shares them.
 *
 * Call it after all other hooks are registered, so that a lost fence also ends waits for the rate limit.
 */
export function fenceRequests(client: GitHubClient): void {
  client.hook.wrap('request', (request, parameters) => {
    const signal = fencedSignal()
    if (!signal || parameters.url.endsWith('/access_tokens')) return request(parameters)
    const given = parameters.request?.signal
    // Octokit's inner hooks share this object, so it must be changed in place.
    parameters.request = {
      ...parameters.request,
      signal: given instanceof AbortSignal ? AbortSignal.any([given, signal]) : signal,
      fetch: fetchInFence,
    }
    return request(parameters)
  })
}

/** Confirms as late as possible: the wait for the rate limit or a token may be long. */
async function fetchInFence(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const isRead = init?.method === 'GET' || init?.method === 'HEAD'
  if (!isRead) for (const fence of listFences()) await fence.confirm()
  return await fetch(input, init)
}
