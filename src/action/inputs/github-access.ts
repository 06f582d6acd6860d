import { findRemote, readFirstParent, readPushUrl } from '../../git/commit.ts'
import type { Git } from '../../git/git.ts'
import { readFilesChanged } from '../../git/revisions.ts'
import type { createTokenClient, GitHubClient, RepositoryName, RequestPace } from '../../github/requests/github-client.ts'
import type { FilesChanged } from '../../status/update-record.ts'
import { lazy } from '../../text/plain/lists.ts'
import type { ActionInputs, Mode, TokenInputs } from './inputs.ts'
import { type ActionEvent, type RunVariables, readRunVariables } from './workflow-event.ts'

/** GitHub's API with the token of the run. */
interface ActionGitHub {
  readonly client: GitHubClient
  readonly repository: RepositoryName
}

/** Connects on first use. Returns undefined without a token or outside a runner. */
export type OpenGitHub = () => Promise<ActionGitHub | undefined>

/** Whether a newer run of the workflow handles a commit. Without the permission `actions: read` this is unknown, and the run continues. */
export async function isHandledByNewerRun(
  open: OpenGitHub,
  { workflow, runNumber }: RunVariables,
  sha: string,
): Promise<boolean> {
  const github = workflow === undefined || runNumber === 0 ? undefined : await open()
  if (!github || workflow === undefined) return false
  const { hasNewerRun } = await import('../../github/repositories/commits.ts')
  return (await hasNewerRun(github.client, github.repository, { workflow, sha, runNumber })) ?? false
}

export type GitHubAccess = Readonly<ReturnType<typeof createGitHubAccess>>

/**
 * GitHub, as far as the tokens of a run reach.
 *
 * @param pace for tests: shorter waits between requests.
 */
export function createGitHubAccess(
  { token, githubToken }: Pick<TokenInputs, 'token' | 'githubToken'>,
  environment: NodeJS.ProcessEnv,
  pace?: Partial<RequestPace>,
) {
  const variables = readRunVariables(environment)
  return {
    variables,
    /** Opens the API for the repository of the workflow. */
    open: createOpenGitHub({ githubToken }, environment),
    /**
     * Determines the GitHub repository of a checkout, which can differ from that of the workflow. Sends no request yet.
     *
     * @throws {GitError} if there is no remote to push to.
     */
    connect: (git: Git) => connectGitHub(git, { token: token ?? githubToken, variables, pace }),
  }
}

/** @param environment contains the API URL, which differs on GitHub Enterprise Server. */
export function createOpenGitHub({ githubToken }: Pick<TokenInputs, 'githubToken'>, environment: NodeJS.ProcessEnv): OpenGitHub {
  const [owner, repo] = (environment['GITHUB_REPOSITORY'] ?? '').split('/')
  if (githubToken === undefined || !owner || !repo) return async () => undefined
  const open = createOpenClient({ token: githubToken, apiUrl: environment['GITHUB_API_URL'] || undefined })
  return async () => ({ client: await open(), repository: { owner, repo } })
}

/** The repository of the checkout on GitHub. */
export interface GitHubConnection {
  readonly repository: RepositoryName
  readonly open: () => Promise<GitHubClient>
}

/** `reason` is a clause that explains why GitHub's API cannot be used, and `hint` is the fix. */
export type ConnectResult =
  | { readonly kind: 'connected'; readonly connection: GitHubConnection }
  | { readonly kind: 'none'; readonly reason: string; readonly hint: string }

async function connectGitHub(
  git: Git,
  options: {
    readonly token: string | undefined
    readonly variables: RunVariables
    readonly pace?: Partial<RequestPace> | undefined
  },
): Promise<ConnectResult> {
  const { token, variables, pace } = options
  if (token === undefined)
    return { kind: 'none', reason: 'the token is missing', hint: 'Set the input `token`, or remove the input `github-token`' }
  const { name } = await findRemote(git, undefined)
  const repository = findRepositoryName(await readPushUrl(git, name), variables.serverUrl)
  if (!repository) {
    const reason = `the remote \`${name}\` is not on ${variables.serverUrl}`
    return { kind: 'none', reason, hint: 'Check out a repository of this GitHub server' }
  }
  const open = createOpenClient({ token, apiUrl: variables.apiUrl, ...(pace ? { pace } : {}) })
  return { kind: 'connected', connection: { repository, open } }
}

/**
 * Creates the client on first use, because Octokit is a large part of the bundle.
 *
 * `getOctokit` of `@actions/github` does not fit: the functions in `github/` expect a client that limits its request rate, retries only safe
 * requests, and does not log.
 */
function createOpenClient(options: Parameters<typeof createTokenClient>[0]): () => Promise<GitHubClient> {
  return lazy(async () => (await import('../../github/requests/github-client.ts')).createTokenClient(options))
}

/**
 * Parses owner and name from the URL of a remote (`https://host/owner/name.git`, `git@host:owner/name`, `ssh://git@host/…`). Returns undefined
 * if it is not on the server.
 */
