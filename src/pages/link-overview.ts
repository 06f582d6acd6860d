import type { WantedPage } from './match-locked-pages.ts'
import { renderOverview } from './render-overview.ts'
import type { ReplacementOf } from './types.ts'

/** Names a page among all of a plan: by its division, document and target. */
export function toPageKey({ division, source }: Pick<WantedPage, 'division' | 'source'>, target: string): string {
  return `${division.id} ${source.source} ${target}`
}

/**
 * An overview with the list of its operations, whose pages are planned before it; any other page as it is.
 *
 * @param paths of the pages that are planned, by `toPageKey`.
 */
export function linkOverview(
  page: WantedPage,
  { replacementOf }: { readonly replacementOf: ReplacementOf },
  paths: ReadonlyMap<string, string>,
): WantedPage {
  const { division, source, subject } = page
  if (subject.binding.kind !== 'overview') return page
  const pathOf = (target: string) => paths.get(toPageKey(page, target)) ?? replacementOf(division, source.source, target)?.path
  const content = renderOverview(subject.binding, (target) => pathOf(target)?.replace(/\.mdx?$/, ''))
  const mint = { metadata: { sidebarTitle: 'Overview' }, content, href: undefined, groups: undefined }
  return { ...page, subject: { ...subject, mint } }
}
