import type { LockedPage } from '../docs/types.ts'
import { groupBy } from '../text/group-by.ts'
import type { ReplacementOf } from './bind-navigation.ts'
import type { DescriptionIndex } from './index-description.ts'
import type { DeclaredDivision, DeclaredSource, FrozenPage, GonePage, PageSubject } from './types.ts'

/** A page that a division asks for. */
export interface WantedPage {
  readonly division: DeclaredDivision
  readonly source: DeclaredSource
  readonly subject: PageSubject
  /** A listed page of ours that the lock file has lost. */
  readonly standingAt?: string
  /** Only a page that is there already: an operation that is new gets none. */
  readonly isOnlyMatched?: boolean
}

export interface MatchInput {
  readonly divisions: readonly DeclaredDivision[]
  readonly descriptions: ReadonlyMap<string, DescriptionIndex>
  readonly lockedPages: readonly LockedPage[]
  readonly replacementOf: ReplacementOf
}

export interface LockedPageMatches {
  readonly matches: ReadonlyMap<WantedPage, LockedPage>
  readonly gone: readonly GonePage[]
  readonly frozen: readonly FrozenPage[]
}

/**
 * Finds for each page in the lock file the operation that it is for now, so that a page keeps its path whatever comes or goes.
 *
 * In each division: the same operation; else the one with the same `operationId` (it was renamed or moved); else the same operation of
 * a document that is new in the division, when the page's own is not declared there any more.
 * Pages whose document has faults, and those of a division that is not to be found, are frozen.
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
    const open = new Set(wantedByDivision.get(division))
    const pair = ({ keyOfPage, keyOfWanted, isCertain }: PairRule) => {
      const pages = groupBy(rest, keyOfPage)
      for (const [key, asking] of groupBy(open, keyOfWanted)) {
        const found = key === undefined ? [] : (pages.get(key) ?? [])
        if (!isCertain && (found.length > 1 || asking.length > 1)) continue
        asking.slice(0, found.length).forEach((page, index) => {
          const locked = found[index]
          if (!locked) return
          matches.set(page, locked)
          rest.delete(locked)
          open.delete(page)
        })
      }
    }
    for (const rule of toPairRules(division, lockedPages)) pair(rule)
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

/** A way to tell that a page in the lock file and one that is asked for are the same: both have the same key. */
interface PairRule {
  readonly keyOfPage: (page: LockedPage) => string | undefined
  readonly keyOfWanted: (page: WantedPage) => string | undefined
  /** Where not, a key that several pages have tells nothing. */
  readonly isCertain: boolean
}

function toPairRules(division: DeclaredDivision, lockedPages: readonly LockedPage[]): PairRule[] {
  const known = new Set(lockedPages.map(({ document }) => document))
  const declared = new Set(division.sources.map(({ source }) => source))
  return [
    {
      keyOfPage: ({ document, operation }) => `${document} ${operation}`,
      keyOfWanted: ({ source, subject }) => `${source.source} ${subject.target}`,
      isCertain: true,
    },
    {
      keyOfPage: ({ document, operationId }) => operationId && `${document} ${operationId}`,
      keyOfWanted: ({ source, subject }) => subject.operationId && `${source.source} ${subject.operationId}`,
      isCertain: false,
    },
    {
      keyOfPage: ({ document, operation }) => (declared.has(document) ? undefined : operation),
      keyOfWanted: ({ source, subject }) => (known.has(source.source) ? undefined : subject.target),
      isCertain: false,
    },
  ]
}

function toGonePage({ path, document, operation }: LockedPage, division: DeclaredDivision, input: MatchInput): GonePage {
  const page = { path, division: division.id, document, target: operation }
  return { ...page, reason: findReason(page, division, input) }
}

function findReason({ document, target }: Omit<GonePage, 'reason'>, division: DeclaredDivision, input: MatchInput): string {
  const replacement = input.replacementOf(division, document, target)
  if (!division.sources.some(({ source }) => source === document)) return `\`${document}\` is not named any more`
  const isAdopted = division.sources.some(({ source, adopted }) => source === document && adopted !== undefined)
  if (isAdopted)
    return input.descriptions.get(document)?.byTarget.has(target) ? 'operation has another page' : 'operation removed'
  if (division.mode === 'virtual') return 'the division is virtual now'
  if (division.mode === 'listed') return 'the division is listed by hand now'
  if (replacement !== undefined) return `replaced by ${replacement.words}`
  const subject = input.descriptions.get(document)?.byTarget.get(target)
  if (subject?.excluded) return 'operation excluded'
  return subject?.hidden ? 'operation hidden' : 'operation removed'
}
