import { type MarkdownText, placeMarkdown, renderMarkdown } from '../content/markdown-text.tsx'
import { createSiteMemo } from '../create-site-memo.ts'
import { type Html, html, noHtml } from '../html.ts'
import { Raw } from '../raw.tsx'
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
  const inside = placeMarkdown(renderText(text, api), api.site)
  return html`<div${className !== '' && html` class="${className}"`}>${inside}</div>`
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
