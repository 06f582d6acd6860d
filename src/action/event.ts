import { isObject } from '../text/is-object.ts'

/** What started the run, as far as it matters. */
export interface ActionEvent {
  /** GitHub's name, such as `push`. */
  readonly name: string
  /** Full, such as `refs/heads/main`, `refs/tags/v1` or `refs/pull/1/merge`. */
  readonly ref: string
  /** The branch that a commit belongs on: the pushed one, or the head of the pull request. Undefined where there is none. */
  readonly branch: string | undefined
  /** The commit that the event is about. */
  readonly sha: string | undefined
  readonly isPullRequest: boolean
  /** A pull request whose head is in another repository, where nothing may be pushed. */
  readonly isFork: boolean
}

/** Reads the event of the run from GitHub's context and variables. */
export async function readEvent(environment: NodeJS.ProcessEnv): Promise<ActionEvent> {
  // Brings Octokit with it; nothing that is loaded at the start needs that.
  const { context } = await import('@actions/github')
  // Nothing is known about the payload but that it is JSON.
  const payload: unknown = context.payload
  const name = context.eventName ?? ''
  const ref = context.ref ?? ''
  const isPullRequest = name === 'pull_request' || name === 'pull_request_target'
  const pushed = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  return {
    name,
    ref,
    branch: isPullRequest ? environment['GITHUB_HEAD_REF'] || undefined : pushed,
    sha: context.sha || undefined,
    isPullRequest,
    isFork: isPullRequest && !hasHeadHere(payload),
  }
}

/** Where the payload does not say, the head counts as somebody else's. */
function hasHeadHere(payload: unknown): boolean {
  const head = readName(payload, ['pull_request', 'head', 'repo', 'full_name'])
  return head !== undefined && head === readName(payload, ['repository', 'full_name'])
}

function readName(value: unknown, keys: readonly string[]): string | undefined {
  for (const key of keys) value = isObject(value) ? value[key] : undefined
  return typeof value === 'string' ? value : undefined
}
