import type { RuleSettings } from '../diagnostics/apply-rules.ts'
import type { Diagnostic, Finding } from '../diagnostics/diagnostic.ts'
import type { UpdateSetting } from '../docs-config/project-config.ts'
import type { Files } from '../files/files.ts'
import type { FetchDocument } from '../openapi/document-set.ts'
import type { Description } from '../openapi/types.ts'
import type { FileChange, LineEnding } from '../source/file-change.ts'
import type { LimitValues } from '../source/limits.ts'
import type { SourceFile } from '../source/source-file.ts'

/** What an update is asked to do. All paths are relative to the boundary with `/`. */
export interface UpdateOptions {
  /** The docs directory: the folder of `docs.json`; `''` is the boundary itself. */
  readonly root: string
  /** Documents beside those that `docs.json` names: paths or URLs. */
  readonly documents: readonly string[]
  /** Where the pages of `documents` go when the docs directory has no `docs.json`, relative to the docs directory. */
  readonly directory: string
  /** A setting of the caller that wins over the configuration file: keep every division virtual. */
  readonly materialise?: boolean
  /** What the pages are for, see `PagesFor`. Default: `repository`. */
  readonly pagesFor?: PagesFor
  /** A setting of the caller that wins over the configuration file: whether operations are known again by what they have in common. */
  readonly renames?: boolean
  /** A setting of the caller that wins over the configuration file; see `UpdateSetting.onError`. */
  readonly onError?: UpdateSetting['onError'] | undefined
}

/**
 * `repository`: pages are written, so nothing is made of a document that has errors. `site`: they are only shown, so what could be read of it is,
 * and so are the `x-webhooks` of descriptions. `adoption`: existing pages are recorded, for which it is enough that their operation could be read.
 */
export type PagesFor = 'repository' | 'site' | 'adoption'

/** The outside of an update: what Action, app and CLI pass in. */
export interface UpdateEnvironment {
  readonly files: Files
  /** Loads a document by its URL; refuses what no setting allows. */
  readonly fetchDocument: FetchDocument
  /** Which of these paths git ignores; absent where there is no git. */
  readonly findIgnored?: (paths: readonly string[]) => Promise<readonly string[]>
  /** The line endings that `.gitattributes` wants of files; absent where there is no git. */
  readonly findLineEndings?: (paths: readonly string[]) => Promise<ReadonlyMap<string, LineEnding>>
  /** Reports what only the caller knows about the documents that were read, for example that they are not committed. */
  readonly checkDocuments?: (documents: readonly ReadDocument[], pages: readonly PageReport[]) => Promise<readonly Finding[]>
  /** Levels of findings that win over those of the configuration file; only checks ask for them. */
  readonly rules?: RuleSettings['severities']
  /** What the limits of the configuration file can be set to at most, where it is a stranger's. Default: the bounds of each. */
  readonly limitCeilings?: LimitValues
  /** Told before each step that can take long; for a progress line. */
  readonly onProgress?: (step: string) => void
}

/** A description that was read, for `UpdateEnvironment.checkDocuments`. */
export interface ReadDocument {
  /** Path of the entry document relative to the boundary, or its URL. */
  readonly path: string
  readonly isValid: boolean
  readonly description: Description | undefined
  /** Every file and URL that it was read from. */
  readonly files: readonly string[]
}

/** A file or URL that descriptions were read from. */
export interface DocumentFile {
  /** Relative to the boundary, or a URL. */
  readonly path: string
  /** Whether it belongs to a description without errors. */
  readonly isValid: boolean
}

/**
 * Everything an update found and would change; nothing is written yet.
 *
 * Plain data. Paths of pages are relative to the docs directory; paths of files in `changes` and `diagnostics` to the boundary.
 */
export interface Update {
  readonly root: string
  /** Whether the docs directory has a `docs.json`. */
  readonly hasDocsConfig: boolean
  /** Every document that was checked, in the order they were named. */
  readonly documents: readonly DocumentReport[]
  /** Every file and URL that the documents were read from, sorted by path. */
  readonly documentFiles: readonly DocumentFile[]
  /** Every page the plan knows, sorted by path. */
  readonly pages: readonly PageReport[]
  /** Divisions whose pages are written into the repository for the first time by this update. */
  readonly materialised: readonly MaterialisedDivision[]
  /** Navigation entries added to and removed from `docs.json`. */
  readonly navigation: { readonly added: number; readonly removed: number }
  readonly diagnostics: readonly Diagnostic[]
  /** Sorted by path; empty when everything is up to date. */
  readonly changes: readonly FileChange[]
}

/** An update beside what it was planned on, so that nobody reads it again to show where a diagnostic stands. */
export interface UpdateWithSources extends Update {
  /** The files that diagnostics stand in, as they were read. */
  readonly sourceOf: (file: string) => SourceFile | undefined
  /** How many pages are bound to something and made by others; they are not kept up to date before they are adopted. */
  readonly otherBoundCount: number
}

/** One description as the reports name it. */
export interface DocumentReport {
  /** Path of the entry document, or its URL. */
  readonly path: string
  /** As the document writes it; absent when it could not be told. */
  readonly version: string | undefined
  readonly valid: boolean
  readonly operationCount: number
  readonly webhookCount: number
  readonly schemaCount: number
  /** Counts over the entry document and all it references. */
  readonly errorCount: number
  readonly warningCount: number
  readonly infoCount: number
  /** Problems that the baseline knows; they are in no other count. Absent for none. */
  readonly knownCount?: number
  /** Operations and webhooks whose pages stay as they are because of errors, while others are updated; absent where all or none are. */
  readonly skipped?: readonly string[]
  /** Where its pages go, for example `API Reference (api-reference/)`; empty when it makes none. */
  readonly divisions: readonly string[]
}

/** What happens to one page. */
export interface PageReport {
  readonly kind: 'added' | 'modified' | 'removed' | 'kept' | 'unchanged'
  /** Relative to the docs directory, with extension. */
  readonly path: string
  /** The document of the page's operation. */
  readonly document: string
  /** `GET /pets`, or `webhook orderShipped`. */
  readonly operation: string
  /** Where a page that was moved stood before: relative to the docs directory, with extension. */
  readonly movedFrom?: string
  /** What the operation was called before. */
  readonly renamedFrom?: string
  /** Why, in a few words: `title changed`, `operation removed`, `edited by hand, kept`. */
  readonly detail: string | undefined
}

export interface MaterialisedDivision {
  /** The division's own words, for example `API Reference`. */
  readonly label: string
  /** JSON Pointer of the division in `docs.json`. */
  readonly pointer: string
  readonly source: string
  readonly directory: string
  readonly pageCount: number
}

/** What a check of documents found. */
export interface CheckReport {
  /** The baselines that were used, by path relative to the boundary, with the text that makes all that was found known. */
  readonly baselines: readonly { readonly path: string; readonly next: string }[]
  readonly documents: readonly DocumentReport[]
  readonly diagnostics: readonly Diagnostic[]
  /** The files that diagnostics stand in, as they were read. */
  readonly sourceOf: (file: string) => SourceFile | undefined
}
