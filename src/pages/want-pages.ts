import type { Finding } from '../diagnostics/diagnostic.ts'
import { contentHash } from '../docs-config/lock-file.ts'
import { toTraits } from './find-renames.ts'
import type { WantedPage } from './match-locked-pages.ts'
import { renderPage } from './render-page.ts'
import type { DeclaredDivision, DeclaredSource, PageSubject, PlannedPage, PlanPagesInput, Replacement } from './types.ts'
import { listWantedSubjects, refuseDeepMetadata, toSubjectLabels } from './wanted-subjects.ts'

/** The pages that a division asks for of one document. */
export interface WantedBlock {
  readonly division: DeclaredDivision
  readonly source: string
  readonly pages: readonly WantedPage[]
}

/** Whether a document has anything that gets a page in a division. */
export function hasPages({ descriptions, isAffected }: PlanPagesInput, division: DeclaredDivision, source: string): boolean {
  const description = descriptions.get(source)
  return description !== undefined && listWantedSubjects(description, division).some(({ target }) => !isAffected(source, target))
}

/** Lists the pages that a division asks for: see `listWantedSubjects`. What somebody has made a page or an entry for is left out. */
export function wantPages(input: PlanPagesInput, division: DeclaredDivision, findings: Finding[]): WantedBlock[] {
  if (division.mode !== 'automatic') return []
  const lockedId = division.lockedId ?? division.id
  const isLost = !input.lockedPages.some((page) => page.division === lockedId)
  return division.sources
    .filter(({ adopted }) => !adopted)
    .map((source) => {
      const description = input.descriptions.get(source.source)
      const labelOf = toSubjectLabels(description?.tags ?? [])
      const pages = (description ? listWantedSubjects(description, division) : []).flatMap(
        (found): WantedPage | readonly WantedPage[] => {
          const subject = refuseDeepMetadata(found, findings)
          const replacement = input.replacementOf(division, source.source, subject.target)
          const page = { division, source, subject, group: labelOf(subject), standingAt: undefined }
          if (!replacement) return page
          const standingAt = isLost ? findLostPage(input, division, source, subject, replacement) : undefined
          return standingAt === undefined ? [] : { ...page, standingAt }
        },
      )
      return { division, source: source.source, pages }
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
  const text = otherPages.get(path) ?? ''
  // Most pages that people write have a text below the frontmatter, which a page of ours has from `x-mint` only: to look is quicker than to render.
  if (subject.mint?.content === undefined && !/\n---\r?\n$/.test(text.slice(-6))) return undefined
  const content = renderPage(subject, { document: source, version })
  return contentHash(text) === contentHash(content) ? path : undefined
}

/** What a page is about, and its text, wherever it stands. */
export function describePage({
  division,
  source,
  subject,
  group,
}: WantedPage): Omit<PlannedPage, 'path' | 'kind' | 'previous' | 'formerGroup'> {
  const content = renderPage(subject, { document: source.source, version: division.version })
  return { document: source.source, target: subject.target, traits: toTraits(subject, group), content }
}
