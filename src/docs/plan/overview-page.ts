import type { Tag } from '../../openapi/types.ts'
import { escapeMdx, pageTitle, renderMdxCode, renderMdxText, toSafeLink } from '../pages/generated-page.ts'
import type { WantedPage } from '../pages/match-locked-pages.ts'
import type { Overview, PageSubject, ReplacementOf } from '../pages/subjects.ts'

/** Identifies a page in a plan by division, document and target. */
export function toPageKey({ division, source }: Pick<WantedPage, 'division' | 'source'>, target: string): string {
  return `${division.id} ${source.source} ${target}`
}

/**
 * Renders the overview if the page is one. Other pages are returned unchanged.
 *
 * @param paths of the planned pages, by `toPageKey`. All other pages must be planned first.
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
  const isNamedOverview = subject.summary?.trim().toLowerCase() === 'overview'
  const mint = {
    metadata: { sidebarTitle: isNamedOverview ? 'Introduction' : 'Overview' },
    content,
    href: undefined,
    groups: undefined,
  }
  return { ...page, subject: { ...subject, mint } }
}

/**
 * Writes an overview: the description of each tag in the group, and its operations with links to their pages.
 *
 * `pathOf` returns the page path of a subject without extension, relative to the docs directory. Operations without a page are
 * listed without a link.
 */
function renderOverview({ tags, members }: Overview, pathOf: (target: string) => string | undefined): string {
  const list = (subjects: readonly PageSubject[]) => subjects.map((subject) => toItem(subject, pathOf(subject.target))).join('\n')
  const untagged = members.filter(({ tag }) => !tags.some(({ name }) => name === tag))
  const [only] = tags
  if (only && tags.length === 1 && untagged.length === 0) return joinBlocks([...describeTag(only), list(members)])
  const sections = tags.flatMap((tag) => [
    `## ${renderMdxText(tag.name)}`,
    ...describeTag(tag),
    list(members.filter((member) => member.tag === tag.name)),
  ])
  return joinBlocks([list(untagged), ...sections])
}

function describeTag({ description, externalDocs }: Tag): string[] {
  const link = externalDocs && toSafeLink(externalDocs.url)
  const words = externalDocs?.description?.trim() || externalDocs?.url || ''
  return [escapeMdx(description ?? ''), link === undefined ? '' : `[${renderMdxText(words)}](${link})`]
}

function toItem(subject: PageSubject, path: string | undefined): string {
  const title = renderMdxText(pageTitle(subject))
  const name = path === undefined ? title : `[${title}](${toSafeLink(`/${path}`)})`
  return `- ${name}: ${renderMdxCode(subject.target)}${subject.deprecated === true ? ' (deprecated)' : ''}`
}

function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n')
}
