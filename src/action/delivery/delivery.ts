import type { AddedFile } from '../../git/commit.ts'
import type { Git } from '../../git/git.ts'
import type { PlannedCommit, PublishCommit } from '../../git/push.ts'
import type { FileChange } from '../../source/file-change.ts'
import type { ConnectResult, connectGitHub } from '../github-access.ts'
import type { ActionInputs } from '../inputs.ts'
import type { RunVariables } from '../workflow-event.ts'

/** What a run did with the changes that it found, as the output `operation` says it. */
type Operation =
  /** Nothing was to do, or the mode writes nothing. */
  | 'none'
  | 'committed'
  /** The branch has moved, and a newer run brings it up to date. */
  | 'superseded'
  | 'pull-request-created'
  | 'pull-request-updated'
  | 'pull-request-unchanged'
  /** Nothing is left to do: the pull request was closed and its branch deleted. */
  | 'pull-request-closed'
  /** The head branch has commits of other authors, so it was kept. */
  | 'pull-request-kept'

/** The outcome of a run's changes. */
export interface Delivery {
  readonly operation: Operation
  /** Where the commit went. */
  readonly branch: string | undefined
  readonly commitSha: string | undefined
  /** Whether GitHub shows the commit as verified; undefined where it was not asked. */
  readonly isVerified: boolean | undefined
  readonly pullRequest: { readonly number: number; readonly url: string } | undefined
  /** Sentences for people. Names are in backticks. */
  readonly notes: readonly string[]
}

/** An update as it is delivered. */
export interface PlannedUpdate extends PlannedCommit {
  /** Documents have errors: their pages were left as they are, so that no changes does not mean that all is well. */
  readonly hasErrors: boolean
  /** What a pull request shows, with the commit that has the pages. */
  readonly renderBody: (commit: { readonly sha: string; readonly baseSha: string; readonly digest: string }) => string
}

export interface DeliverOptions {
  readonly mode: 'commit' | 'pull-request'
  /** Where the changes are to get to. */
  readonly branch: string
  readonly mayCreateBranch: boolean
  /** A commit that the remote is known to have: that of the event. */
  readonly knownSha: string | undefined
  readonly inputs: Pick<
    ActionInputs,
    'token' | 'githubToken' | 'commitMethod' | 'committer' | 'onProtected' | 'requireSigned' | 'commitMessage'
  >
  readonly variables: RunVariables
  /** Plans from the work tree; again each time that it has moved. See `CommitAndPushOptions.plan`. */
  readonly plan: (outdated: readonly AddedFile[]) => Promise<PlannedUpdate>
  readonly write: (changes: readonly FileChange[]) => Promise<void>
  /** Told what goes on, a line each. */
  readonly log: (line: string) => void
  /** Tests wait less. */
  readonly pace?: Parameters<typeof connectGitHub>[1]['pace']
}

/** What both ways of delivering have in common. */
export interface DeliveryTools extends DeliverOptions {
  readonly git: Git
  readonly connect: () => Promise<ConnectResult>
  /** By the API or by a push, as the inputs say and as can be done. */
  readonly publish: PublishCommit
  readonly isSuperseded: () => Promise<boolean>
  readonly restore: (files: readonly AddedFile[]) => Promise<void>
}

/** A delivery with nothing in it but what is said. */
export function toDelivery(delivery: Pick<Delivery, 'operation'> & Partial<Delivery>): Delivery {
  return { branch: undefined, commitSha: undefined, isVerified: undefined, pullRequest: undefined, notes: [], ...delivery }
}

/** What to say where a newer run does the work. */
export function toSuperseded(branch: string): Delivery {
  const notes = [`\`${branch}\` has moved, and a newer run of this workflow brings it up to date: this one left it alone.`]
  return toDelivery({ operation: 'superseded', notes })
}

/** What happened to the pull request of a run, in front of its number. */
export const operationLabels: { readonly [operation in Operation]: string } = {
  none: '',
  committed: '',
  superseded: '',
  'pull-request-created': 'Opened',
  'pull-request-updated': 'Updated',
  'pull-request-unchanged': 'Is up to date:',
  'pull-request-closed': 'Closed, as nothing is left to do:',
  'pull-request-kept': 'Left as it is:',
}

/** Describes the outcome of a run's changes, one sentence per line with names in backticks; without the commit. */
export function describeDelivery({ operation, pullRequest, notes }: Delivery): readonly string[] {
  const what = operationLabels[operation]
  const line = pullRequest && what !== '' ? [`${what} pull request #${pullRequest.number} (${pullRequest.url})`] : []
  return [...line, ...notes]
}
