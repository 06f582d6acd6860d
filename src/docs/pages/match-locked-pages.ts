import { groupBy } from '../../text/plain/lists.ts'
import { findRenames, toShape, toTraits } from './find-renames.ts'
import type { LockedPage } from './lock-file.ts'
import {
  type DeclaredDivision,
  type DeclaredSource,
  type FrozenPage,
  fromSchemaTarget,
  type GonePage,
  type PageSubject,
  type PlanPagesInput,
  type ReplacementOf,
} from './subjects.ts'

/** A page that a division needs. */
export interface WantedPage {
  readonly division: DeclaredDivision
  readonly source: DeclaredSource
  readonly subject: PageSubject
  /** The group that lists the page, see `toGroupKey`. */
  readonly group: string
  /** Path of a listed page that may be generated. Only in a division without locked pages. The page is wanted only if it is generated. */
  readonly lostPath?: string
  /** Keep an existing page, but do not create one. */
  readonly isOnlyMatched?: boolean
}

/** Why a page is not updated although the rest of its document is. */
export const affectedReason = 'its operation has errors'

interface MatchInput extends Pick<PlanPagesInput, 'divisions' | 'descriptions' | 'isAffected' | 'lockedPages' | 'stateOf'> {
  readonly replacementOf: ReplacementOf
  /** Whether to detect renamed operations; see `findRenames`. */
  readonly renames: boolean
}

export interface LockedPageMatches {
  readonly matches: ReadonlyMap<WantedPage, LockedPage>
  readonly gone: readonly GonePage[]
  readonly frozen: readonly FrozenPage[]
}

/**
 * Matches each page of the lock file with its current operation, so that a page keeps its path when other operations come and go.
 *
 * Within a division, the first match wins: (1) same operation and same `operationId`, (2) same `operationId` (the operation was
 * renamed or moved), (3) same operation, (4) a similar operation (see `findRenames`). Matches are within one document, or between
 * a removed document and the new one that replaces it. Pages of documents with errors, and pages of missing divisions, are
 * frozen. A virtual division loses its other pages, except hand-edited and adopted ones. An operation affected by errors only matches its own page. It still counts as a possible new location of a page, so
 * that this page is not removed.
 */
export function matchLockedPages(wanted: readonly WantedPage[], input: MatchInput): LockedPageMatches {
  const matches = new Map<WantedPage, LockedPage>()
  const gone: GonePage[] = []
  const frozen: FrozenPage[] = []
  const wantedByDivision = groupBy(wanted, ({ division }) => division)
  const divisionByLockedId = new Map(input.divisions.map((division) => [division.lockedId, division]))
  for (const [lockedId, lockedPages] of groupBy(input.lockedPages, ({ division }) => division)) {
    const division = divisionByLockedId.get(lockedId)
    if (!division) {
      frozen.push(...lockedPages.map(({ path }) => ({ path, division: lockedId, reason: 'its division was not found' })))
      continue
    }
    const isFrozen = createFrozenCheck(division, lockedPages, input)
    const reason = 'its document has errors'
    frozen.push(...lockedPages.filter(isFrozen).map(({ path }) => ({ path, division: division.id, reason })))
    const isLeft = createLeftCheck(division, input)
    const unfrozen = lockedPages.filter((page) => !isFrozen(page))
    const rest = new Set(unfrozen.filter((page) => !isLeft(page)))
    const open = new Set(wantedByDivision.get(division))
    const own = new Map<WantedPage, LockedPage>()
    const match = (page: LockedPage, asking: WantedPage) => {
      own.set(asking, page)
      rest.delete(page)
      open.delete(asking)
    }
    // Keep pages of operations that are affected or hidden by errors.
    for (const page of [...rest].filter(({ document, operation }) => input.isAffected(document, operation))) {
      const same = [...open].find(({ source, subject }) => source.source === page.document && subject.target === page.operation)
      if (same) match(page, same)
      else {
        rest.delete(page)
        frozen.push({ path: page.path, division: division.id, reason: affectedReason })
      }
    }
    const documents = toDocumentKeys(division, lockedPages)
    for (const rule of toPairRules(documents)) pair(rule, rest, open, match)
    if (input.renames) for (const [page, asking] of listRenames(rest, open, own, documents, input)) match(page, asking)
    for (const [asking, page] of own) matches.set(asking, page)
    for (const page of rest) gone.push(toGonePage(page, division, input))
    for (const page of unfrozen.filter(isLeft)) gone.push(toGonePage(page, division, input, 'the division is now virtual'))
  }
  return { matches, gone, frozen }
}

