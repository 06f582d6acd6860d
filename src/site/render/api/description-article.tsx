import { formatCount } from '../../../diagnostics/diagnostic.ts'
import { isAllowedUrl } from '../../content/allowed-html.ts'
import { markdownToNodes } from '../../content/mdx-reader.ts'
import { textOf } from '../../content/mdx-values.ts'
import type { ApiView } from '../../reference/to-api-view.ts'
import type { ServerView } from '../../reference/types.ts'
import { Description } from '../components/markdown-text.tsx'
import { Icon } from '../icons/page-icons.tsx'
import { findPrintSections, printPath, wholeSiteId } from '../page-listing.ts'
import { MethodMark, pageMethod } from '../shell/marks.tsx'
import { firstHref } from '../shell/navigation-view.ts'
import { type SiteSource, toAssetHref, toHref } from '../site-context.ts'
import { listGroupPages } from '../tag-groups.ts'
import type { DivisionNode } from '../types.ts'
import { type ApiContext, findChangelogPage } from './api-context.ts'
import { toUrl } from './endpoint-bar.tsx'
import { ServerWords } from './operation-details.tsx'
import { Part } from './part.tsx'
import { SecurityPart } from './security-part.tsx'

interface DescriptionArticleProps {
  readonly view: ApiView
  readonly api: ApiContext
  readonly source: Pick<SiteSource, 'downloads' | 'otherFormats'>
}

/** What applies to a whole API, shown before its description: version, downloads, servers and authorization. */
export function DescriptionArticle({ view, api, source }: DescriptionArticleProps) {
  const { version, license, contact, email, termsOfService, externalDocs, servers, security, otherSchemes } = view
  const links = [
    license,
    contact,
    email === undefined ? undefined : { name: email, url: `mailto:${email}` },
    termsOfService === undefined ? undefined : { name: 'Terms of service', url: termsOfService },
    externalDocs && { name: externalDocs.description ?? externalDocs.url, url: externalDocs.url },
  ]
  const { description } = api.reference
  const { entryPath } = description
  const paths = [source.downloads.get(entryPath)?.path, source.otherFormats?.get(entryPath)].filter((path) => path !== undefined)
  return (
    <>
      <p class="api-line muted">
        {version !== undefined && <span>Version {version}</span>}
        <span>OpenAPI {description.version}</span>
        {links.map(
          (link) =>
            link && (
              <span>
                {link.url !== undefined && isAllowedUrl(link.url, 'link') ? <a href={link.url}>{link.name}</a> : link.name}
              </span>
            ),
        )}
      </p>
      <p class="acts">
        {paths.map((path) => (
          <a class="btn" href={toAssetHref(api.site, path)} download>
            <Icon name="load" /> Download {path.endsWith('.json') ? 'JSON' : 'YAML'}
          </a>
        ))}
        <ChangelogLink api={api} />
        <PrintLink api={api} whole="API" />
      </p>
      {servers.length > 0 && <ServersPart servers={servers} api={api} />}
      <SecurityPart operation={{ security }} api={api} />
      <SecurityPart operation={{ security: otherSchemes }} api={api} heading="Authorization of some operations" />
    </>
  )
}

function ChangelogLink({ api: { site, page } }: { readonly api: ApiContext }) {
  const changelog = findChangelogPage(site, page)
  return changelog === undefined ? null : (
    <a class="btn" href={toHref(site, changelog.route)}>
      <Icon name="page" /> Changelog
    </a>
  )
}

/** A link that prints the API or the tag of the page. */
function PrintLink({ api: { site, page }, whole }: { readonly api: ApiContext; readonly whole: 'API' | 'tag' }) {
  if (site.pageByRoute.has('print')) return null
  const [group, top] = findPrintSections(page, site.plan)
  // In a site for a single document, the start page is outside of all groups.
  const isOnly = page.path !== undefined
  const id = whole === 'tag' ? group?.id : isOnly ? wholeSiteId : (top ?? group)?.id
  return (
    id !== undefined && (
      <a class="btn needs-js" href={`${toAssetHref(site, printPath)}#${id}`}>
        <Icon name="page" /> Print this {whole}
      </a>
    )
  )
}

