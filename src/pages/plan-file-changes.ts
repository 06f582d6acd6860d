import { editFrontmatterValue } from '../docs/edit-frontmatter-value.ts'
import { formatBinding, formatTarget } from '../docs/format-binding.ts'
import { parseBinding } from '../docs/parse-binding.ts'
import { parsePageFrontmatter } from '../docs/parse-page-frontmatter.ts'
import type { LockedPage } from '../docs/types.ts'
import { rebind } from './adoption/edit-adopted-page.ts'
import { contentHash } from './content-hash.ts'
import { describePageChange } from './describe-page-change.ts'
import type { GonePage, LockedPageState, PagePlan, PlannedDivision, PlannedPage } from './types.ts'

export interface PlanFileChangesInput {
  readonly plan: PagePlan
  readonly lockedPages: readonly LockedPage[]
  readonly stateOf: (page: LockedPage) => LockedPageState
  /** The text of a page of the docs root; absent where there is none. */
  readonly textOf: (path: string) => string | undefined
}

export interface PlannedFileChanges {
  /** One for each page of ours, sorted by path. */
  readonly outcomes: readonly PageOutcome[]
  /** Sorted by path. */
  readonly lockedPages: readonly LockedPage[]
}

/** What happens to one page, as data. Paths are relative to the docs root. */
export interface PageOutcome {
  readonly kind: 'added' | 'modified' | 'removed' | 'kept' | 'unchanged'
  readonly path: string
  readonly document: string
  readonly target: string
  /** Why, in a few words. */
  readonly detail: string | undefined
  readonly edit: PageEdit | undefined
  /** A page that was not listed before is to be listed now, or one that was is not. */
  readonly entry: 'add' | 'remove' | undefined
}

type PageEdit =
  | { readonly kind: 'add'; readonly content: string }
  | { readonly kind: 'modify'; readonly before: string; readonly content: string }
  | { readonly kind: 'delete'; readonly before: string }

/**
 * Compares the plan with what is on the disk. A page that was edited by hand keeps its content: at most its binding is rewritten, when
 * its operation was renamed.
 */
export function planFileChanges(input: PlanFileChangesInput): PlannedFileChanges {
  const { plan } = input
  const locked = new Map(input.lockedPages.map((page) => [page.path, page]))
  const outcomes: PageOutcome[] = []
  const records: LockedPage[] = []
  const planned = new Set<string>()
  for (const division of plan.divisions) {
    for (const page of division.groups.flatMap(({ pages }) => pages)) {
      planned.add(page.path)
      const { outcome, record } = settlePlannedPage(input, division, page, locked.get(page.path))
      outcomes.push(outcome)
      if (record) records.push(record)
    }
  }
  for (const page of plan.gone.filter(({ path }) => !planned.has(path))) {
    const record = locked.get(page.path)
    if (!record) continue
    const outcome = settleGonePage(input, page, record)
    if (outcome) outcomes.push(outcome)
    if (outcome?.kind === 'kept') records.push({ ...record, division: page.division })
  }
  for (const { path, division, reason } of plan.frozen) {
    const record = locked.get(path)
    if (!record) continue
    records.push({ ...record, division })
    const { document, operation: target } = record
    const isEdited = input.stateOf(record) === 'edited'
    const detail = isEdited ? 'edited by hand, kept' : `${reason}, left as it is`
    if (record.hash !== undefined) {
      outcomes.push({ kind: isEdited ? 'kept' : 'unchanged', path, document, target, detail, edit: undefined, entry: undefined })
    }
  }
  return { outcomes: outcomes.toSorted(byPath), lockedPages: records.toSorted(byPath) }
}

interface Settled {
  readonly outcome: PageOutcome
  /** Absent for a page that is not ours. */
  readonly record: LockedPage | undefined
}

