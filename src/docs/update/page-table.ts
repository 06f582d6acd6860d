import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isWithin, readText } from '../../text/json/json-values.ts'
import { addTo, compareText, groupBy, listFirst } from '../../text/plain/lists.ts'
import { baseName } from '../../text/plain/paths.ts'
import type { Survey } from '../check/survey-docs-directory.ts'
import { settingOf } from '../config/project-config.ts'
import { type DocsConfig, formatTarget } from '../navigation/docs-config.ts'
import { pageTitle, withoutPageExtension } from '../pages/generated-page.ts'
import { parsePageFrontmatter } from '../pages/page-bindings.ts'
import {
  type DeclaredDivision,
  explainAbsence,
  type PagePlan,
  type PageSubject,
  type PlannedPage,
  type ReplacementOf,
} from '../pages/subjects.ts'
import { isShown } from '../pages/wanted-subjects.ts'
import { toUrlPath } from '../plan/moved-pages.ts'
import type { PageOutcome, PlannedFileChanges } from '../plan/plan-file-changes.ts'
import type { CheckedDocument, PageRow } from '../types.ts'

/** Which states have a current page, best first, and then why there is none. */
const states: readonly PageRow['state'][] = [
  ...(['generated', 'moved', 'entry', 'own page', 'kept by hand'] as const),
  ...(['hidden', 'excluded', 'restricted', 'skipped', 'error', 'unlisted'] as const),
]

/** The parts of a planned update that decide which page shows which operation. */
export interface TablePlan {
  readonly survey: Survey
  readonly divisions: readonly DeclaredDivision[]
  readonly plan: PagePlan
  readonly files: PlannedFileChanges
  readonly replacementOf: ReplacementOf
}

interface TableContext {
  readonly plan: TablePlan
  readonly outcomes: ReadonlyMap<string, PageOutcome>
  /** The branches that list a page before the update, by its path without extension. */
  readonly branchesOf: ReadonlyMap<string, readonly string[]>
  readonly planned: ReadonlyMap<string, readonly PlannedPage[]>
  /** Pages that errors stop. */
  readonly frozen: ReadonlyMap<string, string>
}

/**
 * Which page shows which operation after an update: a row for each operation, webhook and schema with a page in each language, version and
 * product that names its document, and a row for each page and operation whose division is gone, and each page whose operation is.
 */
export function listPageRows(plan: TablePlan): PageRow[] {
  const { survey, divisions, files } = plan
  const { docsConfig, documents } = survey
  const branchesOf = new Map<string, string[]>()
  for (const { branch, entries } of docsConfig?.divisions ?? [])
    for (const entry of entries) if (entry.kind === 'page') addTo(branchesOf, entry.path, branch)
  const planned = new Map<string, PlannedPage[]>()
  for (const { id, groups } of plan.plan.divisions)
    for (const page of groups.flatMap(({ pages }) => pages)) {
      // The page of an entry, which only a site has.
      if (!page.entries) addTo(planned, toKey(id, page.document, page.target), page)
    }
  const outcomes = new Map(files.outcomes.map((outcome) => [outcome.path, outcome]))
  const frozen = new Map(plan.plan.frozen.map((page) => [toKey(page.division, page.document, page.target), page.path]))
  const context: TableContext = { plan, outcomes, branchesOf, planned, frozen }
  const rows = divisions.flatMap((division) => {
    const branch = nameBranch(docsConfig, division)
    return division.sources.flatMap(({ source }) => {
      const document = documents.find((one) => one.source === source)
      const index = document?.index ?? document?.looseIndex
      const schemas = (index?.schemas ?? []).filter(({ target }) => planned.has(toKey(division.id, source, target)))
      const hidden = [...(document?.leftOut ?? [])].filter((target) => !index?.byTarget.has(target))
      return [
        ...[...(index?.subjects ?? []), ...schemas].flatMap((subject) => {
          const state = describe(context, division, source, subject)
          return state ? toRow(branch, division.id, source, subject.target, { title: pageTitle(subject), ...state }) : []
        }),
        ...hidden.map((operation) => {
          const state = { state: 'restricted', reason: 'only some readers may see it', isOpen: false } as const
          return toRow(branch, division.id, source, operation, state)
        }),
      ]
    })
  })
  const best = [...groupBy(rows, (row) => toKey(row.branch, row.document, row.operation)).values()].flatMap((same) => {
    const [first, ...others] = same.toSorted((a, b) => states.indexOf(a.state) - states.indexOf(b.state))
    const isAgain = ({ page, state }: PageRow) => state !== 'own page' && page !== null && page !== first?.page
    const by = first?.page ? `\`${first.page}\`` : 'the navigation'
    const again = others.filter(isAgain).map((row) => ({ ...row, reason: `${by} shows it too`, isOpen: true }))
    return first ? [first, ...again] : []
  })
  const ids = new Set(divisions.map(({ id }) => id))
  // A division that was not found was in the branch that its ID names.
  const branchOf = (id: string) => {
    const around = docsConfig?.divisions.findLast((one) => id.startsWith(`${one.id}/`))
    return nameBranch(docsConfig, divisions.find((one) => one.id === id) ?? { pointer: around?.pointer })
  }
  const left = plan.plan.frozen.filter(({ division }) => !ids.has(division))
  const shown = new Set(best.map(({ page }) => page))
  const stopped = plan.plan.frozen.filter(({ path, division }) => ids.has(division) && !shown.has(path))
  const kept = [...plan.plan.gone, ...left, ...stopped].flatMap((page): PageRow | [] => {
    const { path, division } = page
    const outcome = context.outcomes.get(path)
    if (!outcome || outcome.kind === 'removed') return []
    const { document, operation, detail = 'operation removed' } = outcome
    const isStopped = stopped.includes(page)
    const about = { page: path, url: toUrlPath(path), reason: isStopped ? page.reason : detail }
    return toRow(branchOf(division), division, document, operation, {
      ...about,
      state: isStopped ? 'error' : 'kept by hand',
      isOpen: !isStopped,
    })
  })
  const known = new Set([...best, ...kept].map(({ branch, document, operation }) => toKey(branch, document, operation)))
  const lost = (survey.lock?.divisions ?? []).filter(({ id }) => left.some(({ division }) => division === id))
  const unlisted = lost.flatMap(({ id, sources }) =>
    sources.flatMap(({ source }) => {
      const subjects = documents.find((one) => one.source === source)?.index?.subjects ?? []
      const without = subjects.filter((subject) => isShown(subject) && !known.has(toKey(branchOf(id), source, subject.target)))
      return without.map((subject) => {
        const state = { state: 'unlisted', reason: 'its division was not found', isOpen: true } as const
        return toRow(branchOf(id), id, source, subject.target, { ...state, title: pageTitle(subject) })
      })
    }),
  )
  const pages = new Set([...best, ...kept].map(({ page }) => page))
  return [...best, ...kept, ...unlisted, ...listOtherPages(survey).filter(({ page }) => !pages.has(page))]
}

