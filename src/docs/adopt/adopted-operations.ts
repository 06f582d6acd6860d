import { type JsonObject, readText } from '../../text/json/json-values.ts'
import { countBy, getOrMake, groupBy } from '../../text/plain/lists.ts'
import { readSpelling } from '../navigation/read-divisions.ts'
import type { LockedPage, UnwrittenOperation } from '../pages/lock-file.ts'
import { matchLockedPages, type WantedPage } from '../pages/match-locked-pages.ts'
import { type PageParts, parsePageFrontmatter, splitPage } from '../pages/page-bindings.ts'
import type { DeclaredDivision, DeclaredSource, PageSubject, PlanPagesInput } from '../pages/subjects.ts'
import { isShown, toSubjectLabels, toTagLabels, type WantedBlock } from '../pages/wanted-subjects.ts'

/**
 * Matches locked pages with wanted pages if several pages can be about the same operation. All adopted pages with the same
 * binding follow the match of the first.
 */
export function matchAdoptedPages(blocks: readonly WantedBlock[], input: PlanPagesInput) {
  const candidates = blocks.flatMap(({ pages }) => pages)
  const { lockedPages } = input
  const isAdopted = createAdoptedCheck(input)
  const repeats = groupBy(lockedPages.filter(isAdopted), (page) => `${page.division} ${toOperationKey(page)}`)
  const others = new Map(
    [...repeats.values()].flatMap(([first, ...rest]) => (first && rest.length > 0 ? [[first, rest] as const] : [])),
  )
  const repeated = new Set([...others.values()].flat())
  const found = matchLockedPages(candidates, { ...input, lockedPages: lockedPages.filter((page) => !repeated.has(page)) })
  const byPath = new Map([...others].map(([first, rest]) => [first.path, rest]))
  const withOthers = <Page extends { readonly path: string }>(pages: readonly Page[]) =>
    pages.flatMap((page) => [page, ...(byPath.get(page.path) ?? []).map(({ path }) => ({ ...page, path }))])
  const matches = new Map(found.matches)
  const settle = (page: WantedPage): WantedPage[] => {
    const locked = found.matches.get(page)
    if (page.isOnlyMatched && !locked) return []
    const copies = (locked ? (others.get(locked) ?? []) : []).map((other) => {
      const copy = { ...page }
      matches.set(copy, other)
      return copy
    })
    return [page, ...copies]
  }
  const settled = blocks.map((block) => ({ ...block, pages: block.pages.flatMap(settle) }))
  const wanted = settled.flatMap(({ pages }) => pages)
  return {
    blocks: settled,
    matches,
    gone: withOthers(found.gone),
    frozen: withOthers(found.frozen),
    unwritten: listUnwritten(input, candidates, wanted),
  }
}

function createAdoptedCheck({ divisions }: PlanPagesInput): (page: LockedPage) => boolean {
  const adopted = new Set(
    divisions.flatMap(({ lockedId, sources }) =>
      sources.flatMap((source) => (source.adopted ? `${lockedId} ${source.source}` : [])),
    ),
  )
  return ({ division, document }) => adopted.has(`${division} ${document}`)
}

/** Lists operations that stay without a page: those recorded before that still exist, and new ones that get no page. */
function listUnwritten(
  input: PlanPagesInput,
  candidates: readonly WantedPage[],
  wanted: readonly WantedPage[],
): UnwrittenOperation[] {
  const idOf = new Map(input.divisions.map(({ id, lockedId }) => [lockedId, id]))
  const written = new Set(wanted.map(({ division, source, subject }) => `${division.id} ${source.source} ${subject.target}`))
  const isGrowing = new Set(
    input.divisions.flatMap(({ id, sources }) =>
      sources.flatMap(({ source, adopted }) => (adopted === 'growing' ? `${id} ${source}` : [])),
    ),
  )
  const before = input.unwritten.flatMap(({ division, document, operation }) => {
    const description = input.descriptions.get(document)
    const id = idOf.get(division)
    return id !== undefined && (!description || description.byTarget.has(operation) || input.isAffected(document, operation))
      ? [{ division: id, document, operation }]
      : []
  })
  const news = candidates
    .filter((page) => page.isOnlyMatched)
    .map(({ division, source, subject }) => ({ division: division.id, document: source.source, operation: subject.target }))
  const all = new Map([...before, ...news].map((entry) => [`${entry.division} ${toOperationKey(entry)}`, entry]))
  return [...all.values()].filter((entry) => {
    return isGrowing.has(`${entry.division} ${entry.document}`) && !written.has(`${entry.division} ${toOperationKey(entry)}`)
  })
}

