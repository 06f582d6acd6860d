import type { Finding } from '../diagnostic/diagnostic.ts'
import type { OrderSetting } from '../docs/config.ts'
import { bindingKey, formatTarget } from '../docs/format-binding.ts'
import type { Redirect } from '../docs/read-redirects.ts'
import type { LockedPage, UnwrittenOperation } from '../docs/types.ts'
import { groupBy } from '../text/group-by.ts'
import { editAdoptedPage } from './adoption/edit-adopted-page.ts'
import { findSiblings, type SiblingsOf } from './adoption/find-siblings.ts'
import { settleAdopted } from './adoption/settle-adopted.ts'
import { wantAdopted } from './adoption/want-adopted.ts'
import { writeLikeSiblings } from './adoption/write-like-siblings.ts'
import type { BoundOperation, ReplacementOf } from './bind-navigation.ts'
import { contentHash } from './content-hash.ts'
import { findNewPath } from './find-new-path.ts'
import { hrefOutside } from './href-outside.ts'
import type { DescriptionIndex } from './index-description.ts'
import { linkOverview, toPageKey } from './link-overview.ts'
import type { LockedPageMatches, WantedPage } from './match-locked-pages.ts'
import { orderGroups } from './order-groups.ts'
import { createPathClaims, toHrefPath, toPagePath, toPathKey } from './page-path.ts'
import { renderPage } from './render-page.ts'
import { toTraits } from './to-traits.ts'
import type {
  DeclaredDivision,
  DeclaredSource,
  LockedPageState,
  PagePlan,
  PageSubject,
  PlannedDivision,
  PlannedGroup,
  PlannedPage,
} from './types.ts'
import { hasPages, type WantedBlock, wantPages } from './want-pages.ts'

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

/** Decides which pages there are, and the path and content of each. */
export function planPages(input: PlanPagesInput): { plan: PagePlan; findings: readonly Finding[] } {
  const findings: Finding[] = []
  const asked = input.divisions.flatMap((division) => [...wantPages(input, division, findings), ...wantAdopted(input, division)])
  const { blocks, matches, gone, frozen, unwritten } = settleAdopted(asked, input)
  const wanted = blocks.flatMap(({ pages }) => pages)
  const moves = new Map<WantedPage, string>()
  for (const [page, locked] of matches) {
    const state = input.stateOf(locked)
    const path = state === 'untouched' || state === 'edited' ? findNewPath(page, locked) : undefined
    if (path !== undefined) moves.set(page, path)
  }
  const taken = listTaken(input, { matches, gone, frozen }, moves)
  // A page that goes away in the same update leaves its path to a new page, not to one that is moved there.
  const claimMoved = createPathClaims([...taken, ...gone.map(({ path }) => toPathKey(path))])
  const newPaths = new Map(
    [...moves].map(([page, path]) => [page, claimMoved(path) + (matches.get(page)?.path.endsWith('.md') ? '.md' : '.mdx')]),
  )
  for (const path of newPaths.values()) taken.add(toPathKey(path))
  const groups = new Map(input.lockedPages.map(({ path, group }) => [path, group]))
  const settlement: Settlement = {
    claim: createPathClaims(taken),
    adopted: new Set(),
    bound: groupBy(input.boundPages.keys(), (path) => toBoundKey(input.boundPages.get(path))),
    goneGroups: new Map(gone.map(({ path }) => [path, groups.get(path)])),
    redirected: new Set(input.redirects.map(({ source }) => toPathKey(toPath(source)))),
    findings,
    siblingsOf: findSiblings(input, wanted, matches),
  }
  const planned = new Map<WantedPage, PlannedPage>()
  const paths = new Map<string, string>()
  for (const page of wanted) {
    const locked = matches.get(page)
    const linked = linkOverview(page, input, paths)
    const place = locked ? planLockedPage(input, linked, locked, newPaths.get(page)) : planNewPage(input, linked, settlement)
    planned.set(page, place)
    if (place.kind !== 'deleted') paths.set(toPageKey(page, place.target), place.path)
  }
  for (const [page, wantedPath] of moves) reportTaken(input, page.subject, wantedPath, newPaths.get(page) ?? '', settlement)
  const divisions = input.divisions.map((division): PlannedDivision => {
    const own = blocks.filter((block) => block.division === division)
    const served =
      division.mode === 'automatic'
        ? division.sources.filter((entry) => !entry.adopted && hasPages(input, division, entry.source))
        : []
    return { id: division.id, ...orderDivision(division, own, planned, input), served: served.map(({ source }) => source) }
  })
  return { plan: { divisions, gone, frozen, unwritten }, findings }
}

