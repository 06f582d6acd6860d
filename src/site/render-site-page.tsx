import type { Finding } from '../diagnostic/diagnostic.ts'
import { type MdxReader, markdownToNodes } from '../mdx/mdx-reader.ts'
import type { Reference } from '../reference/create-reference.ts'
import { ContentNodes } from './content/content-nodes.tsx'
import { viewNavigation } from './shell/navigation-view.ts'
import { PageFrame } from './shell/page-frame.tsx'
import { renderDocument } from './shell/render-document.tsx'
import type { SiteContext } from './site-context.ts'
import type { SitePage } from './types.ts'

/** What pages are made from. */
export interface SiteSource {
  readonly context: SiteContext
  readonly reader: MdxReader
  /** By the document's source as bindings resolve to it. */
  readonly references: ReadonlyMap<string, Reference>
  /** The text of a page's file, planned ones included. */
  readonly textOf: (path: string) => string | undefined
  /** The docs root, relative to the boundary. */
  readonly root: string
}

export interface RenderedPage {
  readonly html: string
  readonly findings: readonly Finding[]
}

/** Renders one page. The same input gives the same bytes. */
export function renderSitePage(page: SitePage, source: SiteSource): RenderedPage {
  const { context, reader, textOf, root } = source
  const text = page.path === undefined ? '' : (textOf(page.path) ?? '')
  const file = page.path === undefined ? '' : root === '' ? page.path : `${root}/${page.path}`
  const { nodes, headings, findings } = reader.readPage(file, text)
  const view = viewNavigation(context, page)
  const lead =
    page.description === undefined ? null : (
      <div class="lead">
        <ContentNodes nodes={markdownToNodes(page.description)} context={context} page={page} />
      </div>
    )
  const html = renderDocument({
    context,
    page,
    view,
    children: (
      <PageFrame context={context} page={page} view={view} headings={headings} lead={lead} isProse>
        <ContentNodes nodes={nodes} context={context} page={page} />
      </PageFrame>
    ),
  })
  return { html, findings }
}