/** The rows of the bound pages that the lock file does not have. */
export function listOtherPages({ readings, resolutions, boundPages, lock }: Survey): PageRow[] {
  const recorded = new Set((lock?.pages ?? []).flatMap(({ path, movedFrom = path }) => [path, movedFrom]))
  return [...readings]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([path, reading]): PageRow | [] => {
      if (reading.kind !== 'bound' || recorded.has(path)) return []
      const about = { page: path, url: toUrlPath(path), isOpen: false }
      const bound = boundPages.get(path)
      if (bound) return toRow('', '', bound.source, bound.target, { ...about, state: 'own page', reason: 'not adopted' })
      const { kind = 'unknown' } = resolutions.get(path) ?? {}
      const reason = faults.get(kind) ?? 'the document has errors'
      return toRow('', '', reading.binding.file ?? '', formatTarget(reading.binding), { ...about, state: 'error', reason })
    })
}

/** Why a page shows no operation. */
const faults = new Map([
  ['missing', 'no document defines the operation'],
  ['no-document', 'no document defines the operation'],
  ['ambiguous', 'ambiguous binding: several documents define the operation'],
])

/** Adds what each document leaves open, see `DocumentReport.open`. */
export function withOpenRows(documents: readonly CheckedDocument[], rows: readonly PageRow[]): readonly CheckedDocument[] {
  return documents.map((document) => {
    const open = rows.filter((row) => row.isOpen && row.document === document.source)
    return open.length === 0
      ? document
      : { ...document, open: open.map(({ operation, reason }) => `\`${operation}\` (${reason})`) }
  })
}

/** Reports the operations that no page and no entry shows: one problem for each division and document, because there can be hundreds. */
export function checkUnlistedOperations(
  rows: readonly PageRow[],
  { docsConfig, configPath }: Survey,
  divisions: readonly DeclaredDivision[],
): Finding[] {
  const unlisted = rows.filter(({ state, page, isOpen }) => state === 'unlisted' && page === null && isOpen)
  return [...groupBy(unlisted, ({ division, document }) => toKey(division, document)).values()].flatMap((same): Finding[] => {
    const division = divisions.find(({ id }) => id === same[0]?.division)
    if (!docsConfig || division?.pointer === undefined) return []
    const names = listFirst(same, 3, ({ operation }) => `\`${operation}\``)
    const place = division.label === '' ? 'the navigation' : `\`${division.label}\``
    return [
      {
        code: 'unlisted-operation',
        message: `${names} of \`${same[0]?.document}\` ${same.length === 1 ? 'has' : 'have'} no page in ${place}`,
        file: docsConfig.source.path,
        pointer: division.pointer,
        hint: `To generate ${same.length === 1 ? 'a page' : 'pages'}, set \`unlisted: add\` in \`${baseName(configPath)}\`, or \`unlisted: ignore\` to hide this message`,
      },
    ]
  })
}

