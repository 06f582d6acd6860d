import { spawn } from 'node:child_process'
import { GitError } from '../errors.ts'

/** What a run of git gave, as it is: use `toGitError` to show it, which takes out credentials. */
export interface GitOutput {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface GitRunOptions {
  readonly input?: string
  /** Beside those of the process. */
  readonly environment?: { readonly [name: string]: string }
}

/** Git in one work tree. */
export interface Git {
  /** The top of the work tree, absolute. */
  readonly folder: string
  /**
   * Runs a command and gives what came of it, whatever the exit code.
   *
   * @throws {GitError} when git cannot be started.
   */
  run(args: readonly string[], options?: GitRunOptions): Promise<GitOutput>
}

/**
 * Git in the work tree at `folder`. Nothing is started yet.
 *
 * Commands speak English, never ask, run no hooks of the clone (they are for people, and the push has the server's own), and
 * are not led elsewhere by the variables that git sets for a hook.
 */
export function openGit(folder: string): Git {
  return { folder, run: (args, options) => runGit(folder, args, options ?? {}) }
}

const settings = ['-c', 'core.quotePath=false', '-c', 'core.hooksPath=/dev/null', '-c', 'advice.detachedHead=false']

function runGit(folder: string, args: readonly string[], options: GitRunOptions): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...settings, ...args], { cwd: folder, env: { ...cleanEnvironment(), ...options.environment } })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', (error) => reject(toStartError(error)))
    child.on('close', (code, signal) => {
      const ending = signal === null ? '' : `\ngit was stopped by ${signal}`
      const [output, messages] = [stdout, stderr].map((chunks) => Buffer.concat(chunks).toString('utf8'))
      resolve({ code: code ?? 1, stdout: output ?? '', stderr: messages + ending })
    })
    // Git may end before it has read everything; what is wrong then shows in its exit code.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })
}

/** Variables that say where a repository is: set inside hooks, and not meant for us. */
const places = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
]

function cleanEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GCM_INTERACTIVE: 'never' }
  for (const name of places) delete environment[name]
  return environment
}

function toStartError(error: Error & { code?: string }): GitError {
  const reason = error.code === 'ENOENT' ? 'it is not installed, or not in `PATH`' : error.message
  return new GitError(`Cannot start git: ${reason}`, { hint: 'install git, for example in the image of the job', cause: error })
}
