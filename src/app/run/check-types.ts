import type { Diagnostic } from '../../diagnostic/diagnostic.ts'
import type { GitHubSetting, SiteSetting } from '../../docs/project-config.ts'
import type { ExtractedArchive } from '../../github/extract-archive.ts'
import type { FileChange } from '../../text/file-change.ts'
import type { DocumentReport, PageReport } from '../../update/types.ts'
import type { UpdateReport } from '../update-report.ts'

/** What the worker is asked to do. Plain data. */
export interface CheckRequest {
  /** The folder that the files of the archive were written to. */
  readonly folder: string
  readonly archive: Pick<ExtractedArchive, 'kept' | 'leftOut' | 'links' | 'refused'>
  readonly limitBytes: number
  /** The docs root, relative to the repository. */
  readonly root: string
  /** The contents of the files that `update` would write are only worth sending where they are to be committed. */
  readonly withChanges: boolean
  /** For a commit of a fork: the settings of the base repository, which hold in place of those of the commit. */
  readonly github?: GitHubSetting | undefined
}

/** What a check found. Plain data; paths are relative to the repository. */
export interface CheckedRepository {
  /** `nothing`: there is neither a `docs.json` in the root nor an OpenAPI document. `off`: the repository has switched the check off. */
  readonly kind: 'checked' | 'nothing' | 'off'
  readonly hasDocsConfig: boolean
  readonly github: GitHubSetting
  readonly site: SiteSetting
  readonly documents: readonly DocumentReport[]
  /** Only the pages that `update` would change, and those it keeps although their operation changed. */
  readonly pages: readonly PageReport[]
  readonly diagnostics: readonly Diagnostic[]
  readonly report: UpdateReport
  /** Files that `update` would add, change or remove. */
  readonly changeCount: number
  /** Empty unless asked for. */
  readonly changes: readonly FileChange[]
}

/** How a check ended. */
export type CheckEnd =
  | { readonly kind: 'done'; readonly checked: CheckedRepository }
  /** `reason` is a clause for the summary. The same files would end the same way, so there is no second try. */
  | { readonly kind: 'stopped'; readonly reason: string }
