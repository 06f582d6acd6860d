import type { Finding } from '../diagnostics/diagnostic.ts'
import { bindingKey, formatTarget } from '../docs-config/binding-text.ts'
import { contentHash } from '../docs-config/lock-file.ts'
import type { SiblingsOf } from './adoption/siblings.ts'
import { writeLikeSiblings } from './adoption/write-like-siblings.ts'
import type { WantedPage } from './match-locked-pages.ts'
import { hrefOutside, toHrefPath, toPagePath, toPathKey } from './page-path.ts'
import type { BoundOperation, DeclaredSource, PageSubject, PlannedPage, PlanPagesInput } from './types.ts'
import { describePage } from './want-pages.ts'

/** What the pages of one plan settle among them. */
export interface Settlement {
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

/** Decides where a page goes that the lock file does not have, and whether it is there already. */
export function planNewPage(input: PlanPagesInput, wanted: WantedPage, settlement: Settlement): PlannedPage {
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

/** What a page is bound to, as a key. */
export function toBoundKey(bound: BoundOperation | undefined): string {
  return `${bound?.source} ${bound?.target}`
}

/** Says why a page is not where somebody would look for it. */
export function reportTaken(
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