/** What the pages of one plan settle among them. */
interface Settlement {
  readonly claim: (wanted: string) => string
  /** Paths of pages that stood there before and are pages of the plan now. */
  readonly adopted: Set<string>
  /** Paths of the pages of others by what they are bound to. */
  readonly bound: ReadonlyMap<string, readonly string[]>
  /** The groups of the pages that go away, by their paths. */
  readonly goneGroups: ReadonlyMap<string, string | undefined>
  /** Keys of the paths that a redirect leads away from. */
  readonly redirected: ReadonlySet<string>
  /** The pages that a new one among adopted ones is modelled on. */
  readonly siblingsOf: SiblingsOf
  readonly findings: Finding[]
}

/**
 * The keys of the paths that no page can have: those of pages that stay, those that a page leaves, whose readers are sent on, and those
 * that a redirect leads away from, except back to a page that returns.
 */
function listTaken(
  { otherPages, stateOf, lockedPages, redirects }: PlanPagesInput,
  { matches, gone, frozen }: LockedPageMatches,
  moves: ReadonlyMap<WantedPage, string>,
): Set<string> {
  const taken = new Set([...otherPages.keys()].map(toPathKey))
  const locked = new Map(lockedPages.map((page) => [page.path, page]))
  for (const page of matches.values()) taken.add(toPathKey(page.path))
  for (const { path } of frozen) taken.add(toPathKey(path))
  for (const { path } of gone) {
    const page = locked.get(path)
    if (page && (page.keep || stateOf(page) === 'edited')) taken.add(toPathKey(path))
  }
  const returns = new Set([...moves].map(([page, path]) => `${toPathKey(path)} ${toPathKey(matches.get(page)?.path ?? '')}`))
  for (const { source, destination } of redirects) {
    const from = toPathKey(toPath(source))
    if (!returns.has(`${from} ${toPathKey(toPath(destination))}`)) taken.add(from)
  }
  return taken
}

/** The groups of a division in its order; and in the one that they were listed by, where that is another. */
function orderDivision(
  division: DeclaredDivision,
  blocks: readonly WantedBlock[],
  planned: ReadonlyMap<WantedPage, PlannedPage>,
  { descriptions }: PlanPagesInput,
): Pick<PlannedDivision, 'groups' | 'formerGroups'> {
  const formerOrder = (source: string) => division.lockedSources.find((entry) => entry.source === source)?.order ?? division.order
  const arrange = (orderOf: (source: string) => OrderSetting) =>
    blocks.flatMap(({ source, pages }): PlannedGroup[] => {
      const bySubject = groupBy(pages, ({ subject }) => subject)
      const groups = orderGroups([...bySubject.keys()], descriptions.get(source)?.tags ?? [], orderOf(source))
      return groups.map(({ label, subjects }) => {
        const members = subjects.flatMap((subject) => bySubject.get(subject) ?? [])
        return { label, source, pages: members.flatMap((page) => planned.get(page) ?? []) }
      })
    })
  const hasChanged = blocks.some(({ source }) => formerOrder(source) !== division.order)
  return { groups: arrange(() => division.order), formerGroups: hasChanged ? arrange(formerOrder) : undefined }
}

function planLockedPage(input: PlanPagesInput, wanted: WantedPage, locked: LockedPage, newPath: string | undefined): PlannedPage {
  const state = input.stateOf(locked)
  const kind = state === 'missing' || state === 'deleted' ? 'deleted' : 'generated'
  const text = locked.adopted && input.textOf(locked.path)
  const page = describePage(wanted)
  const content = text === undefined ? page.content : editAdoptedPage(text, wanted.subject, locked)
  return {
    ...page,
    content,
    previous: locked,
    formerGroup: locked.group,
    path: newPath ?? locked.path,
    kind,
    adopted: locked.adopted,
  }
}

