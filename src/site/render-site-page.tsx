import type { ComponentChildren } from 'preact'
import type { Finding } from '../diagnostic/diagnostic.ts'
import { type MdxReader, markdownToNodes } from '../mdx/mdx-reader.ts'
import type { Reference } from '../reference/create-reference.ts'
import { toApiContext } from './api/api-context.ts'
import { OperationArticle } from './api/operation-article.tsx'
import { Samples, SchemaSamples } from './api/samples.tsx'
import { SchemaArticle } from './api/schema-article.tsx'
import { ContentNodes } from './content/content-nodes.tsx'
import { PanelsAside, splitPanels } from './content/example-panels.tsx'
import { toStyleFiles } from './content/to-style-file.ts'
import { viewNavigation } from './shell/navigation-view.ts'
import { PageFrame } from './shell/page-frame.tsx'
import { renderDocument } from './shell/render-document.tsx'
import type { SiteContext } from './site-context.ts'
import type { SiteFile, SitePage } from './types.ts'

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
  /** What the page loads besides the assets of every page. Other pages may have the same. */
  readonly files: readonly SiteFile[]
}

/** Renders one page. The same input gives the same bytes. */
export function renderSitePage(page: SitePage, source: SiteSource): RenderedPage {
  const { context, reader, textOf, root } = source
  const text = page.path === undefined ? '' : (textOf(page.path) ?? '')
  const file = page.path === undefined ? '' : root === '' ? page.path : `${root}/${page.path}`
  const content = reader.readPage(file, text)
  const view = viewNavigation(context, page)
  const part = toApiPart(page, source)
  const { text: shown, panels } = splitPanels(content.nodes)
  const html = renderDocument({
    context,
    page,
    view,
    children: (
      <PageFrame
        context={context}
        page={page}
        view={view}
        headings={content.headings}
        lead={toLead(page, context)}
        aside={panels.length > 0 ? <PanelsAside panels={panels} context={context} page={page} /> : part?.aside}
        isProse={part === undefined}
      >
        {part?.article}
        {part && shown.length > 0 ? (
          <div class="prose">
            <ContentNodes nodes={shown} context={context} page={page} />
          </div>
        ) : (
          <ContentNodes nodes={shown} context={context} page={page} />
        )}
      </PageFrame>
    ),
  })
  return { html, findings: content.findings, files: toStyleFiles(html) }
}

function toLead(page: SitePage, context: SiteContext) {
  if (page.description === undefined) return null
  return (
    <div class="lead">
      <ContentNodes nodes={markdownToNodes(page.description)} context={context} page={page} />
    </div>
  )
}

interface ApiPart {
  readonly article: ComponentChildren
  readonly aside: ComponentChildren
}

/** What a page shows of the document it is bound to; absent for pages that are bound to none, and to what is not there. */
function toApiPart(page: SitePage, { context, references }: SiteSource): ApiPart | undefined {
  const { subject } = page
  if (subject.kind !== 'operation' && subject.kind !== 'webhook' && subject.kind !== 'schema') return undefined
  const reference = references.get(subject.source)
  if (!reference) return undefined
  const api = toApiContext(context, page, reference, subject.source)
  if (subject.kind === 'schema') {
    const view = reference.schemaView(subject.name)
    return view && { article: <SchemaArticle view={view} api={api} />, aside: <SchemaSamples view={view} /> }
  }
  const operation = subject.kind === 'operation' ? reference.operationView(subject.target) : undefined
  const operations = operation ? [operation] : subject.kind === 'webhook' ? reference.webhookViews(subject.name) : []
  const [first] = operations
  if (!first) return undefined
  return {
    article: operations.map((one) => <OperationArticle operation={one} api={api} />),
    aside: <Samples operation={first} api={api} />,
  }
}
