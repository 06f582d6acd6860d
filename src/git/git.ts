import { spawn } from 'node:child_process'
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { resolveThroughLinks } from '../files/boundary.ts'
import { GitError } from '../text/errors.ts'
import { readOwn } from '../text/json/json-values.ts'
import { maskSecrets } from '../text/plain/escape-text.ts'

/**
 * Unmasked output of a git command. Show it only with `toGitError`, which masks credentials.
 *
 * The output of a command that failed cannot be read by accident, as if git had found nothing.
 */
type GitOutput = { readonly code: 0; readonly stdout: string } | FailedGit

/** A command that did not succeed. */
export interface FailedGit {
  /** With 1 and 2, some commands answer "no". 128: every other failure. */
  readonly code: 1 | 2 | 128
  /** All that the command printed. */
  readonly text: string
}

/** Runs git in one work tree. */
export interface Git {
  /** The top of the work tree, absolute. */
  readonly folder: string
  /**
   * Runs a command and resolves with its output for every exit code.
   *
   * @throws {GitError} when git cannot be started.
   */
  run(args: readonly string[], options?: GitRunOptions): Promise<GitOutput>
}

interface GitRunOptions {
  readonly input?: string
  /** The encoding of the output. `latin1` keeps the bytes of a file. Default: `utf8`. */
  readonly encoding?: 'utf8' | 'latin1'
  /** Added to the environment variables of the process. */
  readonly environment?: { readonly [name: string]: string }
}

/**
 * Opens git in the work tree at `folder` for reading, without starting a process. The repository can be untrusted, with its configuration.
 *
 * Runs no command that the repository names: no hooks, monitors, filters, drivers, signature checks or transports. So it fetches nothing
 * either, not even objects that a partial clone lacks. Ignores embedded bare repositories, and `core.worktree`. Writes no files.
 *
 * Commands print English, never prompt, and ignore the variables that git sets inside a hook.
 */
export function openGit(folder: string): Git {
  return { folder, run: (args, options = {}) => runReading(folder, args, options) }
}

/**
 * Opens git in a work tree whose configuration the user or CI has made, to commit, fetch and push. It uses the remotes, credentials, filters
 * and signatures of that configuration. It runs no hooks of the clone; the server's hooks still apply to a push.
 *
 * Otherwise like {@link openGit}.
 */
export function openTrustedGit(folder: string): Git {
  return {
    folder,
    run: (args, options = {}) => {
      const [command = '', ...rest] = args
      const flags = command === 'diff' ? diffFlags : []
      return startGit(folder, [command, ...flags, ...rest], options)
    },
  }
}

/** Flags that keep commands of the configuration and of attributes out of the output. */
const diffFlags = ['--no-ext-diff', '--no-textconv']

/** The commands for reading, with the flags that they need in an untrusted repository. */
const readingCommands: { readonly [command: string]: readonly string[] } = {
  '--version': [],
  'cat-file': [],
  'check-attr': [],
  'check-ignore': [],
  config: [],
  diff: [...diffFlags, '--ignore-submodules=dirty'],
  'diff-tree': [],
  'for-each-ref': [],
  log: [],
  'ls-files': [],
  'ls-tree': [],
  'merge-base': [],
  remote: [],
  'rev-list': [],
  'rev-parse': [],
  status: ['--ignore-submodules=dirty'],
  'symbolic-ref': [],
}

/** The commands that read the content of files of the work tree through filters. */
const filteringCommands = ['diff', 'status']

const readingEnvironment = {
  GIT_NO_LAZY_FETCH: '1',
  // Refuses every transport. Older versions of git do not know the variable above.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_OPTIONAL_LOCKS: '0',
}

async function runReading(folder: string, args: readonly string[], options: GitRunOptions): Promise<GitOutput> {
  const [command = '', ...rest] = args
  const flags = readOwn(readingCommands, command)
  if (!flags) throw new Error(`Unexpected \`git ${command}\` without \`openTrustedGit\``)
  // The path does not exist, so git finds no repository.
  const repository = findRepository(folder) ?? { GIT_DIR: join(folder, '.git') }
  const environment = { ...readingEnvironment, ...repository, ...options.environment }
  const start = (more: readonly string[]) => startGit(folder, more, { ...options, environment })
  if (!filteringCommands.includes(command)) return await start([command, ...flags, ...rest])
  const listed = await startGit(folder, ['config', '--list', '--name-only', '-z'], { environment })
  if (listed.code !== 0) throw toGitError('read the configuration of Git', listed)
  return await start([...disableFilters(listed.stdout.split('\0')), command, ...flags, ...rest])
}