function createFrozenCheck(division: DeclaredDivision, lockedPages: readonly LockedPage[], { descriptions }: MatchInput) {
  const known = new Set(lockedPages.map(({ document }) => document))
  const declared = new Set(division.sources.map(({ source }) => source))
  const hasUnreadableNewSource = [...declared].some((source) => !known.has(source) && !descriptions.has(source))
  return ({ document }: LockedPage) => (declared.has(document) ? !descriptions.has(document) : hasUnreadableNewSource)
}

/** Whether a virtual division leaves a page to the host. */
function createLeftCheck({ mode, sources }: DeclaredDivision, { stateOf }: MatchInput) {
  const adopted = new Set(sources.flatMap((entry) => (entry.adopted ? entry.source : [])))
  return (page: LockedPage) => mode === 'virtual' && !page.adopted && !adopted.has(page.document) && stateOf(page) !== 'edited'
}

/**
 * Maps documents to keys. Equal keys mean the same document, possibly renamed. `''` means all removed and all new documents.
 */
interface DocumentKeys {
  readonly ofPage: (page: LockedPage) => string
  readonly ofWanted: (page: WantedPage) => string
}

function toDocumentKeys(division: DeclaredDivision, lockedPages: readonly LockedPage[]): DocumentKeys {
  const known = new Set(lockedPages.map(({ document }) => document))
  const declared = new Set(division.sources.map(({ source }) => source))
  return {
    ofPage: ({ document }) => (declared.has(document) ? document : ''),
    ofWanted: ({ source }) => (known.has(source.source) ? source.source : ''),
  }
}

/** A rule for matching locked pages with wanted pages: both have the same key. */
interface PairRule {
  readonly keyOfPage: (page: LockedPage) => string | undefined
  readonly keyOfWanted: (page: WantedPage) => string | undefined
  /** If `false`, a key shared by several pages does not match. */
  readonly isCertain: boolean
}

function toPairRules({ ofPage, ofWanted }: DocumentKeys): PairRule[] {
  return [
    {
      keyOfPage: (page) => `${ofPage(page)} ${page.operationId} ${page.operation}`,
      keyOfWanted: (page) => `${ofWanted(page)} ${page.subject.operationId} ${page.subject.target}`,
      isCertain: true,
    },
    {
      keyOfPage: (page) => page.operationId && `${ofPage(page)} ${page.operationId}`,
      keyOfWanted: (page) => page.subject.operationId && `${ofWanted(page)} ${page.subject.operationId}`,
      isCertain: false,
    },
    {
      keyOfPage: (page) => `${ofPage(page)} ${page.operation}`,
      keyOfWanted: (page) => `${ofWanted(page)} ${page.subject.target}`,
      isCertain: true,
    },
  ]
}

function pair(
  { keyOfPage, keyOfWanted, isCertain }: PairRule,
  rest: ReadonlySet<LockedPage>,
  open: ReadonlySet<WantedPage>,
  match: (page: LockedPage, asking: WantedPage) => void,
): void {
  const pages = groupBy(rest, keyOfPage)
  for (const [key, asking] of groupBy(open, keyOfWanted)) {
    const found = key === undefined ? [] : (pages.get(key) ?? [])
    if (!isCertain && (found.length > 1 || asking.length > 1)) continue
    asking.slice(0, found.length).forEach((wanted, index) => {
      const page = found[index]
      if (page) match(page, wanted)
    })
  }
}

