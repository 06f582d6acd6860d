import type { ComponentChildren } from 'preact'
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts'
import { readOperation } from '../../../playground/request/read-operation.ts'
import type { MdxContent, MdxHeading } from '../../../script/values/values.ts'
import { capitalize } from '../../../text/plain/lists.ts'
import { fillMessage, formatMessage } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import type { SiteFile, SitePage } from '../../plan/types.ts'
import { listGenerated } from '../../reference/code-samples.ts'
import { sliceDescription } from '../../reference/slice-description.ts'
import type { OperationView } from '../../reference/types.ts'
import { Description } from '../components/markdown-text.tsx'
import { Icon } from '../icons/page-icons.tsx'
import { MenuEntry, type PageFrameProps } from '../shell/page-frame.tsx'
import { type SiteContext, type SiteSource, toAssetHref } from '../site-context.ts'
import { toApiContext, toSlicePath } from './api-context.ts'
import { ChangeBadge, ChangelogArticle, listChangelogHeadings } from './changelog-article.tsx'
import { findLastChange } from './changelog-entries.ts'
import { toConnectSources } from './connect-sources.ts'
import { describeEndpoint } from './describe-endpoint.ts'
import { DescriptionArticle, TagArticle } from './description-article.tsx'
import { EndpointAuthorization, readEndpoint, toEndpointView } from './endpoint-article.tsx'
import { EndpointBar, PlayButton, type PlaySource, toPlaygroundDisplay } from './endpoint-bar.tsx'
import { OperationArticle, OperationBar, WebhookArticle } from './operation-article.tsx'
import { Message } from './part.tsx'
import { listShownExamples, Samples, SchemaSamples } from './samples.tsx'
import { SchemaArticle, SchemasArticle } from './schema-article.tsx'
import { StartAside } from './start-aside.tsx'

/** The API reference of a page. */
export interface ApiReference extends Partial<Pick<PageFrameProps, 'top' | 'aside' | 'start' | 'menu'>> {
  /** Shown between the description and the text of the page. */
  readonly beforeText?: ComponentChildren
  /** Shown after the text of the page. */
  readonly article: ComponentChildren
  /** Files that are published with the page. */
  readonly files?: readonly SiteFile[]
  /** Servers for the `connect-src` of the page's Content Security Policy. */
  readonly connect?: readonly string[]
  /** For the table of contents, after the headings of the page's own text. */
  readonly headings?: readonly MdxHeading[]
}

/** Renders the API reference of a page; `undefined` for guides and for pages whose binding does not match anything. */
export function renderApiReference(page: SitePage, source: SiteSource, content: MdxContent): ApiReference | undefined {
  const { context, references } = source
  const canPlay = toPlaygroundDisplay(page, context) === 'interactive'
  const { subject } = page
  if (subject.kind === 'guide') return undefined
  if (subject.kind === 'endpoint') return renderEndpoint(page, subject, context, content)
  if (subject.kind === 'unbound') return undefined
  if (subject.kind === 'unreadable') {
    const error = source.documentErrors.get(subject.source)
    return { article: <UnreadableNote source={subject.source} error={error} messages={context.messages} /> }
  }
  const reference = references.get(subject.source)
  if (!reference) return undefined
  const headingIds = content.headings.map(({ id }) => id)
  const api = toApiContext({ site: context, page, reference, source: subject.source, headingIds })
  const document = source.downloads.get(reference.description.entryPath)
  const documentUrl = document && toAssetHref(context.hosting, document.path)
  if (subject.kind === 'description') {
    const view = reference.apiView()
    const article = <DescriptionArticle view={view} api={api} />
    // In a site for a single document, the page file contains the description.
    const beforeText = page.path === undefined && <Description text={view.description} api={api} class="prose" />
    const start = <StartAside view={view} api={api} source={source} />
    return { beforeText, start, article }
  }
  if (subject.kind === 'changelog') {
    const changelog = source.changelogs.get(subject.source)
    if (!changelog) return undefined
    const article = <ChangelogArticle changelog={changelog} api={api} />
    return { article, headings: listChangelogHeadings(changelog, context.messages) }
  }
  if (subject.kind === 'schemas') return { article: <SchemasArticle api={api} /> }
  if (subject.kind === 'tag') return { article: <TagArticle name={subject.name} api={api} /> }
  const changelog = source.changelogs.get(subject.source)
  const last = changelog && findLastChange(changelog, subject)
  const badge = last && <ChangeBadge last={last} api={api} />
  const toStart = (operation: OperationView, play: PlaySource | undefined): Pick<ApiReference, 'top' | 'beforeText'> => ({
    top: (
      <>
        <OperationBar operation={operation} api={api} play={play} />
        {badge}
      </>
    ),
    // Without a description of its own, it has that of its path.
    beforeText: page.description === undefined && <Description text={operation.description} api={api} class="prose" />,
  })
  const toMenu = (slice: SiteFile | undefined) => <ApiMenu site={context} slicePath={slice?.path} documentPath={document?.path} />
  if (subject.kind === 'schema') {
    const view = reference.schemaView(subject.name)
    if (!view) return undefined
    // Generated ones would repeat the rows, and operations have larger ones.
    const { examples } = view
    return {
      top: badge,
      article: <SchemaArticle view={view} api={api} lead={page.description} hasSamples={examples.length > 0} />,
      aside: examples.length > 0 ? <SchemaSamples examples={examples} site={context} /> : undefined,
      menu: toMenu(undefined),
    }
  }
  if (subject.kind === 'webhook') {
    const found = { kind: 'webhook', name: subject.name, operations: reference.webhooks.get(subject.name) ?? [] } as const
    const slice = toSliceFile(page, sliceDescription(found, reference.context, documentUrl).json)
    const operations = reference.webhookViews(subject.name)
    const [only] = operations
    if (!only) return undefined
    const aside = <Samples operations={operations} described={undefined} api={api} />
    const shared = { aside, menu: toMenu(slice), files: [slice] }
    const props = { api, shown: listShownExamples(operations, api) }
    if (operations.length > 1) return { ...shared, top: badge, article: <WebhookArticle operations={operations} {...props} /> }
    return { ...shared, ...toStart(only, undefined), article: <OperationArticle operation={only} prefix="" {...props} /> }
  }
  const operation = reference.operationView(subject.target)
  const described = reference.describe(subject.target, documentUrl)
  if (!operation || !described) return undefined
  const slice = toSliceFile(page, described.json)
  return {
    ...toStart(operation, { path: slice.path, generated: described.generated }),
    article: <OperationArticle operation={operation} api={api} prefix="" shown={listShownExamples([operation], api)} />,
    aside: <Samples operations={[operation]} described={described.operation} api={api} />,
    menu: toMenu(slice),
    files: [slice],
    connect: canPlay ? toConnectSources(operation) : [],
  }
}

