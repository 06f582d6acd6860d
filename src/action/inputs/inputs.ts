import { getInput, getMultilineInput } from '@actions/core'
import { defaultDirectory, expectedStoredPath, isRepositoryName, isStoredPath } from '../../docs/config/config-files.ts'
import { type Committer, parseCommitter } from '../../git/commit.ts'
import { parseAppUrl } from '../../status/client/call-app.ts'
import { ConfigError } from '../../text/errors.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { isUrl, joinPath } from '../../text/plain/paths.ts'
import { suggest } from '../../text/plain/suggest.ts'

const modes = ['commit', 'pull-request', 'check', 'dry-run'] as const
export type Mode = (typeof modes)[number]

const failLevels = ['error', 'warning', 'never'] as const

const commentChoices = ['failure', 'never'] as const

/** Which problems are reported, by their distance to the changes. */
const problemFilters = ['added', 'changed', 'file', 'none'] as const
export type ProblemFilter = (typeof problemFilters)[number]

/** The head branch of the pull request for a target branch, with `<branch>` in place of its name. */
export const defaultHeadBranch = 'openapi-pages/<branch>'

/** The validated inputs of `action.yml`. */
export type ActionInputs = Readonly<ReturnType<typeof readValues>>

/** What to check, and to build pages from. */
export type DocsInputs = Readonly<ActionInputs['docs']>

/** Where changes go, and how. */
export type DeliveryInputs = Readonly<ActionInputs['delivery']>

/** What may be read and written elsewhere. */
export type TokenInputs = Readonly<ActionInputs['tokens']>

/** How to report. */
export type ReportInputs = Readonly<ActionInputs['report']>

/** The inputs for the pull request that a run opens. */
export type PullRequestInputs = DeliveryInputs['pullRequest']

/** The inputs for docs in another repository. */
export type DocsRepositoryInputs = NonNullable<ActionInputs['docsRepository']>

export type InputsResult =
  | { readonly kind: 'read'; readonly inputs: ActionInputs }
  | { readonly kind: 'refused'; readonly errors: readonly ConfigError[] }

/** Reads all inputs. Reports every invalid input, not only the first. */
export function readInputs(): InputsResult {
  const errors: ConfigError[] = []
  const refuse = (name: string, expected: string, hint?: string) => {
    const message = `Unexpected ${quote(getInput(name))} for the input \`${name}\`, expected ${expected}`
    errors.push(new ConfigError(message, hint === undefined ? {} : { hint }))
  }
  const inputs = readValues(errors, refuse)
  return errors.length === 0 ? { kind: 'read', inputs } : { kind: 'refused', errors }
}

function readValues(errors: ConfigError[], refuse: Refuse) {
  const isTrue = (name: string) => readChoice(name, ['true', 'false'], refuse) === 'true'
  return {
    docs: {
      /** Relative to the workspace. */
      workingDirectory: readPath('working-directory', refuse) || '.',
      /** Paths and globs of docs directories, relative to the working directory. If empty, they are discovered. */
      roots: readPaths('root', refuse),
      /** Paths, globs and URLs. Paths and globs are relative to the working directory. */
      documents: getMultilineInput('openapi') as readonly string[],
      directory: readPath('directory', refuse) || defaultDirectory,
      /** Paths relative to the working directory, and URLs. `none`: no rulesets. Default: those of the configuration file. */
      rulesets: readRulesets(refuse),
      /** False: exceptions in documents have no effect. True: the setting in the configuration file decides. */
      inlineIgnore: readChoice('inline-ignore', ['true', 'false'], refuse) !== 'false',
      /** True: many pages may be removed at once. False: the setting in the configuration file decides. */
      remove: isTrue('remove'),
    },
    /** Where the docs are, if they are in another repository. */
    docsRepository: readDocsRepository(refuse),
    /** Default: chosen by the event. */
    mode: readChoice('mode', modes, refuse),
    delivery: {
      /** The branch to commit to, or the target of the pull request. Default: chosen by the event. */
      base: readBranch('base', refuse),
      commitMessage: getInput('commit-message') || 'docs: update API pages',
      /** Files to commit in addition to the pages: tracked documents, and files that match the patterns. */
      addPaths: readAddPaths(refuse),
      committer: readCommitter(refuse),
      /** How commits are created: by GitHub's API or by a push. */
      commitMethod: readChoice('commit-method', ['api', 'git'], refuse) ?? 'api',
      pullRequest: readPullRequest(refuse),
      /** Add a `Signed-off-by` trailer with the committer. */
      signoff: isTrue('signoff'),
      /** What to do if branch rules reject the commit. */
      onProtected: readChoice('on-protected', ['pull-request', 'fail'], refuse) ?? 'pull-request',
      /** Fail the run if GitHub does not show the commit as verified. */
      requireSigned: isTrue('require-signed'),
      /** Add `[skip ci]` to the commit message. */
      skipCi: isTrue('skip-ci'),
    },
    tokens: {
      /** Token for pushes, instead of the credentials of the checkout. */
      token: getInput('token') || undefined,
      /** Token for GitHub's API. */
      githubToken: getInput('github-token') || undefined,
      /** Token for reading the repositories of `sources`. */
      sourcesToken: getInput('sources-token') || undefined,
    },
    report: {
      /** Origin of the app that receives the report. */
      appUrl: readAppUrl(errors),
      /** API token of the app, for workflows without an OIDC token. */
      appToken: readAppToken(errors),
      /** When to comment on pull requests. Default: the setting in the configuration file. */
      comment: readChoice('comment', commentChoices, refuse),
      /** File for the diagnostics as SARIF, relative to the workspace. */
      sarifFile: readPath('sarif-file', refuse) || undefined,
      /** Whether to write a page with the changes before and after, for an artifact. */
      hasReview: isTrue('review'),
      failOn: readChoice('fail-on', failLevels, refuse) ?? 'error',
      filter: readChoice('filter', problemFilters, refuse) ?? 'none',
      failOnDrift: isTrue('fail-on-drift'),
    },
  }
}

