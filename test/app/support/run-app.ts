import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { toCommand } from '../../support/bundled-programs.ts'
import { compileCache } from '../../support/compile-cache.ts'

interface AppProcess {
  readonly child: ChildProcess
  /** Everything printed so far. */
  readonly output: { stdout: string; stderr: string }
  /** Waits until the output matches. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves with the exit code or the name of the signal. */
  readonly ended: Promise<number | string>
}

/** Starts a command of the app in a child process with only the given environment. */
export function runApp(args: readonly string[], env: Readonly<Record<string, string>>): AppProcess {
  const child = spawn(process.execPath, toCommand(args), { env: { PATH: process.env['PATH'], ...compileCache, ...env } })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (data) => {
    output.stdout += data
  })
  child.stderr.on('data', (data) => {
    output.stderr += data
  })
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  const waitFor = async (pattern: RegExp) => {
    for (const until = Date.now() + 20_000; Date.now() < until; ) {
      const found = pattern.exec(output.stdout + output.stderr)
      if (found) return found
      if (child.exitCode !== null) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`No ${pattern} in\n${output.stdout}\n${output.stderr}`)
  }
  return { child, output, waitFor, ended }
}
