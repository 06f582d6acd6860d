import { getInput, getMultilineInput } from '@actions/core'
import { ConfigError } from '../errors.ts'
import type { Committer } from '../git/commit.ts'
import { suggest } from '../source/suggest.ts'
import { parseAppUrl } from '../status/client/call-app.ts'

const modes = ['commit', 'pull-request', 'check', 'dry-run'] as const
export type Mode = (typeof modes)[number]

const failLevels = ['error', 'warning', 'never'] as const
type FailLevel = (typeof failLevels)[number]

const commentChoices = ['failure', 'never'] as const

/** Patterns are globs relative to the working directory; those that begin with `!` exclude. */
interface AddPaths {
  readonly documents: boolean
  readonly patterns: readonly string[]
}

/** What `action.yml` lets a workflow set, checked. */
export interface ActionInputs {
  /** Relative to the workspace. */
  readonly workingDirectory: string
  /** Paths and globs of docs directories, relative to the working directory; empty where they are to be found. */
  readonly roots: readonly string[]
  /** Paths, globs and URLs; paths and globs relative to the working directory. */
  readonly documents: readonly string[]
  readonly directory: string
  /** Undefined where the event decides. */
  readonly mode: Mode | undefined
  /** Undefined where the event decides. */
  readonly branch: string | undefined
  readonly commitMessage: string
  /** Which files beside the pages are committed: the documents that were read and are tracked, and what patterns match. */
  readonly addPaths: AddPaths
  readonly committer: Committer
  /** How commits get to the repository. */
  readonly commitMethod: 'api' | 'git'
  /** What to do if the branch's rules reject a commit. */
  readonly onProtected: 'pull-request' | 'fail'
  /** Whether a commit that GitHub does not show as verified fails the run. */
  readonly requireSigned: boolean
  /** Whether the message asks for no workflows to be run. */
  readonly skipCi: boolean
  /** To push with, instead of the credentials of the checkout. */
  readonly token: string | undefined
  /** To ask the API of GitHub with. */
  readonly githubToken: string | undefined
  /** Origin of the app to report the run to. */
  readonly appUrl: string | undefined
  /** An API token of the app, for runs without an identity. */
  readonly appToken: string | undefined
  /** When pull requests are commented on; undefined where the configuration decides. */
  readonly comment: (typeof commentChoices)[number] | undefined
  /** Where the findings are written as SARIF, relative to the workspace. */
  readonly sarifFile: string | undefined
  readonly failOn: FailLevel
  readonly failOnDrift: boolean
}

export type InputsResult =
  | { readonly kind: 'read'; readonly inputs: ActionInputs }
  | { readonly kind: 'refused'; readonly faults: readonly ConfigError[] }

/** Reads every input; the only place that does. Reports all invalid inputs, not only the first. */
export function readInputs(): InputsResult {
  const faults: ConfigError[] = []
  const refuse = (name: string, expected: string, hint?: string) => {
    const message = `Unexpected ${quote(getInput(name))} for the input \`${name}\`, expected ${expected}`
    faults.push(new ConfigError(message, hint === undefined ? {} : { hint }))
  }
  const inputs: ActionInputs = {
    workingDirectory: readPath('working-directory', refuse) || '.',
    roots: readPaths('root', refuse),
    documents: getMultilineInput('openapi'),
    directory: readPath('directory', refuse) || 'api-reference',
    mode: readChoice('mode', modes, refuse),
    branch: readBranch(refuse),
    commitMessage: getInput('commit-message') || 'docs: update API pages',
    addPaths: readAddPaths(refuse),
    committer: readCommitter(refuse),
    commitMethod: readChoice('commit-method', ['api', 'git'], refuse) ?? 'api',
    onProtected: readChoice('on-protected', ['pull-request', 'fail'], refuse) ?? 'pull-request',
    requireSigned: readChoice('require-signed', ['true', 'false'], refuse) === 'true',
    skipCi: readChoice('skip-ci', ['true', 'false'], refuse) === 'true',
    token: getInput('token') || undefined,
    githubToken: getInput('github-token') || undefined,
    appUrl: readAppUrl(faults),
    appToken: readAppToken(faults),
    comment: readChoice('comment', commentChoices, refuse),
    sarifFile: readPath('sarif-file', refuse) || undefined,
    failOn: readChoice('fail-on', failLevels, refuse) ?? 'error',
    failOnDrift: readChoice('fail-on-drift', ['true', 'false'], refuse) === 'true',
  }
  return faults.length === 0 ? { kind: 'read', inputs } : { kind: 'refused', faults }
}

