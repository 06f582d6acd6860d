import type { Git } from '../../git/git.ts'
import { findRemote } from '../../git/refs.ts'
import type { RequestPace } from '../../github/request-pace.ts'
import type { GitHubClient, RepositoryName } from '../../github/types.ts'
import { findRepositoryName } from './find-repository-name.ts'
import type { RunVariables } from './run-variables.ts'

/** The repository of the checkout at its GitHub. */
export interface GitHubConnection {
  readonly repository: RepositoryName
  /** The same one each time. Octokit is most of what the bundle holds: it is loaded when there is something to ask. */
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
  let client: Promise<GitHubClient> | undefined
  const create = async () => {
    const { createTokenClient } = await import('../../github/github-client.ts')
    return createTokenClient({ token, apiUrl: variables.apiUrl, ...(pace ? { pace } : {}) })
  }
  const open = () => {
    client ??= create()
    return client
  }
  return { kind: 'connected', connection: { repository, open } }
}
