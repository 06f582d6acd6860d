import { serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'

/** The limit that made the watchdog end a child process. */
export type WatchdogReason = 'memory' | 'cpu'

/** The limits that a child process enforces itself, so that they also apply after its parent has died. */
export interface WatchdogLimits {
  readonly parentPid: number
  /** Resident memory of the whole process. */
  readonly rssBytes: number
  readonly cpuMs: number
  readonly answerBytes: number
}

/** The single message of a child to its parent. `cpuMs` is the CPU time that it used. */
export type ChildMessage = { readonly cpuMs: number } & (
  | { readonly kind: 'answered'; readonly answer: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'failed'; readonly error: { readonly name: string; readonly message: string; readonly code?: unknown } }
)

/**
 * The main function of a child process that works on untrusted input: waits for the request, sends the response, and exits.
 *
 * A watchdog thread enforces the limits, because a loop or a large allocation blocks the main thread.
 */
export function serveOneRequest<Request>(work: (request: Request) => Promise<unknown>): void {
  // Written by `runUntrusted`.
  const limits = JSON.parse(process.argv[2] ?? '') as WatchdogLimits
  const watchdog = new URL(
    import.meta.url.endsWith('.ts') ? './untrusted-watchdog.ts' : './untrusted-watchdog.js',
    import.meta.url,
  )
  new Worker(watchdog, { workerData: limits }).unref()
  // Signals reach the whole process group. Ignore them here, because the server decides how to end a running update.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined)
  process.once('disconnect', () => process.exit())
  process.once('message', async (request: Request) => {
    const outcome = await runWork(work, request, limits)
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    process.send?.({ ...outcome, cpuMs: (userCPUTime + systemCPUTime) / 1000 })
  })
}

type Outcome<Message> = Message extends unknown ? Omit<Message, 'cpuMs'> : never

async function runWork<Request>(
  work: (request: Request) => Promise<unknown>,
  request: Request,
  { answerBytes }: WatchdogLimits,
): Promise<Outcome<ChildMessage>> {
  try {
    const answer = serialize(await work(request))
    return answer.length > answerBytes ? { kind: 'too-large' } : { kind: 'answered', answer }
  } catch (error) {
    if (!(error instanceof Error)) return { kind: 'failed', error: { name: 'Error', message: String(error) } }
    const { name, message, stack, code } = error as NodeJS.ErrnoException
    return { kind: 'failed', error: { name, message, ...(stack && { stack }), ...(code !== undefined && { code }) } }
  }
}
