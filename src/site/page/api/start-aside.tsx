import { fillMessage, formatMessage } from '../../messages/format-message.ts'
import { placeholderServer, toServerUrl } from '../../reference/server-urls.ts'
import type { ApiView } from '../../reference/to-api-view.ts'
import { Icon } from '../icons/page-icons.tsx'
import { findPrintSections, printPath, wholeSiteId } from '../page-listing.ts'
import { type SiteSource, toAssetHref, toHref, withRest } from '../site-context.ts'
import { type ApiContext, findChangelogPage } from './api-context.ts'
import { findFirstOperation } from './first-operation.ts'
import { DocumentLink } from './part.tsx'
import { RequestSamples } from './samples.tsx'
import { listNeeded, summarizeSecurity } from './security-part.tsx'

interface StartAsideProps {
  readonly view: ApiView
  readonly api: ApiContext
  readonly source: Pick<SiteSource, 'downloads' | 'otherFormats'>
}

/** Next to the description of an API: the base URL, the authorization in one line, a first request, the version and downloads. */
export function StartAside({ view, api, source }: StartAsideProps) {
  const { version, license, contact, email, termsOfService, externalDocs, servers, security } = view
  const { messages } = api.site
  const { reference: texts, language } = messages
  const links = [
    license,
    contact,
    email === undefined ? undefined : { name: email, url: `mailto:${email}` },
    termsOfService === undefined ? undefined : { name: texts.termsOfService, url: termsOfService },
    externalDocs && { name: externalDocs.description ?? externalDocs.url, url: externalDocs.url },
  ]
  const { description } = api.reference
  const { entryPath } = description
  const paths = [source.downloads.get(entryPath)?.path, source.otherFormats?.get(entryPath)].filter((path) => path !== undefined)
  const needed = listNeeded(security)
  const [server] = servers
  const first = findFirstOperation(api, server)
  return (
    <aside class="aside start" id="samples" aria-label={texts.start}>
      {(server || needed.length > 0) && (
        <dl class="code base">
          {server && (
            <>
              <dt>{texts.baseUrl}</dt>
              <dd class="mono">
                {toServerUrl(server) || '/'}
                <button
                  type="button"
                  class="btn quiet icon needs-js"
                  data-copy={toServerUrl(server)}
                  aria-label={texts.copyBaseUrl}
                >
                  <Icon name="copy" />
                </button>
              </dd>
            </>
          )}
          {needed.length > 0 && (
            <>
              <dt>{messages.authorization.title}</dt>
              <dd>
                <a href="#authorization">{summarizeSecurity(needed, messages)}</a>
              </dd>
            </>
          )}
        </dl>
      )}
      {first && (
        <RequestSamples
          operation={first.operation}
          described={first.described}
          api={api}
          head={
            <header>
              <p>
                {fillMessage(texts.firstRequest, (name) =>
                  name === 'operation' ? <a href={first.href}>{first.title}</a> : undefined,
                )}
              </p>
            </header>
          }
        />
      )}
      {first?.operation.servers.length === 0 && (
        <p class="facts">
          <span>
            {fillMessage(texts.noServerForRequest, (name) => (name === 'server' ? <code>{placeholderServer}</code> : undefined))}
          </span>
        </p>
      )}
      <p class="api-line muted">
        {version !== undefined && <span>{formatMessage(texts.version, { version }, language)}</span>}
        <span>OpenAPI {description.version}</span>
        {links.map(
          (link) =>
            link && (
              <span>
                <DocumentLink url={link.url}>{link.name}</DocumentLink>
              </span>
            ),
        )}
      </p>
      <p class="acts">
        {paths.map((path) => (
          <a class="btn" href={toAssetHref(api.site.hosting, path)} download>
            <Icon name="load" /> {formatMessage(texts.download, { format: path.endsWith('.json') ? 'JSON' : 'YAML' }, language)}
          </a>
        ))}
        <ChangelogLink api={api} />
        <PrintLink api={api} whole="API" />
      </p>
    </aside>
  )
}

function ChangelogLink({ api: { site, page } }: { readonly api: ApiContext }) {
  const changelog = findChangelogPage(site, page)
  return changelog === undefined ? null : (
    <a class="btn" href={toHref(site.hosting, changelog.route)}>
      <Icon name="page" /> {site.messages.changelog.title}
    </a>
  )
}

/** A link that prints the API or the tag of the page. */
export function PrintLink({ api: { site, page }, whole }: { readonly api: ApiContext; readonly whole: 'API' | 'tag' }) {
  if (site.plan.pageByRoute.has('print')) return null
  const texts = site.messages.reference
  const [group, top] = findPrintSections(page, site.plan)
  // In a site for a single document, the start page is outside of all groups.
  const isOnly = page.path !== undefined
  const id = whole === 'tag' ? group?.id : isOnly ? wholeSiteId : (top ?? group)?.id
  return (
    id !== undefined && (
      <a class="btn needs-js" href={withRest(toAssetHref(site.hosting, printPath), `#${id}`)}>
        <Icon name="page" /> {whole === 'API' ? texts.printApi : texts.printTag}
      </a>
    )
  )
}
