import type { Finding } from '../diagnostic/diagnostic.ts'
import { bindingKey, formatTarget } from '../docs/format-binding.ts'
import type { LockedPage } from '../docs/types.ts'
import type { BoundOperation, Replacement, ReplacementOf } from './bind-navigation.ts'
import { contentHash } from './content-hash.ts'
import { groupSubjects } from './group-subjects.ts'
import { hrefOutside } from './href-outside.ts'
import type { DescriptionIndex } from './index-description.ts'
import { listWantedSubjects } from './list-wanted-subjects.ts'
import { matchLockedPages, type WantedPage } from './match-locked-pages.ts'
import { createPathClaims, toHrefPath, toPagePath, toPathKey } from './page-path.ts'
import { refuseDeepMetadata } from './refuse-deep-metadata.ts'
import { renderOverview } from './render-overview.ts'
import { renderPage } from './render-page.ts'
import type {
  DeclaredDivision,
  DeclaredSource,
  LockedPageState,
  PagePlan,
  PageSubject,
  PlannedDivision,
  PlannedPage,
} from './types.ts'

export interface PlanPagesInput {
  readonly divisions: readonly DeclaredDivision[]
  /** The valid descriptions by `DeclaredSource.source`. A document that is not in it has faults, and its pages stay as they are. */
  readonly descriptions: ReadonlyMap<string, DescriptionIndex>
  readonly lockedPages: readonly LockedPage[]
  readonly stateOf: (page: LockedPage) => LockedPageState
  /** Pages of the docs root that are not in the lock file, or were deleted by hand and are back: path with extension, and its text. */
  readonly otherPages: ReadonlyMap<string, string>
  /** The page or entry that stands for an operation in a division, where somebody wrote one; such an operation has no page of ours. */
  readonly replacementOf: ReplacementOf
  /** The operations that some of them are bound to. */
  readonly boundPages: ReadonlyMap<string, BoundOperation>
}

/** Decides which pages there are, and the path and content of each. */
export function planPages(input: PlanPagesInput): { plan: PagePlan; findings: readonly Finding[] } {
  const findings: Finding[] = []
  const wanted = input.divisions.flatMap((division) => wantPages(input, division, findings))
  const { matches, gone, frozen } = matchLockedPages(wanted, input)
  const taken = new Set([...input.otherPages.keys()].map(toPathKey))
  const goneStates = new Map(input.lockedPages.map((page) => [page.path, input.stateOf(page)]))
  for (const page of matches.values()) taken.add(toPathKey(page.path))
  for (const { path } of frozen) taken.add(toPathKey(path))
  for (const { path } of gone) if (goneStates.get(path) === 'edited') taken.add(toPathKey(path))
  const settlement = { claim: createPathClaims(taken), adopted: new Set<string>(), findings }
  const planned = new Map<WantedPage, PlannedPage>()
  const paths = new Map<string, string>()
  for (const page of wanted) {
    const place = planPage(input, linkOverview(page, input, paths), matches.get(page), settlement)
    planned.set(page, place)
    if (place.kind !== 'deleted') paths.set(toPageKey(page, place.target), place.path)
  }
  const divisions = input.divisions.map((division): PlannedDivision => {
    const groups = division.sources.flatMap(({ source }) => {
      const description = input.descriptions.get(source)
      const members = wanted.filter((page) => page.division === division && page.source.source === source)
      const bySubject = new Map(members.map((page) => [page.subject, planned.get(page)]))
      const tagOrder = description?.tags.map(({ name }) => name) ?? []
      return groupSubjects([...bySubject.keys()], description?.tags ?? [], tagOrder).map(({ label, subjects }) => ({
        label,
        source,
        pages: subjects.flatMap((subject) => bySubject.get(subject) ?? []),
      }))
    })
    const served = division.mode === 'automatic' ? division.sources.filter(({ source }) => hasPages(input, division, source)) : []
    return { id: division.id, groups, served: served.map(({ source }) => source) }
  })
  return { plan: { divisions, gone, frozen }, findings }
}

/** What the pages of one plan settle among them. */
interface Settlement {
  readonly claim: (wanted: string) => string
  /** Paths of pages that stood there before and are pages of the plan now. */
  readonly adopted: Set<string>
  readonly findings: Finding[]
}

function toPageKey({ division, source }: Pick<WantedPage, 'division' | 'source'>, target: string): string {
  return `${division.id} ${source.source} ${target}`
}

/** An overview with the list of its operations, whose pages are planned before it. */
function linkOverview(page: WantedPage, { replacementOf }: PlanPagesInput, paths: ReadonlyMap<string, string>): WantedPage {
  const { division, source, subject } = page
  if (subject.binding.kind !== 'overview') return page
  const pathOf = (target: string) => paths.get(toPageKey(page, target)) ?? replacementOf(division, source.source, target)?.path
  const content = renderOverview(subject.binding, (target) => pathOf(target)?.replace(/\.mdx?$/, ''))
  const mint = { metadata: { sidebarTitle: 'Overview' }, content, href: undefined, groups: undefined }
  return { ...page, subject: { ...subject, mint } }
}

