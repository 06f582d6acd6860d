import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { Tag } from '../../openapi/types.ts'
import { compareText, groupBy } from '../../text/plain/lists.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { findSiblings, listWantedAdopted, matchAdoptedPages, type SiblingsOf } from '../adopt/adopted-operations.ts'
import { editAdoptedPage } from '../adopt/adopted-page.ts'
import { writeLikeSiblings } from '../adopt/write-like-siblings.ts'
import type { OrderSetting } from '../config/config-setting.ts'
import { formatTarget } from '../navigation/docs-config.ts'
import { bindingKey } from '../navigation/read-divisions.ts'
import {
  createPathClaims,
  escapeMdx,
  pageTitle,
  readHref,
  renderMdxCode,
  renderMdxText,
  renderPage,
  reservedPaths,
  toHrefPath,
  toPageFolder,
  toPagePath,
  toPathKey,
  toSafeLink,
  withoutPageExtension,
} from '../pages/generated-page.ts'
import { contentHash, type LockedPage, type LockedSource } from '../pages/lock-file.ts'
import { affectedReason, type LockedPageMatches, toTraits, type WantedPage } from '../pages/match-locked-pages.ts'
import type {
  BoundOperation,
  DeclaredDivision,
  NavigationGroup,
  Overview,
  PagePlan,
  PageSubject,
  PlannedDivision,
  PlannedGroup,
  PlannedPage,
  PlanPagesInput,
  ReplacementOf,
} from '../pages/subjects.ts'
import { listSitePages, listWantedPages, orderMethods, toGroupKey, type WantedBlock } from '../pages/wanted-subjects.ts'

/** Plans all pages with their path and content. */
export function planPages(input: PlanPagesInput): { plan: PagePlan; findings: readonly Finding[] } {
  const findings: Finding[] = []
  const candidates = input.divisions.flatMap((division) => [
    ...listWantedPages(input, division, findings),
    ...listWantedAdopted(input, division),
  ])
  const { blocks: known, matches, gone, frozen, unwritten } = matchAdoptedPages(candidates, input)
  const blocks = [...known, ...listSitePages(input, findings)]
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
  }
  const siblingsOf = findSiblings(input, wanted, matches)
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
    const place = locked
      ? planLockedPage(input, linked, locked, newPaths.get(page))
      : planNewPage(input, linked, siblingsOf, settlement)
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
  const taken = new Set([...reservedPaths, ...[...otherPages.keys()].map(toPathKey)])
  const locked = new Map(lockedPages.map((page) => [page.path, page]))
  // A page that a person moved leaves a redirect.
  for (const { movedFrom } of lockedPages) if (movedFrom !== undefined) taken.add(toPathKey(movedFrom))
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
    frozen:
      locked.operation === subject.target
        ? affectedReason
        : `operation removed, or renamed to \`${subject.target}\`, which has errors`,
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
  const path = withoutPageExtension(locked.path)
  const href = wanted.subject.mint?.href
  const newPath =
    href === undefined
      ? findInDirectory(wanted, locked, path)
      : href === locked.href
        ? undefined
        : inFolder(wanted, toHrefPath(href))
  if (newPath === undefined) return undefined
  // A numbered variant counts as the same path, because another page has the plain one.
  const isThere = [path, path.replace(/-\d+$/, '')].some((candidate) => toPathKey(candidate) === toPathKey(newPath))
  return isThere ? undefined : newPath
}

