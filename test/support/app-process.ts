import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundleApp } from './bundled-programs.ts'
import { compileCache } from './compile-cache.ts'
import { toAppSettings } from './fake-github/app-settings.ts'
import type { FakeGitHub } from './fake-github/fake-github.ts'

/** Short timeouts and heartbeats, so that a test that kills a worker does not wait. */
export const killTimes = { leaseMs: 1_500, heartbeatMs: 300, pollMs: 25 } as const

export interface AppProcess {
  readonly address: string
  readonly child: ChildProcess
  /** Resolves with the signal or exit code that ended it. */
  readonly ended: Promise<NodeJS.Signals | number | null>
  /** Its output on both streams. */
  output(): string
  /**
   * Waits until it has compared its records with GitHub, which creates some. The first process of an app does this after its start.
   *
   * @throws {Error} if it ends before.
   */
  untilCompared(): Promise<void>
}

/**
 * Starts the app in a separate process on a data folder, sets the webhook URL of the fake GitHub, and waits until it is ready.
 */
export async function startAppProcess(
  github: FakeGitHub,
  dataDir: string,
  options: { readonly env?: Readonly<Record<string, string>>; readonly port?: number; readonly program?: string } = {},
): Promise<AppProcess> {
  const { env = {}, port = 0, program = bundleApp() } = options
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      ...compileCache,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'info',
      SITES_DOMAIN: 'off',
      CHROMIUM_PATH: 'off',
      LOG_FORMAT: 'json',
      ...toAppSettings(github),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code))
  })
  child.stderr.on('data', (data: Buffer) => lines.push(data.toString()))
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      const ready = /^ready (\S+)$/.exec(line)
      if (ready?.[1]) resolve(ready[1])
    })
    ended.then((how) => reject(new Error(`The app ended before it was ready (${how}):\n${lines.join('\n')}`)))
  })
  github.webhookUrl = `${address}/api/github/webhooks`
  const output = () => lines.join('\n')
  return {
    address,
    child,
    ended,
    output,
    async untilCompared() {
      while (!output().includes('"Compared with GitHub"')) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The app ended early:\n${output()}`)
        await sleep(20)
      }
    },
  }
}
