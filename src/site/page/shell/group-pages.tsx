import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Label } from '../../../openapi/types.ts'
import { escapeHtml } from '../../../text/plain/escape-text.ts'
import { getOrMake, onceFor } from '../../../text/plain/lists.ts'
import { formatMessage } from '../../messages/format-message.ts'
import { isDivision } from '../../plan/divisions.ts'
import type { DivisionNode, NavigationNode, SitePage } from '../../plan/types.ts'
import { toBreakable } from '../breakable.tsx'
import { toDivisionId } from '../element-ids.ts'
import { Html, Raw } from '../html.tsx'
import { NamedIcon } from '../icons/page-icons.tsx'
import { createSiteMemo, resolveHref, type SiteContext, toHref, withRest } from '../site-context.ts'
import { pageMethod, SmallMethodMark, showLabels } from './marks.tsx'

interface ListProps {
  readonly context: SiteContext
  readonly page: SitePage
  /** Renders a group inside of the list. */
  readonly showGroup: (group: DivisionNode) => ComponentChildren
}

interface NodesProps extends ListProps {
  readonly nodes: readonly NavigationNode[]
}

interface GroupProps extends ListProps {
  readonly group: DivisionNode
}

/** The most entries of a list that every page has. Of larger lists, a page has only its neighbors, to keep pages small. */
const maxEntries = 300
/** The number of neighbors listed before and after the page. */
const entriesAround = 50

/** The same for pages of an API, except for the first one of the group. Readers of the others look for other groups rather than for far neighbors. */
const maxApiEntries = 50
const apiEntriesAround = 8

/** The pages of a group. */
export function GroupPages({ group, context, page, showGroup }: GroupProps) {
  if (group.children.length === 0) return null
  const entries = entriesOf(group, context, page)
  const hash = `#${toDivisionId(group.label)}`
  if (!entries) {
    const near = listNear(group.children, page)
    return (
      <ul>
        {near.length < group.children.length && <AllPages context={context} count={countPages(group.children)} hash={hash} />}
        <Nodes nodes={near} context={context} page={page} showGroup={showGroup} />
      </ul>
    )
  }
  const { items, indexOf } = entries
  const at = indexOf.get(page.route) ?? -1
  const isApi = at > 0 && page.subject.kind !== 'guide'
  if (items.length <= (isApi ? maxApiEntries : maxEntries)) return <List items={items} context={context} page={page} />
  const around = group.isCompact || isApi ? apiEntriesAround : entriesAround
  const start = Math.max(0, at - around)
  const all = <AllPages context={context} count={items.length} hash={hash} />
  return (
    <List
      items={[new Html(renderToString(all)), ...items.slice(start, Math.max(0, at) + around + 1)]}
      context={context}
      page={page}
    />
  )
}

/** The pages and groups of a list that a page shows: all of them, or those next to it and its own group. */
export function listNear<Listed extends NavigationNode>(nodes: readonly Listed[], { route, trail }: SitePage): readonly Listed[] {
  if (nodes.length <= maxEntries) return nodes
  const own = new Set<NavigationNode>(trail)
  const at = nodes.findIndex((node) => own.has(node) || (node.kind === 'page' && node.route === route))
  return nodes.slice(Math.max(0, at - entriesAround), Math.max(0, at) + entriesAround + 1)
}

/** The number of pages in each division, computed once. */
const countInside = onceFor(({ children }: DivisionNode) => countPages(children))

export function countPages(nodes: readonly NavigationNode[]): number {
  return nodes.reduce((count, node) => count + (isDivision(node) ? countInside(node) : 1), 0)
}

/** The link to the list of all pages, before a part of the navigation. */
export function AllPages({
  context,
  count,
  hash = '',
}: {
  readonly context: SiteContext
  readonly count: number
  readonly hash?: string
}) {
  const { page: texts, language } = context.messages
  return (
    <li>
      <a href={withRest(toHref(context.hosting, 'search'), hash)}>{formatMessage(texts.allOf, { count }, language)}</a>
    </li>
  )
}

interface Entries {
  readonly items: readonly Html[]
  /** The index of the first entry for each route. */
  readonly indexOf: ReadonlyMap<string, number>
}

/** Rendered entries of each group without a current page, shared by all pages. `undefined` for groups that contain groups. */
const knownOf = createSiteMemo<DivisionNode, Entries | undefined>()

