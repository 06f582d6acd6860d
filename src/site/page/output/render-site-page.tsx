import { renderToString } from 'preact-render-to-string'
import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { joinPath } from '../../../text/plain/paths.ts'
import { english } from '../../messages/messages.ts'
import type { SiteFile, SitePage } from '../../plan/types.ts'
import { toApiContext } from '../api/api-context.ts'
import { renderApiReference } from '../api/api-reference.tsx'
import { listPartPages, toPartPage } from '../api/part-pages.ts'
import { SchemaArticle } from '../api/schema-article.tsx'
import { checkContent } from '../components/check-content.ts'
import { ContentNodes } from '../components/content-nodes.tsx'
import { deferIds } from '../element-ids.ts'
import { printPage, toMarkdownFile } from '../markdown/page-markdown.ts'
import { type SearchEntry, toSearchEntry } from '../search/search-entry.ts'
import { viewNavigation } from '../shell/navigation-view.ts'
import { PageFrame } from '../shell/page-frame.tsx'
import { renderDocument } from '../shell/render-document.tsx'
import { type SiteContext, type SiteSource, toHref } from '../site-context.ts'
import { listUpdateFeeds } from './changelog-feeds.ts'
import { renderPageBody } from './page-body.tsx'

export interface RenderedPage {
  readonly html: string
  /** Additional files: the OpenAPI document of the operation, the stylesheet and the Markdown. Several pages can share a file. */
  readonly attachments: readonly SiteFile[]
  readonly findings: readonly Finding[]
  /** The unique links and sources of the page as written. */
  readonly links: readonly string[]
  /** The search entry; absent for hidden pages. */
  readonly search: SearchEntry | undefined
  /** The page file and the files that it includes, relative to the boundary. */
  readonly files: readonly string[]
}

/** Renders a page. The output is deterministic. */
export function renderSitePage(page: SitePage, site: SiteSource): RenderedPage {
  const { context, source, content, view, part, lead, children, links, settle } = renderPageBody(page, site)
  const document = renderDocument({ context, page, view, settle, connect: part?.connect ?? [], children })
  // The Markdown is in English in sites of every language.
  const isEnglish = context.messages === english
  const inEnglish = isEnglish
    ? part
    : renderApiReference(page, { ...source, context: { ...context, messages: english } }, content)
  const text = printPage(page, { nodes: content.nodes, lead, reference: inEnglish }, context)
  const files = [...(page.path === undefined ? [] : [joinPath(source.root, page.path)]), ...content.uses]
  return {
    html: document.html,
    attachments: [
      ...(part?.files ?? []),
      ...document.styles,
      toMarkdownFile(page, text, context),
      ...renderPartPages(page, source),
      ...listUpdateFeeds(page, content.nodes, context, (nodes) =>
        renderToString(<ContentNodes nodes={nodes} context={site.context} page={page} />),
      ),
    ],
    findings: checkContent(content, source).findings,
    links: [...links],
    search: toSearchEntry(page, { nodes: content.nodes, article: part, text }, source),
    files,
  }
}

/** The pages of the parts of schemas that are published with a page. */
function renderPartPages(owner: SitePage, { references, context: shared }: SiteSource): SiteFile[] {
  const { subject } = owner
  const reference = 'source' in subject ? references.get(subject.source) : undefined
  if (!reference || !('source' in subject)) return []
  return listPartPages(owner, reference).flatMap((part) => {
    const { settle, ...ids } = deferIds()
    const context: SiteContext = { ...shared, notes: { ...shared.notes, ...ids } }
    const page = toPartPage(owner, part)
    // Scripts load the rows, so few readers open the page. Its breadcrumbs lead to the page that it is a part of, which has the navigation.
    const navigation = { ...viewNavigation(context, page), sidebar: [] }
    const crumbs = [...navigation.crumbs, { label: owner.title, href: toHref(context.hosting, owner.route) }]
    const view = { name: part.part.key, schema: reference.partView(part.part), usedBy: [], examples: [] }
    const toArticle = (site: SiteContext) => (
      <SchemaArticle view={view} api={toApiContext({ site, page, owner, reference, source: subject.source, headingIds: [] })} />
    )
    const article = toArticle(context)
    const { html } = renderDocument({
      context,
      page,
      view: navigation,
      settle,
      children: (
        <PageFrame context={context} page={page} view={{ ...navigation, crumbs }} headings={[]} lead={null}>
          {article}
        </PageFrame>
      ),
    })
    const inEnglish = context.messages === english ? article : toArticle({ ...context, messages: english })
    return [
      { path: `${page.route}/index.html`, content: html },
      toMarkdownFile(page, printPage(page, { reference: { article: inEnglish } }, context), context),
    ]
  })
}
