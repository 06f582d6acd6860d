import { renderToString } from 'preact-render-to-string'
import { markdownToNodes } from '../../mdx/mdx-reader.ts'
import { ContentNodes } from '../content/content-nodes.tsx'
import { createSiteMemo } from '../create-site-memo.ts'
import { Html, html, noHtml } from '../html.ts'
import { Raw } from '../raw.tsx'
import type { SiteContext } from '../site-context.ts'
import type { ApiContext } from './api-context.ts'

interface DescriptionProps {
  readonly text: string | undefined
  readonly api: ApiContext
  readonly class?: string
}

/** A `description`, which is Markdown; nothing where there is none. */
export function Description({ text, api, class: className }: DescriptionProps) {
  return <Raw html={renderDescription(text, api, className)} />
}

/** As `Description`. */
export function renderDescription(text: string | undefined, api: ApiContext, className = 'p-desc'): Html {
  if (text === undefined || text.trim() === '') return noHtml
  const { inside, links } = renderText(text, api)
  for (const link of links) api.site.onLink?.(link)
  return html`<div${className !== '' && html` class="${className}"`}>${inside}</div>`
}

interface RenderedText {
  readonly inside: Html
  readonly links: readonly string[]
}

/** Descriptions that look the same on every page of a site: the same stand on many. */
const renderedOf = createSiteMemo<string, RenderedText>()
const maxRendered = 20_000

function renderText(text: string, { site, page }: Pick<ApiContext, 'site' | 'page'>): RenderedText {
  const known = renderedOf(site.plan)
  const before = known.get(text)
  if (before) return before
  const links: string[] = []
  const context: SiteContext = { ...site, onLink: (href) => links.push(href) }
  const nodes = markdownToNodes(text)
  const made = { inside: new Html(renderToString(<ContentNodes nodes={nodes} context={context} page={page} />)), links }
  // Others count from the page that they stand on.
  const isEverywhere = links.every((href) => /^https?:\/\//i.test(href))
  if (!isEverywhere || text.length > 10_000) return made
  if (known.size >= maxRendered) known.clear()
  known.set(text, made)
  return made
}
