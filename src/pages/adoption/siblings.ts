import { readSpelling } from '../../docs-config/binding-text.ts'
import { type PageParts, parsePageFrontmatter, splitPage } from '../../docs-config/page-frontmatter.ts'
import type { LockedPage } from '../../docs-config/types.ts'
import type { JsonObject } from '../../source/is-object.ts'
import type { WantedPage } from '../match-locked-pages.ts'
import type { DeclaredDivision, DeclaredSource, PageSubject, PlanPagesInput } from '../types.ts'

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

/** A page that somebody made for an operation, as a model for others. */
export interface Sibling {
  /** Relative to the docs root, with extension. */
  readonly path: string
  readonly subject: PageSubject
  readonly parts: PageParts
  readonly values: JsonObject
  /** Where its texts came from when it was adopted; see `LockedPage.adopted`. The description may say something else since. */
  readonly follows: NonNullable<LockedPage['adopted']>
  readonly spelling: ReturnType<typeof readSpelling>
}

/** Reads a page as a model; `undefined` for one whose frontmatter cannot be read. */
export function readSibling(
  { path, adopted }: Pick<LockedPage, 'path' | 'adopted'>,
  text: string,
  subject: PageSubject,
): Sibling | undefined {
  const parts = splitPage(text)
  const frontmatter = parsePageFrontmatter(text)
  if (!parts || !frontmatter || frontmatter.fault) return undefined
  const written = frontmatter.values['openapi']
  return {
    path,
    subject,
    parts,
    values: frontmatter.values,
    follows: adopted ?? {},
    spelling: readSpelling(typeof written === 'string' ? written : ''),
  }
}

/** The value that most elements have, and how many have it; the first of equals. `undefined` for no elements. */
export function mostCommon<Element, Value>(
  elements: Iterable<Element>,
  toValue: (element: Element) => Value,
): { readonly value: Value; readonly count: number } | undefined {
  const counts = new Map<Value, number>()
  for (const element of elements) {
    const value = toValue(element)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  let best: { value: Value; count: number } | undefined
  for (const [value, count] of counts) if (!best || count > best.count) best = { value, count }
  return best
}