function entriesOf(group: DivisionNode, context: SiteContext, page: SitePage): Entries | undefined {
  const groups = knownOf(context.plan, context.messages.language)
  if (!groups.has(group)) groups.set(group, makeEntries(group, context, page))
  return groups.get(group)
}

function makeEntries({ children }: DivisionNode, context: SiteContext, page: SitePage): Entries | undefined {
  if (children.some(isDivision)) return undefined
  const otherPage: SitePage = { ...page, route: '\0', trail: [] }
  const items = children.map(
    (child) => new Html(renderToString(<Nodes nodes={[child]} context={context} page={otherPage} showGroup={() => null} />)),
  )
  const indexOf = new Map<string, number>()
  for (const [index, child] of children.entries()) if (child.kind === 'page') getOrMake(indexOf, child.route, () => index)
  return { items, indexOf }
}

/** Marks the current page in the shared entries. */
function List({ items, context, page }: { readonly items: readonly Html[] } & Pick<GroupProps, 'context' | 'page'>) {
  const opening = `<a href="${escapeHtml(toHref(context.hosting, page.route))}"`
  // Almost no entry is the current one, so most are only joined.
  const marked = items.map(({ text }) =>
    text.includes(`${opening}>`) ? text.replaceAll(`${opening}>`, () => `${opening} aria-current="page">`) : text,
  )
  return (
    <ul>
      <Raw html={new Html(marked.join(''))} />
    </ul>
  )
}

/** Sidebar entries as list items. */
export function Nodes({ nodes, context, page, showGroup }: NodesProps) {
  return (
    <>
      {nodes.map((node) => {
        if (node.kind === 'page') {
          if (context.plan.pageByRoute.get(node.route)?.hidden) return null
          return (
            <li>
              <PageLink context={context} page={page} route={node.route} />
            </li>
          )
        }
        if (node.kind === 'link') {
          return (
            <li>
              <a href={resolveHref(context, node.href, undefined)}>
                <NamedIcon name={node.icon} context={context} /> {toEntryLabel(node.label)}
              </a>
            </li>
          )
        }
        return node.hidden ? null : <li>{showGroup(node)}</li>
      })}
    </>
  )
}

interface PageLinkProps {
  readonly context: SiteContext
  readonly page: SitePage
  readonly route: string
  /** Replaces the title of the page. */
  readonly label?: ComponentChildren
}

/** A navigation link to a page, with its method, icon and tags. */
export function PageLink({ context, page, route, label }: PageLinkProps) {
  const target = context.plan.pageByRoute.get(route)
  if (!target) return null
  const method = pageMethod(target)
  const isCurrent = target.route === page.route
  const own = toEntryLabel(target.sidebarTitle, method === undefined ? twoLines.alone : twoLines.afterMethod)
  const href =
    target.externalUrl === undefined ? toHref(context.hosting, route) : resolveHref(context, target.externalUrl, undefined)
  return (
    <a href={href} aria-current={isCurrent ? 'page' : undefined}>
      {method !== undefined && <SmallMethodMark method={method} />}
      <NamedIcon name={target.icon} context={context} />
      {label ?? (target.deprecated ? <s>{own}</s> : own)}
      {target.deprecated && <span class="vh"> {context.messages.page.deprecated}</span>}
      {target.tag === undefined ? showLabels(toShortLabel(target), 'after') : <span class="tag">{target.tag}</span>}
    </a>
  )
}

/** The most characters that two lines of the sidebar have space for, and next to a method. */
const twoLines = { alone: 58, afterMethod: 42 } as const

/** The label of an entry. A long one is cut after two lines, and `client/page.ts` shows all of it as a tooltip. */
export function toEntryLabel(text: string, most: number = twoLines.alone): ComponentChildren {
  const label = toBreakable(text)
  // Characters of East Asian scripts are twice as wide.
  const isLong = text.replace(/[\u2e80-\uffff]/g, '  ').length > most
  if (isLong) return <span class="cut-2">{label}</span>
  // One element in the row, since Firefox places the parts around each `wbr` beside each other, with gaps.
  return label === text ? text : <span>{label}</span>
}

/** The most characters of a label in the navigation. */
const maxLabel = 10

/** The first label that is short enough for the navigation. A date is not. */
function toShortLabel({ labels }: SitePage): Label[] {
  const short = labels.find(({ text }) => text.length <= maxLabel)
  return short ? [{ ...short, position: 'after' }] : []
}
