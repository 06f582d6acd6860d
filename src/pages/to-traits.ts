import type { OperationTraits } from '../docs/types.ts'
import { toWellFormed } from '../text/escape-text.ts'
import type { PageSubject } from './types.ts'

/** Longest part of a summary that the lock file keeps. */
const maxSummary = 200

/** What the lock file keeps of an operation, beside its name, to tell it again. `group` is the label of the group that lists its page. */
export function toTraits({ operationId, summary, parameters, mint }: PageSubject, group: string): OperationTraits {
  return {
    operationId,
    group,
    summary: summary === undefined ? undefined : toWellFormed(summary.slice(0, maxSummary)),
    parameters: parameters.length === 0 ? undefined : parameters,
    href: mint?.href,
  }
}
