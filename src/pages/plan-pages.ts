import type { Finding } from '../diagnostic/diagnostic.ts'
import type { LockedPage, UnwrittenOperation } from '../docs/types.ts'
import { groupBy } from '../text/group-by.ts'
import { editAdoptedPage } from './adoption/edit-adopted-page.ts'
import { findSiblings, type SiblingsOf } from './adoption/find-siblings.ts'
import { settleAdopted } from './adoption/settle-adopted.ts'
import { wantAdopted } from './adoption/want-adopted.ts'
import { writeLikeSiblings } from './adoption/write-like-siblings.ts'
import type { BoundOperation, Replacement, ReplacementOf } from './bind-navigation.ts'
import { contentHash } from './content-hash.ts'
import { groupSubjects } from './group-subjects.ts'
import { hrefOutside } from './href-outside.ts'
import type { DescriptionIndex } from './index-description.ts'
import type { WantedPage } from './match-locked-pages.ts'
import { createPathClaims, toHrefPath, toPagePath, toPathKey } from './page-path.ts'
import { refuseDeepMetadata } from './refuse-deep-metadata.ts'
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
  /** What has no page in adopted divisions; see `LockFile.unwritten`. */
  readonly unwritten: readonly UnwrittenOperation[]
  /** What is not listed in an adopted division gets a page all the same; by the label of the division. */
  readonly addsUnlisted: (division: DeclaredDivision) => boolean
  /** The text of a page of ours; absent where there is none. */
  readonly textOf: (path: string) => string | undefined
  /** The operations that some of them are bound to. */
  readonly boundPages: ReadonlyMap<string, BoundOperation>
}

/** Decides which pages there are, and the path and content of each. */
export function planPages(input: PlanPagesInput): { plan: PagePlan; findings: readonly Finding[] } {
  const findings: Finding[] = []
  const { wanted, matches, gone, frozen, unwritten } = settleAdopted(
    input.divisions.flatMap((division) => [...wantPages(input, division, findings), ...wantAdopted(input, division)]),
    input,
  )
  const taken = new Set([...input.otherPages.keys()].map(toPathKey))
  const goneStates = new Map(input.lockedPages.map((page) => [page.path, input.stateOf(page)]))
  for (const page of matches.values()) taken.add(toPathKey(page.path))
  for (const { path } of frozen) taken.add(toPathKey(path))
  const kept = new Set(input.lockedPages.flatMap(({ path, keep }) => (keep ? [path] : [])))
  for (const { path } of gone) if (goneStates.get(path) === 'edited' || kept.has(path)) taken.add(toPathKey(path))
  const settlement = {
    claim: createPathClaims(taken),
    adopted: new Set<string>(),
    findings,
    siblingsOf: findSiblings(input, wanted, matches),
  }
  const planned = new Map(wanted.map((page) => [page, planPage(input, page, matches.get(page), settlement)]))
  const divisions = input.divisions.map((division): PlannedDivision => {
    const groups = division.sources.flatMap(({ source }) => {
      const description = input.descriptions.get(source)
      const members = wanted.filter((page) => page.division === division && page.source.source === source)
      const bySubject = groupBy(members, ({ subject }) => subject)
      const tagOrder = description?.tags.map(({ name }) => name) ?? []
      return groupSubjects([...bySubject.keys()], description?.tags ?? [], tagOrder).map(({ label, subjects }) => ({
        label,
        source,
        pages: subjects.flatMap((subject) => (bySubject.get(subject) ?? []).flatMap((page) => planned.get(page) ?? [])),
      }))
    })
    const served =
      division.mode === 'automatic' ? division.sources.filter(({ source, adopted }) => !adopted && hasVisible(input, source)) : []
    return { id: division.id, groups, served: served.map(({ source }) => source) }
  })
  return { plan: { divisions, gone, frozen, unwritten }, findings }
}

/** What the pages of one plan settle among them. */
interface Settlement {
  readonly claim: (wanted: string) => string
  /** Paths of pages that stood there before and are pages of the plan now. */
  readonly adopted: Set<string>
  readonly findings: Finding[]
  /** The pages that a new one among adopted ones is modelled on. */
  readonly siblingsOf: SiblingsOf
}

function hasVisible({ descriptions }: PlanPagesInput, source: string): boolean {
  return descriptions.get(source)?.subjects.some(isVisible) ?? false
}

function isVisible({ hidden, excluded }: PageSubject): boolean {
  return !hidden && !excluded
}

function wantPages(input: PlanPagesInput, division: DeclaredDivision, findings: Finding[]): WantedPage[] {
  if (division.mode !== 'automatic') return []
  const lockedId = division.lockedId ?? division.id
  const isLost = !input.lockedPages.some((page) => page.division === lockedId)
  return division.sources.flatMap((source) => {
    const description = source.adopted ? undefined : input.descriptions.get(source.source)
    return (description?.subjects ?? []).filter(isVisible).flatMap((found) => {
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
  { claim, adopted, findings, siblingsOf }: Settlement,
): PlannedPage {
  const text = locked?.adopted && input.textOf(locked.path)
  const content =
    text === undefined || !locked
      ? renderPage(subject, { document: source.source, version: division.version })
      : editAdoptedPage(text, subject, locked)
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
  if (source.adopted) {
    const like = writeLikeSiblings(subject, { source, siblings: siblingsOf(division, source) }, findings)
    return { ...page, path: claim(like.path) + like.extension, kind: 'generated', content: like.content, adopted: like.follows }
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

function pathTaken({ target, file, pointer }: PageSubject, path: string, instead: string): Finding {
  return {
    code: 'page-path-taken',
    message: `Unexpected file \`${path}\` where the page of \`${target}\` would go; the page goes to \`${instead}\``,
    file,
    pointer,
    hint: `bind that file to the operation with \`openapi: ${target}\`, or move it away`,
  }
}
