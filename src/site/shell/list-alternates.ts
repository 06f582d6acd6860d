import type { SiteContext } from '../site-context.ts'
import type { DivisionNode, SitePage } from '../types.ts'
import { findCounterpart } from './find-counterpart.ts'
import { toWholeAddress } from './list-metatags.ts'
import { toLanguageTag } from './page-language.ts'

/** The same page in the other languages of the site, for search engines; none where the whole address of the site is not known. */
export function listAlternates(context: SiteContext, page: SitePage): { language: string; href: string }[] {
  const at = page.trail.findIndex(({ kind }) => kind === 'language')
  const current = page.trail[at]
  const around = page.trail[at - 1]
  if (at < 1 || current?.kind !== 'language' || !around || around.kind === 'page' || around.kind === 'link') return []
  const languages = around.children.filter((child): child is DivisionNode => child.kind === 'language' && !child.hidden)
  return languages.flatMap((other) => {
    const route = other === current ? page.route : findCounterpart(page, current, other, context.pageByRoute)
    const href = route === undefined ? undefined : toWholeAddress(context, route)
    const language = toLanguageTag(other.label)
    return href === undefined || language === undefined ? [] : [{ language, href }]
  })
}
