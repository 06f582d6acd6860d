import type { Git } from '../git/git.ts'
import { findRemote } from '../git/refs.ts'
import type { createTokenClient } from '../github/github-client.ts'
import type { RequestPace } from '../github/request-pace.ts'
import type { GitHubClient, RepositoryName } from '../github/types.ts'
import type { ActionInputs } from './inputs.ts'
import type { RunVariables } from './workflow-event.ts'

/** The API of GitHub with the token of the run. */
interface ActionGitHub {
  readonly client: GitHubClient
  readonly repository: RepositoryName
}

/** Opens it when it is first needed; undefined without a token, or outside of a runner. */
export type OpenGitHub = () => Promise<ActionGitHub | undefined>

/** @param environment has the URL of the API, also that of a GitHub Enterprise Server. */
export function createOpenGitHub({ githubToken }: Pick<ActionInputs, 'githubToken'>, environment: NodeJS.ProcessEnv): OpenGitHub {
  const [owner, repo] = (environment['GITHUB_REPOSITORY'] ?? '').split('/')
  if (githubToken === undefined || !owner || !repo) return async () => undefined
  const open = createOpenClient({ token: githubToken, apiUrl: environment['GITHUB_API_URL'] || undefined })
  return async () => ({ client: await open(), repository: { owner, repo } })
}

/** The repository of the checkout at its GitHub. */
export interface GitHubConnection {
  readonly repository: RepositoryName
  readonly open: () => Promise<GitHubClient>
}

/** `reason` completes "the API of GitHub cannot be used: ". */
export type ConnectResult =
  | { readonly kind: 'connected'; readonly connection: GitHubConnection }
  | { readonly kind: 'none'; readonly reason: string }

/**
 * Finds the repository that the remote of the checkout is, which need not be that of the workflow; nothing is asked yet.
 *
 * @throws {GitError} when there is no remote to push to.
 */
export async function connectGitHub(
  git: Git,
  options: {
    readonly token: string | undefined
    readonly variables: RunVariables
    readonly pace?: Partial<RequestPace> | undefined
  },
): Promise<ConnectResult> {
  const { token, variables, pace } = options
  if (token === undefined) return { kind: 'none', reason: 'there is no token' }
  const { name } = await findRemote(git, undefined)
  const { stdout } = await git.run(['remote', 'get-url', '--push', name])
  const repository = findRepositoryName(stdout.trim(), variables.serverUrl)
  if (!repository) return { kind: 'none', reason: `the remote \`${name}\` is not on ${variables.serverUrl}` }
  const open = createOpenClient({ token, apiUrl: variables.apiUrl, ...(pace ? { pace } : {}) })
  return { kind: 'connected', connection: { repository, open } }
}

/**
 * Returns the same client each time. Octokit is a large part of the bundle, so it is loaded with the first request.
 *
 * Not `getOctokit` of `@actions/github`, which fixes the URL of the API and the proxy when it is loaded: the functions of `github/` expect a
 * client that is paced, repeats only what is safe to repeat, and logs nothing.
 */
function createOpenClient(options: Parameters<typeof createTokenClient>[0]): () => Promise<GitHubClient> {
  let client: Promise<GitHubClient> | undefined
  const create = async () => (await import('../github/github-client.ts')).createTokenClient(options)
  return () => {
    client ??= create()
    return client
  }
}

/**
 * Reads owner and name from the address of a remote (`https://host/owner/name.git`, `git@host:owner/name`, `ssh://git@host/…`);
 * undefined where that is not on the server.
 */
function findRepositoryName(address: string, serverUrl: string): RepositoryName | undefined {
  if (!URL.canParse(serverUrl)) return undefined
  const server = new URL(serverUrl)
  const [, shortHost, shortPath = ''] = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/.exec(address) ?? []
  if (shortHost !== undefined) return shortHost === server.hostname ? toRepositoryName(shortPath) : undefined
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  // The port of ssh has nothing to do with that of the web.
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
