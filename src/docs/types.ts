import type { DescriptionCheck } from '../checks/check-description.ts'
import type { Diagnostic, Finding } from '../diagnostics/diagnostic.ts'
import type { RuleSettings } from '../diagnostics/finish-diagnostics.ts'
import type { Files } from '../files/files.ts'
import type { PublicOnly } from '../openapi/public/restriction-marks.ts'
import type { Description, FetchDocument } from '../openapi/types.ts'
import type { Answer } from '../text/errors.ts'
import type { LimitValues } from '../text/plain/limits.ts'
import type { FileChange, LineEnding, SourceFile } from '../text/plain/source-file.ts'
import type { KeptRecordings } from '../traffic/read-recording.ts'
import type { BaselineEntry } from './baseline.ts'
import type { AudienceTerms } from './config/audience-settings.ts'
import type { UpdateSetting } from './config/project-config.ts'
import type { BindableDocument } from './pages/page-bindings.ts'
import type { PageReport } from './pages/subjects.ts'
/** The options of an update. All paths are relative to the boundary, with `/`. */
export interface UpdateOptions {
  /** The docs directory, that is the folder of `docs.json`. `''` is the boundary itself. */
  readonly root: string
  /** Paths or URLs of documents in addition to those in `docs.json`. Default: none. */
  readonly documents?: readonly string[] | undefined
  /** Where the pages of `documents` go without a `docs.json`, relative to the docs directory. Default: `defaultDirectory`. */
  readonly directory?: string | undefined
  /** Overrides the setting `materialize` of all divisions. */
  readonly materialize?: boolean
  /** What the pages are for, see `PagesFor`. Default: `repository`. */
  readonly pagesFor?: PagesFor
  /** Overrides the setting `renames`: whether renamed operations are detected by similarity. */
  readonly renames?: boolean
  /** Overrides the setting `update.onError`, see `UpdateSetting.onError`. */
  readonly onError?: UpdateSetting['onError'] | undefined
  /** Overrides the setting `update.remove`: whether many pages may be removed at once because of a document elsewhere. */
  readonly remove?: boolean
  /** Documents of other repositories. The update stores those of its docs directory. Default: none. */
  readonly stored?: readonly StoredDocument[]
}

/**
 * `repository`: pages are written, so documents with errors are skipped. `site`: pages are only shown, including the readable parts of
 * documents with errors and `x-webhooks`. `document`: like `site`, for a site of one document, see `nameForDocumentSite`. `adoption`: existing pages are recorded if their operation could be read.
 */
export type PagesFor = 'repository' | 'site' | 'document' | 'adoption'

/** What may be read, and how much. */
export interface DocsAccess {
  readonly files: Files
  /** For rulesets that the user named, which can be outside the boundary. Default: `files`. */
  readonly rulesetFiles?: Files
  /** Loads a document by URL, unless the settings forbid it. */
  readonly fetchDocument: FetchDocument
  /** Absent without Git. */
  readonly git?: GitFacts
  /** Upper bounds for the limits in an untrusted configuration file. Default: the bounds of each limit. */
  readonly limitCeilings?: LimitValues
  /** The time that is left for the rulesets of all documents, which several docs directories can share. Default: `maxRulesetMs` for each of them. */
  readonly rulesetTime?: { leftMs: number }
  /** The descriptions that were checked, so that a second step need not check them again. Absent if there is one step. */
  readonly checkedDescriptions?: Map<string, Promise<DescriptionCheck>>
  /** Where documents of the lock file are now, if an earlier step followed those that a person moved. `files` are as after it. */
  readonly movedDocuments?: ReadonlyMap<string, string>
  /** Recordings that an earlier check has read. Editors check often. */
  readonly recordings?: KeptRecordings
}

