import type { PageReport } from '../../docs/types.ts'
import type { AddedFile } from '../../git/commit.ts'
import type { Git } from '../../git/git.ts'
import type { PlannedCommit, PublishCommit } from '../../git/push.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import type { ConnectResult, GitHubAccess } from '../inputs/github-access.ts'
import type { DeliveryInputs } from '../inputs/inputs.ts'

/** What a run did with its changes. These are the values of the output `operation`. */
type Operation =
  /** There were no changes, or the mode does not write. */
  | 'none'
  | 'committed'
  /** The branch has new commits, and a newer run handles them. */
  | 'superseded'
  | 'pull-request-created'
  | 'pull-request-updated'
  | 'pull-request-unchanged'
  /** No changes are left. The pull request was closed and its branch deleted. */
  | 'pull-request-closed'
  /** A user closed the pull request without merging it, and the changes are the same. */
  | 'pull-request-declined'
  /** The head branch has commits of other authors, so it was kept. */
  | 'pull-request-kept'

/** The result of writing the changes of a run. */
export interface Delivery {
  readonly operation: Operation
  /** The branch of the commit. */
  readonly branch: string | undefined
  readonly commitSha: string | undefined
  /** Whether GitHub shows the commit as verified, if known. */
  readonly isVerified: boolean | undefined
  readonly pullRequest: { readonly number: number; readonly url: string } | undefined
  /** Sentences for the log and the summary, with names in backticks. */
  readonly notes: readonly string[]
  /** Parts of the request that GitHub refused, such as a reviewer, as sentences without a full stop. */
  readonly warnings: readonly string[]
}

/** A planned update with its commit and pull request. */
export interface PlannedUpdate extends PlannedCommit {
  /** Whether documents have errors. Their pages were not updated, so an update without changes is not necessarily complete. */
  readonly hasErrors: boolean
  /** Renders the body of the pull request. */
  readonly renderBody: (commit: { readonly sha: string; readonly baseSha: string; readonly digest: string }) => string
}

export interface DeliverOptions {
  readonly mode: 'commit' | 'pull-request'
  /** The target branch. */
  readonly branch: string
  readonly mayCreateBranch: boolean
  /** The commit of the event, which exists on the remote. */
  readonly knownSha: string | undefined
  readonly inputs: DeliveryInputs
  /** Replaces the credentials of the checkout. */
  readonly token: string | undefined
  /** Plans from the work tree. Called again each time the work tree has moved. See `CommitAndPushOptions.plan`. */
  readonly plan: (outdated: readonly AddedFile[]) => Promise<PlannedUpdate>
  readonly write: (changes: readonly FileChange[]) => Promise<void>
  readonly log: (line: string) => void
  readonly github: Pick<GitHubAccess, 'connect' | 'variables'>
}

/** Shared by commits and pull requests. */
export interface DeliveryTools extends Omit<DeliverOptions, 'mode' | 'github'> {
  readonly git: Git
  /** Connects once. */
  readonly connect: () => Promise<ConnectResult>
  /** Publishes by the API or by a push, depending on inputs and access. */
  readonly publish: PublishCommit
  readonly isSuperseded: () => Promise<boolean>
  readonly restore: (files: readonly AddedFile[]) => Promise<void>
}

/** Creates a delivery with defaults. */
export function toDelivery(delivery: Pick<Delivery, 'operation'> & Partial<Delivery>): Delivery {
  return {
    branch: undefined,
    commitSha: undefined,
    isVerified: undefined,
    pullRequest: undefined,
    notes: [],
    warnings: [],
    ...delivery,
  }
}

/** The result if a newer run handles the branch. */
export function toSuperseded(branch: string): Delivery {
  const notes = [`Superseded: \`${branch}\` has new commits, which a newer run of this workflow handles.`]
  return toDelivery({ operation: 'superseded', notes })
}

/** The text in front of the number of a pull request. */
export const operationLabels: { readonly [operation in Operation]: string } = {
  none: '',
  committed: '',
  superseded: '',
  'pull-request-created': 'Opened',
  'pull-request-updated': 'Updated',
  'pull-request-unchanged': 'Already up to date:',
  'pull-request-closed': 'Closed, because no changes are left:',
  'pull-request-declined': 'Not opened again:',
  'pull-request-kept': 'Not updated:',
}

/** Describes the result without the commit, one sentence per line with names in backticks. */
export function describeDelivery({ operation, pullRequest, notes, warnings }: Delivery): readonly string[] {
  const what = operationLabels[operation]
  const line = pullRequest && what !== '' ? [`${what} pull request #${pullRequest.number} (${pullRequest.url})`] : []
  return [...line, ...notes, ...warnings]
}

/** Counts pages by kind of change. */
export function countPages(pages: readonly PageReport[]): { readonly [kind in PageReport['kind']]: number } {
  const counts = { added: 0, modified: 0, removed: 0, kept: 0, unchanged: 0 }
  for (const page of pages) counts[page.kind]++
  return counts
}
