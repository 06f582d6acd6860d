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

/** The last message of a child to its parent. `cpuMs` is the CPU time that it used. */
type EndMessage = { readonly cpuMs: number } & (
  | { readonly kind: 'answered'; readonly answer: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'failed'; readonly error: { readonly name: string; readonly message: string; readonly code?: unknown } }
)

/** A message of a child to its parent: any number of questions, then the end. */
export type ChildMessage = EndMessage | { readonly kind: 'question'; readonly id: number; readonly question: unknown }

/** The answer of the parent to a question. */
export interface ParentMessage {
  readonly id: number
  readonly answer: unknown
}

/** Asks the parent. The promise stays pending if the parent does not answer, because it then ends this process. */
export type Ask = (question: unknown) => Promise<unknown>

/**
 * The main function of a child process that works on untrusted input: waits for the request, sends the response, and exits. `work` can ask
 * the parent questions.
 *
 * A watchdog thread enforces the limits, because a loop or a large allocation blocks the main thread.
 */
export function serveOneRequest<Request>(work: (request: Request, ask: Ask) => Promise<unknown>): void {
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
    const ask = createAsk()
    const outcome = await runWork(() => work(request, ask), limits)
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    process.send?.({ ...outcome, cpuMs: (userCPUTime + systemCPUTime) / 1000 })
  })
}

type Outcome<Message> = Message extends unknown ? Omit<Message, 'cpuMs'> : never

function createAsk(): Ask {
  const waiting = new Map<number, (answer: unknown) => void>()
  process.on('message', ({ id, answer }: ParentMessage) => waiting.get(id)?.(answer))
  let last = 0
  return (question) => {
    last += 1
    const id = last
    process.send?.({ kind: 'question', id, question } satisfies ChildMessage)
    return new Promise((resolve) => waiting.set(id, resolve))
  }
}

async function runWork(work: () => Promise<unknown>, { answerBytes }: WatchdogLimits): Promise<Outcome<EndMessage>> {
  try {
    const answer = serialize(await work())
    return answer.length > answerBytes ? { kind: 'too-large' } : { kind: 'answered', answer }
  } catch (error) {
    if (!(error instanceof Error)) return { kind: 'failed', error: { name: 'Error', message: String(error) } }
    const { name, message, stack, code } = error as NodeJS.ErrnoException
    return { kind: 'failed', error: { name, message, ...(stack && { stack }), ...(code !== undefined && { code }) } }
  }
}