/** What only Git knows about files. */
export interface GitFacts {
  /** Returns the paths that Git ignores. */
  readonly findIgnored?: (paths: readonly string[]) => Promise<Answer<readonly string[]>>
  /** Returns the files below a folder that are absent although nothing shows that a person deleted them, as in a sparse checkout. */
  readonly findLeftOut?: (folder: string) => Promise<Answer<readonly string[]>>
  /** Returns the date of the newest commit of each file in some files and folders: ISO 8601. None in a shallow clone. */
  readonly findDates?: (paths: readonly string[]) => Promise<Answer<ReadonlyMap<string, string>>>
  /** Returns the date of the commit that wrote a line of a file. */
  readonly findLineDate?: (path: string, line: number) => Promise<Answer<string | undefined>>
  /** Returns the line endings that `.gitattributes` requires. */
  readonly findLineEndings?: (paths: readonly string[]) => Promise<Answer<ReadonlyMap<string, LineEnding>>>
}

/** How documents are checked, besides the settings in their configuration file. */
export interface CheckTerms extends AudienceTerms {
  /** Overrides the rules of the configuration file. */
  readonly rules?: RuleSettings['severities'] | undefined
  /**
   * Spectral rulesets for all documents: paths relative to the boundary, or URLs that the user named. `none`: no rulesets. Default: those
   * of the configuration file.
   */
  readonly rulesets?: readonly string[] | 'none' | undefined
  /** False: exceptions in documents have no effect. Default: the setting `inlineIgnore`. */
  readonly inlineIgnore?: boolean
  /** Overlays that apply to every document: URLs, or paths relative to the boundary. Default: those of `docs.json`. */
  readonly overlays?: readonly string[] | undefined
  /** The ruleset of the organization that owns the repository. Default: none. */
  readonly organization?: OrganizationCheck | undefined
  /** Recordings in place of those of the configuration file, relative to the boundary, and the date of the oldest. */
  readonly traffic?: { readonly recordings?: readonly string[]; readonly since?: string } | undefined
  /** Checks leave out what a site does not publish. `hides`: whether a part of a document is restricted although the document does not say so. */
  readonly publicOnly?: (Omit<PublicOnly, 'hides'> & { readonly hides: (source: string, target: string) => boolean }) | undefined
}

/** How an update or a check reports. */
export interface Reporting {
  /** Called before each step that can take long. */
  readonly onProgress?: OnProgress | undefined
  /** Reports problems that only the caller knows, for example that a document is not committed. Only called by an update. */
  readonly checkDocuments?: (documents: readonly ReadDocument[], pages: readonly PageReport[]) => Promise<readonly Finding[]>
}

export type OnProgress = (step: string) => void

/** How the ruleset of an organization applies to the documents of one of its repositories. */
export interface OrganizationCheck {
  /** Finds the problems of a description, each with `isOfOrganization`. */
  readonly apply: (path: string, check: DescriptionCheck) => Promise<readonly Finding[]>
  /** The problems that are not reported. `all`: none is reported. */
  readonly known: readonly BaselineEntry[] | 'all'
}

/** A description that was read, for `Reporting.checkDocuments`. */
export interface ReadDocument extends Pick<CheckedDocument, 'path' | 'isValid' | 'description'> {
  /** All files and URLs of the description. */
  readonly files: readonly string[]
}

/** A file or URL of one or more descriptions. */
export interface DocumentFile {
  /** Relative to the boundary, or a URL. */
  readonly path: string
  /** Whether it is part of a description without errors. */
  readonly isValid: boolean
}

/**
 * A planned update. Nothing is written yet.
 *
 * Plain data. Paths of pages are relative to the docs directory. Paths in `changes` and `diagnostics` are relative to the boundary.
 */