type Refuse = (name: string, expected: string, hint?: string) => void

function readChoice<const Choice extends string>(name: string, choices: readonly Choice[], refuse: Refuse): Choice | undefined {
  const value = getInput(name)
  if (value === '') return undefined
  // YAML's `True` and `TRUE` arrive unchanged.
  const choice = choices.find((candidate) => candidate === value.toLowerCase())
  if (choice !== undefined) return choice
  const near = suggest(value, choices)
  refuse(name, listChoices(choices), near && `Did you mean \`${near}\`?`)
  return undefined
}

function readPath(name: string, refuse: Refuse): string {
  const value = getInput(name)
  if (isAbsolute(value)) refuse(name, 'a relative path')
  return value
}

/** Patterns are globs relative to the working directory, with a leading `!` to exclude. An empty input adds no files. The default of `action.yml` is missing only outside a runner. */
function readAddPaths(refuse: Refuse) {
  if (process.env['INPUT_ADD-PATHS'] === undefined) return { documents: true, patterns: [] as readonly string[] }
  const values = readPaths('add-paths', refuse)
  if (values.includes('none') && values.length > 1) refuse('add-paths', 'either `none` or paths')
  const patterns = values.filter((value) => value !== 'documents' && value !== 'none')
  return { documents: values.includes('documents'), patterns }
}

function readPaths(name: string, refuse: Refuse): readonly string[] {
  const paths = readList(name)
  if (paths.some((path) => isAbsolute(path.replace(/^!/, '')))) refuse(name, 'relative paths')
  return paths
}

/** The rulesets with paths relative to the boundary. */
export function placeRulesets(rulesets: DocsInputs['rulesets'], folder: string): DocsInputs['rulesets'] {
  if (rulesets === undefined || rulesets === 'none') return rulesets
  // A built-in ruleset is no file.
  return rulesets.map((name) => (isUrl(name) || name.startsWith('spectral:') ? name : joinPath(folder, name)))
}

function readRulesets(refuse: Refuse): readonly string[] | 'none' | undefined {
  const rulesets = readPaths('ruleset', refuse)
  if (rulesets.length === 0) return undefined
  if (!rulesets.includes('none')) return rulesets
  if (rulesets.length > 1) refuse('ruleset', 'either `none` or rulesets')
  return 'none'
}

/** One per line, or comma-separated. */
function readList(name: string): readonly string[] {
  const values = getMultilineInput(name).flatMap((line) => line.split(',').map((value) => value.trim()))
  return values.filter((value) => value !== '')
}

function isAbsolute(path: string): boolean {
  return /^([/\\]|[a-z]:)/i.test(path)
}