/** Settings that disable every filter in a list of keys. @throws {GitError} for a name that `-c` cannot contain. */
function disableFilters(keys: readonly string[]): readonly string[] {
  const names = new Set(keys.flatMap((key) => /^filter\.([\s\S]+)\.\w+$/.exec(key)?.[1] ?? []))
  return [...names].flatMap((name) => {
    if (name.includes('=')) {
      throw new GitError(`Cannot read the work tree: the name of the filter \`${name.slice(0, 100)}\` contains \`=\``, {
        hint: 'Remove the filter from the configuration of Git',
      })
    }
    const values = ['clean=', 'smudge=', 'process=', 'required=false']
    return values.flatMap((value) => ['-c', `filter.${name}.${value}`])
  })
}

/**
 * Variables that keep git in the work tree around a folder, as git itself would find it, but without embedded bare repositories and
 * `core.worktree`. Versions of git before 2.38 do not know `safe.bareRepository`. Undefined outside of all work trees, which needs no git.
 * @throws {GitError} if a folder inside a work tree has the names of a bare repository: git would take it for one.
 */
export function findRepository(folder: string): { readonly [name: string]: string } | undefined {
  let bare: string | undefined
  for (let current = resolveThroughLinks(resolve(folder)); ; current = dirname(current)) {
    const place = join(current, '.git')
    const kind = kindOf(place)
    if (kind !== 'none' && bare !== undefined) {
      throw new GitError(`Cannot read the repository: git takes \`${bare}\` for another one`, { hint: 'Rename its `HEAD`' })
    }
    // Git passes a damaged folder and could take that of a parent.
    if (kind !== 'none') return { GIT_WORK_TREE: current, ...(kind === 'damaged' && { GIT_DIR: place }) }
    if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(current, name)))) bare ??= current
    if (dirname(current) === current) return undefined
  }
}

/** What a path `.git` is. A folder that cannot be read and a link to nowhere are damaged. An empty folder is none. */
function kindOf(path: string): 'whole' | 'damaged' | 'none' {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) return 'none'
    if (lstatSync(join(path, 'HEAD'), { throwIfNoEntry: false })) return 'whole'
    return readdirSync(path).length === 0 ? 'none' : 'damaged'
  } catch (error) {
    // In a linked work tree and in a submodule, it is a file.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'whole' : 'damaged'
  }
}

/** Settings of every command. The first group names what a repository could otherwise run. */
const settings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'gc.auto=0',
  'log.showSignature=false',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
  'safe.bareRepository=explicit',

  'advice.detachedHead=false',
  'core.quotePath=false',
].flatMap((setting) => ['-c', setting])

/** Starts git. This is the only place that does. */
function startGit(folder: string, args: readonly string[], options: GitRunOptions): Promise<GitOutput> {
  return new Promise((done, reject) => {
    // Windows looks for programs in the working directory first, so the process must not start in the repository.
    const child = spawn('git', ['-C', folder, ...settings, ...args], {
      cwd: dirname(process.execPath),
      env: { ...cleanEnvironment(), ...options.environment },
    })
    child.on('error', (error) => reject(toStartError(error)))
    // With too many open files, it has no streams either.
    if (child.pid === undefined) return
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('close', (code, signal) => {
      const output = Buffer.concat(stdout).toString(options.encoding)
      if (code === 0) return done({ code, stdout: output })
      const ending = signal === null ? '' : `\ngit was stopped by ${signal}`
      const text = `${Buffer.concat(stderr).toString('utf8') + ending}\n${output}`
      done({ code: code === 1 || code === 2 ? code : 128, text })
    })
    // Git may exit before it has read all input. Its exit code reports the error.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })
}

/** Variables that identify the repository inside a hook. */
const repositoryVariables = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
] as const

function cleanEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GCM_INTERACTIVE: 'never' }
  for (const name of repositoryVariables) delete environment[name]
  return environment
}

function toStartError(error: Error & { code?: string }): GitError {
  const reason = error.code === 'ENOENT' ? 'it is not installed or not in `PATH`' : error.message
  return new GitError(`Cannot start git: ${reason}`, {
    hint: 'Install git, for example in the container image of the job',
    cause: error,
  })
}