export interface Update {
  readonly root: string
  /** Whether the docs directory has a `docs.json`. */
  readonly hasDocsConfig: boolean
  /** Whether the configuration has audiences. */
  readonly hasAudiences: boolean
  /** See `DocsDirectory`. */
  readonly configPath: string
  /** All checked documents, in the order they are named. */
  readonly documents: readonly DocumentReport[]
  /** All files and URLs of the documents, sorted by path. */
  readonly documentFiles: readonly DocumentFile[]
  /** All pages of the plan, sorted by path. */
  readonly pages: readonly PageReport[]
  /** Divisions whose pages are written to the repository for the first time. */
  readonly materialized: readonly MaterializedDivision[]
  /** Number of navigation entries added to and removed from `docs.json`. */
  readonly navigation: { readonly added: number; readonly removed: number }
  readonly diagnostics: readonly Diagnostic[]
  /** Whether documents or the settings of their pages have errors, so that not all changes are known. Errors in other pages hide none. */
  readonly hasUnknownChanges: boolean
  /** Sorted by path. Empty if everything is up to date. */
  readonly changes: readonly FileChange[]
  /** The documents of other repositories that the update adds or changes. Absent without `UpdateOptions.stored`. */
  readonly stored?: readonly StoredChange[]
  /** All problems that the rules of the organization find, also those that `diagnostics` does not have. Absent without rules. */
  readonly organizationFindings?: readonly Finding[]
}

/** A document of another repository, and the file of a docs directory that an update stores it in. */
export interface StoredDocument {
  /** The docs directory, relative to its boundary. */
  readonly root: string
  /** Relative to the boundary of the docs directory. */
  readonly path: string
  readonly text: string
  readonly origin: DocumentOrigin
}

/** Where a stored document comes from. */
interface DocumentOrigin {
  /** `acme/api`. */
  readonly repository: string
  /** `https://github.com/acme/api`. */
  readonly webUrl: string
  /** The commit that it was read from. */
  readonly sha: string
  /** Relative to that repository. */
  readonly path: string
}

/** A document of another repository in `Update.changes`. */
export interface StoredChange {
  readonly kind: 'added' | 'modified'
  /** Relative to the boundary. */
  readonly path: string
  readonly origin: DocumentOrigin
}

/** An update with the source files of its diagnostics, so that they need not be read again. */
export interface UpdateWithSources extends Update {
  /** Returns the source file of a diagnostic, as it was read. */
  readonly sourceOf: (file: string) => SourceFile | undefined
  /** See `listPageRows`. */
  readonly table: readonly PageRow[]
}

/** One description in reports. */
export interface DocumentReport {
  /** Path of the entry document, or its URL. */
  readonly path: string
  /** The value of `openapi` in the document, if it could be read. */
  readonly version: string | undefined
  readonly valid: boolean
  readonly operationCount: number
  readonly webhookCount: number
  readonly schemaCount: number
  /** Counts over the entry document and all files it references. */
  readonly errorCount: number
  readonly warningCount: number
  readonly infoCount: number
  /** Number of problems listed in the baseline, which no other count includes. Absent if there are none. */
  readonly knownCount?: number
  /** Operations and webhooks that are not updated because of errors, while others of the document are. Absent if all or none are updated. */
  readonly skipped?: readonly string[]
  /** Absent if errors stop no page. */
  readonly stopped?: StoppedPages
  /** Operations without a page that shows them, and pages without an operation, that need a decision. Absent if there are none. */
  readonly open?: readonly string[]
  /** Where its pages go, for example `API Reference (api-reference/)`. Empty if it has no generated pages. */
  readonly divisions: readonly string[]
}

/** The pages of a document that are not updated, or not shown, because of its errors. */
export interface StoppedPages {
  /** Operations and webhooks without a current page: `GET /pets`. Empty if the document cannot be read. */
  readonly operations: readonly string[]
  /** What would update pages before the errors are fixed, such as `update.onError: operation`. */
  readonly setting: string | undefined
}

/** Number of files with recordings, and of their exchanges. */
export type TrafficCounts = Readonly<Record<'files' | 'compared' | 'undocumented' | 'outside' | 'unreadable' | 'old', number>>

