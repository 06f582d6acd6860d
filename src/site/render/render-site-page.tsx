import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { MdxNode } from '../content/types.ts'
import { toApiPart, toUnboundHint } from './api/to-api-part.tsx'
import { ContentNodes } from './components/content-nodes.tsx'
import { placeMarkdown, renderMarkdown } from './components/markdown-text.tsx'
import { splitPanels } from './components/panel.tsx'
import { Raw } from './html.ts'
import { renderPageMarkdown } from './markdown/page-markdown.ts'
import { holdIds } from './part-ids.ts'
import { listNamedParts } from './reader-links/list-named-parts.ts'
import { findLedLinks, leadHtml, toLedHref } from './reader-links/reader-links.ts'
import type { SearchEntry } from './search/search-entry.ts'
import { toSearchEntry } from './search/search-entry.ts'
import { viewNavigation } from './shell/navigation-view.ts'
import { PageFrame } from './shell/page-frame.tsx'
import { renderDocument } from './shell/render-document.tsx'
import type { SiteContext, SiteSource } from './site-context.ts'
import type { SiteFile, SitePage } from './types.ts'

export interface RenderedPage {
  readonly html: string
  /** What stands beside it: the description of its operation alone, the styles of its text, its Markdown. Other pages may have the same file. */
  readonly attachments: readonly SiteFile[]
  readonly findings: readonly Finding[]
  /** Every link and source of the page as it is written, once; those that were led to a page of the site, with its address. */
  readonly links: readonly string[]
  /** What a search finds of it; absent for pages that nothing lists. */
  readonly search: SearchEntry | undefined
  /** The files that the page's text comes from, itself first; relative to the boundary. */
  readonly files: readonly string[]
  /** Whether it was looked up what a link names in a description: the page then changes with the names there. */
  readonly mayNameParts: boolean
}

/** Renders one page. The same input gives the same bytes. */
export function renderSitePage(page: SitePage, site: SiteSource): RenderedPage {
  const links = new Set<string>()
  const ids = holdIds()
  const context: SiteContext = { ...site.context, onLink: (href) => links.add(href), holdId: ids.hold }
  const source: SiteSource = { ...site, context }
  const { reader, textOf, root } = source
  const text = page.path === undefined ? '' : (textOf(page.path) ?? '')
  const file = page.path === undefined ? '' : root === '' ? page.path : `${root}/${page.path}`
  const content = reader.readPage(file, text)
  const view = viewNavigation(context, page)
  const part = toApiPart(page, source, content)
  const { text: shown, panels } = splitPanels(withoutTitle(content.nodes, page))
  const document = renderDocument({
    context,
    page,
    view,
    connect: part?.connect ?? [],
    children: (
      <PageFrame
        context={context}
        page={page}
        view={view}
        headings={content.headings}
        lead={toLead(page, context)}
        aside={
          panels.length > 0 ? (
            <aside class="aside" id="samples" aria-label="Samples">
              <ContentNodes nodes={panels} context={context} page={page} />
            </aside>
          ) : (
            part?.aside
          )
        }
        menu={part?.menu}
      >
        {part?.article}
        {shown.length > 0 && (
          <div class="prose">
            <ContentNodes nodes={shown} context={context} page={page} />
          </div>
        )}
        {toUnboundHint(page, source)}
      </PageFrame>
    ),
  })
  const settled = ids.settle(document.html)
  let mayNameParts = false
  const led = findLedLinks(links, settled, page.route, () => {
    mayNameParts = true
    return listNamedParts(page, source)
  })
  for (const [link, found] of led) {
    links.delete(link)
    links.add(toLedHref({ base: '/' }, found))
  }
  return {
    html: leadHtml(settled, led, (found) => toLedHref(context, found)),
    attachments: [...(part?.files ?? []), ...document.styles, renderPageMarkdown(page, content.nodes, source, led)],
    findings: content.findings,
    links: [...links],
    search: toSearchEntry(page, content.nodes, source.references),
    files: [...(file === '' ? [] : [file]), ...content.uses],
    mayNameParts,
  }
}

/** A page without a `title` has that of its first heading, which then stands above already. */
function withoutTitle(nodes: readonly MdxNode[], page: SitePage): readonly MdxNode[] {
  if (page.frontmatter['title'] !== undefined) return nodes
  const first = nodes.findIndex((node) => node.kind !== 'text' || node.value.trim() !== '')
  const node = nodes[first]
  return node?.kind === 'element' && node.name === 'h1' ? nodes.slice(first + 1) : nodes
}

function toLead(page: SitePage, context: SiteContext) {
  // Generators of descriptions repeat the title.
  if (page.description === undefined || page.description.trim().toLowerCase() === page.title.toLowerCase()) return null
  return (
    <div class="lead">
      <Raw html={placeMarkdown(renderMarkdown(page.description, { site: context, page }), context)} />
    </div>
  )
}
