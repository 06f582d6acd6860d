import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A server in a separate process, so that its CPU time can be measured. */
export interface Server<Announced> {
  readonly announced: Announced
  /** CPU time of the process so far, in microseconds. */
  readCpu(): Promise<number>
  stop(): Promise<void>
}

/**
 * Starts a script that calls `announce`.
 *
 * @throws {Error} if the process ends before.
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
  const [announced] = (await Promise.race([message, ended])) as [Announced] // The argument of `announce`.
  return { announced, readCpu: () => readCpu(child), stop: () => stop(child) }
}

/** Reports to the parent that the server is ready, sends the CPU time on request, and ends with the parent. */
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
  const [microseconds] = (await once(child, 'message')) as [number] // Sent by `announce`.
  return microseconds
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}
