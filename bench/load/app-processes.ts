import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePort } from './proxies.ts'

type Role = 'web' | 'worker' | 'all'

interface AppOptions {
  readonly name: string
  readonly role: Role
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** The built app. Default: that of this tree. */
  readonly program?: string
}

/** The built app of a tree of the project. */
export function appProgramOf(tree: string): string {
  return join(tree, 'build/server/main.js')
}

const ownProgram = appProgramOf(join(import.meta.dirname, '../..'))

/** The arguments of Node.js. `bin/serve.js` would run the TypeScript of a clone. */
function toArgs(program: string, args: readonly string[]): string[] {
  const start = `process.exitCode = await (await import(${JSON.stringify(program)})).main(process.argv.slice(1))`
  return ['--input-type=module', '--eval', start, '--', ...args]
}

/** Runs another command of the app, and returns what it prints. @throws {Error} if it fails. */
export function runAppCommand(program: string, environment: NodeJS.ProcessEnv, args: readonly string[]): string {
  const env = { PATH: process.env['PATH'], ...environment }
  return execFileSync(process.execPath, toArgs(program, args), { env, encoding: 'utf8', stdio: 'pipe' })
}

/** A process of the built app, which is started again when it was killed. */
export class AppProcess {
  readonly name: string
  readonly role: Role
  readonly port: number
  /** Processes that ended unexpectedly. */
  readonly crashes: string[] = []
  /** Lines of the log by level and message. */
  readonly logged = new Map<string, number>()
  /** CPU time in milliseconds of all processes so far, with their ended children. */
  #cpuMs = 0
  readonly #options: AppOptions
  #child: ChildProcess | undefined
  #expectsEnd = false

  private constructor(options: AppOptions, port: number) {
    this.name = options.name
    this.role = options.role
    this.port = port
    this.#options = options
  }

  /** Starts the process and waits until it is ready. */
  static async start(options: AppOptions): Promise<AppProcess> {
    if (!existsSync(options.program ?? ownProgram)) throw new Error('the app is not built: run `npm run build`')
    const app = new AppProcess(options, await findFreePort())
    await app.restart()
    return app
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Starts it again on the same port. Resolves when it is ready. */
  async restart(): Promise<void> {
    const { name, role, folder, environment, program = ownProgram } = this.#options
    const dataDir = join(folder, name)
    mkdirSync(dataDir, { recursive: true })
    const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' })
    const child = spawn(process.execPath, toArgs(program, ['serve', '--role', role]), {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        PORT: String(this.port),
        LOG_FORMAT: 'json',
        LOG_LEVEL: 'info',
        CHROMIUM_PATH: 'off',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#expectsEnd = false
    let stderr = ''
    child.stderr.on('data', (data: Buffer) => {
      stderr = `${stderr}${data}`.slice(-4_000)
      log.write(data)
    })
    const ready = new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        log.write(`${line}\n`)
        this.#count(line)
        if (line.includes('"msg":"Ready"')) resolve()
      })
      child.once('exit', (code, signal) => {
        log.end()
        if (!this.#expectsEnd) this.crashes.push(`${name} ended with ${signal ?? code}: ${stderr.trim().slice(-1_000)}`)
        reject(new Error(`${name} ended before it was ready (${signal ?? code})\n${stderr}`))
      })
    })
    await ready
  }

  /** Whether it was not killed and has not crashed. */
  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (!child || !this.isRunning) return
    this.#cpuMs += readCpuMs(child.pid)
    this.#expectsEnd = true
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  /** CPU time so far in milliseconds, with checks and builds that have ended. */
  cpuMs(): number {
    return this.#cpuMs + (this.isRunning ? readCpuMs(this.pid) : 0)
  }

  #count(line: string): void {
    if (!line.startsWith('{')) return
    const { level, msg, err } = JSON.parse(line) as { level: string; msg: string; err?: { message?: string } }
    if (level === 'info') return
    // The name of a database is different in each run.
    const about = err?.message === undefined ? '' : `: ${err.message.replace(/ the store \S+/, '').slice(0, 120)}`
    const key = `${level} ${msg}${about}`
    this.logged.set(key, (this.logged.get(key) ?? 0) + 1)
  }
}

/** Source: proc_pid_stat(5): user and system time of the process (14, 15) and its ended children (16, 17), in ticks of 10 ms. */
export function readCpuMs(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0) * 10
  } catch {
    return 0
  }
}
