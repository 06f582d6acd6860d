import { compareText } from '../../text/plain/lists.ts'
import { isBoundTo, rebindAdopted } from '../adopt/adopted-page.ts'
import { formatBinding, type PageBinding } from '../navigation/docs-config.ts'
import { parseBinding } from '../navigation/read-divisions.ts'
import { contentHash, type LockedPage } from '../pages/lock-file.ts'
import { editFrontmatterValue, parsePageFrontmatter, readPageBinding } from '../pages/page-bindings.ts'
import {
  fromSchemaTarget,
  type PagePlan,
  type PageReport,
  type PlannedDivision,
  type PlannedPage,
  type PlanPagesInput,
  type UnmatchedPage,
} from '../pages/subjects.ts'

interface PlanFileChangesInput extends Pick<PlanPagesInput, 'lockedPages' | 'stateOf' | 'textOf'> {
  readonly plan: PagePlan
}

export interface PlannedFileChanges {
  /** One outcome per generated page, sorted by path. */
  readonly outcomes: readonly PageOutcome[]
  /** Sorted by path. */
  readonly lockedPages: readonly LockedPage[]
}

/** The change of a page with its edit. The document is relative to the docs directory. */
export interface PageOutcome extends PageReport {
  readonly edit?: PageEdit | undefined
  /** Whether the page is newly listed in the navigation, or no longer listed. */
  readonly entry?: 'add' | 'remove' | undefined
  /** Where a removed page was before a person moved it. Its entry there goes too. */
  readonly leftFrom?: string
}

type PageEdit =
  | { readonly kind: 'add'; readonly content: string }
  | { readonly kind: 'modify'; readonly before: string; readonly content: string }
  /** The old path is `movedFrom`. */
  | { readonly kind: 'move'; readonly before: string; readonly content: string }
  | { readonly kind: 'delete'; readonly before: string }

/**
 * Compares the plan with the files on disk. A hand-edited page keeps its content, except for the binding if its operation was
 * renamed.
 */
export function planFileChanges(input: PlanFileChangesInput): PlannedFileChanges {
  const { plan } = input
  const locked = new Map(input.lockedPages.map((page) => [page.path, page]))
  const outcomes: PageOutcome[] = []
  const records: LockedPage[] = []
  const planned = new Set<string>()
  for (const division of plan.divisions) {
    for (const page of division.groups.flatMap(({ pages }) => pages)) {
      planned.add(page.path).add(page.previous?.path ?? page.path)
      if (page.frozen !== undefined && page.previous) {
        keepFrozenPage(input, { path: page.path, division: division.id, reason: page.frozen }, page.previous, {
          outcomes,
          records,
        })
        continue
      }
      const { outcome, record } = planPageChange(input, division, page)
      const said = sayMoved(outcome, page.previous)
      if (said) outcomes.push(said)
      if (record) records.push(record)
    }
  }
  for (const page of plan.gone.filter(({ path }) => !planned.has(path))) {
    const record = locked.get(page.path)
    if (!record) continue
    const outcome = sayMoved(planGonePage(input, page, record), record)
    if (outcome) outcomes.push(outcome)
    if (outcome?.kind === 'kept') records.push({ ...record, division: page.division })
  }
  for (const page of plan.frozen) {
    const record = locked.get(page.path)
    if (record) keepFrozenPage(input, page, record, { outcomes, records })
  }
  return { outcomes: outcomes.toSorted(byPath), lockedPages: records.toSorted(byPath) }
}

function keepFrozenPage(
  input: PlanFileChangesInput,
  { path, division, reason }: Pick<UnmatchedPage, 'path' | 'division' | 'reason'>,
  record: LockedPage,
  { outcomes, records }: { readonly outcomes: PageOutcome[]; readonly records: LockedPage[] },
): void {
  records.push({ ...record, division })
  const { document, operation } = record
  const isEdited = input.stateOf(record) === 'edited'
  const isRemoved = reason.startsWith('operation')
  const detail = isEdited ? 'hand-edited, kept' : `${reason}, not updated`
  const kind = isEdited || isRemoved ? 'kept' : 'unchanged'
  const outcome = sayMoved({ kind, path, document, operation, detail }, record)
  if (outcome && record.hash !== undefined) outcomes.push(outcome)
}

interface PageChange {
  /** Absent for a page that was deleted before. */
  readonly outcome: PageOutcome | undefined
  /** Absent for a page that is not generated. */
  readonly record: LockedPage | undefined
}