/**
 * Lists the pages that a division needs for its adopted documents: one for each operation and schema with a page, and one for
 * each new operation. Operations without a page at the time of adoption are not new, unless the settings add them.
 */
export function listWantedAdopted(input: PlanPagesInput, division: DeclaredDivision): WantedBlock[] {
  return division.sources.flatMap((source) => {
    return source.adopted ? { division, source: source.source, ...wantOfSource(input, division, source), isServed: false } : []
  })
}

function wantOfSource(
  input: PlanPagesInput,
  division: DeclaredDivision,
  source: DeclaredSource,
): Pick<WantedBlock, 'pages' | 'groups'> {
  const description = input.descriptions.get(source.source)
  if (!description) return { pages: [], groups: [] }
  const { lockedId } = division
  const own = input.lockedPages.filter((page) => page.division === lockedId && page.document === source.source)
  const written = groupBy(own, ({ operation }) => operation)
  const unwritten = new Set(input.unwritten.filter((known) => known.division === lockedId).map(toOperationKey))
  const isBrief = own.length * 2 < description.subjects.filter(isShown).length
  const tags = new Set(description.subjects.filter(({ target }) => written.has(target)).map(({ tag }) => tag))
  const isAdding = input.addsUnlisted(division)
  const labelOf = toSubjectLabels(description.tags)
  const pages = [...description.subjects, ...description.schemas].flatMap((subject): WantedPage[] => {
    const page = { division, source, subject, group: labelOf(subject) }
    if (written.has(subject.target)) return [page]
    if (subject.binding.kind === 'schema' || !isShown(subject)) return []
    if (input.replacementOf(division, source.source, subject.target)) return []
    if (source.adopted === 'fixed') return [{ ...page, isOnlyMatched: true }]
    if (unwritten.has(toOperationKey({ document: source.source, operation: subject.target }))) return isAdding ? [page] : []
    // If most operations of a document have no page, a new operation only gets one if its tag has pages.
    return isBrief && !tags.has(subject.tag) && !isAdding ? [{ ...page, isOnlyMatched: true }] : [page]
  })
  return { pages, groups: Array.from(toTagLabels(description.tags).values(), (label) => ({ label, parents: [] })) }
}

/** Identifies an operation across all documents. */
export function toOperationKey({ document, operation }: Omit<UnwrittenOperation, 'division'>): string {
  return `${document} ${operation}`
}

/** Returns the pages of a document in a division. */
export type SiblingsOf = (division: DeclaredDivision, source: DeclaredSource) => readonly Sibling[]

/** Finds the pages that new ones are modeled on. They are read on first use. */
export function findSiblings(
  { textOf }: PlanPagesInput,
  wanted: readonly WantedPage[],
  matches: ReadonlyMap<WantedPage, LockedPage>,
): SiblingsOf {
  const known = new Map<DeclaredSource, readonly Sibling[]>()
  return (division, source) =>
    getOrMake(known, source, () =>
      wanted.flatMap((page) => {
        const isOf = page.division === division && page.source === source && page.subject.binding.kind !== 'schema'
        const locked = isOf ? matches.get(page) : undefined
        const text = locked && textOf(locked.path)
        return locked && text !== undefined ? (readSibling(locked, text, page.subject) ?? []) : []
      }),
    )
}

/** An adopted page that serves as a model for new pages. */
export interface Sibling {
  /** Relative to the docs directory, with extension. */
  readonly path: string
  readonly subject: PageSubject
  readonly parts: PageParts
  readonly values: JsonObject
  /** The sources of its texts at the time of adoption; see `LockedPage.adopted`. The description may have changed since. */
  readonly follows: NonNullable<LockedPage['adopted']>
  readonly spelling: ReturnType<typeof readSpelling>
}

/** Reads a page as a model. Returns `undefined` if its frontmatter is invalid. */
export function readSibling(
  { path, adopted }: Pick<LockedPage, 'path' | 'adopted'>,
  text: string,
  subject: PageSubject,
): Sibling | undefined {
  const parts = splitPage(text)
  const frontmatter = parsePageFrontmatter(text)
  if (!parts || !frontmatter || frontmatter.fault) return undefined
  const { values } = frontmatter
  return { path, subject, parts, values, follows: adopted ?? {}, spelling: readSpelling(readText(values, 'openapi') ?? '') }
}

/** Returns the most common value and its count. The first one wins a tie. `undefined` for an empty list. */
export function mostCommon<Element, Value>(
  elements: Iterable<Element>,
  toValue: (element: Element) => Value,
): { readonly value: Value; readonly count: number } | undefined {
  let best: { value: Value; count: number } | undefined
  for (const [value, count] of countBy(elements, toValue)) if (!best || count > best.count) best = { value, count }
  return best
}
