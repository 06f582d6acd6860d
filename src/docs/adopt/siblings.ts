import type { JsonObject } from '../../text/json/json-values.ts'
import { readSpelling } from '../navigation/parse-binding.ts'
import type { LockedPage } from '../pages/lock-file.ts'
import type { WantedPage } from '../pages/match-locked-pages.ts'
import { type PageParts, parsePageFrontmatter, splitPage } from '../pages/page-bindings.ts'
import type { DeclaredDivision, DeclaredSource, PageSubject, PlanPagesInput } from '../pages/subjects.ts'

/** Returns the pages of a document in a division. */
export type SiblingsOf = (division: DeclaredDivision, source: DeclaredSource) => readonly Sibling[]

/** Finds the pages that new ones are modeled on. They are read on first use. */
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

/** Returns the most common value and its count. The first one wins a tie. `undefined` for an empty list. */
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
