import type { Finding } from '../diagnostics/diagnostic.ts'
import { contentHash } from '../docs-config/lock-file.ts'
import { toTraits } from './find-renames.ts'
import type { WantedPage } from './match-locked-pages.ts'
import { renderPage } from './render-page.ts'
import type { DeclaredDivision, DeclaredSource, PageSubject, PlannedPage, PlanPagesInput, Replacement } from './types.ts'
import { dropDeepMetadata, listWantedSubjects, toSubjectLabels } from './wanted-subjects.ts'

/** The pages that a division needs for one document. */
export interface WantedBlock {
  readonly division: DeclaredDivision
  readonly source: string
  readonly pages: readonly WantedPage[]
  /** See `PlannedDivision.served`. */
  readonly isServed: boolean
}

/** Lists the pages that a division needs; see `listWantedSubjects`. Operations with a hand-written page or entry are left out. */
export function listWantedPages(input: PlanPagesInput, division: DeclaredDivision, findings: Finding[]): WantedBlock[] {
  if (division.mode !== 'automatic') return []
  const lockedId = division.lockedId ?? division.id
  const isLost = !input.lockedPages.some((page) => page.division === lockedId)
  return division.sources
    .filter(({ adopted }) => !adopted)
    .map((source) => {
      const description = input.descriptions.get(source.source)
      const labelOf = toSubjectLabels(description?.tags ?? [])
      const subjects = description ? listWantedSubjects(description, division) : []
      const pages = subjects.flatMap((found): WantedPage | readonly WantedPage[] => {
        const subject = dropDeepMetadata(found, findings)
        const replacement = input.replacementOf(division, source.source, subject.target)
        const page = { division, source, subject, group: labelOf(subject), existingPath: undefined }
        if (!replacement) return page
        const existingPath = isLost ? findUnrecordedPage(input, division, source, subject, replacement) : undefined
        return existingPath === undefined ? [] : { ...page, existingPath }
      })
      const isServed = subjects.some(({ target }) => !input.isAffected(source.source, target))
      return { division, source: source.source, pages, isServed }
    })
}

/** In a division without locked pages, a listed page with generated content was lost from the lock file and is not hand-written. */
function findUnrecordedPage(
  { otherPages }: PlanPagesInput,
  { version }: DeclaredDivision,
  { source }: DeclaredSource,
  subject: PageSubject,
  { path = '' }: Replacement,
): string | undefined {
  if (!path.endsWith('.mdx')) return undefined
  const text = otherPages.get(path) ?? ''
  // Most hand-written pages have text below the frontmatter. Generated pages only have that from `x-mint`, so this check avoids
  // rendering.
  if (subject.mint?.content === undefined && !/\n---\r?\n$/.test(text.slice(-6))) return undefined
  const content = renderPage(subject, { document: source, version })
  return contentHash(text) === contentHash(content) ? path : undefined
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
