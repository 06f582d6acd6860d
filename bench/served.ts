import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A server in a process of its own, so that its CPU time is known. */
export interface Server<Announced> {
  readonly announced: Announced
  /** CPU time of the process until now, in microseconds. */
  readCpu(): Promise<number>
  stop(): Promise<void>
}

/**
 * Starts a script that calls `announce`.
 *
 * @throws {Error} when it ends before that.
 */
export async function startServer<Announced>(
  script: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Server<Announced>> {
  const child = fork(script, args, { env: environment, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const message = once(child, 'message')
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${script} ${args.join(' ')} ended early`)
  })
  ended.catch(() => undefined)
  const [announced] = (await Promise.race([message, ended])) as [Announced] // What the script gives to `announce`.
  return { announced, readCpu: () => readCpu(child), stop: () => stop(child) }
}

/** Tells the parent that the server is ready, answers its questions for CPU time, and ends with it. */
export function announce(announced: unknown, stop: () => Promise<void> = async () => undefined): void {
  process.send?.(announced)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
  process.on('disconnect', () => void stop().then(() => process.exit(0)))
}

async function readCpu(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [microseconds] = (await once(child, 'message')) as [number] // What `announce` answers.
  return microseconds
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}
