import type { Octokit } from '@octokit/rest'

/** An authenticated Octokit with pacing and retries. Only `src/github` calls its methods. */
export type GitHubClient = Octokit

/** A repository by name. GitHub redirects old names, and the client follows the redirect. */
export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}