function ServersPart({ servers, api }: { readonly servers: readonly ServerView[]; readonly api: ApiContext }) {
  const id = api.claim('servers')
  return (
    <Part id={id} heading={servers.length === 1 ? 'Server' : 'Servers'}>
      <ul class="props base-urls">
        {servers.map((server) => (
          <li>
            <div>
              <span class="p-name">{server.url}</span>
              <ServerWords server={server} api={api} />
            </div>
            <button type="button" class="btn quiet icon needs-js" data-copy={toUrl(server, '')} aria-label={`Copy ${server.url}`}>
              <Icon name="copy" />
            </button>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** A card for each group next to the page that has operations of the API, shown after the description of the API. */
export function TagCards({ api }: { readonly api: ApiContext }) {
  const { site, page } = api
  const source = 'source' in page.subject ? page.subject.source : undefined
  const division = page.trail.at(-1)
  const nodes = division === undefined || division.kind === 'page' || division.kind === 'link' ? [] : division.children
  const groups = nodes.filter((node): node is DivisionNode => node.kind === 'group' && !node.hidden)
  const cards = groups.flatMap((group) => {
    const pages = listGroupPages(group, site.pageByRoute)
    const count = pages.filter(({ subject }) => 'source' in subject && subject.source === source).length
    const href = firstHref(site, group)
    if (count === 0 || href === undefined) return []
    const tag = api.reference.description.tags.find(({ name }) => name === (group.tagName ?? group.label))
    return [{ label: group.label, href, count, description: tag?.description }]
  })
  if (cards.length === 0) return null
  const id = api.claim('operations')
  return (
    <Part id={id} heading="Operations">
      <div class="cards tag-cards">
        {cards.map(({ label, href, count, description }) => (
          <a class="card" href={href}>
            <b>{label}</b>
            <small>{formatCount(count, 'operation')}</small>
            {description !== undefined && <span dir="auto">{toFirstParagraph(description)}</span>}
          </a>
        ))}
      </div>
    </Part>
  )
}

/** The most characters of a description on a card. */
const maxLength = 160

/** The text of the first paragraph without Markdown, because a card is a link. Long text ends after a sentence or word. */
function toFirstParagraph(description: string): string {
  const paragraph = markdownToNodes(description).find((node) => node.kind === 'element' && node.name === 'p')
  const text = textOf(paragraph ? [paragraph] : [])
    .replace(/\s+/g, ' ')
    .trim()
  if (text.length <= maxLength) return text
  const start = text.slice(0, maxLength)
  return /^.*[.!?](?= )/.exec(start)?.[0] ?? `${start.replace(/ \S*$/, '')}…`
}

/** The description of a tag and the operations of its group. */
export function TagArticle({ name, api }: { readonly name: string; readonly api: ApiContext }) {
  const tag = api.reference.description.tags.find((one) => one.name === name)
  const pages = listGroupPages(api.page.trail.at(-1), api.site.pageByRoute)
  const url = tag?.externalDocs?.url
  return (
    <>
      <div class="tag-text">
        <Description text={tag?.description} api={api} class="lead" />
        {url !== undefined && isAllowedUrl(url, 'link') && (
          <p>
            <a href={url}>{tag?.externalDocs?.description ?? url}</a>
          </p>
        )}
        <p class="acts">
          <PrintLink api={api} whole="tag" />
        </p>
      </div>
      <div class="usedby">
        {pages.map((page) => (
          <a href={api.hrefOf(page.route)}>
            <MethodMark method={pageMethod(page) ?? 'HOOK'} />
            <span>
              {page.deprecated ? <s>{page.title}</s> : page.title}
              {page.subject.kind === 'operation' && <small class="mono">{page.subject.target.replace(/^\S+ /, '')}</small>}
            </span>
          </a>
        ))}
      </div>
    </>
  )
}
