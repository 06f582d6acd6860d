import { checkLinks, type LinkTargets } from '../site/check-links.ts'
import type { RenderedPage, SiteSource } from '../site/render-site-page.tsx'
import type { SitePage } from '../site/types.ts'
import type { DescriptionPlaces } from './place-in-descriptions.ts'

/** Checks where the links of a rendered page lead, and tells which files of the docs root it needs. */
export function checkPageLinks(
  page: SitePage,
  { links, files }: Pick<RenderedPage, 'links' | 'files'>,
  { root, textOf }: SiteSource,
  targets: LinkTargets,
  places: DescriptionPlaces,
) {
  const prefix = root === '' ? '' : `${root}/`
  const texts = files.flatMap((file) => {
    const text = textOf(file.slice(prefix.length))
    return text === undefined ? [] : [{ file, text }]
  })
  return checkLinks(page, links, texts, targets, (href) => places.ofLink(page, href))
}
