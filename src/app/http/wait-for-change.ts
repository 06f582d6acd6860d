import type { FastifyRequest } from 'fastify'
import type { StoredUpdate } from '../../store/types.ts'
import type { AppContext } from '../app-context.ts'
import type { Watched } from './status-waiters.ts'

/** Holds a request until its record changed, the time is over, or the caller went away. `undefined` when the record is gone. */
export async function waitForChange(
  { waiters }: AppContext,
  request: FastifyRequest,
  stored: StoredUpdate,
  { seconds, of }: { seconds: number; of: Watched },
): Promise<StoredUpdate | undefined> {
  const gone = new AbortController()
  const abort = () => gone.abort()
  request.raw.socket.once('close', abort)
  try {
    return await waiters.wait(stored, { of, timeoutMs: seconds * 1000, signal: gone.signal })
  } finally {
    request.raw.socket.off('close', abort)
  }
}
