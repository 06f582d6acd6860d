import type { Tag } from '../openapi/types.ts'
import { escapeMdx, renderMdxCode, renderMdxText, toSafeLink } from './escape-mdx.ts'
import type { WantedPage } from './match-locked-pages.ts'
import { pageTitle } from './render-page.ts'
import type { Overview, PageSubject, ReplacementOf } from './types.ts'

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

/**
 * Writes the text of an overview: what each tag of the group says about itself, and its operations with links to their pages.
 *
 * `pathOf` gives the path of a subject's page without extension, relative to the docs root; an operation without a page is listed without a link.
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
