import type { context } from '@actions/github'
import { ConfigError } from '../errors.ts'
import { isObject } from '../source/is-object.ts'

/** What `@actions/github` reads from the variables and the event file of the runner. Its types promise more of a payload than is checked. */
export type RunnerContext = Pick<typeof context, 'actor' | 'eventName' | 'ref' | 'sha'> & { readonly payload: object }

/** What started the run, as far as it matters. */
export interface ActionEvent {
  /** GitHub's name, such as `push`. */
  readonly name: string
  /** Full, such as `refs/heads/main`, `refs/tags/v1` or `refs/pull/1/merge`. */
  readonly ref: string
  /** The branch that a commit belongs on: the pushed one, or the head of the pull request. Undefined where there is none. */
  readonly branch: string | undefined
  /** The commit that the event is about; on a pull request that of its merge. */
  readonly sha: string | undefined
  readonly isPullRequest: boolean
  /** A pull request, or the run of one, whose head is in another repository, where nothing may be pushed. */
  readonly isFork: boolean
  /** The repository of the head where that is a fork and not gone: `mallory/docs`. */
  readonly forkName: string | undefined
  /** GitHub gives the runs of Dependabot and of forks a token that can only read. */
  readonly isReadOnly: boolean
  /** The push deleted its branch. */
  readonly isDeleted: boolean
  /** The pull request is closed. */
  readonly isClosed: boolean
  readonly pullNumber: number | undefined
  readonly base: EventBase
}

/** What the changed files of an event are counted from; the last of the three where there is nothing, for a reason (a clause). */
type EventBase =
  | { readonly kind: 'commit'; readonly sha: string }
  /** The merge of a pull request has the state of the base as its first parent; its head is compared with where it began. */
  | { readonly kind: 'pull-request'; readonly baseSha: string; readonly headSha: string }
  | { readonly kind: 'none'; readonly reason: string }

/**
 * Loads `@actions/github`, which reads the event file once, when it is loaded.
 *
 * @throws {ConfigError} when that file is not JSON.
 */
export async function readRunnerContext(): Promise<RunnerContext> {
  try {
    return (await import('@actions/github')).context
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    const hint = '`GITHUB_EVENT_PATH` has to name a JSON file: runners write one for each run'
    throw new ConfigError(`Cannot read the event of this run: ${cause.message}`, { hint, cause })
  }
}

/**
 * Interprets the event of a run. Fields that are missing, such as outside of a runner, make it an event that is about nothing.
 *
 * @param headRef `GITHUB_HEAD_REF`, the branch of a pull request, which the context lacks.
 */
export function readEvent({ actor, eventName, payload, ref, sha }: Partial<RunnerContext>, headRef?: string): ActionEvent {
  const name = eventName ?? ''
  const isPullRequest = name === 'pull_request' || name === 'pull_request_target'
  const pushed = /^refs\/heads\/(.+)$/.exec(ref ?? '')?.[1]
  const isFork = (isPullRequest && !hasHeadInRepository(payload)) || (name === 'workflow_run' && isRunOfFork(payload))
  // The target of a pull request has its own token. The runs of Dependabot have the one that can only read for either event.
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
    base: readBase(name, payload),
  }
}

const headPathOf = (name: string) =>
  name === 'workflow_run' ? ['workflow_run', 'head_repository'] : ['pull_request', 'head', 'repo']

/** A payload without a head repository counts as one from a fork. */
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
  return { kind: 'none', reason: `the event \`${name}\` names no commit to compare with` }
}

function read(value: unknown, keys: readonly string[]): unknown {
  for (const key of keys) value = isObject(value) ? value[key] : undefined
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

/** Where people find things of this run on the web. */
export interface RunLinks {
  /** Of the repository, `https://github.com/acme/docs`; `''` outside of a runner. */
  readonly webUrl: string
  /** Of the run of the workflow. */
  readonly runUrl: string
}

/** Reads the URLs from the runner's variables, which name another host on GitHub Enterprise Server. */
export function readRunLinks(environment: NodeJS.ProcessEnv): RunLinks {
  const {
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: repository,
    GITHUB_RUN_ID: run,
    GITHUB_RUN_ATTEMPT: attempt,
  } = environment
  if (!server || !repository) return { webUrl: '', runUrl: '' }
  const webUrl = `${server.replace(/(?<!\/)\/+$/, '')}/${repository}`
  return { webUrl, runUrl: run ? `${webUrl}/actions/runs/${run}${attempt ? `/attempts/${attempt}` : ''}` : webUrl }
}

/** What the runner says about the run and its GitHub. */
export interface RunVariables {
  /** `https://api.github.com`, or that of a GitHub Enterprise Server. */
  readonly apiUrl: string
  readonly serverUrl: string
  /** Counts the runs of the workflow; 0 where the runner does not say. */
  readonly runNumber: number
  /** Unique to this run and attempt. */
  readonly runName: string
  /** The name of the workflow's file; undefined where the runner does not say. */
  readonly workflow: string | undefined
}

/** Reads them from the environment. Source: "Default environment variables" of GitHub Actions. */
export function readRunVariables(environment: NodeJS.ProcessEnv): RunVariables {
  const read = (name: string, fallback: string) => environment[name] || fallback
  return {
    apiUrl: read('GITHUB_API_URL', 'https://api.github.com'),
    serverUrl: read('GITHUB_SERVER_URL', 'https://github.com'),
    runNumber: Number(read('GITHUB_RUN_NUMBER', '0')) || 0,
    runName: `${read('GITHUB_RUN_ID', '0')}-${read('GITHUB_RUN_ATTEMPT', '1')}`,
    // `owner/name/.github/workflows/docs.yml@refs/heads/main`
    workflow: /\/([^/@]+)@/.exec(environment['GITHUB_WORKFLOW_REF'] ?? '')?.[1],
  }
}