function settlePlannedPage(
  input: PlanFileChangesInput,
  { id }: PlannedDivision,
  page: PlannedPage,
  locked: LockedPage | undefined,
): Settled {
  const { path, document, target, operationId, content } = page
  const base = { path, document, target, edit: undefined, entry: undefined }
  const record = {
    path,
    division: id,
    document,
    operation: target,
    operationId,
    hash: contentHash(content),
    ...toAdoption(locked ?? page),
  }
  const isNew = page.previousTarget === undefined
  const entry = isNew ? 'add' : undefined
  if (page.kind === 'by-hand') {
    return { outcome: { ...base, kind: 'kept', detail: 'written by hand, kept', entry }, record: undefined }
  }
  if (page.kind === 'deleted') {
    const isNews = locked?.hash !== undefined
    const outcome = isNews
      ? ({ ...base, kind: 'removed', detail: 'deleted by hand, stays deleted', entry: 'remove' } as const)
      : ({ ...base, kind: 'unchanged', detail: 'deleted by hand, stays deleted' } as const)
    return { outcome, record: { ...record, hash: undefined } }
  }
  const text = input.textOf(path)
  if (text === undefined)
    return { outcome: { ...base, kind: 'added', detail: undefined, edit: { kind: 'add', content }, entry }, record }
  if (contentHash(text) === record.hash) return { outcome: { ...base, kind: 'unchanged', detail: undefined, entry }, record }
  if (locked && input.stateOf(locked) === 'edited') return settleEditedPage(page, text, { ...record, hash: locked.hash })
  const detail = describePageChange(text, content, page)
  return { outcome: { ...base, kind: 'modified', detail, edit: { kind: 'modify', before: text, content }, entry }, record }
}

function toAdoption({
  adopted,
  keep,
}: {
  readonly adopted?: LockedPage['adopted'] | undefined
  readonly keep?: boolean
}): Pick<LockedPage, 'adopted' | 'keep'> {
  return { ...(adopted ? { adopted } : {}), ...(keep ? { keep } : {}) }
}

/** The hash of the last content of ours stays in the lock file, so that the page goes on counting as edited. */
function settleEditedPage(page: PlannedPage, text: string, record: LockedPage): Settled {
  const { path, document, target, previousDocument, previousTarget } = page
  const base = { path, document, target, entry: undefined }
  const kept: Settled = { outcome: { ...base, kind: 'kept', detail: 'edited by hand, kept', edit: undefined }, record }
  if (previousTarget === undefined || previousDocument === undefined) return kept
  if (target === previousTarget && document === previousDocument) return kept
  const written = parsePageFrontmatter(text)?.values['openapi']
  const binding = typeof written === 'string' ? parseBinding(written) : undefined
  const previous = parseBinding(`${previousDocument} ${previousTarget}`)
  const isAsPlanned = record.adopted ? formatTarget : formatBinding
  if (!binding || !previous || isAsPlanned(binding) !== isAsPlanned(previous)) return kept
  const content = record.adopted ? rebind(text, target) : editFrontmatterValue(text, 'openapi', `${document} ${target}`)
  if (content === undefined || content === text) return kept
  const detail = `${describePageChange(text, content, page)}, otherwise kept as edited by hand`
  return { outcome: { ...base, kind: 'modified', detail, edit: { kind: 'modify', before: text, content } }, record }
}

function settleGonePage(input: PlanFileChangesInput, page: GonePage, record: LockedPage): PageOutcome | undefined {
  const { path, document, target, reason } = page
  const text = input.textOf(path)
  const base = { path, document, target }
  switch (input.stateOf(record)) {
    case 'deleted':
      return undefined
    case 'edited':
      return { ...base, kind: 'kept', detail: `${reason}, edited by hand, kept`, edit: undefined, entry: undefined }
    case 'missing':
      return { ...base, kind: 'removed', detail: `${reason}, was deleted by hand`, edit: undefined, entry: 'remove' }
    case 'untouched':
      if (record.keep)
        return { ...base, kind: 'kept', detail: `${reason}, has a text of its own, kept`, edit: undefined, entry: undefined }
      return { ...base, kind: 'removed', detail: reason, edit: { kind: 'delete', before: text ?? '' }, entry: 'remove' }
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