/**
 * Explains a failed git command. `action` completes "Cannot …", for example `fetch `main``.
 *
 * Keeps the server's message, which may name rules of the repository.
 */
export function toGitError(action: string, output: FailedGit): GitError {
  const text = maskSecrets(output.text)
  for (const { pattern, reason, hint, isProtected = false, lacksAccess = false } of failures) {
    const match = pattern.exec(text)
    if (match) {
      const message = `Cannot ${action}: ${typeof reason === 'string' ? reason : reason(text, match)}`
      return new GitError(message, { hint, isProtected, lacksAccess })
    }
  }
  return new GitError(`Cannot ${action}: ${firstErrorLine(text) || `git exited with code ${output.code}`}`, {
    hint: 'See the Git documentation for this error',
  })
}

type ReadParameters = [action: string, args: readonly string[], options?: GitRunOptions]

/** The output of a command. `action`: as for {@link toGitError}. @throws {GitError} if git refuses it. */
export async function readGit(git: Git, ...[action, args, options]: ReadParameters): Promise<string> {
  const output = await git.run(args, options)
  if (output.code !== 0) throw toGitError(action, output)
  return output.stdout
}

/** Like {@link readGit}; undefined if the command answers "no", with exit code 1 or 2. */
export async function findGit(git: Git, ...[action, args, options]: ReadParameters): Promise<string | undefined> {
  const output = await git.run(args, options)
  if (output.code === 1 || output.code === 2) return undefined
  if (output.code !== 0) throw toGitError(action, output)
  return output.stdout
}

/** Whether a folder is in a work tree. @throws {GitError} if git cannot tell. */
export async function isInWorkTree(git: Git): Promise<boolean> {
  if (!findRepository(git.folder)) return false
  return (await readGit(git, 'read the repository', ['rev-parse', '--is-inside-work-tree'])).trim() === 'true'
}

/** The paths that a command has printed, each with a zero byte. */
export function toPaths(stdout: string): readonly string[] {
  return stdout.split('\0').filter((path) => path !== '')
}

/** The records of a number of fields that a command has printed, each field with a zero byte. */
export function toRecords(stdout: string, size: number): readonly (readonly string[])[] {
  const fields = stdout.split('\0')
  return Array.from({ length: Math.floor(fields.length / size) }, (_, index) => fields.slice(index * size, (index + 1) * size))
}

/**
 * Messages of git and Git servers that the code reacts to.
 *
 * Git has one exit code for most failures. This table and `failures` are the only places that match its messages. `startGit` sets
 * `LC_ALL=C`, which keeps them in English.
 */
