import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundleApp } from './bundled-programs.ts'
import { compileCache } from './compile-cache.ts'
import { toAppSettings } from './fake-github/app-settings.ts'
import type { FakeGitHub } from './fake-github/fake-github.ts'

/** How long a worker may be silent, and how often it is not: short, so that a test that kills it need not wait. */
export const killTimes = { leaseMs: 1_500, heartbeatMs: 300, pollMs: 10, recoverMs: 200 } as const

export interface AppProcess {
  readonly address: string
  readonly child: ChildProcess
  /** Resolves once it is gone: with the signal that ended it, or its exit code. */
  readonly ended: Promise<NodeJS.Signals | number | null>
  /** What it wrote on both streams. */
  output(): string
}

/** Starts the app as a process of its own on a data folder, tells the fake where to send webhooks, and waits until it is ready. */
export async function startAppProcess(
  github: FakeGitHub,
  dataDir: string,
  { env = {}, port = 0 }: { readonly env?: Readonly<Record<string, string>>; readonly port?: number } = {},
): Promise<AppProcess> {
  // To build sites it needs the build of the package, which the source finds.
  const program = env['SITES_DOMAIN'] === undefined ? bundleApp() : join(import.meta.dirname, 'run-app.ts')
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
  return { address, child, ended, output: () => lines.join('\n') }
}
