import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { Icon } from '../icons/icon.tsx'
import { NamedIcon } from '../icons/named-icon.tsx'
import { toPartId } from '../search/to-part-id.ts'
import { resolveHref, type SiteContext, toHref } from '../site-context.ts'
import type { DivisionNode, NavigationNode, SitePage } from '../types.ts'
import { SmallMethodMark } from './method-mark.tsx'
import { pageMethod } from './page-method.ts'

interface NodesProps {
  readonly nodes: readonly NavigationNode[]
  readonly context: SiteContext
  readonly page: SitePage
}

interface GroupProps {
  readonly group: DivisionNode
  readonly context: SiteContext
  readonly page: SitePage
}

/** More entries in one group than this, and a page lists only those around itself: a thousand schemas would be most of each of their pages. */
const maxEntries = 300
/** So many before and after the page. */
const entriesAround = 50

/** The list of a group's pages. */
export function GroupPages({ group, context, page }: GroupProps) {
  const isFlat = group.children.every(({ kind }) => kind === 'page' || kind === 'link')
  if (!isFlat) {
    return (
      <ul>
        <Nodes nodes={group.children} context={context} page={page} />
      </ul>
    )
  }
  if (group.children.length > maxEntries) return <PagesAround group={group} context={context} page={page} />
  // Our own components made it, and they escape.
  return <ul dangerouslySetInnerHTML={{ __html: markCurrent(renderEntries(group, context, page), context, page) }} />
}

/** Of each site, the entries of groups as pages outside of them show them: the same on every page. */
const rendered = new WeakMap<SiteContext['plan'], Map<DivisionNode, string>>()

function renderEntries(group: DivisionNode, context: SiteContext, page: SitePage): string {
  const groups = rendered.get(context.plan) ?? new Map<DivisionNode, string>()
  rendered.set(context.plan, groups)
  const elsewhere: SitePage = { ...page, route: '\0', trail: [] }
  const html = groups.get(group) ?? renderToString(<Nodes nodes={group.children} context={context} page={elsewhere} />)
  groups.set(group, html)
  return html
}

/** Marks the entries of the page among those that know of none. */
function markCurrent(html: string, context: SiteContext, page: SitePage): string {
  const [opening] = renderToString(<a href={toHref(context, page.route)}>page</a>).split('>')
  return html.replaceAll(`${opening}>`, () => `${opening} aria-current="page">`)
}

function PagesAround({ group, context, page }: GroupProps) {
  const at = group.children.findIndex((child) => child.kind === 'page' && child.route === page.route)
  const start = Math.max(0, at - entriesAround)
  const around = group.children.slice(start, Math.max(0, at) + entriesAround + 1)
  return (
    <ul>
      <li>
        <a href={`${toHref(context, 'search')}#${toPartId(group.label)}`}>
          All {group.children.length.toLocaleString('en')} pages
        </a>
      </li>
      <Nodes nodes={around} context={context} page={page} />
    </ul>
  )
}

/** Entries of a sidebar, as items of a list. */
export function Nodes({ nodes, context, page }: NodesProps) {
  return (
    <>
      {nodes.map((node) => {
        if (node.kind === 'page') {
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
                <NamedIcon name={node.icon} /> {node.label}
              </a>
            </li>
          )
        }
        if (node.hidden) return null
        return (
          <li>
            <details open={page.trail.includes(node) || node.expanded}>
              <summary>
                <Icon name="chev" class="turn" /> <NamedIcon name={node.icon} /> {node.label}
              </summary>
              <ul>
                {node.root !== undefined && (
                  <li>
                    <PageLink context={context} page={page} route={node.root} />
                  </li>
                )}
                <Nodes nodes={node.children} context={context} page={page} />
              </ul>
            </details>
          </li>
        )
      })}
    </>
  )
}

interface PageLinkProps {
  readonly context: SiteContext
  readonly page: SitePage
  readonly route: string
  /** Instead of the page's own words. */
  readonly label?: ComponentChildren
}

/** The way to a page, with its method and what is said of it. */
export function PageLink({ context, page, route, label }: PageLinkProps) {
  const target = context.pageByRoute.get(route)
  if (!target) return null
  const method = pageMethod(target)
  const isCurrent = target.route === page.route
  const href = target.externalUrl === undefined ? toHref(context, route) : resolveHref(context, target.externalUrl, undefined)
  return (
    <a href={href} aria-current={isCurrent ? 'page' : undefined}>
      {method !== undefined && <SmallMethodMark method={method} />}
      <NamedIcon name={target.icon} />
      {label ?? (target.deprecated ? <s>{target.sidebarTitle}</s> : target.sidebarTitle)}
      {target.deprecated && <span class="vh"> deprecated</span>}
      {target.tag !== undefined && <span class="tag">{target.tag}</span>}
    </a>
  )
}
