import { toWellFormed } from '../../text/plain/escape-text.ts'
import { addTo, countBy, getOrMake, groupBy } from '../../text/plain/lists.ts'
import { parseBinding } from '../navigation/read-divisions.ts'
import type { LockedPage, OperationTraits } from './lock-file.ts'
import {
  type DeclaredDivision,
  type DeclaredSource,
  explainAbsence,
  findSubject,
  fromSchemaTarget,
  type PageSubject,
  type PlanPagesInput,
  type UnmatchedPage,
} from './subjects.ts'

/** A page that a division needs. */
export interface WantedPage {
  readonly division: DeclaredDivision
  readonly source: DeclaredSource
  readonly subject: PageSubject
  /** The group that lists the page, see `toGroupKey`. */
  readonly group: string
  /** Pointers of the entries that the page is for, such as `GET /pets`. Empty for a hidden operation. Absent for pages with an entry of their own. */
  readonly entries?: readonly string[]
  /** Keep an existing page, but do not create one. */
  readonly isOnlyMatched?: boolean
}

/** Why a page is not updated although the rest of its document is. */
export const affectedReason = 'its operation has errors'

type MatchInput = Pick<
  PlanPagesInput,
  'divisions' | 'descriptions' | 'isAffected' | 'lockedPages' | 'stateOf' | 'replacementOf' | 'renames' | 'movedDocuments'
>

export interface LockedPageMatches {
  readonly matches: ReadonlyMap<WantedPage, LockedPage>
  readonly gone: readonly UnmatchedPage[]
  readonly frozen: readonly UnmatchedPage[]
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
  const gone: UnmatchedPage[] = []
  const frozen: UnmatchedPage[] = []
  const wantedByDivision = groupBy(wanted, ({ division }) => division)
  const divisionByLockedId = new Map(input.divisions.map((division) => [division.lockedId, division]))
  for (const [lockedId, lockedPages] of groupBy(input.lockedPages, ({ division }) => division)) {
    const division = divisionByLockedId.get(lockedId)
    if (!division) {
      frozen.push(...lockedPages.map((page) => toUnmatched(page, lockedId, 'its division was not found')))
      continue
    }
    const documentOf = ({ document }: LockedPage) => input.movedDocuments.get(document) ?? document
    const known = new Set(lockedPages.map(documentOf))
    const declared = new Set(division.sources.map(({ source }) => source))
    const hasUnreadableNewSource = [...declared].some((source) => !known.has(source) && !input.descriptions.has(source))
    const isFrozen = (page: LockedPage) =>
      declared.has(documentOf(page)) ? !input.descriptions.has(documentOf(page)) : hasUnreadableNewSource
    const documents: DocumentKeys = {
      ofPage: (page) => (declared.has(documentOf(page)) ? documentOf(page) : ''),
      ofWanted: ({ source }) => (known.has(source.source) ? source.source : ''),
    }
    const reason = 'its document has errors'
    frozen.push(...lockedPages.filter(isFrozen).map((page) => toUnmatched(page, division.id, reason)))
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
        frozen.push(toUnmatched(page, division.id, affectedReason))
      }
    }
    for (const rule of pairRules) pair(rule, documents, rest, open, match)
    if (input.renames) for (const [page, asking] of listRenames(rest, open, own, documents, input)) match(page, asking)
    for (const [asking, page] of own) matches.set(asking, page)
    for (const page of rest) gone.push(toUnmatched(page, division.id, findReason(page, division, input)))
    for (const page of unfrozen.filter(isLeft)) gone.push(toUnmatched(page, division.id, 'the division is now virtual'))
  }
  return { matches, gone, frozen }
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

/** A rule for matching locked pages with wanted pages: both have the same key. */
interface PairRule {
  readonly toKey: (document: string, operationId: string | undefined, target: string) => string | undefined
  /** If `false`, a key shared by several pages does not match. */
  readonly isCertain: boolean
}

const pairRules: readonly PairRule[] = [
  { toKey: (document, operationId, target) => `${document} ${operationId} ${target}`, isCertain: true },
  { toKey: (document, operationId) => operationId && `${document} ${operationId}`, isCertain: false },
  { toKey: (document, _, target) => `${document} ${target}`, isCertain: true },
]

