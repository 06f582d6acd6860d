import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { WantedPage } from './match-locked-pages.ts'
import {
  type DeclaredDivision,
  dropDeepMetadata,
  type NavigationGroup,
  type PageSubject,
  type PlanPagesInput,
} from './subjects.ts'
import { listWantedSubjects, toGroupKey, toSubjectGroups, toTagGroups } from './wanted-subjects.ts'

/** The pages that a division needs for one document. */
export interface WantedBlock {
  readonly division: DeclaredDivision
  readonly source: string
  readonly pages: readonly WantedPage[]
  /** The groups of the document's tags in navigation order. */
  readonly groups: readonly NavigationGroup[]
  /** See `PlannedDivision.served`. */
  readonly isServed: boolean
}

/**
 * Lists the pages that a division needs; see `listWantedSubjects`. Operations with a hand-written page or entry are left out. A virtual
 * division needs no new pages, but keeps some, see `matchLockedPages`.
 */
export function listWantedPages(input: PlanPagesInput, division: DeclaredDivision, findings: Finding[]): WantedBlock[] {
  if (division.mode === 'listed') return []
  const isOnlyMatched = division.mode === 'virtual'
  const { lockedId } = division
  const isLost = !input.lockedPages.some((page) => page.division === lockedId)
  if (isOnlyMatched && isLost) return []
  return division.sources
    .filter(({ adopted }) => !adopted)
    .map((source) => {
      const description = input.descriptions.get(source.source)
      const { tags, tagGroups } = description ?? { tags: [], tagGroups: [] }
      const groupOf = toSubjectGroups({ tags, tagGroups })
      const subjects = description ? listWantedSubjects(description, division) : []
      const pages = subjects.flatMap((found): WantedPage | readonly WantedPage[] => {
        const subject = dropDeepMetadata(found, findings)
        const replacement = input.replacementOf(division, source.source, subject.target)
        const page = { division, source, subject, group: toGroupKey(groupOf(subject)), isOnlyMatched }
        if (!replacement) return page
        const { path = '' } = replacement
        // A generated page that was lost from the lock file is not hand-written.
        const isMaybeLost = isLost && path.endsWith('.mdx') && isMaybeGenerated(subject, input.otherPages.get(path) ?? '')
        return isMaybeLost ? { ...page, lostPath: path } : []
      })
      const isServed = subjects.some(({ target }) => !input.isAffected(source.source, target))
      return { division, source: source.source, pages, groups: [...toTagGroups({ tags, tagGroups }).values()], isServed }
    })
}

/** Most hand-written pages have text below the frontmatter. Generated pages only have that from `x-mint`. */
function isMaybeGenerated({ mint }: PageSubject, text: string): boolean {
  return mint?.content !== undefined || /\n---\r?\n$/.test(text.slice(-6))
}
