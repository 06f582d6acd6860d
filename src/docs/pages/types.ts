import type { Label, MintExtension, Tag, TagGroup } from '../../openapi/types.ts'
import type { OrderSetting, SchemaPages } from '../config/project-config.ts'
import type { Redirect } from '../navigation/redirects.ts'
import type { PageBinding } from '../navigation/types.ts'
import type { LockedPage, LockedSource, OperationTraits, UnwrittenOperation } from './lock-file.ts'

/** The subject of a page: an operation, a webhook with all its methods, a schema, or a group of operations. */
export interface PageSubject {
  /** Without a file. */
  readonly binding: PageBinding | Overview
  /** Identifies the subject within its description: `GET /pets`, `webhook orderShipped`, `schema Pet`, `overview pets`. */
  readonly target: string
  readonly operationId: string | undefined
  readonly summary: string | undefined
  /** Replaces the summary in the path of the page. Only on a site of one document. */
  readonly pathName?: string
  readonly description: string | undefined
  /** The first tag, which determines directory and group. */
  readonly tag: string | undefined
  readonly deprecated: boolean | undefined
  readonly hidden: boolean
  readonly excluded: boolean
  readonly mint: MintExtension | undefined
  /** See `readLabels`. Absent without labels. */
  readonly labels?: readonly Label[]
  /** See `OperationFields.parameters`. */
  readonly parameters: readonly string[]
  /** File of the Operation Object. */
  readonly file: string
  readonly pointer: string
}

/** The first page of a group. It has no binding, describes the group and lists its operations. */
export interface Overview {
  readonly kind: 'overview'
  /** Tags of the group that the document declares. */
  readonly tags: readonly Tag[]
  /** Operations and webhooks of the group, in page order. */
  readonly members: readonly PageSubject[]
}

/** A division that has or had generated pages, with its current documents. */
export interface DeclaredDivision {
  /** See `Division.id`. `''` for the documents of a docs directory without `docs.json`. */
  readonly id: string
  /** The ID in the lock file. It differs from `id` if a label or the order of equal labels has changed since. */
  readonly lockedId: string
  readonly label: string
  /** Pointer in `docs.json`. Absent without a `docs.json`. */
  readonly pointer: string | undefined
  readonly version: string | undefined
  /** `automatic`: one page per operation. `listed`: you list its pages manually. `virtual`: the host generates its pages. */
  readonly mode: 'automatic' | 'listed' | 'virtual'
  /** The `openapi` key stays on the division even though pages are generated. */
  readonly keepsKey: boolean
  readonly schemas: SchemaPages
  /** Whether each group has an overview as a page file. */
  readonly overviews: boolean
  readonly sources: readonly DeclaredSource[]
  readonly order: OrderSetting
  /** The documents in the lock file. */
  readonly lockedSources: readonly LockedSource[]
}

export interface DeclaredSource {
  /** A URL, or a path relative to the docs directory. */
  readonly source: string
  readonly directory: string
  /** Whether `docs.json` names the document. Otherwise only the lock file does. */
  readonly isInKey: boolean
  /** See `LockedSource.adopted`. */
  readonly adopted?: 'growing' | 'fixed' | undefined
}

/** The state of a locked page on disk. `deleted` was recorded earlier. `missing` is a new deletion. */
export type LockedPageState = 'untouched' | 'edited' | 'missing' | 'deleted'

/** All current and former generated pages, as plain data that can be printed and compared. */
export interface PagePlan {
  readonly divisions: readonly PlannedDivision[]
  /** Locked pages without an operation. */
  readonly gone: readonly GonePage[]
  /** Locked pages to leave unchanged, because their document has errors or their division was not found. */
  readonly frozen: readonly FrozenPage[]
  /** See `LockFile.unwritten`. */
  readonly unwritten: readonly UnwrittenOperation[]
}

export interface PlannedDivision {
  readonly id: string
  /** In navigation order. */
  readonly groups: readonly PlannedGroup[]
  /** The groups in their previous order, if the order setting has changed. */
  readonly formerGroups: readonly PlannedGroup[] | undefined
  /** Documents with a generated or hand-written page for every operation; see `DeclaredSource.source`. */
  readonly served: readonly string[]
}

