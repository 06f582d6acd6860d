import type { Octokit } from '@octokit/rest'

/** An Octokit that is signed in, paced and retried as `GitHubApp` makes it. Only this room calls its methods. */
export type GitHubClient = Octokit

/** A repository by name. A rename leads GitHub to answer with a redirect, which is followed. */
export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/** A document as check and comment show it. What `update/types.ts` calls `DocumentReport` fits. */
export interface ReportedDocument {
  /** Path relative to the repository, or a URL. */
  readonly path: string
  readonly version: string | undefined
  readonly errorCount: number
  readonly warningCount: number
  readonly infoCount: number
}

/** A page that `update` would write. What `update/types.ts` calls `PageReport` fits. */
export interface ReportedPage {
  readonly kind: 'added' | 'modified' | 'removed' | 'kept' | 'unchanged'
  readonly path: string
  readonly document: string
  readonly operation: string
  readonly detail: string | undefined
}
