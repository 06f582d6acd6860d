import type { Octokit } from '@octokit/rest'

/** An Octokit that is signed in, paced and retried as `GitHubApp` makes it. Only this room calls its methods. */
export type GitHubClient = Octokit

/** A repository by name. A rename leads GitHub to answer with a redirect, which is followed. */
export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}
