import { GitHubError } from '../errors.ts'
import { callGitHub, nameRepository } from './call-github.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/**
 * Tells whether a person may write to a repository; asked before acting on a click.
 *
 * @param person With `id`, the login must still belong to that account: logins can change hands.
 * @throws {GitHubError} when GitHub cannot be asked; a login that it does not know may not write.
 */
export async function mayWrite(
  client: GitHubClient,
  repository: RepositoryName,
  { login, id }: { readonly login: string; readonly id?: number | undefined },
): Promise<boolean> {
  const about = { operation: 'read permission of a user', on: nameRepository(repository), permission: 'metadata: read' }
  try {
    const { data } = await callGitHub(about, () =>
      client.rest.repos.getCollaboratorPermissionLevel({ ...repository, username: login }),
    )
    if (id !== undefined && data.user?.id !== id) return false
    return data.permission === 'admin' || data.permission === 'write'
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return false
    throw error
  }
}
