import { isObject, listOf } from '../../../text/json/json-values.ts'
import { type AllowedUrl, isAllowedUrl } from '../../../text/plain/paths.ts'
import { fillMessage } from '../../messages/format-message.ts'
import { listDivisions } from '../../plan/divisions.ts'
import { resolveLink } from '../../plan/site-links.ts'
import type { NavigationNode, SitePage } from '../../plan/types.ts'
import { NamedIcon } from '../icons/page-icons.tsx'
import { resolveHref, type SiteContext, toHref, toLinkedPages } from '../site-context.ts'

interface PageEndProps {
  readonly context: SiteContext
  readonly page: SitePage
}

/** The pages of a group on its root page, with `directory: accordion` or `card` in `docs.json`. */
export function Directory({ context, page }: PageEndProps) {
  const group = page.trail.at(-1)
  if (group?.kind !== 'group' || group.root !== page.route || group.directory === 'none') return null
  const isCards = group.directory === 'card'
  const inside = listDivisions(group.children, 'group')
  return (
    <nav class="directory" aria-label={context.messages.page.sectionPages}>
      <DirectoryPages nodes={group.children} context={context} isCards={isCards} />
      {inside.map((one) => (
        <details class="fold" open={isCards}>
          <summary>
            <NamedIcon context={context} name={one.icon} /> <span>{one.label}</span>
          </summary>
          <div>
            <DirectoryPages nodes={one.children} context={context} isCards={isCards} />
          </div>
        </details>
      ))}
    </nav>
  )
}

interface DirectoryPagesProps {
  readonly nodes: readonly NavigationNode[]
  readonly context: SiteContext
  readonly isCards: boolean
}

/** The most pages that a directory lists. The sidebar has all. */
const maxListed = 200

function DirectoryPages({ nodes, context, isCards }: DirectoryPagesProps) {
  const entries = nodes.slice(0, maxListed).flatMap((node) => toEntry(node, context))
  if (entries.length === 0) return null
  if (isCards) {
    return (
      <div class="cards of-2">
        {entries.map(({ href, title, icon, description }) => (
          <a class="card across" href={href}>
            <NamedIcon context={context} name={icon} size={20} />
            <div>
              <b>{title}</b>
              {description}
            </div>
          </a>
        ))}
      </div>
    )
  }
  return <LinkList links={entries} context={context} />
}

function LinkList({ links, context }: { readonly links: readonly PageLink[]; readonly context: SiteContext }) {
  return (
    <ul class="links">
      {links.map(({ href, title, icon }) => (
        <li>
          <a href={href}>
            <NamedIcon context={context} name={icon} /> {title}
          </a>
        </li>
      ))}
    </ul>
  )
}

interface PageLink {
  readonly href: AllowedUrl
  readonly title: string
  readonly icon: SitePage['icon']
}

function toEntry(node: NavigationNode, context: SiteContext) {
  if (node.kind === 'link')
    return [{ href: resolveHref(context, node.href, undefined), title: node.label, icon: node.icon, description: undefined }]
  const page = node.kind === 'page' ? context.plan.pageByRoute.get(node.route) : undefined
  if (!page || page.hidden) return []
  const { sidebarTitle: title, icon, externalUrl } = page
  // Descriptions can contain Markdown, which is not allowed inside a link.
  const description = page.description !== undefined && !/[`*[<]/.test(page.description) ? page.description : undefined
  return [
    {
      href: externalUrl === undefined ? toHref(context.hosting, page.route) : resolveHref(context, externalUrl, undefined),
      title,
      icon,
      description,
    },
  ]
}

/** The most related pages. */
const maxRelated = 10

/** The pages of `related` in the frontmatter: paths, URLs, or `Title: link`. */
export function RelatedPages({ context, page }: PageEndProps) {
  const written = listOf(page.frontmatter['related'])
  const links = written.slice(0, maxRelated).flatMap((entry) => {
    const [title, href] = isObject(entry) ? (Object.entries(entry)[0] ?? []) : [undefined, entry]
    if (typeof href !== 'string' || !isAllowedUrl(href, 'link')) return []
    const target = resolveLink(href, page, toLinkedPages(context.plan))
    const found = target.kind === 'page' ? context.plan.pageByRoute.get(target.route) : undefined
    return [{ href: resolveHref(context, href, page), title: title ?? found?.title ?? href, icon: found?.icon }]
  })
  if (links.length === 0) return null
  return (
    <nav class="related" aria-label={context.messages.page.relatedTopics}>
      <h2>{context.messages.page.relatedTopics}</h2>
      <LinkList links={links} context={context} />
    </nav>
  )
}

/**
 * The date of `lastUpdatedDate`, if `timestamp` of the page or `metadata.timestamp` of `docs.json` is set. Other pages have no
 * date, because a build does not read the history of the repository.
 */
export function LastModified({ context, page: { frontmatter } }: PageEndProps) {
  const isShown = frontmatter['timestamp'] ?? context.plan.settings.timestamp
  const date = readChangeDate({ frontmatter })
  if (isShown !== true || date === undefined) return null
  const { page: texts, language } = context.messages
  const format = new Intl.DateTimeFormat(`${language}-u-nu-latn`, { dateStyle: 'long', timeZone: 'UTC' })
  const shown = format.format(Date.parse(date))
  return (
    <p class="modified">
      {fillMessage(texts.lastModified, (name) => (name === 'date' ? <time dateTime={date}>{shown}</time> : undefined))}
    </p>
  )
}

/** The day of `lastUpdatedDate` as `2026-08-13`. */
export function readChangeDate({ frontmatter }: Pick<SitePage, 'frontmatter'>): string | undefined {
  const [date] = /^\d{4}-\d{2}-\d{2}(?=$|T|\s)/.exec(String(frontmatter['lastUpdatedDate'] ?? '')) ?? []
  return date === undefined || Number.isNaN(Date.parse(date)) ? undefined : date
}
