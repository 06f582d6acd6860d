import type { Finding } from '../../diagnostics/diagnostic.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { listWantedAdopted, matchAdoptedPages } from '../adopt/adopted-operations.ts'
import { editAdoptedPage } from '../adopt/adopted-page.ts'
import { findSiblings } from '../adopt/siblings.ts'
import { createPathClaims, toHrefPath, toPageFolder, toPathKey } from '../pages/generated-page.ts'
import { listWantedPages } from '../pages/list-wanted-pages.ts'
import type { LockedPage } from '../pages/lock-file.ts'
import { affectedReason, type LockedPageMatches, type WantedPage } from '../pages/match-locked-pages.ts'
import { toEntry } from '../pages/navigation-entries.ts'
import type { PagePlan, PlannedDivision, PlannedPage, PlanPagesInput } from '../pages/subjects.ts'
import { orderDivision } from './order-division.ts'
import { linkOverview, toPageKey } from './overview-page.ts'
import { describePage, type PlacementContext, planNewPage, reportPathTaken, toBoundKey } from './plan-new-page.ts'

/** Plans all pages with their path and content. */
export function planPages(input: PlanPagesInput): { plan: PagePlan; findings: readonly Finding[] } {
  const findings: Finding[] = []
  const candidates = input.divisions.flatMap((division) => [
    ...listWantedPages(input, division, findings),
    ...listWantedAdopted(input, division),
  ])
  const { blocks, matches, gone, frozen, unwritten } = matchAdoptedPages(candidates, input)
  const isAffected = ({ source, subject }: WantedPage) => input.isAffected(source.source, subject.target)
  const wanted = blocks.flatMap(({ pages }) => pages)
  const moves = new Map<WantedPage, string>()
  for (const [page, locked] of matches) {
    const state = input.stateOf(locked)
    const path = !isAffected(page) && (state === 'untouched' || state === 'edited') ? findNewPath(page, locked) : undefined
    if (path !== undefined) moves.set(page, path)
  }
  const taken = listTaken(input, { matches, gone, frozen }, moves)
  // The path of a removed page is available to a new page, but not to a moved one.
  const claimMoved = createPathClaims([...taken, ...gone.map(({ path }) => toPathKey(path))])
  const newPaths = new Map(
    [...moves].map(([page, path]) => [page, claimMoved(path) + (matches.get(page)?.path.endsWith('.md') ? '.md' : '.mdx')]),
  )
  for (const path of newPaths.values()) taken.add(toPathKey(path))
  const groups = new Map(input.lockedPages.map(({ path, group }) => [path, group]))
  const settlement: PlacementContext = {
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
    // Operations affected by errors get no new page, and existing pages are not updated.
    if (isAffected(page)) {
      if (!locked) continue
      planned.set(page, keepPage(page, locked))
      paths.set(toPageKey(page, page.subject.target), locked.path)
      continue
    }
    const linked = linkOverview(page, input, paths)
    const place = locked ? planLockedPage(input, linked, locked, newPaths.get(page)) : planNewPage(input, linked, settlement)
    if (!place) continue
    planned.set(page, place)
    if (place.kind !== 'deleted') paths.set(toPageKey(page, place.target), place.path)
  }
  for (const [page, wantedPath] of moves) reportPathTaken(input, page.subject, wantedPath, newPaths.get(page) ?? '', settlement)
  const divisions = input.divisions.map((division): PlannedDivision => {
    const own = blocks.filter((block) => block.division === division)
    const served = own.filter(({ isServed }) => isServed)
    return { id: division.id, ...orderDivision(division, own, planned), served: served.map(({ source }) => source) }
  })
  return { plan: { divisions, gone, frozen, unwritten }, findings }
}

/**
 * Collects keys of paths that are not available: those of existing pages, of moved pages with a redirect, and of redirects,
 * unless a page returns to its old path.
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

/** Keeps a page unchanged. It stays in the plan because neighboring navigation entries depend on it. */
function keepPage({ source, subject }: WantedPage, locked: LockedPage): PlannedPage {
  return {
    path: locked.path,
    kind: 'generated',
    document: source.source,
    target: subject.target,
    traits: locked,
    previous: locked,
    formerGroup: locked.group,
    content: '',
    adopted: locked.adopted,
    frozen: affectedReason,
  }
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

/** Converts a URL path to a page path without extension. */
function toPath(address: string): string {
  return address.replace(/^\//, '')
}

/**
 * Returns the new path (without extension) of a page in the lock file, or `undefined` if it stays, which keeps its URL stable.
 *
 * A page moves if its `x-mint.href` changes, or if the directory of its document in the division changes. A page outside that
 * directory was moved on purpose and stays.
 */
function findNewPath(wanted: WantedPage, locked: LockedPage): string | undefined {
  const path = toEntry(locked.path)
  const href = wanted.subject.mint?.href
  const newPath = href === undefined ? findInDirectory(wanted, locked, path) : href === locked.href ? undefined : toHrefPath(href)
  if (newPath === undefined) return undefined
  // A numbered variant counts as the same path, because another page has the plain one.
  const isThere = [path, path.replace(/-\d+$/, '')].some((candidate) => toPathKey(candidate) === toPathKey(newPath))
  return isThere ? undefined : newPath
}

function findInDirectory({ division, source }: WantedPage, locked: LockedPage, path: string): string | undefined {
  const former = division.lockedSources.find((entry) => entry.source === locked.document)?.directory
  if (former === undefined || locked.href !== undefined) return undefined
  const formerFolder = toPageFolder(former)
  const folder = toPageFolder(source.directory)
  const prefix = formerFolder === '' ? '' : `${formerFolder}/`
  if (formerFolder === folder || !path.startsWith(prefix)) return undefined
  const rest = path.slice(prefix.length)
  return folder === '' ? rest : `${folder}/${rest}`
}
