import type { ChangeThreshold, DocumentComparison } from '../../changes/change.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'

/** A document in a check or comment. Compatible with `DocumentReport` of `update/types.ts`. */
export interface ReportedDocument {
  /** Path relative to the repository, or a URL. */
  readonly path: string
  readonly version: string | undefined
  /** Whether its pages can be updated, also with errors that rules of a ruleset report. Default: whether it has no errors. */
  readonly valid?: boolean
  readonly errorCount: number
  readonly warningCount: number
  readonly infoCount: number
}

/** A page that `update` would write, keep or remove. Compatible with `PageReport` of `update/types.ts`. */
export interface ReportedPage {
  readonly kind: 'added' | 'modified' | 'removed' | 'kept' | 'unchanged'
  /** Relative to the docs directory. */
  readonly path: string
  readonly document: string
  readonly operation: string
  /** The former path of a moved page. */
  readonly movedFrom?: string
  /** The former name of the operation. */
  readonly renamedFrom?: string
  readonly detail: string | undefined
}

/** The site of the head commit, for a check or comment. */
export interface ReportedSite {
  /** URL of the preview of the commit. */
  readonly url: string
  /** Screenshots of the most relevant page; absent if none were taken. */
  readonly screenshots?: { readonly light: string; readonly dark: string; readonly pageUrl: string }
  /** The first of `changedCount`. `url` is absent for a removed page. */
  readonly changedPages: readonly {
    readonly kind: 'added' | 'modified' | 'removed'
    readonly title: string
    readonly url?: string
  }[]
  readonly changedCount: number
  /** The pages of operations, such as `GET /pets` or `webhook newPet`, for links from API changes. */
  readonly operations?: readonly { readonly document: string; readonly operation: string; readonly url: string }[]
  /** An additional note: one trusted sentence of Markdown. */
  readonly note?: string
}

/** The changes of all documents of a docs directory. */
export interface ReportedApiChanges {
  /** The commit that the head commit was compared with. */
  readonly baseSha: string
  /** The setting `changes.failOn`. */
  readonly failOn: ChangeThreshold
  /** The setting `changes.comment`. */
  readonly comment: 'breaking' | 'any' | 'never'
  /** Documents with changes, and those that cannot be compared. */
  readonly documents: readonly DocumentComparison[]
}

/** The result of a run, for a check or comment. */
export interface Feedback {
  /** 40 hexadecimal digits. */
  readonly headSha: string
  /** Web URL of the repository that contains the head, for links to lines: `https://github.com/acme/api`. */
  readonly webUrl: string
  /** The head has older documents than the run, which copied newer ones from another repository and committed nothing. */
  readonly hasOlderDocuments?: true
  /** The commit before `headSha`, for links to removed pages. */
  readonly baseSha?: string
  /** The docs directory that `pages` are relative to, relative to the repository; absent for the repository itself. */
  readonly root?: string
  /**
   * `written`: the pages are committed to the branch. `proposed`: they are in a pull request. `planned`: an update would write
   * them.
   */
  readonly pagesAre: 'planned' | 'proposed' | 'written'
  /** The web page of the record or of the workflow run. */
  readonly detailsUrl: string
  readonly previewUrl?: string
  /** Absent if none was built. */
  readonly site?: ReportedSite
  /** The head is in a fork, and its preview has not been approved yet. */
  readonly isAwaitingApproval?: true
  readonly documents: readonly ReportedDocument[]
  readonly pages: readonly ReportedPage[]
  /** In display order within each severity. */
  readonly diagnostics: readonly Diagnostic[]
  /** Absent if the documents were not compared. */
  readonly apiChanges?: ReportedApiChanges
  /** Trusted sentences about the run, for example that a list of files is incomplete. */
  readonly notes: readonly string[]
}
