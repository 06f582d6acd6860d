import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Functions that another process calls with messages. Arguments and results are JSON. */
type Commands = Readonly<Record<string, (argument: never) => Promise<unknown>>>

/** A process that serves commands. It ends with this process. */
export interface CommandProcess<Served extends Commands> {
  readonly pid: number | undefined
  /** @throws {Error} if the command fails or the process ends. */
  call<Name extends keyof Served>(name: Name, argument?: Parameters<Served[Name]>[0]): Promise<Awaited<ReturnType<Served[Name]>>>
  stop(): Promise<void>
}

interface Request {
  readonly id: number
  readonly name: string
  readonly argument: unknown
}

interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** Starts a script that calls `serveCommands`. */
export function startCommandProcess<Served extends Commands>(script: URL): CommandProcess<Served> {
  const child = fork(script, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let lastId = 0
  child.on('message', ({ id, value, error }: Answer) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(value)
    else call?.reject(new Error(error))
  })
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${script.pathname} ended with ${signal ?? code}`))
  })
  return {
    pid: child.pid,
    call(name, argument) {
      const id = ++lastId
      const result = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
      child.send({ id, name: String(name), argument } satisfies Request)
      return result as Promise<never> // The result of the command with this name.
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** @param end Called when the other process ends. */
export function serveCommands(commands: Commands, end: () => Promise<void> | void): void {
  process.on('message', ({ id, name, argument }: Request) => {
    const command = commands[name] as (argument: unknown) => Promise<unknown> // The caller has the types.
    const answer = (message: Answer) => process.send?.(message)
    command(argument).then(
      (value) => answer({ id, value }),
      (error: unknown) => answer({ id, error: error instanceof Error ? String(error.stack) : String(error) }),
    )
  })
  process.on('disconnect', () => void Promise.resolve(end()).finally(() => process.exit(0)))
  // The generator ends its processes itself, after it has verified the result.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
}
