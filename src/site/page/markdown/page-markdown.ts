import type { ComponentChildren } from 'preact'
import type { MdxNode } from '../../../script/values/values.ts'
import { withoutControls } from '../../../text/plain/escape-text.ts'
import { capitalize } from '../../../text/plain/lists.ts'
import { decodePercent, isAllowedUrl } from '../../../text/plain/paths.ts'
import { convertMarkdocTags } from '../../../text/plain/scan-markdown.ts'
import { english } from '../../messages/messages.ts'
import type { SiteFile, SitePage } from '../../plan/types.ts'
import { renderAgentNote } from '../agent-note.ts'
import type { ApiReference } from '../api/api-reference.tsx'
import { findPartOwner } from '../api/part-pages.ts'
import { resolveHref, type SiteContext, toMarkdownPath } from '../site-context.ts'
import { elementsToMarkdown } from './elements-to-markdown.ts'
import { nodesToMarkdown } from './nodes-to-markdown.ts'
import { withoutRefusedLinks } from './refused-links.ts'
import { escapeMarkdown } from './write-markdown.ts'

interface PageContent {
  /** The text of the page, including snippets. */
  readonly nodes?: readonly MdxNode[]
  /** The description below the title. */
  readonly lead?: string | undefined
  readonly reference: Pick<ApiReference, 'top' | 'beforeText' | 'start' | 'article' | 'aside'> | undefined
}

/** The file with the Markdown of a page, see `printPage`. */
export function toMarkdownFile(page: SitePage, text: string, context: SiteContext): SiteFile {
  return { path: toMarkdownPath(page), content: withoutControls(renderAgentNote(context) + text) }
}

/** Prints all that a page says as Markdown: its title, its description, its text and its API reference. */
export function printPage(page: SitePage, content: PageContent, { notes: _, ...context }: SiteContext): string {
  // The HTML renderer already reports the links.
  const { nodes = [], reference } = content
  const lead = convertMarkdocTags(content.lead ?? '').trim()
  const { hosting } = context
  // Links are absolute if the URL of the site is known.
  const toWhole = (href: string) =>
    hosting.url !== undefined && href.startsWith(hosting.base) ? new URL(href, hosting.url).href : href
  const toAddress = (written: string, use: 'link' | 'media') => {
    if (written === '' || !isAllowedUrl(written, use)) return undefined
    return toWhole(resolveHref(context, written, page))
  }
  const print = (elements: ComponentChildren) => elementsToMarkdown(elements, (href) => toMarkdownUrl(href, context, toWhole))
  const labels = [
    ...(page.deprecated ? [capitalize(english.reference.deprecated)] : []),
    ...page.labels.map(({ text }) => escapeMarkdown(text)),
  ]
  const parts = [
    `# ${escapeMarkdown(page.title)}`,
    print(reference?.top),
    labels.map((label) => `**${label}**`).join(', '),
    reference ? lead : lead.replace(/^/gm, '> '),
    print(reference?.beforeText),
    nodesToMarkdown(nodes, toAddress).trim(),
    ...[reference?.start, reference?.article, reference?.aside].map(print),
  ]
  const text = parts.filter((part) => part !== '' && part !== '> ').join('\n\n')
  return withoutRefusedLinks(`${text}\n`)
}

/** Links between pages lead to their Markdown. Authors also link to pages that the site does not have. */
function toMarkdownUrl(
  href: string,
  { hosting: { base }, plan }: Pick<SiteContext, 'hosting' | 'plan'>,
  toWhole: (href: string) => string,
): string | undefined {
  if (href === '' || href.startsWith('#')) return undefined
  if (!href.startsWith(base) || !href.endsWith('/')) return toWhole(href)
  const path = href.slice(base.length, -1)
  const route = decodePercent(path)
  const isPage = plan.pageByRoute.has(route) || findPartOwner(route) !== undefined
  return toWhole(isPage ? `${base}${toMarkdownPath({ route: path })}` : href)
}
