import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { SiblingsOf } from '../adopt/siblings.ts'
import { writeLikeSiblings } from '../adopt/write-like-siblings.ts'
import { bindingKey, formatTarget } from '../navigation/parse-binding.ts'
import { toTraits } from '../pages/find-renames.ts'
import { renderPage, reportHrefOutside, toHrefPath, toPagePath, toPathKey } from '../pages/generated-page.ts'
import { contentHash } from '../pages/lock-file.ts'
import type { WantedPage } from '../pages/match-locked-pages.ts'
import type { BoundOperation, DeclaredSource, PageSubject, PlannedPage, PlanPagesInput } from '../pages/subjects.ts'

/** State shared by all pages of a plan while they are placed. */
export interface PlacementContext {
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
export function describePage({
  division,
  source,
  subject,
  group,
}: WantedPage): Omit<PlannedPage, 'path' | 'kind' | 'previous' | 'formerGroup'> {
  const content = renderPage(subject, { document: source.source, version: division.version })
  return { document: source.source, target: subject.target, traits: toTraits(subject, group), content }
}

/**
 * Decides the path of a page that is not in the lock file, and whether it already exists.
 *
 * @returns `undefined` if a hand-written page replaces it.
 */
export function planNewPage(
  input: PlanPagesInput,
  wanted: WantedPage,
  siblingsOf: SiblingsOf,
  settlement: PlacementContext,
): PlannedPage | undefined {
  const { subject, source, lostPath } = wanted
  const page = { ...describePage(wanted), previous: undefined, formerGroup: undefined }
  if (source.adopted) {
    const like = writeLikeSiblings(subject, { source, siblings: siblingsOf(wanted.division, source) }, settlement.findings)
    return { ...page, ...like, path: settlement.claim(like.path) + like.extension, kind: 'generated' }
  }
  if (lostPath !== undefined) {
    if (!isGenerated(input, lostPath, page.content)) return undefined
    settlement.adopted.add(lostPath)
    return { ...page, path: lostPath, kind: 'generated' }
  }
  const wantedPath = toWantedPath(subject, source, settlement.findings)
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
export function toBoundKey(bound: BoundOperation | undefined): string {
  return `${bound?.source} ${bound?.target}`
}

/** Reports that a page could not use its preferred path. */
export function reportPathTaken(
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

function toWantedPath(subject: PageSubject, source: DeclaredSource, findings: Finding[]): string {
  const href = subject.mint?.href
  if (href === undefined) return toPagePath(subject, source.directory)
  const path = toHrefPath(href)
  if (path === undefined) findings.push(reportHrefOutside(subject, href))
  return path ?? toPagePath(subject, source.directory)
}

function toPathTakenHint(binding: PageSubject['binding']): string {
  if (binding.kind === 'overview') return 'Move the file'
  const what = binding.kind === 'schema' ? 'schema' : 'operation'
  return `Bind the file to the ${what} with \`${bindingKey(binding)}: ${formatTarget(binding)}\`, or move it`
}
