import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { type MdxElement, type MdxNode, textOf } from '../../../script/values/values.ts'
import { type AllowedUrl, encodeFilePath, isAllowedUrl, isUrl, joinPath, normalizePath } from '../../../text/plain/paths.ts'
import { findMessages } from '../../messages/messages.ts'
import { isImagePath } from '../../plan/icon-sets.ts'
import { findPageLanguage } from '../../plan/page-language.ts'
import type { SitePage } from '../../plan/types.ts'
import { type ApiReference, renderApiReference, toUnboundHint } from '../api/api-reference.tsx'
import { ContentNodes } from '../components/content-nodes.tsx'
import { placeMarkdown, renderText } from '../components/markdown-text.tsx'
import { splitPanels } from '../components/panel.tsx'
import { type DeferredIds, deferIds, listIds } from '../element-ids.ts'
import { Raw } from '../html.tsx'
import { viewNavigation } from '../shell/navigation-view.ts'
import { PageFrame, SamplesColumn, SamplesLink } from '../shell/page-frame.tsx'
import { readContent, type SiteContext, type SiteSource } from '../site-context.ts'

/** What a page shows between the header and the footer of the site, and what it is made from. */
interface PageBody {
  readonly children: ComponentChildren
  readonly context: SiteContext
  readonly source: SiteSource
  readonly content: ReturnType<typeof readContent>
  readonly view: ReturnType<typeof viewNavigation>
  /** Absent for guides. */
  readonly part: ApiReference | undefined
  readonly lead: string | undefined
  /** The unique links and sources as written, once the body is rendered. */
  readonly links: ReadonlySet<string>
  readonly settle: DeferredIds['settle']
}

export function renderPageBody(page: SitePage, site: SiteSource): PageBody {
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
  const children = (
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
  )
  return { context, source, content, view, part, lead, children, links, settle }
}

/** The element IDs of a page, without those of the header and the footer of the site. */
export function listPageIds(page: SitePage, site: SiteSource): string[] {
  const { children, settle } = renderPageBody(page, site)
  return listIds(settle(renderToString(<main id="main">{children}</main>), { start: '', end: '' }))
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
