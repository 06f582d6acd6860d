import type { Update } from '../update/types.ts'
import type { Delivery } from './delivery/delivery.ts'
import type { FilesChangedReport } from './find-files-changed.ts'
import type { Mode } from './inputs.ts'
import type { RunLinks } from './run-links.ts'

/** What a run did and found. */
export interface ActionReport {
  readonly mode: Mode
  /** GitHub's name of the event, such as `push`. */
  readonly eventName: string
  readonly links: RunLinks
  /** Where commits went or were to go; undefined in the other modes. */
  readonly branch: string | undefined
  /** Why less was done than was asked for. */
  readonly note: string | undefined
  /** The folder, absolute, that paths in `update` are relative to. */
  readonly boundary: string
  /** All docs roots together (`mergeUpdates`). Undefined where the run ended before anything was found out. */
  readonly update: Update | undefined
  /** One for each docs root, sorted by its path. */
  readonly updates: readonly Update[]
  /** The commit that `update` was found out at; `''` where there is none. */
  readonly plannedAt: string
  /** Undefined where the run ended before that was looked at. */
  readonly filesChanged: FilesChangedReport | undefined
  /** The commit that was made, on `branch`. */
  readonly commitSha: string | undefined
  /** Files beside the pages that are in the commit, or would be, such as documents that a step regenerated. Sorted paths. */
  readonly addedFiles: readonly string[]
  /** What became of the changes; undefined where the mode writes nothing, or the run failed before. */
  readonly delivery: Delivery | undefined
  /** Sentences on what could not be told to people, such as a comment; the run goes on without. */
  readonly troubles: readonly string[]
  /** What stopped the run, as it was thrown; findings do not. Several only where several inputs cannot be used. */
  readonly failures: readonly unknown[]
  /** What came of telling the app; undefined where no `app-url` is set. */
  readonly app: AppResult | undefined
}

/** What came of telling the app about a run. */
export interface AppResult {
  /** The records that were made, one for each docs root. */
  readonly records: readonly { readonly root: string; readonly statusId: string; readonly detailsUrl: string | undefined }[]
  /** Why one was not made, and what to do; one line. */
  readonly trouble: string | undefined
  /** Whether the trouble is to be expected of this event, so that a word in the log is enough. */
  readonly isExpected: boolean
}
