import type { Finding } from '../../diagnostic/diagnostic.ts'
import type { CollectedOperation, PathItemEntry } from '../collect-operations.ts'
import type { WalkedDocument } from '../document-set.ts'
import type { FindUri } from '../find-uri.ts'
import type { FollowReference, Place } from '../follow-reference.ts'
import type { MetObjects } from '../met-objects.ts'
import type { Suggest } from '../walk.ts'
import type { OpenApiRelease } from '../types.ts'
import type { ListParameters } from './list-parameters.ts'

/** What a check sees: the walked description with its operations. */
export interface CheckContext {
  readonly release: OpenApiRelease
  /** The entry document. */
  readonly root: Place
  /** The entries of `paths`. */
  readonly paths: readonly PathItemEntry[]
  /** Under `paths`, in page order. */
  readonly operations: readonly CollectedOperation[]
  /** Under `webhooks`. */
  readonly webhookOperations: readonly CollectedOperation[]
  /** In the callbacks of all operations. */
  readonly callbackOperations: readonly CollectedOperation[]
  readonly follow: FollowReference
  readonly findUri: FindUri
  /** Every file that could be parsed, by its path. */
  readonly documents: ReadonlyMap<string, WalkedDocument>
  readonly met: MetObjects
  readonly listParameters: ListParameters
  readonly suggest: Suggest
}

/** A rule that no single object tells. A check never repeats what the walk has reported: values of the wrong type are passed over. */
export type Check = (context: CheckContext, report: (finding: Finding) => void) => void
