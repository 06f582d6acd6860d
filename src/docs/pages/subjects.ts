import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { Description, Label, NamedSchema, OperationFields, Tag, TagGroup, Webhook } from '../../openapi/types.ts'
import { isDeeperThan } from '../../text/json/json-values.ts'
import type { MethodOrder, OrderSetting, SchemaPages } from '../config/config-setting.ts'
import { type Division, formatTarget, type OperationBinding, type PageBinding, type Redirect } from '../navigation/docs-config.ts'
import type { LockedPage, LockedSource, OperationTraits, UnwrittenOperation } from './lock-file.ts'

/** The subject of a page: an operation, a webhook with all its methods, a schema, or a group of operations. */
export interface PageSubject extends Omit<OperationFields, 'method' | 'position' | 'tags' | 'labels'> {
  /** Among the fields of its path item. Absent for what is not an operation. */
  readonly position?: number
  /** Without a file. */
  readonly binding: PageBinding | Overview
  /** Identifies the subject within its description: `GET /pets`, `webhook orderShipped`, `schema Pet`, `overview pets`. */
  readonly target: string
  /** Replaces the summary in the path of the page. Only on a site of one document. */
  readonly pathName?: string
  /** The first tag, which determines directory and group. */
  readonly tag: string | undefined
  /** Replaces the tag in the path of the page. Only on a site of one document. */
  readonly pathTag?: string
  /** See `readLabels`. Absent without labels. */
  readonly labels?: readonly Label[]
}

/** The first page of a group. It has no binding, describes the group and lists its operations. */
export interface Overview {
  readonly kind: 'overview'
  /** Tags of the group that the document declares. */
  readonly tags: readonly Tag[]
  /** Operations and webhooks of the group, in page order. */
  readonly members: readonly PageSubject[]
}

/** A division that has or had generated pages, with its current documents. For those of a docs directory without `docs.json`, `id` is `''`. */
export interface DeclaredDivision extends Pick<Division, 'id' | 'label' | 'branch' | 'version'> {
  /** The ID in the lock file. It differs from `id` if a label or the order of equal labels has changed since. */
  readonly lockedId: string
  /** Pointer in `docs.json`. Absent without a `docs.json`. */
  readonly pointer: string | undefined
  /** `automatic`: one page per operation. `listed`: you list its pages manually. `virtual`: the host generates its pages. */
  readonly mode: 'automatic' | 'listed' | 'virtual'
  /** The `openapi` key stays on the division even though pages are generated. */
  readonly keepsKey: boolean
  readonly schemas: SchemaPages
  /** Whether each group has an overview as a page file. */
  readonly overviews: boolean
  readonly sources: readonly DeclaredSource[]
  readonly order: OrderSetting
  readonly methodOrder: MethodOrder
  /** The documents in the lock file. */
  readonly lockedSources: readonly LockedSource[]
}

export interface DeclaredSource extends Pick<LockedSource, 'source' | 'directory' | 'adopted'> {
  /** The folder for pages whose path does not start with `directory`; see `separateBranches`. Default: none. */
  readonly folder?: string
  /** Whether `docs.json` names the document. Otherwise only the lock file does. */
  readonly isInKey: boolean
  /** Whether the division has only its key, which adoption left: sites make the pages, and updates write none. Default: no. */
  readonly isLeftToSites?: boolean
}

/** The state of a locked page on disk. `deleted` was recorded earlier. `missing` is a new deletion. */
export type LockedPageState = 'untouched' | 'edited' | 'missing' | 'deleted'

/** All current and former generated pages, as plain data that can be printed and compared. */
export interface PagePlan {
  readonly divisions: readonly PlannedDivision[]
  /** Locked pages without an operation. */
  readonly gone: readonly UnmatchedPage[]
  /** Locked pages to leave unchanged, because their document has errors or their division was not found. */
  readonly frozen: readonly UnmatchedPage[]
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
  /** Only for a site, see `WantedPage.entries`. */
  readonly entries?: readonly string[]
  /** The reason to leave the page unchanged. Record and file are kept, and all other fields are ignored. */
  readonly frozen?: string
}

/** The change of one page. */
export interface PageReport {
  readonly kind: 'added' | 'modified' | 'removed' | 'kept' | 'unchanged'
  /** Relative to the docs directory, with extension. */
  readonly path: string
  /** The document of the page's operation. */
  readonly document: string
  /** `GET /pets`, or `webhook orderShipped`. */
  readonly operation: string
  /** The old path of a moved page, relative to the docs directory, with extension. The deleted file has no report. */
  readonly movedFrom?: string | undefined
  /** The old name of the operation. */
  readonly renamedFrom?: string | undefined
  /** The reason in a few words, such as `title changed` or `operation removed`. */
  readonly detail?: string | undefined
}

/** A page of the lock file that no wanted page matches. */
export interface UnmatchedPage {
  readonly path: string
  readonly division: string
  readonly document: string
  readonly target: string
  /** In a few words: `operation removed`, `its document has errors`. */
  readonly reason: string
}

/** The parts of a description that pages depend on. */
export interface DescriptionIndex {
  readonly title: string
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
  /** Whether no entry or page lists it, and another division is responsible for it. */
  readonly isElsewhere?: boolean
}

/** Why a division has no page of its own for a subject that errors do not stop. `undefined` if it wants one. */
export function explainAbsence(subject: PageSubject, replacement: Replacement | undefined) {
  if (replacement) {
    const { path, description: reason } = replacement
    return path === undefined ? ({ state: 'entry', reason } as const) : ({ state: 'own page', reason, page: path } as const)
  }
  if (subject.isSiteOnly) return { state: 'hidden', reason: 'only sites show `x-webhooks`' } as const
  if (subject.excluded) return { state: 'excluded', reason: 'the document has `x-excluded`' } as const
  return subject.hidden ? ({ state: 'hidden', reason: 'the document has `x-hidden`' } as const) : undefined
}

