import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { deserialize } from 'node:v8'
import type { ChildMessage, ParentMessage, WatchdogLimits, WatchdogReason } from './untrusted-child.ts'

/** A limit of one process, and the setting of the server that an operator raises it with. */
export interface ProcessLimits {
  readonly memory: { readonly megabytes: number; readonly setting: string }
  /** Bounds the elapsed time and the CPU time alike. `leftMs` is what remains of `seconds`. */
  readonly time: { readonly seconds: number; readonly leftMs: number; readonly setting: string }
}

export type ProcessEnd<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** `reason` is a clause for the summary. The same input would end the same way, so there is no second attempt. */
  | { readonly kind: 'stopped'; readonly reason: string; readonly setting?: string }

export interface UntrustedWork {
  /** Names the work in a sentence: `the check`. */
  readonly what: string
  /** The program; it calls `serveRequests`. */
  readonly program: URL
  /** Structured-cloneable. */
  readonly request: unknown
  /** The working directory: the only folder that the process may write to. */
  readonly folder: string
  /**
   * Answers questions of the program, which are untrusted. The answer is structured-cloneable. If it rejects, so does `runUntrusted`. The signal
   * aborts when the process has ended.
   */
  readonly answer?: (question: unknown, signal: AbortSignal) => Promise<unknown>
  /** Where the process stays for the next request after it has answered. Only requests about the same files may share it. */
  readonly kept?: KeptProcess | undefined
}

/** `runUntrusted` with a certain program. */
export type RunProgram = <Answer>(
  work: Omit<UntrustedWork, 'program'>,
  limits: ProcessLimits,
  control: RunControl,
) => Promise<ProcessEnd<Answer>>

export interface RunControl {
  readonly signal: AbortSignal
  /** Called once with the CPU time that the child used, in milliseconds, however it ended. */
  readonly onCpuTime: (cpuMs: number) => void
}

/** Results beyond this size are refused, because the server would have to hold them in memory. */
const maxAnswerBytes = 64 * 1024 * 1024

/** A process with everything that is read of it. */
interface RunningProcess {
  readonly child: ChildProcess
  readonly exited: Promise<void>
  readonly watchdog: () => WatchdogReport
  readonly stderr: () => string
  /** The CPU time of the requests so far, in milliseconds. */
  cpuMs: number
}

/**
 * Keeps the process of one request for the next one: for small documents, most of the time is spent on starting it and loading its program. Its
 * limits of memory and CPU time stay those of the first request. Only a process that has answered is kept.
 */
export class KeptProcess {
  #waiting: { readonly running: RunningProcess; readonly refuse: () => void } | undefined

  keep(running: RunningProcess): void {
    // Node would collect the messages of a program that is not asked anything.
    const refuse = () => void running.child.kill('SIGKILL')
    running.child.on('message', refuse)
    this.#waiting = { running, refuse }
  }

