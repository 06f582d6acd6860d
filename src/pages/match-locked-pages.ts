import type { LockedPage } from '../docs-config/types.ts'
import { groupBy } from '../source/group-by.ts'
import { findRenames, toShape, toTraits } from './find-renames.ts'
import { fromSchemaTarget } from './subjects.ts'
import type {
  DeclaredDivision,
  DeclaredSource,
  DescriptionIndex,
  FrozenPage,
  GonePage,
  PageSubject,
  ReplacementOf,
} from './types.ts'

/** A page that a division asks for. */
export interface WantedPage {
  readonly division: DeclaredDivision
  readonly source: DeclaredSource
  readonly subject: PageSubject
  /** Label of the group that lists it. */
  readonly group: string
  /** A listed page of ours that the lock file has lost. */
  readonly standingAt: string | undefined
  /** Only a page that is there already: an operation that is new gets none. */
  readonly isOnlyMatched?: boolean
}

/** Why a page stays as it is although its document is updated. */
export const affectedReason = 'errors in its operation'

export interface MatchInput {
  readonly divisions: readonly DeclaredDivision[]
  readonly descriptions: ReadonlyMap<string, DescriptionIndex>
  /** See `PlanPagesInput.isAffected`. */
  readonly isAffected: (document: string, target: string) => boolean
  readonly lockedPages: readonly LockedPage[]
  readonly replacementOf: ReplacementOf
  /** Look for operations that are gone among those that are new; see `findRenames`. */
  readonly renames: boolean
}

export interface LockedPageMatches {
  readonly matches: ReadonlyMap<WantedPage, LockedPage>
  readonly gone: readonly GonePage[]
  readonly frozen: readonly FrozenPage[]
}

/**
 * Finds for each page in the lock file the operation that it is for now, so that a page keeps its path whatever comes or goes.
 *
 * In each division: the same operation with the same `operationId`; else the one with that `operationId` (it was renamed or moved); else the
 * same operation; else one that is alike (see `findRenames`). All within one document, or within one that takes the place of another: a
 * document that is new in the division, when that of the page is not declared there any more.
 * Pages whose document has errors, and those of a division that is not to be found, are frozen. An operation that errors affect is only matched
 * with its own page; as a new one it still is where a page may have moved to, so that this page is not taken for one that is gone.
 */
export function matchLockedPages(wanted: readonly WantedPage[], input: MatchInput): LockedPageMatches {
  const matches = new Map<WantedPage, LockedPage>()
  const gone: GonePage[] = []
  const frozen: FrozenPage[] = []
  const wantedByDivision = groupBy(wanted, ({ division }) => division)
  const divisionByLockedId = new Map(input.divisions.map((division) => [division.lockedId ?? division.id, division]))
  for (const [lockedId, lockedPages] of groupBy(input.lockedPages, ({ division }) => division)) {
    const division = divisionByLockedId.get(lockedId)
    if (!division) {
      frozen.push(...lockedPages.map(({ path }) => ({ path, division: lockedId, reason: 'its division is not to be found' })))
      continue
    }
    const isFrozen = toIsFrozen(division, lockedPages, input)
    const reason = 'its document has faults'
    frozen.push(...lockedPages.filter(isFrozen).map(({ path }) => ({ path, division: division.id, reason })))
    const rest = new Set(lockedPages.filter((page) => !isFrozen(page)))
    const open = new Set((wantedByDivision.get(division) ?? []).filter(({ standingAt }) => standingAt === undefined))
    const own = new Map<WantedPage, LockedPage>()
    const match = (page: LockedPage, asking: WantedPage) => {
      own.set(asking, page)
      rest.delete(page)
      open.delete(asking)
    }
    // Nothing is concluded for a page whose operation errors affect, or hide.
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
  }
  return { matches, gone, frozen }
}

function toIsFrozen(division: DeclaredDivision, lockedPages: readonly LockedPage[], { descriptions }: MatchInput) {
  const known = new Set(lockedPages.map(({ document }) => document))
  const declared = new Set(division.sources.map(({ source }) => source))
  const hasUnreadableNewSource = [...declared].some((source) => !known.has(source) && !descriptions.has(source))
  return ({ document }: LockedPage) => (declared.has(document) ? !descriptions.has(document) : hasUnreadableNewSource)
}

/** Two documents with the same key are one that was renamed, as far as can be told: `''` is that of all that are gone or new. */
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

/** A way to tell that a page in the lock file and one that is asked for are the same: both have the same key. */
interface PairRule {
  readonly keyOfPage: (page: LockedPage) => string | undefined
  readonly keyOfWanted: (page: WantedPage) => string | undefined
  /** Where not, a key that several have tells nothing. */
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

/** A page whose operation is still there, only hidden or made by hand now, was not renamed. */
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

/** Schemas and overviews have nothing but their names to be told by. */
function isOperation(target: string): boolean {
  return fromSchemaTarget(target) === undefined && !isOverview(target)
}

function isOverview(target: string): boolean {
  return target === 'overview' || target.startsWith('overview ')
}

/** The new document that takes the place of one that is gone: the one that at least half of its pages have gone to. */
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

function toGonePage({ path, document, operation }: LockedPage, division: DeclaredDivision, input: MatchInput): GonePage {
  const page = { path, division: division.id, document, target: operation }
  return { ...page, reason: findReason(page, division, input) }
}

function findReason({ document, target }: Omit<GonePage, 'reason'>, division: DeclaredDivision, input: MatchInput): string {
  const replacement = input.replacementOf(division, document, target)
  if (!division.sources.some(({ source }) => source === document)) return `\`${document}\` is not named any more`
  const isAdopted = division.sources.some(({ source, adopted }) => source === document && adopted !== undefined)
  if (isAdopted) return fromSchemaTarget(target) === undefined ? 'operation removed' : 'schema removed'
  if (division.mode === 'virtual') return 'the division is virtual now'
  if (division.mode === 'listed') return 'the division is listed by hand now'
  if (replacement !== undefined) return `replaced by ${replacement.words}`
  if (isOverview(target)) {
    return division.overviews ? 'its group is gone' : 'overviews are not wanted any more'
  }
  const schema = input.descriptions.get(document)?.schemas.find((found) => found.target === target)
  if (fromSchemaTarget(target) !== undefined && schema === undefined) return 'schema removed'
  if (schema?.excluded) return 'schema excluded'
  if (schema) return schema.hidden ? 'schema hidden' : 'its schema is not among those that have pages any more'
  const subject = input.descriptions.get(document)?.byTarget.get(target)
  if (subject?.excluded) return 'operation excluded'
  return subject?.hidden ? 'operation hidden' : 'operation removed'
}
