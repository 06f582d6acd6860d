import type { Tag } from '../openapi/types.ts'
import { escapeMdx, renderMdxCode, renderMdxText, toSafeLink } from './escape-mdx.ts'
import { pageTitle } from './page-title.ts'
import type { Overview, PageSubject } from './types.ts'

/**
 * Writes the text of an overview: what each tag of the group says about itself, and its operations with links to their pages.
 *
 * `pathOf` gives the path of a subject's page without extension, relative to the docs root; an operation without a page is listed without a link.
 */
export function renderOverview({ tags, members }: Overview, pathOf: (target: string) => string | undefined): string {
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
