import type { context } from '@actions/github'
import { toWebUrl } from '../../git/remote-repository.ts'
import { ConfigError } from '../../text/errors.ts'
import { isObject, readOwn } from '../../text/json/json-values.ts'

/** The context that `@actions/github` reads from the runner. Its payload types are not validated, so `payload` is untyped here. */
interface RunnerContext extends Pick<typeof context, 'actor' | 'eventName' | 'ref' | 'sha'> {
  readonly payload: object
}

/** The event that started the run. */
export interface ActionEvent {
  /** GitHub's name, such as `push`. */
  readonly name: string
  /** Full, such as `refs/heads/main`, `refs/tags/v1` or `refs/pull/1/merge`. */
  readonly ref: string
  /** The branch to commit to: the pushed branch, or the head of the pull request. */
  readonly branch: string | undefined
  /** The commit of the event. On a pull request, the merge commit. */
  readonly sha: string | undefined
  readonly isPullRequest: boolean
  /** Whether the head of the pull request is in another repository. */
  readonly isFork: boolean
  /** The repository of the fork, such as `mallory/docs`. Undefined if it was deleted. */
  readonly forkName: string | undefined
  /** GitHub gives Dependabot and forks a read-only token. */
  readonly isReadOnly: boolean
  /** The push deleted its branch. */
  readonly isDeleted: boolean
  /** The pull request is closed. */
  readonly isClosed: boolean
  readonly pullNumber: number | undefined
  /** The default branch of the repository. Undefined for events that do not name it. */
  readonly defaultBranch: string | undefined
  readonly base: EventBase
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

/**
 * Interprets the event of a run. Fields can be missing, for example outside a runner.
 *
 * @param headRef `GITHUB_HEAD_REF`, the branch of a pull request, which the context does not contain.
 */
export function readEvent({ actor, eventName, payload, ref, sha }: Partial<RunnerContext>, headRef?: string): ActionEvent {
  const name = eventName ?? ''
  const isPullRequest = name === 'pull_request' || name === 'pull_request_target'
  const pushed = /^refs\/heads\/(.+)$/.exec(ref ?? '')?.[1]
  const isFork = (isPullRequest && !hasHeadInRepository(payload)) || (name === 'workflow_run' && isRunOfFork(payload))
  // `pull_request_target` has a token that can write, except in runs of Dependabot.
  const isDependabot = actor === 'dependabot[bot]' && (isPullRequest || name === 'push')
  return {
    name,
    ref: ref ?? '',
    branch: isPullRequest ? headRef || undefined : pushed,
    sha: sha || undefined,
    isPullRequest,
    isFork,
    forkName: isFork ? readText(payload, [...headPathOf(name), 'full_name']) : undefined,
    isReadOnly: isDependabot || (isFork && name === 'pull_request'),
    isDeleted: read(payload, ['deleted']) === true,
    isClosed: isPullRequest && read(payload, ['pull_request', 'state']) === 'closed',
    pullNumber: isPullRequest ? readNumber(payload, ['pull_request', 'number']) : undefined,
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

/** URLs of the run on GitHub. */
export interface RunLinks {
  /** The repository, such as `https://github.com/acme/docs`. `''` outside a runner. */
  readonly webUrl: string
  /** The workflow run. */
  readonly runUrl: string
}

/** Reads the URLs from the variables of the runner. The host differs on GitHub Enterprise Server. */
export function readRunLinks(environment: NodeJS.ProcessEnv): RunLinks {
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

/** The variables of the runner about the run and the GitHub server. */
export interface RunVariables {
  /** `https://api.github.com`, or the API of a GitHub Enterprise Server. */
  readonly apiUrl: string
  readonly serverUrl: string
  /** The number of this run of the workflow, 0 if unknown. */
  readonly runNumber: number
  /** Unique to this run and attempt. */
  readonly runName: string
  /** The file name of the workflow, if known. */
  readonly workflow: string | undefined
}

/** Reads the variables from the environment. Source: "Default environment variables" of GitHub Actions. */
export function readRunVariables(environment: NodeJS.ProcessEnv): RunVariables {
  const read = (name: string, fallback: string) => readOwn(environment, name) || fallback
  return {
    apiUrl: read('GITHUB_API_URL', 'https://api.github.com'),
    serverUrl: read('GITHUB_SERVER_URL', 'https://github.com'),
    runNumber: Number(read('GITHUB_RUN_NUMBER', '0')) || 0,
    runName: `${read('GITHUB_RUN_ID', '0')}-${read('GITHUB_RUN_ATTEMPT', '1')}`,
    // `owner/name/.github/workflows/docs.yml@refs/heads/main`
    workflow: /\/([^/@]+)@/.exec(environment['GITHUB_WORKFLOW_REF'] ?? '')?.[1],
  }
}