  /** Returns the process if there is one and it still runs. */
  take(): RunningProcess | undefined {
    if (!this.#waiting) return undefined
    const { running, refuse } = this.#waiting
    this.#waiting = undefined
    const { child } = running
    child.off('message', refuse)
    return child.exitCode === null && child.signalCode === null && !child.killed ? running : undefined
  }

  /** Ends the process. Resolves when it has exited. */
  async end(): Promise<void> {
    const running = this.#waiting?.running
    this.#waiting = undefined
    if (running) await kill(running)
  }
}

async function kill({ child, exited }: RunningProcess): Promise<void> {
  child.kill('SIGKILL')
  await exited
}

/**
 * Runs a program on untrusted input in a child process, so that nothing the input triggers can take the server down.
 *
 * The child gets no environment variables of the server and no descriptors besides its channels. Node's permission model limits it to reading
 * this package and to its own folder. It is killed when it exceeds a limit, when `signal` aborts, and when the server dies.
 *
 * @throws {Error} for an error in the program itself, a system error, or when `signal` aborts.
 */
export async function runUntrusted<Answer>(
  work: UntrustedWork,
  limits: ProcessLimits,
  { signal, onCpuTime }: RunControl,
): Promise<ProcessEnd<Answer>> {
  signal.throwIfAborted()
  const running = work.kept?.take() ?? start(work, limits)
  const { child, watchdog, stderr } = running
  const ended = new AbortController()
  const answers: Promise<void>[] = []
  let cpuMs: number | undefined
  let timer: NodeJS.Timeout | undefined
  let hasAnswered = false
  let stopListening: (() => void) | undefined
  try {
    return await new Promise<ProcessEnd<Answer>>((resolve, reject) => {
      const { time } = limits
      timer = setTimeout(() => resolve(stopped(work, limits, 'time')), time.leftMs)
      const abort = () => reject(signal.reason)
      // `serveRequests` sends exactly this.
      const receive = (message: ChildMessage) => {
        if (message.kind === 'question') {
          // One that the program sent before it was killed. Its answer would wait for an abort that has already happened.
          if (ended.signal.aborted) return
          answers.push(answerQuestion(child, work, message, ended.signal).catch(reject))
          return
        }
        cpuMs = message.cpuMs
        if (message.kind === 'answered') {
          hasAnswered = true
          resolve({ kind: 'answered', answer: deserialize(message.answer) as Answer })
        } else if (message.kind === 'too-large') {
          const reason = `${work.what} produced more than ${maxAnswerBytes / 1024 / 1024} MB of results`
          resolve({ kind: 'stopped', reason })
        } else if (isAllocationFailure(message.error.message)) resolve(stopped(work, limits, 'memory'))
        else reject(Object.assign(new Error(message.error.message), message.error))
      }
      // After the streams have ended, so that what the watchdog wrote has been read.
      const explain = (code: number | null, killedBy: NodeJS.Signals | null) => {
        const text = stderr()
        const reason = watchdog().reason ?? explainExit(code, killedBy, text)
        if (reason === undefined)
          reject(new Error(`The process of ${work.what} ended without a result (${killedBy ?? code}): ${text}`))
        else if (reason === 'crash') resolve({ kind: 'stopped', reason: `${work.what} crashed (${killedBy ?? code})` })
        else resolve(stopped(work, limits, reason))
      }
      signal.addEventListener('abort', abort)
      child.on('message', receive).once('error', reject).once('close', explain)
      stopListening = () => {
        signal.removeEventListener('abort', abort)
        child.off('message', receive).off('error', reject).off('close', explain)
      }
      send(child, { kind: 'request', request: work.request }, (error) => error && reject(error))
    })
  } finally {
    clearTimeout(timer)
    stopListening?.()
    ended.abort()
    if (!work.kept || !hasAnswered) await kill(running)
    await Promise.all(answers)
    // The watchdog writes less often.
    const totalMs = cpuMs ?? Math.max(running.cpuMs, watchdog().cpuMs)
    onCpuTime(totalMs - running.cpuMs)
    running.cpuMs = totalMs
    if (hasAnswered) work.kept?.keep(running)
  }
}

async function answerQuestion(
  child: ChildProcess,
  { answer, what }: UntrustedWork,
  { id, question }: Extract<ChildMessage, { kind: 'question' }>,
  signal: AbortSignal,
): Promise<void> {
  if (!answer) throw new Error(`The process of ${what} asked a question, but it gets no answers`)
  const reply = await answer(question, signal)
  // An error means that the process has ended, which has its own event.
  if (child.connected) send(child, { kind: 'answer', id, answer: reply }, () => undefined)
}

function send(child: ChildProcess, message: ParentMessage, callback: (error: Error | null) => void): void {
  child.send(message, callback)
}

function start({ program, folder }: UntrustedWork, { memory, time }: ProcessLimits): RunningProcess {
  const { megabytes } = memory
  const watch: WatchdogLimits = {
    parentPid: process.pid,
    // Buffers and the runtime itself are outside of the heap that V8 limits.
    rssBytes: (megabytes * 1.5 + 256) * 1024 * 1024,
    cpuMs: Math.ceil(time.leftMs),
    answerBytes: maxAnswerBytes,
  }
  const child = spawn(
    process.execPath,
    [...toPermissions(program, folder), `--max-old-space-size=${megabytes}`, fileURLToPath(program), JSON.stringify(watch)],
    {
      cwd: folder,
      env: toEnvironment(folder),
      // The last one is where the watchdog writes.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
      serialization: 'advanced',
      windowsHide: true,
    },
  )
  // Where the machine runs out of memory, Linux is to end this process and not the server. Raising the score needs no rights.
  if (child.pid !== undefined) writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => undefined)
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    // Also without a request, so that it is no uncaught error.
    child.on('error', () => resolve())
  })
  return { child, exited, watchdog: readWatchdog(child), stderr: readTail(child.stderr), cpuMs: 0 }
}

