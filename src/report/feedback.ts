import type { Diagnostic } from '../diagnostic/diagnostic.ts'

/** A document as check and comment show it. `DocumentReport` of `update/types.ts` fits. */
export interface ReportedDocument {
  /** Path relative to the repository, or a URL. */
  readonly path: string
  readonly version: string | undefined
  readonly errorCount: number
  readonly warningCount: number
  readonly infoCount: number
}

/** A page that `update` would write, keep or leave. `PageReport` of `update/types.ts` fits. */
export interface ReportedPage {
  readonly kind: 'added' | 'modified' | 'removed' | 'kept' | 'unchanged'
  /** Relative to the docs root. */
  readonly path: string
  readonly document: string
  readonly operation: string
  /** Where a page that was moved stood before. */
  readonly movedFrom?: string
  /** What the operation was called before. */
  readonly renamedFrom?: string
  readonly detail: string | undefined
}

/** The site that was built of the head, as check and comment show it. */
export interface ReportedSite {
  /** Where that commit is looked at. */
  readonly url: string
  /** Of the page that matters most; absent where none were taken. */
  readonly pictures?: { readonly light: string; readonly dark: string; readonly pageUrl: string }
  /** The first of `changedCount`. `url` is absent for a page that was removed. */
  readonly changedPages: readonly {
    readonly kind: 'added' | 'modified' | 'removed'
    readonly title: string
    readonly url?: string
  }[]
  readonly changedCount: number
  /** What else is to be known of it: one sentence of ours, as Markdown. */
  readonly note?: string
}

/** What a run found, as the check and the comment tell it. */
export interface Feedback {
  /** 40 hexadecimal digits. */
  readonly headSha: string
  /** The repository the head is in, for links to lines: `https://github.com/acme/api`. */
  readonly webUrl: string
  /** The commit before `headSha`, where pages are that it removed. */
  readonly baseSha?: string
  /** The docs root that `pages` are relative to, relative to the repository; the repository itself where absent. */
  readonly root?: string
  /**
   * Whether `headSha` has the pages as they are told and is in its branch, has them but waits for a merge, or an update would bring
   * them.
   */
  readonly pagesAre: 'planned' | 'proposed' | 'written'
  /** The page of the run for people: the record's, or that of the workflow run. */
  readonly detailsUrl: string
  readonly previewUrl?: string
  /** Absent where none was built. */
  readonly site?: ReportedSite
  /** The head is of a fork, and nobody has approved its preview yet. */
  readonly previewWaits?: true
  readonly documents: readonly ReportedDocument[]
  readonly pages: readonly ReportedPage[]
  /** In the order they are shown within one severity. */
  readonly diagnostics: readonly Diagnostic[]
  /** Sentences of ours about the run, such as that a list of files was cut. */
  readonly notes: readonly string[]
}
