import type { ComponentChildren } from 'preact'
import type { MdxContent } from '../../mdx/types.ts'
import type { Reference } from '../../reference/create-reference.ts'
import type { SliceSubject } from '../../reference/slice-description.ts'
import { sliceDescription } from '../../reference/slice-description.ts'
import type { JsonObject } from '../../text/is-object.ts'
import type { SiteSource } from '../render-site-page.tsx'
import type { SiteFile, SitePage } from '../types.ts'
import { toApiContext } from './api-context.ts'
import { ApiMenu } from './api-menu.tsx'
import { describeEndpoint } from './describe-endpoint.ts'
import { EndpointArticle, toEndpointView } from './endpoint-article.tsx'
import { OperationArticle } from './operation-article.tsx'
import { PlayButton, toPlaygroundDisplay } from './play-button.tsx'
import { Samples, SchemaSamples } from './samples.tsx'
import { SchemaArticle } from './schema-article.tsx'
import { toConnectSources } from './to-connect-sources.ts'
import { toEndpointFields } from './to-endpoint-fields.ts'
import { toSlicePath } from './to-slice-path.ts'
import { UnboundHint } from './unbound-hint.tsx'
import { UnreadableNote } from './unreadable-note.tsx'
import { WebhookArticle } from './webhook-article.tsx'

/** What a page shows of the document that it is bound to. */
export interface ApiPart {
  readonly article: ComponentChildren
  readonly aside: ComponentChildren
  /** More lines of the menu beside the title. */
  readonly menu: ComponentChildren
  /** Files that stand beside the page. */
  readonly files: readonly SiteFile[]
  /** Where the page may send requests to, for its policy. */
  readonly connect?: readonly string[]
}

/** The API part of a page; absent for pages that are about none, and for those bound to what is not there. */
export function toApiPart(page: SitePage, source: SiteSource, content: MdxContent): ApiPart | undefined {
  const { context, references } = source
  const canPlay = toPlaygroundDisplay(page, context) === 'interactive'
  const { subject } = page
  if (subject.kind === 'guide') return undefined
  if (subject.kind === 'endpoint') {
    const operation = toEndpointView(page, subject, context.plan.settings.api.mdx, toEndpointFields(content.nodes, page))
    const slice = toSliceFile(page, describeEndpoint(page, operation, content.nodes))
    // Without a server there is nobody to send to.
    const play = canPlay && operation.servers.length > 0 && <PlayButton site={context} slicePath={slice.path} />
    const article = <EndpointArticle operation={operation} play={play} />
    const menu = <ApiMenu site={context} slicePath={slice.path} documentPath={undefined} />
    return {
      article,
      aside: <Samples operations={[operation]} api={{ site: context }} />,
      menu,
      files: [slice],
      connect: canPlay ? toConnectSources(operation) : [],
    }
  }
  if (subject.kind === 'unbound') return undefined
  if (subject.kind === 'unreadable') {
    const fault = source.documentFaults.get(subject.source)
    return { article: <UnreadableNote source={subject.source} fault={fault} />, aside: undefined, menu: undefined, files: [] }
  }
  const reference = references.get(subject.source)
  if (!reference) return undefined
  const headingIds = content.headings.map(({ id }) => id)
  const api = toApiContext({ site: context, page, reference, source: subject.source, headingIds })
  const document = source.downloads.get(reference.description.entryPath)
  const toMenu = (slice: SiteFile | undefined) => <ApiMenu site={context} slicePath={slice?.path} documentPath={document?.path} />
  if (subject.kind === 'schema') {
    const view = reference.schemaView(subject.name)
    if (!view) return undefined
    return {
      article: <SchemaArticle view={view} api={api} />,
      aside: <SchemaSamples view={view} />,
      menu: toMenu(undefined),
      files: [],
    }
  }
  const slice = toSlice(page, reference)
  const files = slice ? [slice] : []
  if (subject.kind === 'webhook') {
    const operations = reference.webhookViews(subject.name)
    if (operations.length === 0) return undefined
    const article = <WebhookArticle operations={operations} api={api} />
    return { article, aside: <Samples operations={operations} api={api} />, menu: toMenu(slice), files }
  }
  const operation = reference.operationView(subject.target)
  if (!operation) return undefined
  const article = <OperationArticle operation={operation} api={api} slicePath={slice?.path} />
  const aside = <Samples operations={[operation]} api={api} />
  return { article, aside, menu: toMenu(slice), files, connect: canPlay ? toConnectSources(operation) : [] }
}

/** The words for the author of a page that is bound to what is not there; only previews show them. */
export function toUnboundHint(page: SitePage, { context, bindingFaults }: SiteSource): ComponentChildren {
  if (page.subject.kind !== 'unbound' || !context.isPreview) return null
  const fault = page.path === undefined ? undefined : bindingFaults.get(page.path)
  return <UnboundHint binding={page.subject.binding} fault={fault} />
}

/** The description of the page's operation alone, as a file beside the page. */
function toSlice(page: SitePage, reference: Reference): SiteFile | undefined {
  const found = findSliceSubject(page.subject, reference)
  const slice = found && sliceDescription(found, reference.context)
  return slice && toSliceFile(page, slice)
}

function toSliceFile(page: SitePage, slice: JsonObject): SiteFile {
  return { path: toSlicePath(page), content: `${JSON.stringify(slice)}\n` }
}

function findSliceSubject(subject: SitePage['subject'], { operations, webhooks }: Reference): SliceSubject | undefined {
  if (subject.kind === 'webhook') return { kind: 'webhook', name: subject.name, operations: webhooks.get(subject.name) ?? [] }
  const operation = subject.kind === 'operation' ? operations.get(subject.target) : undefined
  return operation && { kind: 'operation', operation }
}
