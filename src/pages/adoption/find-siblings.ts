import type { LockedPage } from '../../docs/types.ts'
import type { WantedPage } from '../match-locked-pages.ts'
import type { DeclaredDivision, DeclaredSource, PlanPagesInput } from '../types.ts'
import { readSibling, type Sibling } from './sibling.ts'

/** The pages of a document in a division. */
export type SiblingsOf = (division: DeclaredDivision, source: DeclaredSource) => readonly Sibling[]

/** Finds the pages that new ones are modelled on; they are read when the first new one asks for them. */
export function findSiblings(
  { textOf }: PlanPagesInput,
  wanted: readonly WantedPage[],
  matches: ReadonlyMap<WantedPage, LockedPage>,
): SiblingsOf {
  const known = new Map<DeclaredSource, readonly Sibling[]>()
  return (division, source) => {
    const found =
      known.get(source) ??
      wanted.flatMap((page) => {
        const locked =
          page.division === division && page.source === source && page.subject.binding.kind !== 'schema'
            ? matches.get(page)
            : undefined
        const text = locked && textOf(locked.path)
        return locked && text !== undefined ? (readSibling(locked, text, page.subject) ?? []) : []
      })
    known.set(source, found)
    return found
  }
}