function hasPages({ descriptions }: PlanPagesInput, division: DeclaredDivision, source: string): boolean {
  const description = descriptions.get(source)
  return description !== undefined && listWantedSubjects(description, division).length > 0
}

function wantPages(input: PlanPagesInput, division: DeclaredDivision, findings: Finding[]): WantedPage[] {
  if (division.mode !== 'automatic') return []
  const lockedId = division.lockedId ?? division.id
  const isLost = !input.lockedPages.some((page) => page.division === lockedId)
  return division.sources.flatMap((source) => {
    const description = input.descriptions.get(source.source)
    return (description ? listWantedSubjects(description, division) : []).flatMap((found) => {
      const subject = refuseDeepMetadata(found, findings)
      const replacement = input.replacementOf(division, source.source, subject.target)
      if (!replacement) return { division, source, subject }
      const standingAt = isLost ? findLostPage(input, division, source, subject, replacement) : undefined
      return standingAt === undefined ? [] : { division, source, subject, standingAt }
    })
  })
}

/** A listed page with our bytes in a division that has no page in the lock file is one that the lock file has lost, not one by hand. */
function findLostPage(
  { otherPages }: PlanPagesInput,
  { version }: DeclaredDivision,
  { source }: DeclaredSource,
  subject: PageSubject,
  { path = '' }: Replacement,
): string | undefined {
  if (!path.endsWith('.mdx')) return undefined
  const content = renderPage(subject, { document: source, version })
  return contentHash(otherPages.get(path) ?? '') === contentHash(content) ? path : undefined
}

function planPage(
  input: PlanPagesInput,
  { division, source, subject, standingAt }: WantedPage,
  locked: LockedPage | undefined,
  { claim, adopted, findings }: Settlement,
): PlannedPage {
  const content = renderPage(subject, { document: source.source, version: division.version })
  const page = {
    document: source.source,
    target: subject.target,
    operationId: subject.operationId,
    previousTarget: locked?.operation,
    previousDocument: locked?.document,
    content,
  }
  if (locked) {
    const state = input.stateOf(locked)
    return { ...page, path: locked.path, kind: state === 'missing' || state === 'deleted' ? 'deleted' : 'generated' }
  }
  if (standingAt !== undefined) {
    adopted.add(standingAt)
    return { ...page, path: standingAt, kind: 'generated' }
  }
  const wantedPath = toWantedPath(subject, source, findings)
  const existing = findOwnPage(input, wantedPath, page, adopted)
  if (existing) return { ...page, ...existing }
  const path = `${claim(wantedPath)}.mdx`
  const inTheWay = findOtherPage(input, wantedPath)
  if (inTheWay !== undefined && !adopted.has(inTheWay)) findings.push(pathTaken(subject, inTheWay, path))
  return { ...page, path, kind: 'generated' }
}

/**
 * Finds the page at the wanted path, or at one that a collision would give, that is this page already: with our bytes, where the lock file
 * was lost, or made by somebody else for the same operation.
 */
function findOwnPage(
  input: PlanPagesInput,
  wantedPath: string,
  { document, target, content }: Pick<PlannedPage, 'document' | 'target' | 'content'>,
  adopted: Set<string>,
): Pick<PlannedPage, 'path' | 'kind'> | undefined {
  let path = findOtherPage(input, wantedPath)
  for (let count = 1; path !== undefined; count++) {
    const bound = input.boundPages.get(path)
    const isOurs = path.endsWith('.mdx') && contentHash(input.otherPages.get(path) ?? '') === contentHash(content)
    if (!adopted.has(path) && (isOurs || (bound?.source === document && bound.target === target))) {
      adopted.add(path)
      return { path, kind: isOurs ? 'generated' : 'by-hand' }
    }
    path = findOtherPage(input, `${wantedPath}-${count}`)
  }
  return undefined
}

function findOtherPage({ otherPages }: PlanPagesInput, path: string): string | undefined {
  return ['.mdx', '.md'].map((extension) => path + extension).find((candidate) => otherPages.has(candidate))
}

function toWantedPath(subject: PageSubject, source: DeclaredSource, findings: Finding[]): string {
  const href = subject.mint?.href
  if (href === undefined) return toPagePath(subject, source.directory)
  const path = toHrefPath(href)
  if (path === undefined) findings.push(hrefOutside(subject, href))
  return path ?? toPagePath(subject, source.directory)
}

function pathTaken({ binding, target, file, pointer }: PageSubject, path: string, instead: string): Finding {
  return {
    code: 'page-path-taken',
    message: `Unexpected file \`${path}\` where the page of \`${target}\` would go; the page goes to \`${instead}\``,
    file,
    pointer,
    hint: toHint(binding),
  }
}

function toHint(binding: PageSubject['binding']): string {
  if (binding.kind === 'overview') return 'move it away'
  const what = binding.kind === 'schema' ? 'schema' : 'operation'
  return `bind that file to the ${what} with \`${bindingKey(binding)}: ${formatTarget(binding)}\`, or move it away`
}