type Refuse = (name: string, expected: string, hint?: string) => void

function readChoice<const Choice extends string>(name: string, choices: readonly Choice[], refuse: Refuse): Choice | undefined {
  const value = getInput(name)
  if (value === '') return undefined
  // YAML's `True` and `TRUE` come as they are written.
  const choice = choices.find((candidate) => candidate === value.toLowerCase())
  if (choice !== undefined) return choice
  const near = suggest(value, choices)
  refuse(name, choices.map((candidate) => `\`${candidate}\``).join(', '), near && `did you mean \`${near}\`?`)
  return undefined
}

function readPath(name: string, refuse: Refuse): string {
  const value = getInput(name)
  if (isAbsolute(value)) refuse(name, 'a relative path')
  return value
}

/** Where a workflow sets the input to nothing, nothing is added; only where no runner sets it, the default of `action.yml` is missing. */
function readAddPaths(refuse: Refuse): AddPaths {
  if (process.env['INPUT_ADD-PATHS'] === undefined) return { documents: true, patterns: [] }
  const words = readPaths('add-paths', refuse)
  if (words.includes('none') && words.length > 1) refuse('add-paths', '`none` alone, or paths')
  return { documents: words.includes('documents'), patterns: words.filter((word) => word !== 'documents' && word !== 'none') }
}

/** One per line, or comma-separated. */
function readPaths(name: string, refuse: Refuse): readonly string[] {
  const paths = getMultilineInput(name).flatMap((line) => line.split(',').map((path) => path.trim()))
  if (paths.some((path) => isAbsolute(path.replace(/^!/, '')))) refuse(name, 'relative paths')
  return paths.filter((path) => path !== '')
}

function isAbsolute(path: string): boolean {
  return /^([/\\]|[a-z]:)/i.test(path)
}

function readBranch(refuse: Refuse): string | undefined {
  const value = getInput('branch')
  if (value === '') return undefined
  const branch = value.replace(/^refs\/heads\//, '')
  // Source: `git check-ref-format`.
  const isName = /^[^\x00-\x20\x7f~^:?*[\\]+$/.test(branch) && !/^[-/]|\.\.|@\{|\/\/|\/\.|^\.|\.lock(\/|$)|[/.]$|^@$/.test(branch)
  if (!isName || branch.startsWith('refs/')) refuse('branch', 'the name of a branch', 'for example `main`')
  return branch
}

function readAppUrl(faults: ConfigError[]): string | undefined {
  const value = getInput('app-url')
  if (value === '') return undefined
  try {
    return parseAppUrl(value, 'the input `app-url`')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    faults.push(error)
    return undefined
  }
}

/** Not quoted in the message, unlike other inputs. */
function readAppToken(faults: ConfigError[]): string | undefined {
  const value = getInput('app-token')
  if (value === '' || /^[!-~]+$/.test(value)) return value || undefined
  faults.push(
    new ConfigError('Unexpected characters in the input `app-token`, expected the token alone', {
      hint: 'is there a line end in it?',
    }),
  )
  return undefined
}

/** The default committer. */
export const botName = 'github-actions[bot]'

/** The bot of GitHub Actions, on the server that the run belongs to. */
function toBot(serverUrl = ''): Committer {
  const host = URL.canParse(serverUrl) ? new URL(serverUrl).hostname : 'github.com'
  return { name: botName, email: `41898282+${botName}@users.noreply.${host}` }
}

function readCommitter(refuse: Refuse): Committer {
  const value = getInput('committer')
  const bot = toBot(process.env['GITHUB_SERVER_URL'])
  if (value === '') return bot
  const [, name, email] = /^([^<>\n]*[^<>\s])\s*<([^<>\s@]+@[^<>\s]+)>$/.exec(value) ?? []
  if (name !== undefined && email !== undefined) return { name, email }
  refuse('committer', '`Name <email>`', 'for example `Docs Bot <docs@example.com>`')
  return bot
}

function quote(value: string): string {
  return `\`${value.length > 200 ? `${value.slice(0, 200)}…` : value}\``
}