/** Read access to this package and the packages that it may load; full access to the child's own folder; threads for the watchdog. */
function toPermissions(program: URL, folder: string): string[] {
  const entry = fileURLToPath(program)
  const readable = new Set<string>([dirname(entry)])
  for (const start of new Set([entry, realpathSync(entry)])) {
    for (let at = dirname(start); ; at = dirname(at)) {
      for (const name of ['node_modules', ...(existsSync(join(at, 'package.json')) ? programParts : [])]) {
        const path = join(at, name)
        if (existsSync(path)) readable.add(path).add(realpathSync(path))
      }
      if (at === dirname(at)) break
    }
  }
  // Later versions of Node also need this for documents that a repository names by URL.
  const network = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []
  const own = [...new Set([folder, realpathSync(folder)])]
  return [
    '--permission',
    '--allow-worker',
    ...network,
    ...[...readable, ...own].map((path) => `--allow-fs-read=${path}`),
    ...own.map((path) => `--allow-fs-write=${path}`),
  ]
}

/** What the programs read of this package: nothing else of it, as a data folder may be inside a clone. */
const programParts = ['package.json', 'build', 'locales', 'src', 'texts']

/** Certificates for `fetch`, and what Windows cannot start a process without. */
const passedOn = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'TZ', 'SystemRoot'] as const

function toEnvironment(folder: string): NodeJS.ProcessEnv {
  const variables = passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return { ...Object.fromEntries(variables), TMPDIR: folder, TEMP: folder, TMP: folder }
}

function stopped({ what }: UntrustedWork, { memory, time }: ProcessLimits, over: WatchdogReason | 'time'): ProcessEnd<never> {
  const { setting } = over === 'memory' ? memory : time
  const value = over === 'memory' ? memory.megabytes : time.seconds
  const limit = { memory: 'memory', cpu: 'CPU time', time: 'time' }[over]
  return { kind: 'stopped', reason: `${what} exceeded the ${limit} limit of this server (${setting}=${value})`, setting }
}

/** Why a process ended by itself; `undefined` where the reason is not its input. */
function explainExit(code: number | null, killedBy: NodeJS.Signals | null, stderr: string): 'memory' | 'crash' | undefined {
  if (isAllocationFailure(stderr)) return 'memory'
  // The watchdog says why it kills a process. Others do so for reasons of the server, as Linux if all processes together use too much memory.
  if (killedBy !== null) return ['SIGKILL', 'SIGTERM', 'SIGINT'].includes(killedBy) ? undefined : 'crash'
  // V8 ends the process this way on Windows.
  return code !== null && (code === 134 || code > 255) ? 'crash' : undefined
}

function isAllocationFailure(text: string): boolean {
  return /out of memory|allocation failed|Cannot create a string longer/i.test(text)
}

/** What the watchdog wrote: the CPU time so far, and at last why it ended the process. */
interface WatchdogReport {
  cpuMs: number
  reason: WatchdogReason | undefined
}

function readWatchdog(child: ChildProcess): () => WatchdogReport {
  const last: WatchdogReport = { cpuMs: 0, reason: undefined }
  // The stdio of `start`.
  const pipe = child.stdio[4] as Readable | null
  pipe?.setEncoding('latin1')
  pipe?.on('data', (text: string) => {
    const numbers = text.match(/\d+/g)
    if (numbers) last.cpuMs = Number(numbers.at(-1))
    if (text.includes('memory')) last.reason = 'memory'
    else if (text.includes('cpu')) last.reason = 'cpu'
  })
  pipe?.on('error', () => undefined)
  return () => last
}

/** The last lines of a stream, for the log: what untrusted input makes a program print is not worth more. */
function readTail(stream: Readable | null): () => string {
  let tail = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (text: string) => {
    tail = (tail + text).slice(-4_096)
  })
  return () => tail
}