/** Returns the replacement for an operation in a division; see `PlanPagesInput.replacementOf`. */
export type ReplacementOf = (division: DeclaredDivision, source: string, target: string) => Replacement | undefined

/** Returns the pointers of the entries, such as `GET /pets`, that list an operation and whose page belongs to a division. */
export type EntriesOf = (division: DeclaredDivision, source: string, target: string) => readonly string[]

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
  /** Only for a site: entries of the navigation that get a page. Hidden operations get one too, without an entry. */
  readonly entriesOf?: EntriesOf | undefined
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
  /** Where documents of the lock file are now, if a person moved them. */
  readonly movedDocuments: ReadonlyMap<string, string>
  /** Whether to detect renamed operations; see `findRenames`. */
  readonly renames: boolean
}

/** The operation, webhook or schema that a record names by its target, such as `GET /pets`. */
export function findSubject({ byTarget, schemas }: DescriptionIndex, target: string): PageSubject | undefined {
  return byTarget.get(target) ?? schemas.find((schema) => schema.target === target)
}

/** Indexes the subjects of a description for lookups. */
export function indexDescription(description: Description): DescriptionIndex {
  const subjects = listSubjects(description)
  return {
    subjects,
    byTarget: new Map(subjects.map((subject) => [subject.target, subject])),
    tags: description.tags,
    tagGroups: description.tagGroups,
    schemas: listSchemas(description),
    title: description.title,
    schemaNames: new Set(description.schemas.map(({ name }) => name)),
  }
}

/** Lists the operations and webhooks of a description in page order. Hidden and excluded ones are included and marked. */
export function listSubjects(description: Description): PageSubject[] {
  const tagOf = toTagChoice(description.tags)
  const operations = description.operations.map((operation) => {
    const { method, pathTemplate } = operation
    return toSubject({ kind: 'operation', file: undefined, method, pathTemplate }, operation, tagOf)
  })
  return [...operations, ...description.webhooks.flatMap((webhook) => toWebhookSubject(webhook, tagOf) ?? [])]
}

type TagChoice = (tags: readonly string[]) => string | undefined

/** Chooses the tag that decides the group of an operation: a tag meant for navigation if there is one, otherwise the first. */
function toTagChoice(tags: Description['tags']): TagChoice {
  const kinds = new Map(tags.flatMap(({ name, kind }) => (kind === undefined ? [] : [[name, kind]])))
  if (kinds.size === 0) return ([first]) => first
  return (own) => own.find((name) => kinds.get(name) === 'nav') ?? own.find((name) => !kinds.has(name))
}

/** Lists the schemas of a description in document order. Hidden and excluded ones are included and marked. */
export function listSchemas({ schemas }: Description): PageSubject[] {
  return schemas.map(
    ({ name, title, ...fields }: NamedSchema): PageSubject => ({
      ...fields,
      binding: { kind: 'schema', file: undefined, name },
      target: toSchemaTarget(name),
      operationId: undefined,
      summary: withText(title),
      description: withText(fields.description),
      tag: undefined,
      parameters: [],
    }),
  )
}

function toSubject(binding: OperationBinding, operation: OperationFields, tagOf: TagChoice): PageSubject {
  const { method: _, tags, labels, ...fields } = operation
  return {
    ...fields,
    binding,
    target: formatTarget(binding),
    summary: withText(fields.summary),
    description: withText(fields.description),
    tag: tagOf(tags),
    ...(labels.length > 0 && { labels }),
  }
}

/** A page covers all methods of a webhook. Each field comes from the first method that has it. */
function toWebhookSubject({ name, operations }: Webhook, tagOf: TagChoice): PageSubject | undefined {
  const subjects = operations.map((operation) => toSubject({ kind: 'webhook', file: undefined, name }, operation, tagOf))
  const [first] = subjects
  if (!first) return undefined
  const pick = <Key extends keyof PageSubject>(key: Key) => subjects.find((subject) => subject[key] !== undefined)?.[key]
  return {
    ...first,
    operationId: pick('operationId'),
    summary: pick('summary'),
    description: pick('description'),
    tag: pick('tag'),
    deprecated: operations.every(({ deprecated }) => deprecated === true) || undefined,
    hidden: operations.every(({ hidden }) => hidden),
    excluded: operations.every(({ excluded }) => excluded),
    mint: pick('mint'),
  }
}

function withText(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text
}

const prefix = 'schema '

/** Returns the target of a schema; see `PageSubject.target`. */
export function toSchemaTarget(name: string): string {
  return prefix + name
}

/** Returns the schema name if the target is a schema. */
export function fromSchemaTarget(target: string): string | undefined {
  return target.startsWith(prefix) ? target.slice(prefix.length) : undefined
}

/** Maximum nesting of `x-mint.metadata` in frontmatter, including the top level. */
const maxNesting = 100

/** Removes metadata that is nested too deep to be written, and reports it. */
export function dropDeepMetadata(subject: PageSubject, findings: Finding[]): PageSubject {
  const { mint, file, pointer } = subject
  if (!mint || !isDeeperThan(mint.metadata, maxNesting)) return subject
  findings.push({
    code: 'too-complex',
    message: `Unexpected \`metadata\` nesting of more than ${maxNesting} levels`,
    file,
    pointer: `${pointer}/x-mint/metadata`,
    on: 'key',
    hint: 'Reduce the nesting. Until then, the page has no metadata',
    severity: 'warning',
  })
  return { ...subject, mint: { ...mint, metadata: undefined } }
}