/** A path that does not start with the directory of its document, in the folder of its language, version or product. */
function inFolder({ source }: WantedPage, path: string | undefined): string | undefined {
  return path === undefined ? undefined : joinPath(source.folder ?? '', path)
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

type PageOrder = Pick<LockedSource, 'order' | 'methodOrder'>

/** The groups of a division in order, and the order they were listed in before, if that is different. */
function orderDivision(
  division: DeclaredDivision,
  blocks: readonly WantedBlock[],
  planned: ReadonlyMap<WantedPage, PlannedPage>,
): Pick<PlannedDivision, 'groups' | 'formerGroups'> {
  const formerOrder = (source: string) => division.lockedSources.find((entry) => entry.source === source) ?? division
  const arrange = (orderOf: (source: string) => PageOrder) =>
    blocks.flatMap(({ source, pages, groups }): PlannedGroup[] => {
      const placed = pages.filter((page) => planned.has(page))
      const { order, methodOrder } = orderOf(source)
      return orderGroups(
        orderMethods(placed, ({ subject }) => subject, methodOrder),
        groups,
        order,
      ).map((group) => {
        return { ...group, source, pages: group.pages.flatMap((page) => planned.get(page) ?? []) }
      })
    })
  const hasChanged = blocks.some(({ source }) => {
    const { order, methodOrder } = formerOrder(source)
    return order !== division.order || methodOrder !== division.methodOrder
  })
  return { groups: arrange(() => division), formerGroups: hasChanged ? arrange(formerOrder) : undefined }
}

/** The pages of one navigation group. */
interface PageGroup extends NavigationGroup {
  readonly pages: readonly WantedPage[]
}

/**
 * Groups pages and orders the groups: by the `tags` of the document, by first use, or alphabetically.
 *
 * `pages` are in document order. They keep that order within a group unless the order is alphabetical. The overview of a
 * group always comes first, and the schemas group always last. Alphabetical order uses Unicode without case and accents,
 * independent of the locale.
 */
function orderGroups(pages: readonly WantedPage[], known: readonly NavigationGroup[], order: OrderSetting): PageGroup[] {
  const byKey = groupBy(pages, ({ group }) => group)
  const knownGroups = new Map(known.map((group) => [toGroupKey(group), group]))
  const keys = new Set([...(order === 'tags' ? knownGroups.keys() : []), ...byKey.keys()])
  const groups = [...keys].flatMap((key): PageGroup | [] => {
    const members = byKey.get(key)
    return members ? { label: key, parents: [], ...knownGroups.get(key), pages: orderPages(members, order) } : []
  })
  if (order !== 'alphabetical') return groups
  const isOfSchemas = ({ pages: [first] }: PageGroup) => first?.subject.binding.kind === 'schema'
  return [
    ...sortByName(
      groups.filter((group) => !isOfSchemas(group)),
      toGroupKey,
    ),
    ...groups.filter(isOfSchemas),
  ]
}

function orderPages(pages: readonly WantedPage[], order: OrderSetting): WantedPage[] {
  const isOverview = ({ subject }: WantedPage) => subject.binding.kind === 'overview'
  const others = pages.filter((page) => !isOverview(page))
  return [
    ...pages.filter(isOverview),
    ...(order === 'alphabetical' ? sortByName(others, ({ subject }) => pageTitle(subject)) : others),
  ]
}

function sortByName<Value>(values: readonly Value[], nameOf: (value: Value) => string): Value[] {
  const toKey = (name: string) => name.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const named = values.map((value) => ({ value, key: toKey(nameOf(value)) }))
  return named.sort((a, b) => compareText(a.key, b.key)).map(({ value }) => value)
}

/** Identifies a page in a plan by division, document and target. */
function toPageKey({ division, source }: Pick<WantedPage, 'division' | 'source'>, target: string): string {
  return `${division.id} ${source.source} ${target}`
}

/**
 * Renders the overview if the page is one. Other pages are returned unchanged.
 *
 * @param paths of the planned pages, by `toPageKey`. All other pages must be planned first.
 */
function linkOverview(
  page: WantedPage,
  { replacementOf }: { readonly replacementOf: ReplacementOf },
  paths: ReadonlyMap<string, string>,
): WantedPage {
  const { division, source, subject } = page
  if (subject.binding.kind !== 'overview') return page
  const pathOf = (target: string) => paths.get(toPageKey(page, target)) ?? replacementOf(division, source.source, target)?.path
  const content = renderOverview(subject.binding, (target) => withoutPageExtension(pathOf(target) ?? '') || undefined)
  const isNamedOverview = subject.summary?.trim().toLowerCase() === 'overview'
  const mint = {
    metadata: { sidebarTitle: isNamedOverview ? 'Introduction' : 'Overview' },
    content,
    href: undefined,
    groups: undefined,
  }
  return { ...page, subject: { ...subject, mint } }
}

/**
 * Writes an overview: the description of each tag in the group, and its operations with links to their pages.
 *
 * `pathOf` returns the page path of a subject without extension, relative to the docs directory. Operations without a page are
 * listed without a link.
 */
function renderOverview({ tags, members }: Overview, pathOf: (target: string) => string | undefined): string {
  const list = (subjects: readonly PageSubject[]) => subjects.map((subject) => toItem(subject, pathOf(subject.target))).join('\n')
  const untagged = members.filter(({ tag }) => !tags.some(({ name }) => name === tag))
  const [only] = tags
  if (only && tags.length === 1 && untagged.length === 0) return joinBlocks([...describeTag(only), list(members)])
  const sections = tags.flatMap((tag) => [
    `## ${renderMdxText(tag.name)}`,
    ...describeTag(tag),
    list(members.filter((member) => member.tag === tag.name)),
  ])
  return joinBlocks([list(untagged), ...sections])
}

function describeTag({ description, externalDocs }: Tag): string[] {
  const link = externalDocs && toSafeLink(externalDocs.url)
  const words = externalDocs?.description?.trim() || externalDocs?.url || ''
  return [escapeMdx(description ?? ''), link === undefined ? '' : `[${renderMdxText(words)}](${link})`]
}

function toItem(subject: PageSubject, path: string | undefined): string {
  const title = renderMdxText(pageTitle(subject))
  const name = path === undefined ? title : `[${title}](${toSafeLink(`/${path}`)})`
  return `- ${name}: ${renderMdxCode(subject.target)}${subject.deprecated === true ? ' (deprecated)' : ''}`
}

function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n')
}

