import { renderToString } from 'preact-render-to-string'
import { decodePercent } from '../../../source/relative-path.ts'
import { markdownToNodes } from '../../content/mdx-reader.ts'
import type { ApiContext } from '../api/api-context.ts'
import { escapeHtml, Html, Raw, unescapeHtml } from '../html.ts'
import type { SiteContext } from '../site-context.ts'
import { createSiteMemo } from '../site-context.ts'
import type { SitePage } from '../types.ts'
import { ContentNodes } from './content-nodes.tsx'

/** A Markdown text as HTML, before it stands on a page. */
interface MarkdownText {
  /** The HTML, cut where an address of a part of the text stands: one more than there are `ids`. */
  readonly pieces: readonly string[]
  /** What stands between the pieces: an index into `parts`. */
  readonly ids: readonly number[]
  /** The addresses of the parts of the text, in order. */
  readonly parts: readonly string[]
  /** As they are written. */
  readonly links: readonly string[]
}

/** Renders a Markdown text, such as a `description`. Its links are collected, not reported: `placeMarkdown` reports them. */
export function renderMarkdown(
  text: string,
  { site, page }: { readonly site: SiteContext; readonly page: SitePage },
): MarkdownText {
  const links: string[] = []
  const context: SiteContext = { ...site, onLink: (href) => links.push(href) }
  const html = renderToString(<ContentNodes nodes={markdownToNodes(text)} context={context} page={page} />)
  return { ...cutAtIds(html), links }
}

/** The HTML of a text on a page: reports its links and gives its parts ids that are unique there. */
export function placeMarkdown({ pieces, ids, parts, links }: MarkdownText, { onLink, holdId }: SiteContext): Html {
  if (onLink) for (const link of links) onLink(link)
  const [only = ''] = pieces
  if (parts.length === 0) return new Html(only)
  const held = holdId ? parts.map(holdId) : parts.map(escapeHtml)
  return new Html(pieces.map((piece, at) => piece + (held[ids[at] ?? -1] ?? '')).join(''))
}

/** Finds the addresses of the parts of a text, and where the text leads to its own parts. */
function cutAtIds(html: string): Pick<MarkdownText, 'pieces' | 'ids' | 'parts'> {
  if (!html.includes(' id="')) return { pieces: [html], ids: [], parts: [] }
  const parts = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = '']) => unescapeHtml(id))
  const pieces: string[] = []
  const ids: number[] = []
  let seen = 0
  let start = 0
  for (const match of html.matchAll(/ (id|href)="(#?)([^"]+)"|url\((#)([^()"]+)\)/g)) {
    const [whole, name, sign = '', value, , drawn] = match
    const written = unescapeHtml(value ?? drawn ?? '')
    const isOwn = name === 'id'
    if (name === 'href' && sign === '') continue
    const part = isOwn ? seen++ : parts.indexOf(parts.includes(written) ? written : decodePercent(written))
    if (part === -1) continue
    const at = match.index + whole.lastIndexOf(value ?? drawn ?? '')
    pieces.push(html.slice(start, at))
    ids.push(part)
    start = at + (value ?? drawn ?? '').length
  }
  return { pieces: [...pieces, html.slice(start)], ids, parts }
}

interface DescriptionProps {
  readonly text: string | undefined
  readonly api: ApiContext
  readonly class?: string
}

/** A `description`, which is Markdown; nothing where there is none. */
export function Description({ text, api, class: className = 'p-desc' }: DescriptionProps) {
  if (text === undefined || text.trim() === '') return null
  return (
    <div class={className === '' ? undefined : className}>
      <Raw html={placeMarkdown(renderText(text, api), api.site)} />
    </div>
  )
}

/** Descriptions that look the same on every page of a site: the same stand on many. */
const renderedOf = createSiteMemo<string, MarkdownText>()
const maxRendered = 20_000

function renderText(text: string, { site, page }: Pick<ApiContext, 'site' | 'page'>): MarkdownText {
  const known = renderedOf(site.plan)
  const before = known.get(text)
  if (before) return before
  const made = renderMarkdown(text, { site, page })
  // Others count from the page that they stand on.
  const isEverywhere = made.links.every((href) => /^(?:https?:\/\/|#)/i.test(href))
  if (!isEverywhere || text.length > 10_000) return made
  if (known.size >= maxRendered) known.clear()
  known.set(text, made)
  return made
}
