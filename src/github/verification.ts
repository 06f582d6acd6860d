import { callGitHub, nameRepository } from './call-github.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** Whether GitHub shows a commit as verified, and its word for why not. */
export interface Verification {
  readonly isVerified: boolean
  /** GitHub's own: `valid`, `unsigned`, `unknown_key` … */
  readonly reason: string
}

/** Asks whether a commit is verified. @throws {GitHubError} */
export async function readVerification(client: GitHubClient, repository: RepositoryName, sha: string): Promise<Verification> {
  const about = { operation: 'read commit', on: nameRepository(repository, sha), permission: 'contents: read' }
  const { data } = await callGitHub(about, () => client.rest.repos.getCommit({ ...repository, ref: sha, per_page: 1 }))
  const { verification } = data.commit
  return { isVerified: verification?.verified ?? false, reason: verification?.reason ?? 'unsigned' }
}
