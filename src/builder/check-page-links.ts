import { checkLinks, type LinkTargets } from '../site/check-links.ts'
import { suggestNamedPart } from '../site/reader-links/find-named-part.ts'
import { listNamedParts } from '../site/reader-links/list-named-parts.ts'
import type { RenderedPage, SiteSource } from '../site/render-site-page.tsx'
import type { SitePage } from '../site/types.ts'
import type { DescriptionPlaces } from './place-in-descriptions.ts'

/** Checks where the links of a rendered page lead, and tells which files of the docs root it needs. */
export function checkPageLinks(
  page: SitePage,
  { links, files }: Pick<RenderedPage, 'links' | 'files'>,
  source: SiteSource,
  targets: LinkTargets,
  places: DescriptionPlaces,
) {
  const { root, textOf } = source
  const prefix = root === '' ? '' : `${root}/`
  const texts = files.flatMap((file) => {
    const text = textOf(file.slice(prefix.length))
    return text === undefined ? [] : [{ file, text }]
  })
  const nearestNamed = (fragment: string) =>
    listNamedParts(page, source).flatMap((parts) => suggestNamedPart(fragment, parts) ?? [])[0]
  return checkLinks(page, links, texts, { ...targets, nearestNamed }, (href) => places.ofLink(page, href))
}
