import { renderToString } from 'preact-render-to-string'
import { escapeHtml, unescapeHtml } from '../../../text/plain/escape-text.ts'
import { decodePercent } from '../../../text/plain/paths.ts'
import { isPlainSentence, markdownToNodes } from '../../content/mdx-reader.ts'
import type { SitePage } from '../../plan/types.ts'
import { Html, Raw } from '../html.tsx'
import { createSiteMemo, type SiteContext } from '../site-context.ts'
import { ContentNodes } from './content-nodes.tsx'

/** Rendered Markdown that can be placed on any page. */
interface MarkdownText {
  /** The HTML, split at every element ID. There is one more piece than `ids`. */
  readonly pieces: readonly string[]
  /** The element IDs between the pieces, as indexes into `parts`. */
  readonly ids: readonly number[]
  /** The element IDs of the text, in order. */
  readonly parts: readonly string[]
  /** The original URLs of the links. */
  readonly links: readonly string[]
}

/** The page with the text, for its links. */
interface PageOfSite {
  readonly site: SiteContext
  readonly page: SitePage
}

/** Renders Markdown, such as a `description`. Collects its links, which `placeMarkdown` reports. */
function renderMarkdown(text: string, { site, page }: PageOfSite): MarkdownText {
  if (isPlainSentence(text)) return { pieces: [`<p>${escapeHtml(text)}</p>`], ids: [], parts: [], links: [] }
  const links: string[] = []
  const context: SiteContext = { ...site, notes: { ...site.notes, onLink: (href) => links.push(href) } }
  const html = renderToString(<ContentNodes nodes={markdownToNodes(text)} context={context} page={page} />)
  return { ...cutAtIds(html), links }
}

/** The HTML for a specific page. Reports the links and makes the element IDs unique on the page. */
export function placeMarkdown({ pieces, ids, parts, links }: MarkdownText, { notes }: SiteContext): Html {
  const { onLink, deferId } = notes ?? {}
  if (onLink) for (const link of links) onLink(link)
  const [only = ''] = pieces
  if (parts.length === 0) return new Html(only)
  const deferred = deferId ? parts.map(deferId) : parts.map(escapeHtml)
  return new Html(pieces.map((piece, at) => piece + (deferred[ids[at] ?? -1] ?? '')).join(''))
}

/** Splits HTML at its element IDs and at the links to them. */
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
  readonly api: PageOfSite
  readonly class?: string
}

/** A Markdown `description`. Renders nothing if it is empty. */
export function Description({ text, api, class: className = 'p-desc' }: DescriptionProps) {
  if (text === undefined || text.trim() === '') return null
  return (
    <div class={className === '' ? undefined : className} dir="auto">
      <Raw html={placeMarkdown(renderText(text, api), api.site)} />
    </div>
  )
}

/** Descriptions that render the same on every page. Many pages share them. */
const renderedOf = createSiteMemo<string, MarkdownText>()
const maxRendered = 20_000

/** Renders a description, once for all pages that have it. */
export function renderText(text: string, { site, page }: PageOfSite): MarkdownText {
  const known = renderedOf(site.plan, site.messages.language)
  const before = known.get(text)
  if (before) return before
  const made = renderMarkdown(text, { site, page })
  // Relative links depend on the page.
  const isEverywhere = made.links.every((href) => /^(?:https?:\/\/|#)/i.test(href))
  if (!isEverywhere || text.length > 10_000) return made
  if (known.size >= maxRendered) known.clear()
  known.set(text, made)
  return made
}