function planPageChange(input: PlanFileChangesInput, { id }: PlannedDivision, page: PlannedPage): PageChange {
  const { path, document, target, traits, previous, content } = page
  const base = { path, document, operation: target, renamedFrom: findFormerTarget(page) }
  const { adopted } = previous ?? page
  const own = { path, division: id, document, operation: target, hash: contentHash(content) }
  const record = { ...traits, ...own, ...(adopted && { adopted }), ...(previous?.keep && { keep: true }) }
  const entry = previous || page.entries ? undefined : 'add'
  if (page.kind === 'by-hand') {
    return { outcome: { ...base, kind: 'kept', detail: 'hand-written, kept', entry }, record: undefined }
  }
  if (page.kind === 'deleted') {
    const outcome = { ...base, ...removedEntry, renamedFrom: undefined, detail: 'deleted manually, not restored' }
    return { outcome: previous?.hash === undefined ? undefined : outcome, record: { ...record, hash: undefined } }
  }
  const text = input.textOf(previous?.path ?? path)
  if (text === undefined) return { outcome: { ...base, kind: 'added', edit: { kind: 'add', content }, entry }, record }
  // The content of an adopted page is made of its text, so it never differs from what a person wrote.
  const isOther = adopted ? !record.keep : contentHash(text) !== record.hash
  const isEdited = previous !== undefined && isOther && input.stateOf(previous) === 'edited'
  // Keep the hash of the last generated content, so that the page still counts as hand-edited.
  const settled = isEdited ? { content: rebind(page, text), record: { ...record, hash: previous.hash } } : { content, record }
  const isSame = contentHash(text) === contentHash(settled.content)
  if (previous && previous.path !== path) {
    const moved = `moved from \`${previous.path}\``
    const changes = isSame ? '' : `, ${describePageChange(text, settled.content, page)}`
    const edit = { kind: 'move', before: text, content: isSame ? text : settled.content } as const
    const detail = `${moved}${changes}${isEdited ? ', hand edits kept' : ''}`
    return { outcome: { ...base, kind: 'modified', detail, edit, movedFrom: previous.path }, record: settled.record }
  }
  if (isSame) {
    const outcome = isEdited ? ({ kind: 'kept', detail: 'hand-edited, kept' } as const) : unchanged
    return { outcome: { ...base, ...outcome, entry }, record: settled.record }
  }
  const change = describePageChange(text, settled.content, page)
  const detail = isEdited ? `${change}, hand edits kept` : change
  const edit = { kind: 'modify', before: text, content: settled.content } as const
  return { outcome: { ...base, kind: 'modified', detail, edit, entry }, record: settled.record }
}

/** Says that a person moved the page. Its entry and links follow, unless the update moves it on. */
function sayMoved(outcome: PageOutcome | undefined, record: LockedPage | undefined): PageOutcome | undefined {
  if (!outcome || record?.movedFrom === undefined) return outcome
  if (outcome.kind === 'removed' || outcome.movedFrom !== undefined) return { ...outcome, leftFrom: record.movedFrom }
  const detail = [`moved by hand from \`${record.movedFrom}\``, ...(outcome.detail === undefined ? [] : [outcome.detail])].join(
    ', ',
  )
  return { ...outcome, kind: 'modified', detail, movedFrom: record.movedFrom }
}

const removedEntry = { kind: 'removed', entry: 'remove' } as const
const unchanged = { kind: 'unchanged' } as const

function findFormerTarget({ document, target, previous }: PlannedPage): string | undefined {
  if (!previous || (previous.operation === target && previous.document === document)) return undefined
  return previous.document === document ? previous.operation : `${previous.document} ${previous.operation}`
}

/** Updates the binding of a hand-edited page after a rename, unless the page is bound to something else. */
function rebind({ document, target, previous }: PlannedPage, text: string): string {
  if (!previous || (target === previous.operation && document === previous.document)) return text
  if (previous.adopted) return rebindAdopted(text, previous.operation, target)
  const reading = readPageBinding(text)
  const before = toBinding(previous.document, previous.operation)
  const next = toBinding(document, target)
  if (reading.kind !== 'bound' || !before || !next || formatBinding(reading.binding) !== formatBinding(before)) return text
  return editFrontmatterValue(text, reading.key, formatBinding(next)) ?? text
}

/** Returns the binding of a generated page. Overviews have none. */
function toBinding(document: string, target: string): PageBinding | undefined {
  const schema = fromSchemaTarget(target)
  return schema === undefined ? parseBinding(`${document} ${target}`) : { kind: 'schema', file: document, name: schema }
}

function planGonePage(input: PlanFileChangesInput, page: UnmatchedPage, record: LockedPage): PageOutcome | undefined {
  const { path, document, target, reason } = page
  const text = input.textOf(path)
  const base = { path, document, operation: target }
  switch (input.stateOf(record)) {
    case 'deleted':
      return undefined
    case 'edited':
      return { ...base, kind: 'kept', detail: `${reason}, hand-edited, kept` }
    case 'missing':
      return { ...base, kind: 'removed', detail: `${reason}, already deleted manually`, entry: 'remove' }
    case 'untouched':
      if (record.keep) return { ...base, kind: 'kept', detail: `${reason}, has its own content, kept` }
      // The lock file is untrusted input and must not cause the deletion of unrelated files.
      if (record.adopted && !isBoundTo(text ?? '', record.operation)) {
        return { ...base, kind: 'kept', detail: `${reason}, not bound to this operation, kept` }
      }
      return { ...base, kind: 'removed', detail: reason, edit: { kind: 'delete', before: text ?? '' }, entry: 'remove' }
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return compareText(a.path, b.path)
}

/** Describes the changes of a page briefly: `title changed`, `renamed: GET /pets → GET /animals`. */
function describePageChange(before: string, after: string, page: PlannedPage): string {
  const { target, document, previous } = page
  if (previous && previous.operation !== target) return `renamed: ${previous.operation} → ${target}`
  if (previous && previous.document !== document) return `document changed: ${previous.document} → ${document}`
  const old = parsePageFrontmatter(before)?.values ?? {}
  const now = parsePageFrontmatter(after)?.values ?? {}
  const keys = new Set([...Object.keys(now), ...Object.keys(old)])
  const changed = [...keys].filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
  if (changed.length === 0) return 'content changed'
  return changed.length > 3 ? 'frontmatter changed' : `${joinWords(changed)} changed`
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
