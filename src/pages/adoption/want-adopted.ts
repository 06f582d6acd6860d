import { groupBy } from '../../text/group-by.ts'
import type { WantedPage } from '../match-locked-pages.ts'
import type { DeclaredDivision, DeclaredSource, PageSubject, PlanPagesInput } from '../types.ts'
import type { WantedBlock } from '../want-pages.ts'
import { toSubjectLabels } from '../wanted-subjects.ts'
import { toOperationKey } from './operation-key.ts'

/**
 * The pages that a division asks for of the documents whose pages were adopted there: one for each operation and schema that has a page, and one for
 * each operation that is new. What had no page when the division was adopted is not new, unless the settings want it added.
 */
export function wantAdopted(input: PlanPagesInput, division: DeclaredDivision): WantedBlock[] {
  return division.sources.flatMap((source) => {
    return source.adopted ? { division, source: source.source, pages: wantOfSource(input, division, source) } : []
  })
}

function wantOfSource(input: PlanPagesInput, division: DeclaredDivision, source: DeclaredSource): WantedPage[] {
  const description = input.descriptions.get(source.source)
  if (!description) return []
  const lockedId = division.lockedId ?? division.id
  const own = input.lockedPages.filter((page) => page.division === lockedId && page.document === source.source)
  const written = groupBy(own, ({ operation }) => operation)
  const unwritten = new Set(input.unwritten.filter((known) => known.division === lockedId).map(toOperationKey))
  const isBrief = own.length * 2 < description.subjects.filter(isVisible).length
  const tags = new Set(description.subjects.filter(({ target }) => written.has(target)).map(({ tag }) => tag))
  const isAdding = input.addsUnlisted(division)
  const labelOf = toSubjectLabels(description.tags)
  return [...description.subjects, ...description.schemas].flatMap((subject): WantedPage[] => {
    const page = { division, source, subject, group: labelOf(subject), standingAt: undefined }
    if (written.has(subject.target)) return [page]
    if (subject.binding.kind === 'schema' || !isVisible(subject)) return []
    if (input.replacementOf(division, source.source, subject.target)) return []
    if (source.adopted === 'fixed') return [{ ...page, isOnlyMatched: true }]
    if (unwritten.has(toOperationKey({ document: source.source, operation: subject.target }))) return isAdding ? [page] : []
    // Where most of a document has no page, nobody would write one for an operation that nothing there is about.
    return isBrief && !tags.has(subject.tag) && !isAdding ? [{ ...page, isOnlyMatched: true }] : [page]
  })
}

function isVisible({ hidden, excluded }: PageSubject): boolean {
  return !hidden && !excluded
}
