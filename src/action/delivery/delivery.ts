/** What a run did with the changes that it found, as the output `operation` says it. */
export type Operation =
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
  /** The branch of the pull request has commits of somebody else and was left as it is. */
  | 'pull-request-kept'

/** What became of the changes of a run. */
export interface Delivery {
  readonly operation: Operation
  /** Where the commit went. */
  readonly branch: string | undefined
  readonly commitSha: string | undefined
  /** Whether GitHub shows the commit as verified; undefined where it was not asked. */
  readonly isVerified: boolean | undefined
  readonly pullRequest: { readonly number: number; readonly url: string } | undefined
  /** What a person should know about it, each a sentence of ours with names in backticks. */
  readonly notes: readonly string[]
}

/** A delivery with nothing in it but what is said. */
export function toDelivery(delivery: Pick<Delivery, 'operation'> & Partial<Delivery>): Delivery {
  return { branch: undefined, commitSha: undefined, isVerified: undefined, pullRequest: undefined, notes: [], ...delivery }
}
