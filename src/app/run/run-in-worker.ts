import { Worker } from 'node:worker_threads'

export interface WorkerLimits {
  /** Of JavaScript values; the bytes of files are bounded by other limits. */
  readonly memoryMb: number
  readonly timeMs: number
}

export type WorkerEnd<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** `reason` is a clause for the summary. The same files would end the same way, so there is no second try. */
  | { readonly kind: 'over-limit'; readonly over: 'time' | 'memory'; readonly reason: string }

/**
 * Does something with the files of a stranger in a thread of its own, which is killed when it takes too much memory or time.
 *
 * @param what Names it in a sentence: `the check`.
 * @throws {Error} when it failed in a way that is a fault of ours, or when `signal` aborts.
 */
export async function runInWorker<Answer>(
  { what, url, request }: { readonly what: string; readonly url: URL; readonly request: unknown },
  { memoryMb, timeMs }: WorkerLimits,
  signal: AbortSignal,
): Promise<WorkerEnd<Answer>> {
  signal.throwIfAborted()
  const worker = new Worker(url, {
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
    return await new Promise<WorkerEnd<Answer>>((resolve, reject) => {
      timer = setTimeout(() => {
        resolve({ kind: 'over-limit', over: 'time', reason: `${what} took longer than ${Math.round(timeMs / 1000)} s` })
      }, timeMs)
      abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort)
      // The worker posts exactly this.
      worker.once('message', (answer: Answer) => resolve({ kind: 'answered', answer }))
      worker.once('error', (error: Error & { code?: string }) => {
        if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') reject(error)
        else resolve({ kind: 'over-limit', over: 'memory', reason: `${what} needed more than ${memoryMb} MB of memory` })
      })
      worker.once('exit', (code) => reject(new Error(`A thread ended without a result: ${what} (${code})`)))
    })
  } finally {
    clearTimeout(timer)
    if (abort) signal.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