/** Excludes pages with an operation that still exists but is hidden or has a hand-written page. They were not renamed. */
function listRenames(
  rest: ReadonlySet<LockedPage>,
  open: ReadonlySet<WantedPage>,
  matches: ReadonlyMap<WantedPage, LockedPage>,
  { ofPage, ofWanted }: DocumentKeys,
  { descriptions }: MatchInput,
): (readonly [LockedPage, WantedPage])[] {
  const gone = [...rest].filter(({ document, operation }) => {
    return isOperation(operation) && !descriptions.get(document)?.byTarget.has(operation)
  })
  const fresh = [...open].filter(({ subject }) => isOperation(subject.target))
  if (gone.length === 0 || fresh.length === 0) return []
  const successorOf = findSuccessors(rest, matches)
  const documentOf = (page: LockedPage) => ofPage(page) || successorOf(page.document)
  const freshByDocument = groupBy(fresh, (page) => ofWanted(page) || `new ${page.source.source}`)
  return [...groupBy(gone, documentOf)].flatMap(([document, pages]) => {
    const candidates = document === undefined ? [] : (freshByDocument.get(document) ?? [])
    return findRenames(
      pages.map((page) => ({ value: page, shape: toShape(page.operation, page) })),
      candidates.map((page) => ({ value: page, shape: toShape(page.subject.target, toTraits(page.subject, page.group)) })),
    )
  })
}

/** Schemas and overviews can only be identified by name. */
function isOperation(target: string): boolean {
  return fromSchemaTarget(target) === undefined && !isOverview(target)
}

function isOverview(target: string): boolean {
  return target === 'overview' || target.startsWith('overview ')
}

/** Finds the replacement of a removed document: the new one that matches at least half of its pages. */
function findSuccessors(
  rest: ReadonlySet<LockedPage>,
  matches: ReadonlyMap<WantedPage, LockedPage>,
): (document: string) => string | undefined {
  const counts = new Map<string, { all: number; readonly to: Map<string, number> }>()
  const countOf = (document: string) => {
    const count = counts.get(document) ?? { all: 0, to: new Map<string, number>() }
    counts.set(document, count)
    count.all++
    return count
  }
  for (const { document } of rest) countOf(document)
  for (const [{ source }, { document }] of matches) {
    const { to } = countOf(document)
    to.set(source.source, (to.get(source.source) ?? 0) + 1)
  }
  return (document) => {
    const count = counts.get(document)
    const found = [...(count?.to ?? [])].find(([source, share]) => source !== document && share * 2 >= (count?.all ?? 0))
    return found && `new ${found[0]}`
  }
}

function toGonePage(
  { path, document, operation }: LockedPage,
  division: DeclaredDivision,
  input: MatchInput,
  reason?: string,
): GonePage {
  const page = { path, division: division.id, document, target: operation }
  return { ...page, reason: reason ?? findReason(page, division, input) }
}

function findReason({ document, target }: Omit<GonePage, 'reason'>, division: DeclaredDivision, input: MatchInput): string {
  const replacement = input.replacementOf(division, document, target)
  if (!division.sources.some(({ source }) => source === document)) return `\`${document}\` is no longer referenced`
  const isAdopted = division.sources.some(({ source, adopted }) => source === document && adopted !== undefined)
  if (isAdopted) return fromSchemaTarget(target) === undefined ? 'operation removed' : 'schema removed'
  if (division.mode === 'listed') return 'the division now has hand-listed pages'
  if (replacement !== undefined) return `replaced by ${replacement.description}`
  if (isOverview(target)) {
    return division.overviews ? 'its group was removed' : 'overviews are disabled'
  }
  const schema = input.descriptions.get(document)?.schemas.find((found) => found.target === target)
  if (fromSchemaTarget(target) !== undefined && schema === undefined) return 'schema removed'
  if (schema?.excluded) return 'schema excluded'
  if (schema) return schema.hidden ? 'schema hidden' : 'schema no longer selected'
  const subject = input.descriptions.get(document)?.byTarget.get(target)
  if (subject?.excluded) return 'operation excluded'
  return subject?.hidden ? 'operation hidden' : 'operation removed'
}
