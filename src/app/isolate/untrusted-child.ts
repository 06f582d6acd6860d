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

/** The last message of a child about a request. `cpuMs` is the CPU time that it has used since its start. */
type EndMessage = { readonly cpuMs: number } & (
  | { readonly kind: 'answered'; readonly answer: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'failed'; readonly error: { readonly name: string; readonly message: string; readonly code?: unknown } }
)

/** A message of a child to its parent: for each request any number of questions, then the end. */
export type ChildMessage = EndMessage | { readonly kind: 'question'; readonly id: number; readonly question: unknown }

/** A message of the parent: a request after the end of the one before, or the answer to a question. */
export type ParentMessage =
  | { readonly kind: 'request'; readonly request: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }

/** Asks the parent. The promise stays pending if the parent does not answer, because it then ends this process. */
export type Ask = (question: unknown) => Promise<unknown>

/**
 * The main function of a child process that works on untrusted input: answers requests, one after another, until the parent ends it. `work`
 * can ask the parent questions.
 *
 * A watchdog thread enforces the limits, because a loop or a large allocation blocks the main thread.
 */
export function serveRequests<Request>(work: (request: Request, ask: Ask) => Promise<unknown>): void {
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
  const waiting = new Map<number, (answer: unknown) => void>()
  let last = 0
  const ask: Ask = (question) => {
    last += 1
    const id = last
    process.send?.({ kind: 'question', id, question } satisfies ChildMessage)
    return new Promise((resolve) => waiting.set(id, resolve))
  }
  process.on('message', async (message: ParentMessage) => {
    if (message.kind === 'answer') {
      waiting.get(message.id)?.(message.answer)
      waiting.delete(message.id)
      return
    }
    const outcome = await runWork(() => work(message.request as Request, ask), limits)
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    process.send?.({ ...outcome, cpuMs: (userCPUTime + systemCPUTime) / 1000 } satisfies ChildMessage)
  })
}

type Outcome<Message> = Message extends unknown ? Omit<Message, 'cpuMs'> : never

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