function planNewPage(input: PlanPagesInput, wanted: WantedPage, settlement: Settlement): PlannedPage {
  const { subject, source, standingAt } = wanted
  const page = { ...describePage(wanted), previous: undefined, formerGroup: undefined }
  if (source.adopted) {
    const siblings = settlement.siblingsOf(wanted.division, source)
    const like = writeLikeSiblings(subject, { source, siblings }, settlement.findings)
    return { ...page, ...like, path: settlement.claim(like.path) + like.extension, kind: 'generated' }
  }
  if (standingAt !== undefined) {
    settlement.adopted.add(standingAt)
    return { ...page, path: standingAt, kind: 'generated' }
  }
  const wantedPath = toWantedPath(subject, source, settlement.findings)
  const existing = findOwnPage(input, wantedPath, page, settlement)
  if (existing) return { ...page, ...existing }
  const path = `${settlement.claim(wantedPath)}.mdx`
  reportTaken(input, subject, wantedPath, path, settlement)
  return { ...page, formerGroup: settlement.goneGroups.get(path), path, kind: 'generated' }
}

function describePage({
  division,
  source,
  subject,
  group,
}: WantedPage): Omit<PlannedPage, 'path' | 'kind' | 'previous' | 'formerGroup'> {
  const content = renderPage(subject, { document: source.source, version: division.version })
  return { document: source.source, target: subject.target, traits: toTraits(subject, group), content }
}

/**
 * Finds the page at the wanted path, or at one that a collision would give, that is this page already: with our bytes, where the lock file
 * was lost, or made by somebody else for the same operation.
 */
function findOwnPage(
  { otherPages }: PlanPagesInput,
  wantedPath: string,
  { document, target, content }: Pick<PlannedPage, 'document' | 'target' | 'content'>,
  { bound, adopted }: Settlement,
): Pick<PlannedPage, 'path' | 'kind'> | undefined {
  const found = (bound.get(toBoundKey({ source: document, target })) ?? []).filter((path) => {
    const suffix = path.startsWith(wantedPath) ? path.slice(wantedPath.length) : ''
    return /^(-\d+)?\.mdx?$/.test(suffix) && !adopted.has(path)
  })
  // The one without a number, then the one with the least.
  const path = found.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0]
  if (path === undefined) return undefined
  adopted.add(path)
  const isOurs = path.endsWith('.mdx') && contentHash(otherPages.get(path) ?? '') === contentHash(content)
  return { path, kind: isOurs ? 'generated' : 'by-hand' }
}

function toBoundKey(bound: BoundOperation | undefined): string {
  return `${bound?.source} ${bound?.target}`
}

/** Says why a page is not where somebody would look for it. */
function reportTaken(
  { otherPages }: PlanPagesInput,
  { binding, target, file, pointer }: PageSubject,
  wantedPath: string,
  instead: string,
  { adopted, redirected, findings }: Settlement,
): void {
  if (instead === `${wantedPath}.mdx`) return
  const inTheWay = ['.mdx', '.md'].map((extension) => wantedPath + extension).find((candidate) => otherPages.has(candidate))
  const what = inTheWay === undefined ? `redirect of \`/${wantedPath}\`` : `file \`${inTheWay}\``
  const isOfPlan = inTheWay === undefined ? !redirected.has(toPathKey(wantedPath)) : adopted.has(inTheWay)
  if (isOfPlan) return
  findings.push({
    code: 'page-path-taken',
    message: `Unexpected ${what} where the page of \`${target}\` would go; the page goes to \`${instead}\``,
    file,
    pointer,
    hint: inTheWay === undefined ? 'remove the redirect to have the page there' : toHint(binding),
  })
}

/** An address of the site as a path of a page without extension. */
function toPath(address: string): string {
  return address.replace(/^\//, '')
}

function toWantedPath(subject: PageSubject, source: DeclaredSource, findings: Finding[]): string {
  const href = subject.mint?.href
  if (href === undefined) return toPagePath(subject, source.directory)
  const path = toHrefPath(href)
  if (path === undefined) findings.push(hrefOutside(subject, href))
  return path ?? toPagePath(subject, source.directory)
}

function toHint(binding: PageSubject['binding']): string {
  if (binding.kind === 'overview') return 'move it away'
  const what = binding.kind === 'schema' ? 'schema' : 'operation'
  return `bind that file to the ${what} with \`${bindingKey(binding)}: ${formatTarget(binding)}\`, or move it away`
}
