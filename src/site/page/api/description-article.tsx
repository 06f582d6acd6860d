import type { Tag } from '../../../openapi/types.ts'
import { textOf } from '../../../script/values/values.ts'
import { groupBy } from '../../../text/plain/lists.ts'
import type { AllowedUrl } from '../../../text/plain/paths.ts'
import { markdownToNodes } from '../../content/mdx-reader.ts'
import { formatMessage } from '../../messages/format-message.ts'
import { isDivision } from '../../plan/divisions.ts'
import { listGroupPages, listOtherTags, listOwnPages, toTagLabel } from '../../plan/tag-groups.ts'
import type { DivisionNode, SitePage } from '../../plan/types.ts'
import { toServerUrl } from '../../reference/server-urls.ts'
import type { ApiView } from '../../reference/to-api-view.ts'
import type { ServerView } from '../../reference/types.ts'
import { toBreakable } from '../breakable.tsx'
import { Description } from '../components/markdown-text.tsx'
import { toElementId } from '../element-ids.ts'
import { Icon } from '../icons/page-icons.tsx'
import { MethodMark, pageMethod, SmallMethodMark } from '../shell/marks.tsx'
import { firstHref } from '../shell/navigation-view.ts'
import { toHref } from '../site-context.ts'
import type { ApiContext } from './api-context.ts'
import { ServerWords } from './operation-article.tsx'
import { DocumentLink, Part, RowFilter } from './part.tsx'
import { SecurityPart } from './security-part.tsx'
import { PrintLink } from './start-aside.tsx'

interface DescriptionArticleProps {
  readonly view: ApiView
  readonly api: ApiContext
}

/** What applies to a whole API, shown below its description: servers, authorization and operations. */
export function DescriptionArticle({ view: { servers, security, otherSchemes }, api }: DescriptionArticleProps) {
  const [only] = servers
  // The URL of a server without further words is next to the description.
  const isPlain = servers.length === 1 && only?.variables.length === 0 && (only.name ?? only.description) === undefined
  return (
    <>
      {servers.length > 0 && !isPlain && <ServersPart servers={servers} api={api} />}
      <SecurityPart operation={{ security }} api={api} isOpen />
      <SecurityPart operation={{ security: otherSchemes }} api={api} heading={api.site.messages.authorization.some} />
      <OperationsPart api={api} />
      {listOtherTags(api.reference.description, api.site.plan, api.page).map((tag) => (
        <Part
          messages={api.site.messages}
          id={api.claim(toElementId('tag', tag.name))}
          heading={toTagLabel({ tag: tag.name, described: tag })}
        >
          <TagText tag={tag} api={api} />
        </Part>
      ))}
    </>
  )
}

