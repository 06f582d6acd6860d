import type { FastifyRequest } from 'fastify'
import type { StoredUpdate } from '../../store/types.ts'
import type { StatusWaiters, Watched } from './status-waiters.ts'

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
