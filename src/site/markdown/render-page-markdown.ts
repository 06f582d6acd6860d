import { isAllowedUrl } from '../../mdx/allowed-html.ts'
import type { MdxNode } from '../../mdx/types.ts'
import { withoutControls } from '../../text/escape-text.ts'
import { type LedLinks, leadMarkdown, toLedHref } from '../reader-links/lead-reader-links.ts'
import type { SiteSource } from '../render-site-page.tsx'
import { resolveHref } from '../site-context.ts'
import type { SiteFile, SitePage } from '../types.ts'
import { nodesToMarkdown } from './nodes-to-markdown.ts'
import { operationToMarkdown, schemaToMarkdown } from './operation-to-markdown.ts'

/** Where the Markdown of a page stands, relative to the output folder. */
export function toMarkdownPath({ route }: Pick<SitePage, 'route'>): string {
  return `${route === '' ? 'index' : route}.md`
}

/** A page as Markdown, for people and models: its title, what its document says, its text with snippets filled in. */
export function renderPageMarkdown(page: SitePage, nodes: readonly MdxNode[], source: SiteSource, led: LedLinks): SiteFile {
  const { url, base } = source.context
  // Links of the text are told while its HTML is made.
  const { onLink: _, ...context } = source.context
  const toWhole = (href: string) => (url !== undefined && href.startsWith(base) ? new URL(href, url).href : href)
  const toAddress = (written: string, use: 'link' | 'media') => {
    if (written === '' || !isAllowedUrl(written, use)) return undefined
    return toWhole(resolveHref(context, written, page))
  }
  const parts = [`# ${page.title.replace(/\s+/g, ' ')}\n`]
  const api = describeSubject(page, source)
  if (page.description !== undefined && page.description.trim() !== '' && api === '')
    parts.push(`> ${page.description.trim().replace(/\n/g, '\n> ')}\n`)
  if (api !== '') parts.push(api)
  const text = nodesToMarkdown(nodes, toAddress)
  if (text.trim() !== '') parts.push(text)
  const content = leadMarkdown(parts.join('\n'), led, (found) => toWhole(toLedHref(context, found)))
  return { path: toMarkdownPath(page), content: withoutControls(content) }
}

function describeSubject({ subject }: SitePage, { references }: SiteSource): string {
  if (subject.kind === 'endpoint') return `\`\`\`http\n${subject.method} ${subject.url}\n\`\`\`\n`
  const reference = 'source' in subject ? references.get(subject.source) : undefined
  if (!reference) return ''
  if (subject.kind === 'schema') {
    const view = reference.schemaView(subject.name)
    return view ? schemaToMarkdown(view) : ''
  }
  if (subject.kind === 'webhook') return reference.webhookViews(subject.name).map(operationToMarkdown).join('\n')
  const operation = subject.kind === 'operation' ? reference.operationView(subject.target) : undefined
  return operation ? operationToMarkdown(operation) : ''
}
