import { renderToString } from 'preact-render-to-string'
import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { type MdxElement, type MdxNode, textOf } from '../../../script/values/values.ts'
import { type AllowedUrl, encodeFilePath, isAllowedUrl, isUrl, joinPath, normalizePath } from '../../../text/plain/paths.ts'
import { english, findMessages } from '../../messages/messages.ts'
import { isImagePath } from '../../plan/icon-sets.ts'
import { findPageLanguage } from '../../plan/page-language.ts'
import type { SiteFile, SitePage } from '../../plan/types.ts'
import { toApiContext } from '../api/api-context.ts'
import { renderApiReference, toUnboundHint } from '../api/api-reference.tsx'
import { listPartPages, toPartPage } from '../api/part-pages.ts'
import { SchemaArticle } from '../api/schema-article.tsx'
import { checkContent } from '../components/check-content.ts'
import { ContentNodes } from '../components/content-nodes.tsx'
import { placeMarkdown, renderText } from '../components/markdown-text.tsx'
import { splitPanels } from '../components/panel.tsx'
import { deferIds } from '../element-ids.ts'
import { Raw } from '../html.tsx'
import { printPage, toMarkdownFile } from '../markdown/page-markdown.ts'
import { type SearchEntry, toSearchEntry } from '../search/search-entry.ts'
import { viewNavigation } from '../shell/navigation-view.ts'
import { PageFrame, SamplesColumn, SamplesLink } from '../shell/page-frame.tsx'
import { renderDocument } from '../shell/render-document.tsx'
import { readContent, type SiteContext, type SiteSource, toHref } from '../site-context.ts'
import { listUpdateFeeds } from './changelog-feeds.ts'

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
  const links = new Set<string>()
  const { settle, ...ids } = deferIds()
  if (page.icon !== undefined && isImagePath(page.icon)) links.add(page.icon)
  const context: SiteContext = {
    ...site.context,
    messages: findMessages(findPageLanguage(page, site.context.plan.settings)),
    notes: {
      onLink: (href) => links.add(href),
      ...ids,
    },
  }
  const source: SiteSource = { ...site, context }
  const content = readContent(page, source)
  const view = viewNavigation(context, page)
  const part = renderApiReference(page, source, content)
  const lead = findLead(page)
  const { text: shown, panels } = splitPanels(withoutTitle(content.nodes, page))
  const document = renderDocument({
    context,
    page,
    view,
    settle,
    connect: part?.connect ?? [],
    children: (
      <PageFrame
        context={context}
        page={page}
        view={view}
        headings={[...content.headings, ...(part?.headings ?? [])]}
        hasOwnTitle={hasOwnTitle(shown, page)}
        top={part?.top}
        lead={lead === undefined ? null : <Lead text={lead} page={page} context={context} />}
        aside={
          panels.length > 0 ? (
            <SamplesColumn context={context} label={context.messages.reference.codeSamples} class="mixed">
              <ContentNodes nodes={panels} context={context} page={page} />
            </SamplesColumn>
          ) : (
            part?.aside
          )
        }
        start={part?.start}
        menu={part?.menu}
        editHref={toEditHref(page, source)}
        rest={
          <>
            {part?.article}
            {toUnboundHint(page, source)}
          </>
        }
      >
        {part?.beforeText ??
          (panels.length > 0 && part === undefined && <SamplesLink label={context.messages.reference.samples} />)}
        {shown.length > 0 && (
          <div class="prose" dir={page.subject.kind === 'description' ? 'auto' : undefined}>
            <ContentNodes nodes={shown} context={context} page={page} />
          </div>
        )}
      </PageFrame>
    ),
  })
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

/** The URL that edits the file of a page, or the document that an API page shows; `undefined` for documents by URL. */
function toEditHref({ subject, path }: SitePage, { root, context }: SiteSource): AllowedUrl | undefined {
  const { editUrl } = context.plan.settings.site
  const written = subject.kind === 'guide' ? path : 'source' in subject && !isUrl(subject.source) ? subject.source : undefined
  if (editUrl === undefined || written === undefined) return undefined
  const href = editUrl + encodeFilePath(normalizePath(joinPath(root, written)))
  return isAllowedUrl(href, 'link') ? href : undefined
}

/** Removes the first heading if it is the page title. */
function withoutTitle(nodes: readonly MdxNode[], page: SitePage): readonly MdxNode[] {
  const first = findFirst(nodes)
  const node = nodes[first]
  const isTitle =
    node?.kind === 'element' && node.name === 'h1' && (page.frontmatter['title'] === undefined || repeatsTitle(node, page))
  return isTitle ? nodes.slice(first + 1) : nodes
}

/** Whether the first block of a page, such as a hero, contains a heading with the page title. */
function hasOwnTitle(nodes: readonly MdxNode[], page: SitePage): boolean {
  const contains = (node: MdxNode): boolean =>
    node.kind === 'element' && (/^h[12]$/.test(node.name) ? repeatsTitle(node, page) : node.children.some(contains))
  const block = nodes[findFirst(nodes)]
  return block?.kind === 'element' && block.children.some(contains)
}

const findFirst = (nodes: readonly MdxNode[]): number =>
  nodes.findIndex((node) => node.kind !== 'text' || node.value.trim() !== '')

function repeatsTitle({ children }: MdxElement, { title }: SitePage): boolean {
  const toPlain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()
  return toPlain(textOf(children)) === toPlain(title)
}

function Lead({ text, page, context }: { readonly text: string; readonly page: SitePage; readonly context: SiteContext }) {
  return (
    <div class="lead" dir="auto">
      <Raw html={placeMarkdown(renderText(text, { site: context, page }), context)} />
    </div>
  )
}

/** The description of a page. Some generators repeat the title as the description. */
function findLead({ description, title }: SitePage): string | undefined {
  return description?.trim().toLowerCase() === title.toLowerCase() ? undefined : description
}
