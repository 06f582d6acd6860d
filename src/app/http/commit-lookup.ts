import type { Project, UpdateCommit } from '../../status/types.ts'

/** What a trigger of the API wants to be run. */
export interface WantedCommit {
  /** Full ref; the default branch of the project where absent. */
  readonly ref: string
  /** The tip of `ref` where absent. */
  readonly sha?: string
}

export type FoundCommit =
  | { readonly kind: 'found'; readonly commit: UpdateCommit; readonly author: string; readonly filesTruncated?: boolean }
  /** The repository has no such ref or commit; `reason` is a sentence for the caller. */
  | { readonly kind: 'not-found'; readonly reason: string }
  /** GitHub cannot be asked now. */
  | { readonly kind: 'unavailable'; readonly retryAfterMs?: number }

/** Asks GitHub what a trigger names, as the installation of the project. */
export interface CommitLookup {
  findCommit(project: Project, wanted: WantedCommit): Promise<FoundCommit>
}
