import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { onceFor } from '../../../text/plain/lists.ts'
import type { SourceFile } from '../../../text/plain/source-file.ts'
import { toForeignFieldId } from '../../page/field-anchors.ts'
import { type LinkTargets, toFragment } from '../../plan/checks/check-links.ts'
import { assetType } from '../../plan/file-types.ts'
import { resolveLink } from '../../plan/site-links.ts'

/** A URL in a page, or in a file that the page imports, whose target was not found. */
export interface SuspectUrl {
  /** The page, and the file with the URL, relative to the docs directory. */
  readonly page: string
  readonly file: string
  readonly href: string
}

/** The broken links of a docs directory. */
export interface LinkCheck {
  readonly findings: readonly Finding[]
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/** Whether the target of a URL is neither a page, with the fragment if `hasId` is given, nor a file or redirect. */
export function isSuspect(
  href: string,
  from: { readonly path: string | undefined; readonly route: string } | undefined,
  targets: LinkTargets,
  hasId: (route: string, fragment: string) => boolean = () => true,
): boolean {
  const target = resolveLink(href, from, targets)
  const fragment = toFragment(target.kind === 'page' ? target.rest : href)
  if (target.kind === 'page') return fragment !== undefined && !hasId(target.route, fragment)
  if (target.kind === 'elsewhere') return href.startsWith('#') && fragment !== undefined && !hasId(from?.route ?? '', fragment)
  const { path } = target
  if (targets.files.has(path)) return assetType(path) === undefined && !/\.mdx?$/i.test(path)
  return path !== '' && !targets.isRedirected(path) && !targets.isGenerated(path) && !targets.isUnknown(path)
}

/** The fragments of pages, by the list of their IDs. */
const fragmentsOf = onceFor((ids: readonly string[]) => new Set(ids.flatMap((id) => [id, toForeignFieldId(id) ?? id])))

/**
 * Whether a page with these IDs has the target of a fragment. A page has our IDs, which are those of GitHub, and the IDs that Mintlify gives
 * to headings. It lacks those that Mintlify gives to nested properties.
 */
export function hasFragment(fragment: string, ids: readonly string[]): boolean {
  return fragmentsOf(ids).has(fragment)
}
