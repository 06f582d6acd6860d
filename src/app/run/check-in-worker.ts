import { Worker } from 'node:worker_threads'
import type { CheckEnd, CheckedRepository, CheckRequest } from './check-types.ts'

export interface WorkerLimits {
  /** Of JavaScript values; the bytes of files are bounded by the limits of the archive. */
  readonly memoryMb: number
  readonly timeMs: number
}

/**
 * Checks the files of an archive in a thread of its own, which is killed when it takes too much memory or time.
 *
 * @throws {Error} when the check failed in a way that is a fault of ours, or when `signal` aborts.
 */
export async function checkInWorker(
  request: CheckRequest,
  { memoryMb, timeMs }: WorkerLimits,
  signal: AbortSignal,
): Promise<CheckEnd> {
  signal.throwIfAborted()
  const worker = new Worker(workerUrl, {
    workerData: request,
    // What a document makes us print belongs into no log.
    stdout: true,
    stderr: true,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: Math.max(16, Math.ceil(memoryMb / 16)) },
  })
  let timer: NodeJS.Timeout | undefined
  let abort: (() => void) | undefined
  try {
    return await new Promise<CheckEnd>((resolve, reject) => {
      timer = setTimeout(() => {
        resolve({ kind: 'over-limit', reason: `the check took longer than ${Math.round(timeMs / 1000)} s` })
      }, timeMs)
      abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort)
      // The worker posts exactly this.
      worker.once('message', (checked: CheckedRepository) => resolve({ kind: 'done', checked }))
      worker.once('error', (error: Error & { code?: string }) => {
        if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') reject(error)
        else resolve({ kind: 'over-limit', reason: `the check needed more than ${memoryMb} MB of memory` })
      })
      worker.once('exit', (code) => reject(new Error(`The check ended without a result (${code})`)))
    })
  } finally {
    clearTimeout(timer)
    if (abort) signal.removeEventListener('abort', abort)
    await worker.terminate()
  }
}

/** Beside this file, as TypeScript in a clone and as JavaScript in the package. */
const workerUrl = new URL(import.meta.url.endsWith('.ts') ? './check-worker.ts' : './check-worker.js', import.meta.url)
