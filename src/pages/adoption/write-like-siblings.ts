import type { Finding } from '../../diagnostic/diagnostic.ts'
import { parentPath } from '../../text/relative-path.ts'
import { hrefOutside, toHrefPath } from '../page-path.ts'
import type { DeclaredSource, PageSubject } from '../types.ts'
import { refuseDeepMetadata } from '../wanted-subjects.ts'
import { derivePath } from './derive-path.ts'
import { type LikePage, renderLikeSiblings } from './render-like-siblings.ts'
import type { Sibling } from './sibling.ts'

/** Writes a new page among adopted ones; its path is the one that it asks for, without extension. */
export function writeLikeSiblings(
  found: PageSubject,
  { source, siblings }: { readonly source: DeclaredSource; readonly siblings: readonly Sibling[] },
  findings: Finding[],
): LikePage & { readonly path: string } {
  const subject = refuseDeepMetadata(found, findings)
  const href = subject.mint?.href
  const asked = href === undefined ? undefined : toHrefPath(href)
  if (href !== undefined && asked === undefined) findings.push(hrefOutside(subject, href))
  const path = asked ?? derivePath(subject, siblings)
  const place = { folder: parentPath(path), document: source.source }
  return { ...renderLikeSiblings(subject, siblings, place), path }
}