export const gitMessages = {
  /** The branch is not at the commit that the push expected. */
  branchMoved: /\[rejected\]|but expected \w+|incorrect old value|reference already exists|failed to update ref/,
  /** Moving the work tree would overwrite changes of the file in one of the two groups. */
  wouldOverwrite: /Entry '([^']+)' not uptodate|'([^']+)' would be overwritten/,
  /** A path is in a submodule, which is named from the top of the work tree, or behind a link. */
  otherTree: /pathspec '(.+?)' is (?:in submodule '(.+?)'|beyond a symbolic link)/is,
  /** The newest commit does not have the file, or not as many lines. */
  noLine: /there is no path .* in the commit|has only \d+ lines?/is,
} as const

interface Failure {
  readonly pattern: RegExp
  readonly reason: string | ((text: string, match: RegExpExecArray) => string)
  readonly hint: string
  readonly isProtected?: boolean
  readonly lacksAccess?: boolean
}

/** Reason and hint for each known failure; the first matching pattern wins. */
const failures: readonly Failure[] = [
  {
    pattern:
      /\b(GH006|GH013)\b|protected branch hook declined|repository rule violations|not allowed to (?:force )?push code to (?:a )?protected branch/,
    reason: (text, match) => `a branch rule rejected it${match[1] ? ` (${match[1]})` : ''}${listRules(text)}`,
    hint: 'Set the input `token` to a token that may bypass the rule, such as that of a GitHub App. Or use `mode: check`, run `openapi-pages update` and commit the changes yourself',
    isProtected: true,
  },
  {
    // A rejected token gives the same message, because git then prompts for another one.
    pattern:
      /could not read (Username|Password)|terminal prompts disabled|Authentication failed|returned error: 401|Invalid username or (password|token)|Permission denied \(publickey/,
    reason: 'the checkout has no credentials, or the server rejected them',
    hint: 'Keep `persist-credentials: true` (the default) in `actions/checkout`, or pass a token in the input `token`',
    lacksAccess: true,
  },
  {
    pattern: /returned error: 403|Permission to \S+ denied to|denied to \S+\[bot\]|Write access to repository not granted/,
    reason: 'the credentials have no write access (403)',
    hint: 'For forks and Dependabot the token is read-only: use `mode: check` there',
    lacksAccess: true,
  },
  {
    pattern: /Repository not found|repository '[^']*' not found|does not appear to be a git repository|returned error: 404/,
    reason: 'the repository does not exist, or the credentials have no access to it',
    lacksAccess: true,
    hint: 'Check the URL in `git remote -v` and the access of the credentials',
  },
  {
    pattern:
      /Could not resolve host|Couldn't connect to server|Connection (refused|timed out|reset)|Failed to connect|early EOF|RPC failed/,
    reason: (text) => `the server cannot be reached: ${firstErrorLine(text)}`,
    hint: 'Run again. If the error persists, check the network of the job',
  },
  {
    pattern: /pre-receive hook declined|hook declined/,
    reason: (text) => `a server hook rejected it${listRemoteLines(text)}`,
    hint: 'Ask the administrator of the Git server what its hook requires',
  },
  {
    pattern: /does not support push options/,
    reason: 'the server accepts no push options',
    hint: 'Only some servers, such as GitLab, open a merge request for a push. Use `--push-to` instead, without `--push-option`',
  },
  {
    pattern: /couldn't find remote ref/i,
    reason: 'the remote has no such branch',
    hint: 'Run again if the branch was just deleted, or name another one',
  },
  {
    pattern: /not our ref/,
    reason: 'the remote has no such commit',
    hint: 'Set `fetch-depth: 0` for `actions/checkout`',
  },
  {
    pattern: /dubious ownership/,
    reason: 'the checkout belongs to another user, so git does not trust it',
    hint: 'Run `git config --global --add safe.directory "$PWD"` in the root of the checkout, in an earlier step',
  },
  {
    pattern: /unknown repository extension|expected git repo version/i,
    reason: firstErrorLine,
    hint: 'Update git',
  },
  {
    pattern: /index file|bad signature 0x|index version|index entry/,
    reason: 'the index of the repository is damaged or lost',
    hint: 'Remove `.git/index` if it exists, run `git reset`, and check out the files',
  },
  {
    pattern: /not a git repository: (.+)/,
    reason: (_text, match) => `its Git directory is missing, damaged or not readable: ${match[1]}`,
    hint: 'Mount or clone the repository with its Git directory',
  },
  {
    pattern: /not a git repository/i,
    reason: 'this is not a Git work tree',
    hint: 'Check out the repository first, with `actions/checkout`',
  },
  {
    pattern: /index\.lock': File exists/,
    reason: 'another git process is running in this work tree',
    hint: 'Run again when it has finished. If none is running, remove `.git/index.lock`',
  },
]

/** The rules that rejected a push, without GitHub's heading. */
function listRules(text: string): string {
  const rules = remoteLines(text)
    .filter((line) => !/\b(GH006|GH013)\b|^Review all repository rules|^View all|https?:\/\//.test(line))
    .map((line) => line.replace(/^- |^error: |\.$/g, '').replace(/\.$/, ''))
  return rules.length === 0 ? '' : `: ${rules.slice(0, 5).join('; ')}`
}

function listRemoteLines(text: string): string {
  const lines = remoteLines(text)
  return lines.length === 0 ? '' : `: ${lines.slice(0, 5).join(' ')}`
}

function remoteLines(text: string): string[] {
  const lines = text.split(/[\r\n]+/).filter((line) => line.startsWith('remote:'))
  return lines.map((line) => line.slice('remote:'.length).trim()).filter((line) => /\w/.test(line))
}

/** The first error line, without git's prefix. If it ends with a colon, with the next line. */
function firstErrorLine(text: string): string {
  const line = /^(?:fatal|error): (.*:\s+\S.*|.*)$/m.exec(text)?.[1] ?? text.trim().split(/[\r\n]+/)[0] ?? ''
  return line.trim().replace(/\s+/g, ' ').slice(0, 300)
}