function pair(
  { toKey, isCertain }: PairRule,
  { ofPage, ofWanted }: DocumentKeys,
  rest: ReadonlySet<LockedPage>,
  open: ReadonlySet<WantedPage>,
  match: (page: LockedPage, asking: WantedPage) => void,
): void {
  const pages = groupBy(rest, (page) => toKey(ofPage(page), page.operationId, page.operation))
  for (const [key, asking] of groupBy(open, (page) => toKey(ofWanted(page), page.subject.operationId, page.subject.target))) {
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
    const count = getOrMake(counts, document, () => ({ all: 0, to: new Map<string, number>() }))
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

function toUnmatched({ path, document, operation }: LockedPage, division: string, reason: string): UnmatchedPage {
  return { path, division, document, target: operation, reason }
}

function findReason({ document, operation: target }: LockedPage, division: DeclaredDivision, input: MatchInput): string {
  const kind = fromSchemaTarget(target) === undefined ? 'operation' : 'schema'
  const source = division.sources.find((one) => one.source === document)
  if (!source) return `\`${document}\` is no longer referenced`
  if (source.adopted) return `${kind} removed`
  if (division.mode === 'listed') return 'the division now has hand-listed pages'
  if (isOverview(target)) return division.overviews ? 'its group was removed' : 'overviews are disabled'
  const index = input.descriptions.get(document)
  const subject = index && findSubject(index, target)
  if (!subject) return `${kind} removed`
  const { state, reason } = explainAbsence(subject, input.replacementOf(division, document, target)) ?? {}
  if (state === 'hidden' || state === 'excluded') return `${kind} ${state}`
  if (state) return `replaced by ${reason}`
  return kind === 'schema' ? 'schema no longer selected' : 'operation removed'
}

/** A page without its operation, or an operation without a page. */
interface RenameSide<Value> {
  readonly value: Value
  readonly shape: OperationShape
}

/** A mark shared by more operations than this is too common to identify one. */
const maxSharing = 64
/** Number of candidates to compare with each page: the operations with the most and rarest marks in common. */
const comparedCount = 8

/**
 * Detects renamed or moved operations: pairs of a page without its operation and an operation without a page, with a similarity
 * above the minimum.
 *
 * The most similar pairs come first, and each side is in at most one pair. If a side is equally similar to two others, it is not
 * paired. The time grows linearly with the number of both sides.
 */
export function findRenames<Page, Wanted>(
  gone: readonly RenameSide<Page>[],
  fresh: readonly RenameSide<Wanted>[],
): (readonly [Page, Wanted])[] {
  if (gone.length === 0 || fresh.length === 0) return []
  const scored = scoreCandidates(gone, fresh)
  // Break ties by index for a deterministic result.
  scored.sort((a, b) => b.score - a.score || a.from - b.from || a.to - b.to)
  const renames: (readonly [Page, Wanted])[] = []
  const settled = { from: new Set<number>(), to: new Set<number>() }
  for (let start = 0; start < scored.length; ) {
    let end = start + 1
    while (scored[end]?.score === scored[start]?.score) end++
    const tied = scored.slice(start, end).filter(({ from, to }) => !settled.from.has(from) && !settled.to.has(to))
    const counts = { from: countBy(tied, ({ from }) => from), to: countBy(tied, ({ to }) => to) }
    for (const { from, to } of tied) {
      settled.from.add(from)
      settled.to.add(to)
      if (counts.from.get(from) !== 1 || counts.to.get(to) !== 1) continue
      const page = gone[from]
      const wanted = fresh[to]
      if (page && wanted) renames.push([page.value, wanted.value])
    }
    start = end
  }
  return renames
}

interface Candidate {
  readonly from: number
  readonly to: number
  readonly score: number
}

function scoreCandidates(gone: readonly RenameSide<unknown>[], fresh: readonly RenameSide<unknown>[]): Candidate[] {
  const byMark = new Map<string, number[]>()
  for (const [index, { shape }] of fresh.entries()) for (const mark of listMarks(shape)) addTo(byMark, mark, index)
  return gone.flatMap(({ shape }, from) => {
    const votes = new Map<number, number>()
    for (const mark of listMarks(shape)) {
      const having = byMark.get(mark) ?? []
      if (having.length > maxSharing) continue
      for (const to of having) votes.set(to, (votes.get(to) ?? 0) + 1 / having.length)
    }
    const nearest = [...votes].sort(([a, votesA], [b, votesB]) => votesB - votesA || a - b).slice(0, comparedCount)
    return nearest.flatMap(([to]) => {
      const other = fresh[to]
      const score = other ? rateSimilarity(shape, other.shape) : 0
      return score >= minRenameSimilarity ? { from, to, score } : []
    })
  })
}

/** Lists the marks to look up an operation by: path and summary, their words, word prefixes and pairs of neighboring words. */
function listMarks({ path, summary, parameters }: OperationShape): Set<string> {
  const steps = path.split('/').filter((step) => step !== '' && step !== '{}')
  const words = summary.split(' ').filter(Boolean)
  const marks = new Set([`path ${path}`, ...steps.map((step) => `step ${step}`), ...words.map((word) => `word ${word}`)])
  for (const step of steps)
    for (const word of step.split(/[^\p{L}\p{N}]+/u)) marks.add(`part ${word}`).add(`start ${word.slice(0, 3)}`)
  if (summary !== '') marks.add(`summary ${summary}`)
  for (let index = 1; index < steps.length; index++) marks.add(`steps ${steps[index - 1]}/${steps[index]}`)
  for (let index = 1; index < words.length; index++) marks.add(`words ${words[index - 1]} ${words[index]}`)
  for (const name of parameters) marks.add(`parameter ${name}`)
  return marks
}

/** Precomputed traits of an operation for comparisons. */
interface OperationShape {
  /** `webhook` for webhooks, which never match operations. */
  readonly method: string
  /** The path without parameter names, or the name of the webhook. */
  readonly path: string
  readonly endsInParameter: boolean
  readonly group: string
  readonly summary: string
  readonly parameters: ReadonlySet<string>
  readonly pathPairs: ReadonlyMap<string, number>
  readonly summaryPairs: ReadonlyMap<string, number>
}

/** The weight of each trait. Traits missing on both sides are ignored. */
const weights = { method: 20, path: 35, summary: 25, group: 10, parameters: 10 } as const

/** Minimum similarity for a rename. Below this, the page is removed and a new one is added. */
export const minRenameSimilarity = 600

/** Precomputes the traits for comparisons. `target` has the format of the lock file: `GET /pets`, `webhook orderShipped`. */
export function toShape(
  target: string,
  { group, summary, parameters }: Omit<OperationTraits, 'operationId' | 'href'>,
): OperationShape {
  const binding = parseBinding(target)
  const isOperation = binding?.kind === 'operation'
  const name = isOperation ? binding.pathTemplate : target
  const path = name.toLowerCase().replace(/\{[^{}]*\}/g, '{}')
  const words = (summary ?? '').toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return {
    method: isOperation ? binding.method : 'webhook',
    path,
    endsInParameter: path.slice(path.lastIndexOf('/', path.length - 2) + 1).includes('{}'),
    group: group ?? '',
    summary: words.join(' '),
    parameters: new Set(parameters),
    pathPairs: countPairs(path.split('/')),
    summaryPairs: countPairs(words),
  }
}

/**
 * Rates the similarity of two operations from 0 to 1000.
 *
 * Path and summary are compared by pairs of neighboring letters. The path score is divided by three if only one of the paths ends
 * with a parameter, since that separates single items from collections. Operations with different methods only match if their
 * summaries are equal.
 */
export function rateSimilarity(a: OperationShape, b: OperationShape): number {
  const isSameMethod = a.method === b.method
  if (!isSameMethod && (a.method === 'webhook' || b.method === 'webhook' || a.summary === '' || a.summary !== b.summary)) return 0
  let total = weights.method + weights.path
  let sum = isSameMethod ? weights.method : 0
  const path = a.path === b.path ? 1 : shareOfPairs(a.pathPairs, b.pathPairs)
  sum += weights.path * (a.endsInParameter === b.endsInParameter ? path : path / 3)
  if (a.summary !== '' || b.summary !== '') {
    total += weights.summary
    sum += weights.summary * (a.summary === b.summary ? 1 : shareOfPairs(a.summaryPairs, b.summaryPairs))
  }
  if (a.group !== '' || b.group !== '') {
    total += weights.group
    if (a.group === b.group) sum += weights.group
  }
  if (a.parameters.size > 0 || b.parameters.size > 0) {
    total += weights.parameters
    let shared = 0
    for (const name of a.parameters) if (b.parameters.has(name)) shared++
    sum += (weights.parameters * 2 * shared) / (a.parameters.size + b.parameters.size)
  }
  return Math.round((1000 * sum) / total)
}

/** A one-letter word is treated as a pair. */
function countPairs(words: readonly string[]): Map<string, number> {
  const pairs = words.flatMap((word) => {
    if (word === '{}' || word.length === 1) return [word]
    return Array.from({ length: Math.max(0, word.length - 1) }, (_, index) => word.slice(index, index + 2))
  })
  return countBy(pairs, (pair) => pair)
}

/** The Sørensen–Dice coefficient: 1 for equal, 0 for nothing in common. */
function shareOfPairs(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0
  let size = 0
  for (const [pair, count] of a) {
    shared += Math.min(count, b.get(pair) ?? 0)
    size += count
  }
  for (const count of b.values()) size += count
  return size === 0 ? 0 : (2 * shared) / size
}

/** Maximum length of a summary in the lock file. */
const maxSummary = 200

/** Returns the traits of an operation to record in the lock file. `group` is the label of the group with its page. */
export function toTraits({ operationId, summary, parameters, mint }: PageSubject, group: string): OperationTraits {
  return {
    operationId,
    group,
    summary: summary === undefined ? undefined : toWellFormed(summary.slice(0, maxSummary)),
    parameters: parameters.length === 0 ? undefined : parameters,
    href: mint?.href,
  }
}
