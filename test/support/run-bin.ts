import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** The published program as a user starts it. Needs `build/cli/`, which `pretest` creates. */
const binPath = join(import.meta.dirname, '../../bin/openapi-pages.cjs')

interface BinResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the program in a separate process, without a terminal and without colors. */
export function runBin(
  args: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>>; input?: string },
): Promise<BinResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [binPath, ...args], {
      cwd: options.cwd,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...options.env },
    })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    )
    // A program that reads no input may have ended before it gets any.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })
}
