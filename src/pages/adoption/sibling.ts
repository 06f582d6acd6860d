import { readSpelling } from '../../docs/binding-text.ts'
import { type PageParts, parsePageFrontmatter, splitPage } from '../../docs/page-frontmatter.ts'
import type { LockedPage } from '../../docs/types.ts'
import type { JsonObject } from '../../text/is-object.ts'
import type { PageSubject } from '../types.ts'

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
