import type { Redirect } from '../docs/config-entries.ts'
import type { LockedPage, UnwrittenOperation } from '../docs/types.ts'
import type { BoundOperation, DeclaredDivision, DescriptionIndex, LockedPageState, ReplacementOf } from './types.ts'

/** Everything that the pages of a docs root are decided by. */
export interface PlanPagesInput {
  readonly divisions: readonly DeclaredDivision[]
  /** By `DeclaredSource.source`. A document that is not in it has errors that concern all of it, and its pages stay as they are. */
  readonly descriptions: ReadonlyMap<string, DescriptionIndex>
  /** Whether errors affect an operation of a description that has some: its page stays as it is, and it gets no new one. */
  readonly isAffected: (document: string, target: string) => boolean
  readonly lockedPages: readonly LockedPage[]
  readonly stateOf: (page: LockedPage) => LockedPageState
  /** Pages of the docs root that are not in the lock file, or were deleted by hand and are back: path with extension, and its text. */
  readonly otherPages: ReadonlyMap<string, string>
  /** The page or entry that stands for an operation in a division, where somebody wrote one; such an operation has no page of ours. */
  readonly replacementOf: ReplacementOf
  /** The operations that some of them are bound to. */
  readonly boundPages: ReadonlyMap<string, BoundOperation>
  /** What has no page in adopted divisions; see `LockFile.unwritten`. */
  readonly unwritten: readonly UnwrittenOperation[]
  /** Whether what has no page in an adopted division gets one. */
  readonly addsUnlisted: (division: DeclaredDivision) => boolean
  /** The text of a page of ours; absent where there is none. */
  readonly textOf: (path: string) => string | undefined
  /** Those of `docs.json`. */
  readonly redirects: readonly Redirect[]
  /** See `matchLockedPages`. */
  readonly renames: boolean
}
