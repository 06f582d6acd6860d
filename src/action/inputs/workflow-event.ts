import type { context } from '@actions/github'
import { toWebUrl } from '../../git/remote-repository.ts'
import { ConfigError } from '../../text/errors.ts'
import { isObject, readOwn } from '../../text/json/json-values.ts'

/** The context that `@actions/github` reads from the runner. Its payload types are not validated, so `payload` is untyped here. */
interface RunnerContext extends Pick<typeof context, 'actor' | 'eventName' | 'ref' | 'sha'> {
  readonly payload: object
}

/** The base for the changed files of an event. `none` has the reason as a clause. */
type EventBase =
  | { readonly kind: 'commit'; readonly sha: string }
  /** The merge commit is compared with its first parent, which is the current base. */
  | { readonly kind: 'pull-request'; readonly baseSha: string; readonly headSha: string }
  | { readonly kind: 'none'; readonly reason: string }

/**
 * Loads `@actions/github`, which reads the event file on import.
 *
 * @throws {ConfigError} if that file is not JSON.
 */
export async function readRunnerContext(): Promise<RunnerContext> {
  try {
    return (await import('@actions/github')).context
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    const hint = 'Set `GITHUB_EVENT_PATH` to a JSON file, as GitHub runners do'
    throw new ConfigError(`Cannot read the event of this run: ${cause.message}`, { hint, cause })
  }
}

export type ActionEvent = Readonly<ReturnType<typeof readEvent>>

/**
 * Interprets the event that started the run. Fields can be missing, for example outside a runner.
 *
 * @param headRef `GITHUB_HEAD_REF`, the branch of a pull request, which the context does not contain.
 */
export function readEvent({ actor, eventName, payload, ref, sha }: Partial<RunnerContext>, headRef?: string) {
  const name = eventName ?? ''
  const isPullRequest = name === 'pull_request' || name === 'pull_request_target'
  const pushed = /^refs\/heads\/(.+)$/.exec(ref ?? '')?.[1]
  const isFork = (isPullRequest && !hasHeadInRepository(payload)) || (name === 'workflow_run' && isRunOfFork(payload))
  // `pull_request_target` has a token that can write, except in runs of Dependabot.
  const isDependabot = actor === 'dependabot[bot]' && (isPullRequest || name === 'push')
  return {
    /** GitHub's name, such as `push`. */
    name,
    /** Full, such as `refs/heads/main`, `refs/tags/v1` or `refs/pull/1/merge`. */
    ref: ref ?? '',
    /** The branch to commit to: the pushed branch, or the head of the pull request. */
    branch: isPullRequest ? headRef || undefined : pushed,
    /** The commit of the event. On a pull request, the merge commit. */
    sha: sha || undefined,
    isPullRequest,
    /** Whether the head of the pull request is in another repository. */
    isFork,
    /** The repository of the fork, such as `mallory/docs`. Undefined if it was deleted. */
    forkName: isFork ? readText(payload, [...headPathOf(name), 'full_name']) : undefined,
    /** GitHub gives Dependabot and forks a read-only token. */
    isReadOnly: isDependabot || (isFork && name === 'pull_request'),
    /** The push deleted its branch. */
    isDeleted: read(payload, ['deleted']) === true,
    /** The pull request is closed. */
    isClosed: isPullRequest && read(payload, ['pull_request', 'state']) === 'closed',
    pullNumber: isPullRequest ? readNumber(payload, ['pull_request', 'number']) : undefined,
    /** The default branch of the repository. Undefined for events that do not name it. */
    defaultBranch: readText(payload, ['repository', 'default_branch']),
    base: readBase(name, payload),
  }
}

const headPathOf = (name: string) =>
  name === 'workflow_run' ? ['workflow_run', 'head_repository'] : ['pull_request', 'head', 'repo']

/** Treats a payload without a head repository as a fork. */
function hasHeadInRepository(payload: unknown): boolean {
  const head = readText(payload, ['pull_request', 'head', 'repo', 'full_name'])
  return head !== undefined && head === readText(payload, ['repository', 'full_name'])
}

function isRunOfFork(payload: unknown): boolean {
  return readText(payload, ['workflow_run', 'head_repository', 'full_name']) !== readText(payload, ['repository', 'full_name'])
}

const zeroSha = /^0*$/

function readBase(name: string, payload: unknown): EventBase {
  if (name === 'push') {
    const before = readText(payload, ['before']) ?? ''
    if (zeroSha.test(before)) return { kind: 'none', reason: 'the branch is new' }
    return { kind: 'commit', sha: before }
  }
  if (name === 'merge_group') {
    const sha = readText(payload, ['merge_group', 'base_sha'])
    if (sha !== undefined) return { kind: 'commit', sha }
  }
  if (name === 'pull_request' || name === 'pull_request_target') {
    const baseSha = readText(payload, ['pull_request', 'base', 'sha'])
    const headSha = readText(payload, ['pull_request', 'head', 'sha'])
    if (baseSha !== undefined && headSha !== undefined) return { kind: 'pull-request', baseSha, headSha }
  }
  return { kind: 'none', reason: `the event \`${name}\` has no commit to compare with` }
}

function read(value: unknown, keys: readonly string[]): unknown {
  for (const key of keys) value = isObject(value) ? readOwn(value, key) : undefined
  return value
}

function readText(value: unknown, keys: readonly string[]): string | undefined {
  const found = read(value, keys)
  return typeof found === 'string' ? found : undefined
}

function readNumber(value: unknown, keys: readonly string[]): number | undefined {
  const found = read(value, keys)
  return typeof found === 'number' ? found : undefined
}

export type RunLinks = Readonly<ReturnType<typeof readRunLinks>>

/**
 * Reads the URLs of the repository, such as `https://github.com/acme/docs`, and of the workflow run from the variables of the runner. They are `''`
 * outside a runner. The host differs on GitHub Enterprise Server.
 */
export function readRunLinks(environment: NodeJS.ProcessEnv) {
  const {
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: repository,
    GITHUB_RUN_ID: run,
    GITHUB_RUN_ATTEMPT: attempt,
  } = environment
  if (!server || !repository) return { webUrl: '', runUrl: '' }
  const webUrl = toWebUrl(server, repository)
  return { webUrl, runUrl: run ? `${webUrl}/actions/runs/${run}${attempt ? `/attempts/${attempt}` : ''}` : webUrl }
}

export type RunVariables = Readonly<ReturnType<typeof readRunVariables>>

/** Reads the variables about the run and the GitHub server. Source: "Default environment variables" of GitHub Actions. */
export function readRunVariables(environment: NodeJS.ProcessEnv) {
  const read = (name: string, fallback: string) => readOwn(environment, name) || fallback
  return {
    apiUrl: read('GITHUB_API_URL', 'https://api.github.com'),
    serverUrl: read('GITHUB_SERVER_URL', 'https://github.com'),
    /** The number of this run of the workflow, 0 if unknown. */
    runNumber: Number(read('GITHUB_RUN_NUMBER', '0')) || 0,
    /** Unique to this run and attempt. */
    runName: `${read('GITHUB_RUN_ID', '0')}-${read('GITHUB_RUN_ATTEMPT', '1')}`,
    // The file name of the workflow, if known: `owner/name/.github/workflows/docs.yml@refs/heads/main`
    workflow: /\/([^/@]+)@/.exec(environment['GITHUB_WORKFLOW_REF'] ?? '')?.[1],
  }
}