/** Renders a page whose author wrote the operation instead of a document. */
function renderEndpoint(
  page: SitePage,
  subject: Parameters<typeof readEndpoint>[1],
  context: SiteContext,
  content: MdxContent,
): ApiReference {
  const canPlay = toPlaygroundDisplay(page, context) === 'interactive'
  const endpoint = readEndpoint(page, subject, context.plan.settings.api.mdx)
  const value = describeEndpoint(page, endpoint, content.nodes)
  const operation = toEndpointView(value, endpoint)
  if (!operation) return { article: undefined }
  const slice = toSliceFile(page, JSON.stringify(value))
  const generated = listGenerated(operation)
  // Without a server, requests have no destination.
  const play = canPlay && operation.servers.length > 0 && <PlayButton site={context} source={{ path: slice.path, generated }} />
  const menu = <ApiMenu site={context} slicePath={slice.path} documentPath={undefined} />
  return {
    top: <EndpointBar site={context} operation={operation} hasSamples play={play} />,
    // The text of the page has the parameters.
    beforeText: <EndpointAuthorization endpoint={endpoint} messages={context.messages} />,
    article: undefined,
    aside: <Samples operations={[operation]} described={readOperation(value, generated)} api={{ site: context }} />,
    menu,
    files: [slice],
    connect: canPlay ? toConnectSources(operation) : [],
  }
}

/** A hint for authors, shown only in previews, if the binding of a page does not match anything. */
export function toUnboundHint(page: SitePage, { context, bindingErrors }: SiteSource): ComponentChildren {
  if (page.subject.kind !== 'unbound' || !context.hosting.isPreview) return null
  const error = page.path === undefined ? undefined : bindingErrors.get(page.path)
  return <UnboundHint binding={page.subject.binding} error={error} />
}

/** The OpenAPI document that contains only the page's operation. */
function toSliceFile(page: SitePage, json: string): SiteFile {
  return { path: toSlicePath(page), content: `${json}\n` }
}

interface ApiMenuProps {
  readonly site: SiteContext
  /** The path of the OpenAPI document that contains only this operation; absent if it would be very large. */
  readonly slicePath: string | undefined
  /** The path of the entry document; absent if it is hosted elsewhere. */
  readonly documentPath: string | undefined
}

/** Entries of the page menu that link to the OpenAPI documents of the page. */
function ApiMenu({ site, slicePath, documentPath }: ApiMenuProps) {
  const texts = site.messages.pageMenu
  return (
    <>
      {slicePath !== undefined && (
        <MenuEntry
          icon={<Icon name="cube" />}
          text={texts.operationDocument}
          hint="JSON"
          href={toAssetHref(site.hosting, slicePath)}
        />
      )}
      {documentPath !== undefined && (
        <MenuEntry
          icon={<Icon name="load" />}
          text={texts.fullDocument}
          hint={texts.fullDocumentHint}
          href={toAssetHref(site.hosting, documentPath)}
          download
        />
      )}
    </>
  )
}

/** Explains to the author of a page why it has no API reference. */
function UnboundHint({ binding, error }: { readonly binding: string; readonly error: Diagnostic | undefined }) {
  return (
    <aside class="hint" aria-label="Preview only">
      <p>
        <b>Preview only:</b> this page has no API reference.{' '}
        {error ? (
          <>
            <Message text={error.message} />.
            {error.hint !== undefined && (
              <>
                {' '}
                <Message text={capitalize(error.hint)} />
                {/[.?]$/.test(error.hint) ? '' : '.'}
              </>
            )}
          </>
        ) : (
          <>
            No OpenAPI document contains <code>{binding}</code>.
          </>
        )}
      </p>
      {error && (
        <p class="muted">
          {error.file}, line {error.range.start.line}
        </p>
      )}
    </aside>
  )
}

interface UnreadableNoteProps {
  readonly source: string
  readonly error: Diagnostic | undefined
  readonly messages: Messages
}

/** Replaces the reference if the OpenAPI document could not be read. Shown to all readers. */
function UnreadableNote({ source, error, messages }: UnreadableNoteProps) {
  const { reference: texts, language } = messages
  return (
    <aside class="hint" role="note" aria-label={texts.unavailable}>
      <p>
        <b>{texts.unavailableTitle}</b>{' '}
        {fillMessage(texts.unreadable, (name) => (name === 'source' ? <code>{source}</code> : undefined))}
      </p>
      {error && (
        <p class="muted">
          <Message text={error.message} /> (
          {formatMessage(texts.place, { file: error.file, line: String(error.range.start.line) }, language)})
        </p>
      )}
    </aside>
  )
}
