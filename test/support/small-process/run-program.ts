import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ProgramResult, readMessage, writeMessage } from './pipe-messages.ts'

// To start a program, Node.js forks, which copies the page tables of its process. Test files run in processes of 250 MB, and each start needs 7 ms
// of processor time there, but 1.5 ms in a process of 60 MB. Tests start thousands of programs, most of them Git.

interface ProgramOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly input?: Buffer | string
}

/**
 * Runs a program as `execFileSync` does, from a small process that this one keeps.
 *
 * @returns What the program wrote to its output.
 * @throws {Error} with `status`, `stdout` and `stderr` if it fails.
 */
export function runProgram(command: string, args: readonly string[], options: ProgramOptions = {}): Buffer {
  pipes ??= startSmallProcess()
  const { cwd = process.cwd(), env = process.env, input } = options
  const encoded = input === undefined ? undefined : Buffer.from(input).toString('base64')
  writeMessage(pipes.requests, { command, args, cwd, env, input: encoded })
  const result = readMessage(pipes.results) as ProgramResult | undefined // Only `small-process.ts` writes there.
  if (!result) throw new Error('The process that starts programs has ended')
  const { status, error } = result
  const [stdout, stderr] = [Buffer.from(result.stdout, 'base64'), Buffer.from(result.stderr, 'base64')]
  if (status === 0) return stdout
  const message = `Command failed: ${[command, ...args].join(' ')}\n${error ?? stderr.toString()}`
  throw Object.assign(new Error(message), { status, stdout, stderr })
}

interface Pipes {
  readonly requests: number
  readonly results: number
}

let pipes: Pipes | undefined

/** With named pipes, because a process can wait for those without its event loop. */
function startSmallProcess(): Pipes {
  const folder = mkdtempSync(join(process.env['OPENAPI_PAGES_TEST_SHARED'] ?? tmpdir(), 'small-process-'))
  const [requests, results] = [join(folder, 'requests'), join(folder, 'results')]
  execFileSync('mkfifo', [requests, results])
  const program = fileURLToPath(new URL('./small-process.ts', import.meta.url))
  // Elsewhere and without the variables of the run, which looks for processes that tests have left.
  spawn('sh', ['-c', 'exec "$0" "$1" < "$2" > "$3"', process.execPath, program, requests, results], {
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'inherit'],
  }).unref()
  const opened = { requests: openSync(requests, 'w'), results: openSync(results, 'r') }
  rmSync(folder, { recursive: true })
  return opened
}