/** A navigation group. */
export interface NavigationGroup {
  readonly label: string
  /** The labels of the groups that contain it, outermost first. */
  readonly parents: readonly string[]
}

export interface PlannedGroup extends NavigationGroup {
  /** See `DeclaredSource.source`. */
  readonly source: string
  readonly pages: readonly PlannedPage[]
}

export interface PlannedPage {
  /** Relative to the docs directory, with extension. */
  readonly path: string
  /**
   * `by-hand`: a hand-written page for this operation exists at the path. `deleted`: the page was deleted manually and is not
   * restored.
   */
  readonly kind: 'generated' | 'by-hand' | 'deleted'
  /** See `LockedPage.document`. */
  readonly document: string
  readonly target: string
  readonly traits: OperationTraits
  /** The record in the lock file. Absent for a new page. Its path differs if the page moves. */
  readonly previous: LockedPage | undefined
  /** Label of the group that the entry was added to: the page's own group, or that of a page that moved away from this path. */
  readonly formerGroup: string | undefined
  /** The content to write. */
  readonly content: string
  /** See `LockedPage.adopted`. */
  readonly adopted?: LockedPage['adopted'] | undefined
  /** The reason to leave the page unchanged. Record and file are kept, and all other fields are ignored. */
  readonly frozen?: string
}

export interface GonePage {
  readonly path: string
  readonly division: string
  readonly document: string
  readonly target: string
  /** A short reason: `operation removed`. */
  readonly reason: string
}

export interface FrozenPage {
  readonly path: string
  readonly division: string
  /** A short reason: `its document has errors`. */
  readonly reason: string
}

/** The parts of a description that pages depend on. */
export interface DescriptionIndex {
  /** Operations and webhooks in page order, including hidden and excluded ones. */
  readonly subjects: readonly PageSubject[]
  readonly byTarget: ReadonlyMap<string, PageSubject>
  readonly tags: readonly Tag[]
  readonly tagGroups: readonly TagGroup[]
  /** Schemas in document order, including hidden and excluded ones. */
  readonly schemas: readonly PageSubject[]
  readonly schemaNames: ReadonlySet<string>
}

/** The operation that a hand-written page is bound to. */
export interface BoundOperation {
  readonly source: string
  readonly target: string
}

/** A hand-written page or entry for an operation. */
export interface Replacement {
  readonly description: string
  /** Path with extension. Absent for an entry with a page generated by the host. */
  readonly path?: string
}

/** Returns the replacement for an operation in a division; see `PlanPagesInput.replacementOf`. */
export type ReplacementOf = (division: DeclaredDivision, source: string, target: string) => Replacement | undefined

/** All inputs that determine the pages of a docs directory. */
export interface PlanPagesInput {
  readonly divisions: readonly DeclaredDivision[]
  /**
   * By `DeclaredSource.source`. Documents that are missing here have errors that affect the whole document, so their pages are
   * not updated.
   */
  readonly descriptions: ReadonlyMap<string, DescriptionIndex>
  /** Whether errors affect an operation. Its page is not updated, and it gets no new page. */
  readonly isAffected: (document: string, target: string) => boolean
  readonly lockedPages: readonly LockedPage[]
  readonly stateOf: (page: LockedPage) => LockedPageState
  /** Pages that are not in the lock file, or were restored after a manual deletion: text by path with extension. */
  readonly otherPages: ReadonlyMap<string, string>
  /** The hand-written page or entry for an operation in a division. These operations get no generated page. */
  readonly replacementOf: ReplacementOf
  /** The bindings of some of these pages. */
  readonly boundPages: ReadonlyMap<string, BoundOperation>
  /** Operations without a page in adopted divisions; see `LockFile.unwritten`. */
  readonly unwritten: readonly UnwrittenOperation[]
  /** Whether an adopted division gets pages for its unlisted operations. */
  readonly addsUnlisted: (division: DeclaredDivision) => boolean
  /** The text of a generated page, if it exists. */
  readonly textOf: (path: string) => string | undefined
  /** The redirects in `docs.json`. */
  readonly redirects: readonly Redirect[]
  /** See `matchLockedPages`. */
  readonly renames: boolean
}
