import type { Redirect } from '../docs-config/config-entries.ts'
import type { OrderSetting, SchemaPages } from '../docs-config/project-config.ts'
import type { LockedPage, LockedSource, OperationTraits, PageBinding, UnwrittenOperation } from '../docs-config/types.ts'
import type { MintExtension, Tag } from '../openapi/types.ts'

/** What one page is about: an operation, a webhook with all its methods, a schema, or a group of operations. */
export interface PageSubject {
  /** Without a file. */
  readonly binding: PageBinding | Overview
  /** Names the subject inside its description: `GET /pets`, `webhook orderShipped`, `schema Pet`, `overview pets`. */
  readonly target: string
  readonly operationId: string | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
  /** The first tag, which decides folder and group. */
  readonly tag: string | undefined
  readonly deprecated: boolean | undefined
  readonly hidden: boolean
  readonly excluded: boolean
  readonly mint: MintExtension | undefined
  /** See `OperationFields.parameters`. */
  readonly parameters: readonly string[]
  /** Where the Operation Object stands. */
  readonly file: string
  readonly pointer: string
}

/** The first page of a group, which is bound to nothing: it says what the group is for, and lists its operations. */
export interface Overview {
  readonly kind: 'overview'
  /** Those of the group that the document declares. */
  readonly tags: readonly Tag[]
  /** The operations and webhooks of the group, in page order. */
  readonly members: readonly PageSubject[]
}

/** The subjects of one entry in the navigation. */
export interface SubjectGroup {
  readonly label: string
  readonly subjects: readonly PageSubject[]
}

/** A division that has, or had, pages of ours, with the documents it declares now. */
export interface DeclaredDivision {
  /** See `Division.id`; `''` for the documents of a docs root without `docs.json`. */
  readonly id: string
  /** The id that the lock file knows it by, when its label has changed since. */
  readonly lockedId: string | undefined
  readonly label: string
  /** In `docs.json`; absent without one. */
  readonly pointer: string | undefined
  readonly version: string | undefined
  /** `automatic`: one page per operation. `listed`: its pages are listed by hand. `virtual`: the host makes its pages. */
  readonly mode: 'automatic' | 'listed' | 'virtual'
  /** The `openapi` key stays on the division although pages are made. */
  readonly keepsKey: boolean
  readonly schemas: SchemaPages
  readonly overviews: boolean
  readonly sources: readonly DeclaredSource[]
  readonly order: OrderSetting
  /** The documents as the lock file knows them. */
  readonly lockedSources: readonly LockedSource[]
}

export interface DeclaredSource {
  /** Relative to the docs root, or a URL. */
  readonly source: string
  readonly directory: string
  /** Its entry stands in `docs.json` now; else only the lock file knows it. */
  readonly isInKey: boolean
  /** See `LockedSource.adopted`. */
  readonly adopted?: 'growing' | 'fixed' | undefined
}

/** What is on the disk at the path of a page in the lock file. `deleted` was recorded before; `missing` is news. */
export type LockedPageState = 'untouched' | 'edited' | 'missing' | 'deleted'

/** All pages of ours, those to be and those that were. Plain data: it can be printed and compared. */
export interface PagePlan {
  readonly divisions: readonly PlannedDivision[]
  /** Pages in the lock file that no operation asks for any more. */
  readonly gone: readonly GonePage[]
  /** Pages in the lock file that stay as they are, because their document has faults or their division is not to be found. */
  readonly frozen: readonly FrozenPage[]
  /** See `LockFile.unwritten`. */
  readonly unwritten: readonly UnwrittenOperation[]
}

export interface PlannedDivision {
  readonly id: string
  /** In navigation order. */
  readonly groups: readonly PlannedGroup[]
  /** The groups in the order that they were listed by before, where the setting has changed since. */
  readonly formerGroups: readonly PlannedGroup[] | undefined
  /** The documents all of whose operations have a page here, of ours or somebody's; `DeclaredSource.source`. */
  readonly served: readonly string[]
}

export interface PlannedGroup {
  readonly label: string
  /** See `DeclaredSource.source`. */
  readonly source: string
  readonly pages: readonly PlannedPage[]
}

export interface PlannedPage {
  /** Relative to the docs root, with extension. */
  readonly path: string
  /** `by-hand`: somebody's own page for this operation stands at the path. `deleted`: was deleted by hand and stays so. */
  readonly kind: 'generated' | 'by-hand' | 'deleted'
  /** See `LockedPage.document`. */
  readonly document: string
  readonly target: string
  readonly traits: OperationTraits
  /** The page as the lock file has it; absent for a new page. Its path is another one where the page moves. */
  readonly previous: LockedPage | undefined
  /** Label of the group that the entry of its path was put into: its own, or that of a page that leaves the path to it. */
  readonly formerGroup: string | undefined
  /** What is written to the path. */
  readonly content: string
  /** See `LockedPage.adopted`. */
  readonly adopted?: LockedPage['adopted'] | undefined
  /** Why nothing happens to the page: its record and its file stay as they are, whatever else is said here. */
  readonly frozen?: string
}

export interface GonePage {
  readonly path: string
  readonly division: string
  readonly document: string
  readonly target: string
  /** In a few words: `operation removed`. */
  readonly reason: string
}

export interface FrozenPage {
  readonly path: string
  readonly division: string
  /** In a few words: `its document has faults`. */
  readonly reason: string
}

/** A description as pages look at it. */
export interface DescriptionIndex {
  /** Operations and webhooks in page order; hidden and excluded ones are in it. */
  readonly subjects: readonly PageSubject[]
  readonly byTarget: ReadonlyMap<string, PageSubject>
  readonly tags: readonly Tag[]
  /** In document order; hidden and excluded ones are in it. */
  readonly schemas: readonly PageSubject[]
  readonly schemaNames: ReadonlySet<string>
}

/** The operation that a page of somebody else is bound to. */
export interface BoundOperation {
  readonly source: string
  readonly target: string
}

/** What somebody wrote for an operation. */
export interface Replacement {
  readonly words: string
  /** With extension; absent for an entry that the host makes the page of. */
  readonly path?: string
}

/** Tells what stands for an operation in a division; see `PlanPagesInput.replacementOf`. */
export type ReplacementOf = (division: DeclaredDivision, source: string, target: string) => Replacement | undefined

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