/** A document and the result of its check. */
export interface CheckedDocument extends BindableDocument {
  /** Relative to the boundary, or a URL. */
  readonly path: string
  readonly description: Description | undefined
  /** The complete check with all files that were read. */
  readonly check: DescriptionCheck
  readonly findings: readonly Finding[]
  /** What the rules of the organization find, including what `findings` has too. See `addOrganizationFindings`. */
  readonly organizationFindings: readonly Finding[]
  readonly isValid: boolean
  /** What the errors of the document affect. Only set with `update.onError: operation`. */
  readonly affected: AffectedSubjects | undefined
  /** What its errors stop. Only set if it has pages. */
  readonly stopped: StoppedPages | undefined
  /** See `DocumentReport.open`. */
  readonly open?: readonly string[] | undefined
  /** Whether the file could be read. */
  readonly isLoaded: boolean
  /** The rulesets that were applied. */
  readonly ruleset: UsedRuleset | undefined
}

/** The pages that the errors of a document affect. */
export type AffectedSubjects =
  | { readonly kind: 'document'; readonly error: Finding }
  | { readonly kind: 'subjects'; readonly findError: (target: string) => Finding | undefined }

/** Which page shows an operation in one branch of the navigation, or why none does. */
export interface PageRow {
  /** The labels of the languages, versions and products around: `en / v2`. `''` without any. */
  readonly branch: string
  /** The ID of its division. */
  readonly division: string
  /** A path relative to the docs directory, or a URL. */
  readonly document: string
  /** `GET /pets`, `webhook orderShipped`, or `schema Pet`. */
  readonly operation: string
  /** The page file relative to the docs directory, with extension. */
  readonly page: string | null
  /** The URL path of a page file. */
  readonly url: string | null
  readonly title: string
  readonly state:
    | 'generated'
    | 'entry'
    | 'own page'
    | 'moved'
    | 'kept by hand'
    | 'unlisted'
    | 'hidden'
    | 'excluded'
    | 'restricted'
    | 'error'
    | 'skipped'
  readonly reason: string
  /** Whether it needs a decision: no setting and no problem of its document explains it. */
  readonly isOpen: boolean
}

export interface MaterializedDivision {
  /** The label of the division, for example `API Reference`. */
  readonly label: string
  readonly source: string
  readonly directory: string
  readonly pageCount: number
}

/** The rulesets that apply to a document together. */
export interface UsedRuleset {
  /** Paths relative to the boundary, URLs, or names such as `spectral:oas`. */
  readonly names: readonly string[]
  /** The rules for the version of the document. */
  readonly rules: readonly string[]
  /** All files that they consist of. */
  readonly files: readonly string[]
}

/** A baseline, with its path relative to the boundary and its new text. `before`: its text. `fault`: why what exists there is no baseline. */
export interface BaselineFile extends Readonly<Record<'path' | 'next', string>> {
  readonly before?: string
  readonly fault?: string
}

/** The result of a check. */
export interface CheckReport extends Pick<Update, 'documents' | 'diagnostics' | 'organizationFindings'> {
  readonly baselines: readonly BaselineFile[]
  /** The rulesets that were applied, each once. */
  readonly rulesets: readonly UsedRuleset[]
  /** The problems that are reported once for many places. */
  readonly repeated: readonly Finding[]
  readonly checks: readonly DescriptionCheck[]
  /** For each configuration with recordings. */
  readonly traffic: readonly TrafficCounts[]
  /** Returns the source file of a diagnostic, as it was read. */
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/** What the pages and the navigation of a version of the files restrict, and its overlays. All paths are relative to the boundary. */
export interface RestrictedVersion {
  /** Documents that only restricted divisions name. */
  readonly documents: ReadonlySet<string>
  readonly publicOnly: NonNullable<CheckTerms['publicOnly']>
  readonly overlaysOf: (path: string) => readonly string[]
}