type RowState = Pick<PageRow, 'state' | 'reason' | 'isOpen'> & Partial<Pick<PageRow, 'page' | 'url' | 'title'>>

function toRow(branch: string, division: string, document: string, operation: string, state: RowState): PageRow {
  return { branch, division, document, operation, page: null, url: null, title: operation, ...state }
}

/** `undefined` if the row of another division has the operation. */
function describe(context: TableContext, division: DeclaredDivision, source: string, subject: PageSubject): RowState | undefined {
  const { survey, plan, replacementOf } = context.plan
  const pages = context.planned.get(toKey(division.id, source, subject.target)) ?? []
  const [first] = pages
  if (first) return describePlanned(context, division, pages.find(({ kind }) => kind !== 'deleted') ?? first, subject)
  const replacement = replacementOf(division, source, subject.target)
  if (replacement?.isElsewhere) return undefined
  const absence = explainAbsence(subject, replacement)
  const page = context.frozen.get(toKey(division.id, source, subject.target))
  const about = page === undefined ? {} : { page, url: toUrlPath(page) }
  const closed = (state: PageRow['state'], reason: string) => ({ ...about, state, reason, isOpen: false })
  if (absence) return { ...absence, ...(absence.page && { url: toUrlPath(absence.page) }), isOpen: false }
  const document = survey.documents.find((one) => one.source === source)
  const error = document?.affected?.kind === 'subjects' ? document.affected.findError(subject.target) : undefined
  if (error) return closed('skipped', 'its operation has errors')
  if (document && !document.isValid && document.affected?.kind !== 'subjects') return closed('error', 'its document has errors')
  const declared = division.sources.find((one) => one.source === source)
  if (division.mode === 'virtual' || declared?.isLeftToSites) return closed('generated', 'the site makes its page')
  if (declared?.adopted === 'fixed') return closed('unlisted', 'only a few operations of the document have pages')
  const isKnown = plan.unwritten.some((one) => one.division === division.id && one.operation === subject.target)
  const setting = settingOf(survey.config.unlisted, division)
  if (setting === 'ignore') return closed('unlisted', '`unlisted: ignore`')
  return {
    state: 'unlisted',
    reason: `${isKnown ? 'no page at adoption' : 'no entry'}, set \`unlisted\` to \`add\` or \`ignore\``,
    isOpen: true,
  }
}

function describePlanned(
  { plan, outcomes, branchesOf }: TableContext,
  { branch }: DeclaredDivision,
  page: PlannedPage,
  { mint }: PageSubject,
): RowState {
  const { path, kind, frozen, content } = page
  const outcome = outcomes.get(path)
  const branches = [path, outcome?.movedFrom ?? path].flatMap((one) => branchesOf.get(withoutPageExtension(one)) ?? [])
  const isListed = outcome?.entry === 'add' || branches.some((one) => isWithin(one, branch) || isWithin(branch, one))
  const text = plan.survey.docsFiles.pages.get(outcome?.movedFrom ?? path) ?? content
  // The title of a generated page is that of the operation, and most pages need not be parsed.
  const values = text === content && !mint?.metadata ? undefined : parsePageFrontmatter(text)?.values
  const title = readText(values, 'title')
  const about = { page: path, url: toUrlPath(path), ...(title === undefined ? {} : { title }) }
  if (frozen !== undefined) return { ...about, state: 'skipped', reason: frozen, isOpen: false }
  if (kind === 'deleted') return { state: 'kept by hand', reason: 'its page was deleted manually', isOpen: false }
  if (values?.['hidden'] === true) return { ...about, state: 'hidden', reason: 'the page has `hidden: true`', isOpen: false }
  if (plan.survey.readings.get(path)?.kind === 'fault')
    return { ...about, state: 'error', reason: 'its frontmatter has errors', isOpen: true }
  if (outcome && plan.survey.docsConfig && !isListed)
    return { ...about, state: 'unlisted', reason: `\`docs.json\` has no entry for \`${path}\``, isOpen: true }
  if (kind === 'by-hand') return { ...about, state: 'own page', reason: 'hand-written', isOpen: false }
  if (outcome?.movedFrom !== undefined) return { ...about, state: 'moved', reason: outcome.detail ?? 'moved', isOpen: false }
  const isEdited = outcome?.kind === 'kept'
  const reason = outcome?.detail ?? (outcome?.kind === 'added' ? 'not written yet' : 'up to date')
  return { ...about, state: isEdited ? 'kept by hand' : 'generated', reason, isOpen: false }
}

/** The labels of the languages, versions and products around a division. */
function nameBranch(docsConfig: DocsConfig | undefined, { pointer }: Pick<DeclaredDivision, 'pointer'>): string {
  const around = (docsConfig?.divisions ?? []).filter(
    (one) => one.branch === one.pointer && pointer !== undefined && isWithin(pointer, one.pointer),
  )
  return around.map(({ label }) => label).join(' / ')
}

function toKey(...parts: readonly string[]): string {
  return parts.join('\n')
}
