import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { toDocumentReport } from '../check/check-documents.ts'
import { formatBinding } from '../navigation/parse-binding.ts'
import type { LockedPage } from '../pages/lock-file.ts'
import { resolveBinding } from '../pages/page-bindings.ts'
import type { DeclaredDivision } from '../pages/types.ts'
import type { DocumentReport, UpdateEnvironment, UpdateOptions } from '../types.ts'
import { planUpdate, type UpdatePlan } from './plan-update.ts'
import { describePageLocations, toDiagnostics } from './run-update.ts'

/** The page status of a docs directory. Plain data. Paths of pages are relative to the docs directory. */
export interface StatusReport {
  readonly root: string
  readonly hasDocsConfig: boolean
  readonly documents: readonly DocumentReport[]
  readonly divisions: readonly DivisionStatus[]
  /** Hand-written pages bound to an operation that are not adopted. */
  readonly byHand: readonly string[]
  /** Pages with a broken binding. */
  readonly unbound: readonly { readonly path: string; readonly binding: string }[]
  /** Files that an update would change, relative to the boundary. */
  readonly changes: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** One division with `openapi`, or with pages in the lock file. */
export interface DivisionStatus {
  /** See `Division.id`. */
  readonly id: string
  readonly label: string
  /**
   * `materialized`: pages are generated as files. `adopted`: existing pages were adopted. `virtual`: the host generates the pages. `listed`:
   * pages are listed manually. `gone`: the division exists only in the lock file.
   */
  readonly mode: 'materialized' | 'adopted' | 'virtual' | 'listed' | 'gone'
  /** Paths relative to the docs directory, or URLs. */
  readonly documents: readonly string[]
  readonly pages: readonly PageStatus[]
  /** Operations without a page that an update does not add: `GET /pets`. */
  readonly withoutPage: readonly string[]
}

export interface PageStatus {
  readonly path: string
  /** `GET /pets`, or `webhook orderShipped`. */
  readonly operation: string
  /** `new`: not written yet. `gone`: the operation was removed. `by-hand`: a hand-written page exists at this path. */
  readonly state: 'untouched' | 'edited' | 'deleted' | 'new' | 'gone' | 'by-hand'
  /** What the next update does to the page, if anything. */
  readonly next: string | undefined
}

/** Determines the page status of a docs directory. Writes nothing. */
export async function runStatus(options: UpdateOptions, environment: UpdateEnvironment): Promise<StatusReport> {
  const update = await planUpdate(options, environment)
  const { survey, divisions, changes, found } = update
  const gone = update.lock.divisions.filter(({ id }) => !divisions.some((division) => division.lockedId === id))
  return {
    root: options.root,
    hasDocsConfig: survey.hasDocsConfig,
    documents: survey.documents.map((document) => toDocumentReport(document, describePageLocations(divisions, document.source))),
    divisions: [
      ...divisions.map((division) => toDivisionStatus(update, division)),
      ...gone.map(({ id, sources }): DivisionStatus => {
        const division = {
          id,
          label: id.slice(id.lastIndexOf('/') + 1),
          mode: 'gone',
          documents: sources.map(({ source }) => source),
        } as const
        return { ...division, pages: listPages(update, id, id), withoutPage: [] }
      }),
    ],
    byHand: [...survey.boundPages.keys()].toSorted(),
    unbound: listUnbound(update),
    changes: changes.map(({ path }) => path),
    diagnostics: await toDiagnostics(found, survey),
  }
}

function toDivisionStatus(update: UpdatePlan, { id, lockedId, label, mode, sources }: DeclaredDivision): DivisionStatus {
  const isAdopted = sources.every(({ adopted }) => adopted !== undefined)
  const pages = listPages(update, id, lockedId)
  return {
    id,
    label,
    mode: isAdopted ? (pages.length === 0 ? 'virtual' : 'adopted') : mode === 'automatic' ? 'materialized' : mode,
    documents: [...new Set(sources.map(({ source }) => source))],
    pages,
    withoutPage: update.plan.unwritten.flatMap(({ division, operation }) => (division === id ? [operation] : [])),
  }
}

function listPages({ plan, files, lock, survey }: UpdatePlan, id: string, lockedId: string): PageStatus[] {
  const before = new Map(lock.pages.map((page) => [page.path, page]))
  const after = new Map(files.lockedPages.map((page) => [page.path, page]))
  const inDivision = new Set(
    plan.divisions.find((division) => division.id === id)?.groups.flatMap(({ pages }) => pages.map(({ path }) => path)),
  )
  const gone = new Set(plan.gone.map(({ path }) => path))
  const isHere = (path: string) =>
    inDivision.has(path) || (after.get(path) ?? before.get(path))?.division === id || before.get(path)?.division === lockedId
  const planned = files.outcomes
    .filter(({ path }) => isHere(path))
    .map(({ path, target, kind, detail }): PageStatus => {
      const state = gone.has(path) ? 'gone' : toState(before.get(path), survey.stateOf, detail)
      const next = kind === 'added' ? 'added' : kind === 'modified' || kind === 'removed' ? (detail ?? kind) : undefined
      return { path, operation: target, state, next }
    })
  const paths = new Set(planned.map(({ path }) => path))
  const others = lock.pages.filter((page) => page.division === lockedId && !paths.has(page.path))
  return [
    ...planned,
    ...others.map((page) => ({
      path: page.path,
      operation: page.operation,
      state: toState(page, survey.stateOf),
      next: undefined,
    })),
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function toState(page: LockedPage | undefined, stateOf: UpdatePlan['survey']['stateOf'], detail?: string): PageStatus['state'] {
  if (!page) return detail === undefined ? 'new' : 'by-hand'
  const state = stateOf(page)
  return state === 'missing' ? 'deleted' : state
}

function listUnbound({ survey: { readings, documents } }: UpdatePlan): StatusReport['unbound'] {
  return [...readings]
    .flatMap(([path, reading]) => {
      if (reading.kind !== 'bound') return []
      const { kind } = resolveBinding(reading.binding, documents)
      return kind === 'missing' || kind === 'no-document' || kind === 'ambiguous'
        ? [{ path, binding: formatBinding(reading.binding) }]
        : []
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