function findRepositoryName(remoteUrl: string, serverUrl: string): RepositoryName | undefined {
  if (!URL.canParse(serverUrl)) return undefined
  const server = new URL(serverUrl)
  const [, shortHost, shortPath = ''] = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/.exec(remoteUrl) ?? []
  if (shortHost !== undefined) return shortHost === server.hostname ? toRepositoryName(shortPath) : undefined
  if (!URL.canParse(remoteUrl)) return undefined
  const url = new URL(remoteUrl)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  // SSH uses a different port.
  const isThere = isWeb ? url.host === server.host : url.protocol === 'ssh:' && url.hostname === server.hostname
  return isThere ? toRepositoryName(url.pathname) : undefined
}

function toRepositoryName(path: string): RepositoryName | undefined {
  const [owner, repo, ...more] = path
    .replace(/^\/+|(?<!\/)\/+$/g, '')
    .replace(/\.git$/, '')
    .split('/')
  return owner && repo && more.length === 0 ? { owner, repo } : undefined
}

/** The access that a run needs in its mode, for the message about what is missing. */
export interface NeededAccess {
  /** As in `permissions` of a workflow, such as `contents: write`. */
  readonly permissions: readonly string[]
  /** Whether the input `token` replaces the token of the job. */
  readonly usesToken: boolean
}

/** The access of a run that ended before its mode was known. */
export const unknownAccess: NeededAccess = { permissions: [], usesToken: false }

type NeedingInputs = Pick<ActionInputs, 'delivery' | 'report' | 'tokens'>

/** Lists everything that a run may need, so that one message names all missing permissions. */
export function findNeededAccess(
  { delivery: { onProtected }, report: { comment, appUrl, appToken }, tokens: { token } }: NeedingInputs,
  mode: Mode,
  isPullRequest: boolean,
): NeededAccess {
  const isWriting = mode === 'commit' || mode === 'pull-request'
  const proposes = mode === 'pull-request' || (mode === 'commit' && onProtected === 'pull-request')
  const comments = isPullRequest && comment !== 'never'
  return {
    permissions: [
      isWriting ? 'contents: write' : 'contents: read',
      ...(proposes || comments ? ['pull-requests: write'] : []),
      ...(appUrl !== undefined && appToken === undefined ? ['id-token: write'] : []),
    ],
    usesToken: isWriting && token !== undefined,
  }
}

/**
 * Returns the imperative that grants all permissions of a mode.
 *
 * @param missing The permission that GitHub asked for, in case that the mode does not list it.
 */
export function describeGrant({ permissions, usesToken }: NeededAccess, missing: string | undefined): string {
  const [name] = (missing ?? '').split(':')
  const isListed = missing === undefined || permissions.some((permission) => permission.startsWith(`${name}:`))
  const all = isListed ? permissions : [...permissions, missing]
  if (all.length === 0) return 'Check the permissions of the token'
  const list = `\`permissions: { ${all.join(', ')} }\``
  return usesToken ? `Give the token in the input \`token\` the access of ${list}` : `Give the job ${list}`
}

/** The files that an event changed, and where the list comes from. */
export type FilesChangedReport =
  | { readonly way: 'git'; readonly filesChanged: FilesChanged; readonly truncated: undefined }
  /** `truncated` explains that GitHub shortened the list, so more files may have changed. */
  | { readonly way: 'compare'; readonly filesChanged: FilesChanged; readonly truncated: string | undefined }
  /** All files are treated as changed. `reason` is a clause. */
  | { readonly way: 'all'; readonly reason: string }

/**
 * Finds the files that an event changed: with git, which fetches only the previous commit, else with the compare API. If both fail, all
 * files are treated as changed. Never rejects.
 */
export async function findFilesChanged(
  git: Git,
  event: Pick<ActionEvent, 'base' | 'sha'>,
  options: { readonly token: string | undefined; readonly openGitHub: OpenGitHub },
): Promise<FilesChangedReport> {
  const { base, sha } = event
  if (base.kind === 'none') return { way: 'all', reason: base.reason }
  let reason: string
  try {
    const before = base.kind === 'commit' ? base.sha : await readFirstParent(git, sha)
    if (before !== undefined && sha !== undefined) {
      const found = await readFilesChanged(git, await findRemote(git, options.token), before, sha)
      if (found.kind === 'known') return { way: 'git', filesChanged: found.value, truncated: undefined }
      reason = toClause(found.reason)
    } else reason = 'the merge commit of the pull request is not checked out'
  } catch (error) {
    reason = toClause(error)
  }
  const [baseSha, headSha] = base.kind === 'commit' ? [base.sha, sha] : [base.baseSha, base.headSha]
  if (headSha === undefined) return { way: 'all', reason }
  try {
    const github = await options.openGitHub()
    if (!github) return { way: 'all', reason }
    const { compareCommits } = await import('../../github/repositories/commits.ts')
    const { filesChanged, truncated } = await compareCommits(github.client, github.repository, baseSha, headSha)
    return { way: 'compare', filesChanged, truncated }
  } catch (error) {
    return { way: 'all', reason: `${reason}; ${toClause(error)}` }
  }
}

/** The message of an error as a part of a sentence. */
export function toClause(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.charAt(0).toLowerCase() + message.slice(1)
}
