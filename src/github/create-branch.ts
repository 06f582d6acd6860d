import { GitHubError } from '../errors.ts'
import { callGitHub, nameRepository } from './call-github.ts'
import { repeatable } from './pace-requests.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/**
 * Makes a branch, under a name that nobody else uses, at a commit that GitHub has.
 *
 * @throws {GitHubError} `protected` where a rule of the repository keeps such names from being made.
 */
export async function createBranch(client: GitHubClient, repository: RepositoryName, branch: string, sha: string): Promise<void> {
  const about = toOperation('create branch', repository, branch)
  try {
    await callGitHub(about, () =>
      client.rest.git.createRef({ ...repository, ref: `refs/heads/${branch}`, sha, request: repeatable }),
    )
  } catch (error) {
    // A repeat after an answer that was lost.
    if (!(error instanceof GitHubError && /already exists/i.test(error.message))) throw error
  }
}

/** Takes a branch away wherever it is; one that is gone already is fine. @throws {GitHubError} */
export async function deleteBranch(client: GitHubClient, repository: RepositoryName, branch: string): Promise<void> {
  const about = toOperation('delete branch', repository, branch)
  try {
    await callGitHub(about, () => client.rest.git.deleteRef({ ...repository, ref: `heads/${branch}`, request: repeatable }))
  } catch (error) {
    if (!(error instanceof GitHubError && (error.failure === 'not-found' || /does not exist/i.test(error.message)))) throw error
  }
}

/** The commit that a branch is at; undefined where there is none. @throws {GitHubError} */
export async function readBranch(client: GitHubClient, repository: RepositoryName, branch: string): Promise<string | undefined> {
  const about = { ...toOperation('read branch', repository, branch), permission: 'contents: read' }
  try {
    const { data } = await callGitHub(about, () => client.rest.git.getRef({ ...repository, ref: `heads/${branch}` }))
    return data.object.sha
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return undefined
    throw error
  }
}

function toOperation(operation: string, repository: RepositoryName, branch: string) {
  return { operation, on: `${nameRepository(repository)} \`${branch}\``, permission: 'contents: write' }
}
