import { findRemote } from '../../git/find-remote.ts'
import type { Git } from '../../git/git.ts'
import type { RequestPace } from '../../github/request-pace.ts'
import type { GitHubClient, RepositoryName } from '../../github/types.ts'
import type { RunVariables } from './run-variables.ts'

/** The repository of the checkout at its GitHub. */
export interface GitHubConnection {
  readonly client: GitHubClient
  readonly repository: RepositoryName
}

/** `reason` completes "the API of GitHub cannot be used: ". */
export type ConnectResult =
  | { readonly kind: 'connected'; readonly connection: GitHubConnection }
  | { readonly kind: 'none'; readonly reason: string }

/**
 * Connects to the GitHub that the remote of the checkout is on; nothing is asked yet.
 *
 * The repository is the one of the remote, not that of the workflow: a job may check out another one.
 *
 * @throws {GitError} when there is no remote to push to.
 */
export async function connectGitHub(
  git: Git,
  options: {
    readonly token: string | undefined
    readonly variables: RunVariables
    readonly pace?: Partial<RequestPace>
  },
): Promise<ConnectResult> {
  const { token, variables, pace } = options
  if (token === undefined) return { kind: 'none', reason: 'the input `token` is empty' }
  const { name } = await findRemote(git, undefined)
  const { stdout } = await git.run(['remote', 'get-url', '--push', name])
  const repository = findRepositoryName(stdout.trim(), variables.serverUrl)
  if (!repository) return { kind: 'none', reason: `the remote \`${name}\` is not on ${variables.serverUrl}` }
  // Octokit is most of what the bundle holds: it is loaded when there is something to ask.
  const { createTokenClient } = await import('../../github/token-client.ts')
  const client = createTokenClient({ token, apiUrl: variables.apiUrl, ...(pace ? { pace } : {}) })
  return { kind: 'connected', connection: { client, repository } }
}

/** Reads owner and name from the address of a remote: `https://host/owner/name.git`, `git@host:owner/name`, `ssh://git@host/…`. */
export function findRepositoryName(address: string, serverUrl: string): RepositoryName | undefined {
  const server = URL.canParse(serverUrl) ? new URL(serverUrl) : undefined
  const [, short, shortPath] = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/.exec(address) ?? []
  const url = short === undefined && URL.canParse(address) ? new URL(address) : undefined
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  // The port of ssh has nothing to do with that of the web.
  const isThere = isWeb ? url.host === server?.host : (short ?? (url?.protocol === 'ssh:' ? url.hostname : '')) === server?.hostname
  if (!isThere) return undefined
  const path = (shortPath ?? url?.pathname ?? '').replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  const [owner, repo, ...more] = path.split('/')
  return owner && repo && more.length === 0 ? { owner, repo } : undefined
}