/** The servers of an API. */
export function ServersPart({ servers, api }: { readonly servers: readonly ServerView[]; readonly api: ApiContext }) {
  const id = api.claim('servers')
  const { reference: texts, language } = api.site.messages
  return (
    <Part messages={api.site.messages} id={id} heading={servers.length === 1 ? texts.server : texts.servers}>
      <ul class="props base-urls">
        {servers.map((server) => (
          <li>
            <div>
              <span class="p-name">{server.url}</span>
              <ServerWords server={server} api={api} />
            </div>
            <button
              type="button"
              class="btn quiet icon needs-js"
              data-copy={toServerUrl(server)}
              aria-label={formatMessage(texts.copyNamed, { name: server.url }, language)}
            >
              <Icon name="copy" />
            </button>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** More groups take more than three screens of a phone. A list of their names and a filter come first. */
const maxCards = 12

/** The groups next to the page that have operations of the API, as cards with their first operations. */
function OperationsPart({ api }: { readonly api: ApiContext }) {
  const division = api.page.trail.at(-1)
  const nodes = isDivision(division) ? division.children : []
  const found = nodes.flatMap((node) => (node.kind === 'group' ? listCards(node, undefined, api) : []))
  if (found.length === 0) return null
  const { operations: heading } = api.site.messages.reference
  const partId = api.claim('operations')
  const cards = found.map((card, index) => ({ ...card, id: api.claim(toElementId('group', index + 1)) }))
  const sections = groupBy(cards, ({ parent }) => parent)
  return (
    <Part messages={api.site.messages} id={partId} heading={heading}>
      {cards.length > maxCards && (
        <nav class="api-line" aria-label={heading}>
          {cards.map(({ group, id }) => (
            <a href={`#${id}`}>{toBreakable(group.label)}</a>
          ))}
        </nav>
      )}
      {Array.from(sections, ([parent, members]) => (
        <>
          {parent && (
            <h3>
              <a href={firstHref(api.site, parent) ?? '#'}>{parent.label}</a>
            </h3>
          )}
          {members.length > maxCards && <RowFilter messages={api.site.messages} hasRequired={false} />}
          <div class="cards tag-cards">
            {members.map((card) => (
              <TagCard {...card} api={api} />
            ))}
          </div>
        </>
      ))}
    </Part>
  )
}

interface Card {
  /** The group around it, if that has only inner groups. */
  readonly parent: DivisionNode | undefined
  readonly group: DivisionNode
  readonly href: AllowedUrl
  readonly pages: readonly SitePage[]
}

/** The cards of a group. A group that has only inner groups is a heading. */
function listCards(group: DivisionNode, parent: DivisionNode | undefined, api: ApiContext): Card[] {
  const { site, page } = api
  if (group.hidden) return []
  const source = 'source' in page.subject ? page.subject.source : undefined
  const pages = listOwnPages(group, site.plan.pageByRoute).filter(
    ({ subject }) => 'source' in subject && subject.source === source,
  )
  const href = firstHref(site, group)
  const own = pages.length === 0 || href === undefined ? [] : [{ parent, group, href, pages }]
  const inner = group.children.flatMap((one) =>
    one.kind === 'group' ? listCards(one, pages.length === 0 ? group : parent, api) : [],
  )
  return [...own, ...inner]
}

/** The most operations that a card names. */
const maxNamed = 4

function TagCard({ group: { label, tagName }, id, href, pages, api }: Card & { readonly id: string; readonly api: ApiContext }) {
  const tag = api.reference.description.tags.find(({ name }) => name === (tagName ?? label))
  const { reference: texts, language } = api.site.messages
  // A single operation that is left out would need as much space.
  const named = pages.length > maxNamed + 1 ? pages.slice(0, maxNamed) : pages
  return (
    <div class="card" id={id}>
      <a href={href}>
        <b>{toBreakable(label)}</b>
      </a>
      {tag?.description !== undefined && <span dir="auto">{toFirstParagraph(tag.description)}</span>}
      <ul>
        {named.map((page) => (
          <li>
            <a href={toHref(api.site.hosting, page.route)}>
              <SmallMethodMark method={pageMethod(page) ?? 'HOOK'} /> {page.deprecated ? <s>{page.title}</s> : page.title}
            </a>
          </li>
        ))}
        {named.length < pages.length && (
          <li>
            <a href={href}>{formatMessage(texts.more, { count: pages.length - named.length }, language)}</a>
          </li>
        )}
      </ul>
    </div>
  )
}

/** The most characters of a description on a card. */
const maxLength = 160

/** The text of the first paragraph without Markdown, because cards are short. Long text ends after a sentence or word. */
function toFirstParagraph(description: string): string {
  const paragraph = markdownToNodes(description).find((node) => node.kind === 'element' && node.name === 'p')
  const text = textOf(paragraph ? [paragraph] : [])
    .replace(/\s+/g, ' ')
    .trim()
  if (text.length <= maxLength) return text
  const start = text.slice(0, maxLength)
  return /^.*[.!?](?= )/.exec(start)?.[0] ?? `${start.replace(/ \S*$/, '')}…`
}

function TagText({ tag: { description, externalDocs }, api }: { readonly tag: Tag; readonly api: ApiContext }) {
  return (
    <>
      <Description text={description} api={api} class="lead" />
      {externalDocs && (
        <p>
          <DocumentLink url={externalDocs.url}>{externalDocs.description ?? externalDocs.url}</DocumentLink>
        </p>
      )}
    </>
  )
}

/** The description of a tag and the operations of its group. */
export function TagArticle({ name, api }: { readonly name: string; readonly api: ApiContext }) {
  const tag = api.reference.description.tags.find((one) => one.name === name)
  const pages = listGroupPages(api.page.trail.at(-1), api.site.plan.pageByRoute)
  return (
    <>
      <div class="tag-text">
        {tag && <TagText tag={tag} api={api} />}
        <p class="acts">
          <PrintLink api={api} whole="tag" />
        </p>
      </div>
      <div class="usedby">
        {pages.map((page) => (
          <a href={toHref(api.site.hosting, page.route)}>
            <MethodMark method={pageMethod(page) ?? 'HOOK'} />
            <span>
              {page.deprecated ? <s>{page.title}</s> : page.title}
              {page.subject.kind === 'operation' && (
                <small class="mono">{toBreakable(page.subject.target.replace(/^\S+ /, ''))}</small>
              )}
            </span>
          </a>
        ))}
      </div>
    </>
  )
}