/** State shared by all pages of a plan while they are placed. */
interface PlacementContext {
  readonly claim: (wanted: string) => string
  /** Existing pages that are now part of the plan. */
  readonly adopted: Set<string>
  /** Paths of pages that are not generated, by their binding. */
  readonly bound: ReadonlyMap<string, readonly string[]>
  /** Groups of removed pages, by path. */
  readonly goneGroups: ReadonlyMap<string, string | undefined>
  /** Keys of paths with a redirect. */
  readonly redirected: ReadonlySet<string>
  readonly findings: Finding[]
}

/** Renders a page independent of its path. */
function describePage({
  division,
  source,
  subject,
  group,
  entries,
}: WantedPage): Omit<PlannedPage, 'path' | 'kind' | 'previous' | 'formerGroup'> {
  const content = renderPage(subject, { document: source.source, version: division.version })
  return {
    document: source.source,
    target: subject.target,
    traits: toTraits(subject, group),
    content,
    ...(entries && { entries }),
  }
}

/** Decides the path of a page that is not in the lock file, and whether it already exists. */
function planNewPage(
  input: PlanPagesInput,
  wanted: WantedPage,
  siblingsOf: SiblingsOf,
  settlement: PlacementContext,
): PlannedPage {
  const { subject, source } = wanted
  const page = { ...describePage(wanted), previous: undefined, formerGroup: undefined }
  if (source.adopted) {
    const like = writeLikeSiblings(subject, { source, siblings: siblingsOf(wanted.division, source) }, settlement.findings)
    return { ...page, ...like, path: settlement.claim(like.path) + like.extension, kind: 'generated' }
  }
  const wantedPath = inFolder(wanted, readHref(subject, settlement.findings)) ?? toPagePath(subject, source.directory)
  const existing = findExistingPage(input, wantedPath, page, settlement)
  if (existing) return { ...page, ...existing }
  const path = `${settlement.claim(wantedPath)}.mdx`
  reportPathTaken(input, subject, wantedPath, path, settlement)
  return { ...page, formerGroup: settlement.goneGroups.get(path), path, kind: 'generated' }
}

/**
 * Finds an existing page at the preferred path or a numbered variant: a generated page if the lock file was lost, or a
 * hand-written page for the same operation.
 */
function findExistingPage(
  input: PlanPagesInput,
  wantedPath: string,
  { document, target, content }: Pick<PlannedPage, 'document' | 'target' | 'content'>,
  { bound, adopted }: PlacementContext,
): Pick<PlannedPage, 'path' | 'kind'> | undefined {
  const found = (bound.get(toBoundKey({ source: document, target })) ?? []).filter((path) => {
    const suffix = path.startsWith(wantedPath) ? path.slice(wantedPath.length) : ''
    return /^(-\d+)?\.mdx?$/.test(suffix) && !adopted.has(path)
  })
  // Prefer the path without a number, then the lowest number.
  const path = found.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0]
  if (path === undefined) return undefined
  adopted.add(path)
  return { path, kind: path.endsWith('.mdx') && isGenerated(input, path, content) ? 'generated' : 'by-hand' }
}

function isGenerated({ otherPages }: PlanPagesInput, path: string, content: string): boolean {
  return contentHash(otherPages.get(path) ?? '') === contentHash(content)
}

/** Identifies the target of a binding. */
function toBoundKey(bound: BoundOperation | undefined): string {
  return `${bound?.source} ${bound?.target}`
}

/** Reports that a page could not use its preferred path. */
function reportPathTaken(
  { otherPages }: PlanPagesInput,
  { binding, target, file, pointer }: PageSubject,
  wantedPath: string,
  instead: string,
  { adopted, redirected, findings }: PlacementContext,
): void {
  if (instead === `${wantedPath}.mdx`) return
  const inTheWay = ['.mdx', '.md'].map((extension) => wantedPath + extension).find((candidate) => otherPages.has(candidate))
  const what = inTheWay === undefined ? `redirect from \`/${wantedPath}\`` : `file \`${inTheWay}\``
  const isOfPlan = inTheWay === undefined ? !redirected.has(toPathKey(wantedPath)) : adopted.has(inTheWay)
  if (isOfPlan) return
  findings.push({
    code: 'page-path-taken',
    message: `Unexpected ${what} at the path for \`${target}\`, using \`${instead}\` instead`,
    file,
    pointer,
    hint: inTheWay === undefined ? 'Remove the redirect to use this path' : toPathTakenHint(binding),
  })
}

function toPathTakenHint(binding: PageSubject['binding']): string {
  if (binding.kind === 'overview') return 'Move the file'
  const what = binding.kind === 'schema' ? 'schema' : 'operation'
  return `Bind the file to the ${what} with \`${bindingKey(binding)}: ${formatTarget(binding)}\`, or move it`
}