function readBranch(name: string, refuse: Refuse): string | undefined {
  const value = getInput(name)
  if (value === '') return undefined
  const branch = value.replace(/^refs\/heads\//, '')
  if (!isBranchName(branch)) refuse(name, 'a branch name', 'Use a name such as `main`')
  return branch
}

/** Inputs that a run with `docs-repository` does not use, and why. */
const notForDocsRepository = {
  root: 'Set `docs-directory` instead',
  base: 'Set `docs-ref` instead',
  'app-url': 'Remove it. The app follows the docs repository itself',
}

/** `branch` and `directory` are undefined for the defaults. If there are no `paths` of documents, `docs.json` decides. */
function readDocsRepository(refuse: Refuse) {
  const name = getInput('docs-repository')
  const paths = readPaths('document-path', refuse)
  const directory = readPath('docs-directory', refuse) || undefined
  const branch = readBranch('docs-ref', refuse)
  if (name === '') {
    const alone = ['docs-ref', 'docs-directory', 'document-path'].find((input) => getInput(input) !== '')
    if (alone !== undefined) refuse(alone, 'nothing without `docs-repository`', 'Set `docs-repository`, or remove this input')
    return undefined
  }
  if (!isRepositoryName(name)) refuse('docs-repository', '`owner/name`', 'Use a value such as `acme/docs`')
  for (const path of paths) if (!isStoredPath(path)) refuse('document-path', expectedStoredPath)
  for (const [input, hint] of Object.entries(notForDocsRepository)) {
    if (getInput(input) !== '') refuse(input, 'nothing with `docs-repository`', hint)
  }
  if (!['', 'none'].includes(getInput('filter'))) {
    refuse('filter', '`none` with `docs-repository`', 'Filter problems in another step, without `docs-repository`')
  }
  return { name, branch, directory, paths }
}

/** Source: `git check-ref-format`. */
function isBranchName(branch: string): boolean {
  const isName = /^[^\x00-\x20\x7f~^:?*[\\]+$/.test(branch) && !/^[-/]|\.\.|@\{|\/\/|\/\.|^\.|\.lock(\/|$)|[/.]$|^@$/.test(branch)
  return isName && !branch.startsWith('refs/')
}

/** `<branch>` in `headBranch` stands for the target branch. The default title is the first line of the commit message. `body` is Markdown. */
function readPullRequest(refuse: Refuse) {
  const headBranch = getInput('pull-request-branch') || defaultHeadBranch
  const title = getInput('title')
  const body = getInput('body')
  const [labels, assignees, reviewers] = [readList('labels'), readList('assignees'), readList('reviewers')]
  if (headBranch === '<branch>' || !isBranchName(headBranch.replace('<branch>', 'x'))) {
    refuse('pull-request-branch', 'a branch name', 'Use a name such as `docs/<branch>`')
  }
  // Source: GitHub, which rejects longer values.
  if (/[\r\n]/.test(title) || title.length > 256) refuse('title', 'one line of at most 256 characters')
  if (body.length > 20_000) refuse('body', 'at most 20,000 characters')
  if (labels.some((label) => label.length > 50)) refuse('labels', 'labels of at most 50 characters')
  if (!assignees.every(isLogin)) refuse('assignees', 'user names', 'Use names such as `octocat`')
  if (!reviewers.every((name) => isLogin(name.replace(/^[\w-]+\//, '')))) {
    refuse('reviewers', 'names of users and teams', 'Use names such as `octocat` and `acme/docs`')
  }
  const isDraft = readChoice('draft', ['true', 'false'], refuse) === 'true'
  return { headBranch, title: title || undefined, body, labels, assignees, reviewers, isDraft }
}

function isLogin(name: string): boolean {
  return /^[\w-]{1,100}$/.test(name)
}

function readAppUrl(errors: ConfigError[]): string | undefined {
  const value = getInput('app-url')
  if (value === '') return undefined
  try {
    return parseAppUrl(value, 'the input `app-url`')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    errors.push(error)
    return undefined
  }
}

/** The error message does not quote the token. */
function readAppToken(errors: ConfigError[]): string | undefined {
  const value = getInput('app-token')
  if (value === '' || /^[!-~]+$/.test(value)) return value || undefined
  errors.push(
    new ConfigError('Unexpected characters in the input `app-token`, expected only the token', {
      hint: 'Remove spaces and newlines',
    }),
  )
  return undefined
}

/** The default committer. */
export const botName = 'github-actions[bot]'

/** Returns the GitHub Actions bot of the given server. */
function toBot(serverUrl = ''): Committer {
  const host = URL.canParse(serverUrl) ? new URL(serverUrl).hostname : 'github.com'
  return { name: botName, email: `41898282+${botName}@users.noreply.${host}` }
}

function readCommitter(refuse: Refuse): Committer {
  const value = getInput('committer')
  const bot = toBot(process.env['GITHUB_SERVER_URL'])
  if (value === '') return bot
  const committer = parseCommitter(value)
  if (committer) return committer
  refuse('committer', '`Name <email>`', 'Use a value such as `Docs Bot <docs@example.com>`')
  return bot
}

function quote(value: string): string {
  return `\`${value.length > 200 ? `${value.slice(0, 200)}…` : value}\``
}
