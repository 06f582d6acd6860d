import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { Html, Raw } from '../html.ts'
import { Icon, NamedIcon } from '../icons/page-icons.tsx'
import { createSiteMemo, resolveHref, type SiteContext, settingsOf } from '../site-context.ts'
import type { DivisionNode, NavigationNode, SitePage } from '../types.ts'
import { GroupPages, Nodes, PageLink } from './group-pages.tsx'
import { pageMethod } from './marks.tsx'
import { firstHref, type NavigationSwitch, type NavigationView, type ViewLink } from './navigation-view.ts'

interface SidebarProps {
  readonly context: SiteContext
  readonly page: SitePage
  readonly view: NavigationView
}

/** The navigation of the part that the page is in; on a narrow screen a bar that says where the reader is and opens over the page. */
export function Sidebar({ context, page, view }: SidebarProps) {
  const where = [...view.crumbs.slice(-1).map(({ label }) => label), page.sidebarTitle].join(' / ')
  const loose = view.sidebar.filter((node) => node.kind === 'page')
  const groups = view.sidebar.filter((node): node is DivisionNode => node.kind === 'group')
  const isLarge = countPages(view.sidebar) > maxLinks
  return (
    <details class="side drawer">
      <summary>
        <Icon name="menu" /> <span class="vh">Navigation: </span>
        {where}
      </summary>
      <nav aria-label="Pages">
        <Small label="Sections" at="phone" items={view.tabs} />
        {view.anchors.length > 0 && (
          <section class="anchors">
            <ul>
              {view.anchors.map(({ label, href, icon, isCurrent }) => (
                <li>
                  <a href={href} aria-current={isCurrent ? 'true' : undefined}>
                    <NamedIcon name={icon} /> {label}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
        {loose.length > 0 && (
          <section>
            <ul>
              <Nodes nodes={loose} context={context} page={page} />
            </ul>
          </section>
        )}
        {groups.map((group) => (
          <Raw html={renderGroup(group, context, page, isLarge)} />
        ))}
        {view.switches.map((one) => (
          <Small label={switchLabel(one)} at="tablet" items={one.options} />
        ))}
        <Small label="Links" at="laptop" items={listBarLinks(context, page)} />
      </nav>
    </details>
  )
}

interface RenderedGroup {
  /** As pages outside of it show it. */
  readonly section: Html
  readonly routes: ReadonlySet<string>
}

/** The groups as pages outside of them show them: the same on every page, and most of a page's navigation. */
const renderedOf = createSiteMemo<DivisionNode, RenderedGroup>()

function renderGroup(group: DivisionNode, context: SiteContext, page: SitePage, isLarge: boolean): Html {
  if (page.trail.includes(group)) return renderSection(<TopGroup group={group} context={context} page={page} />)
  const groups = renderedOf(context.plan)
  const render = (from: SitePage) =>
    renderSection(
      isLarge ? <ClosedGroup group={group} context={context} /> : <TopGroup group={group} context={context} page={from} />,
    )
  const known = groups.get(group) ?? { section: render({ ...page, route: '\0', trail: [] }), routes: new Set(listRoutes(group)) }
  groups.set(group, known)
  // A page that is listed twice is marked in both places.
  return known.routes.has(page.route) ? render(page) : known.section
}

function renderSection(children: ComponentChildren): Html {
  return new Html(renderToString(<section>{children}</section>))
}

function listRoutes({ root, children }: DivisionNode): string[] {
  const inside = children.flatMap((node) => (node.kind === 'page' ? node.route : node.kind === 'link' ? [] : listRoutes(node)))
  return root === undefined ? inside : [root, ...inside]
}

/** What stands in the header where that is wide enough; here it is on smaller screens only. `at` is the least of them that has it in the header. */
function Small({
  label,
  at,
  items,
}: {
  readonly label: string
  readonly at: 'phone' | 'tablet' | 'laptop'
  readonly items: readonly ViewLink[]
}) {
  if (items.length === 0) return null
  return (
    <section class={`small to-${at}`}>
      <h2>{label}</h2>
      <ul>
        {items.map(({ href, label: words, icon, isCurrent }) => (
          <li>
            <a href={href} aria-current={isCurrent ? 'true' : undefined}>
              <NamedIcon name={icon} /> {words}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function listBarLinks(context: SiteContext, page: SitePage): ViewLink[] {
  const { links, primary } = settingsOf(page, context.plan.settings).navbar
  const all = primary ? [...links, primary] : links
  return all.map(({ label, href, icon }) => ({ label, icon, href: resolveHref(context, href, undefined), isCurrent: false }))
}

/** More pages than this, and only the groups around the page list theirs: a reference of a thousand operations would be in each of its pages. */
const maxLinks = 300

/** By what a sidebar lists: the same list for all pages of a part. */
const counts = new WeakMap<DivisionNode, number>()

function countPages(nodes: readonly NavigationNode[]): number {
  let count = 0
  for (const node of nodes) {
    if (node.kind === 'page' || node.kind === 'link') count++
    else {
      const inside = counts.get(node) ?? countPages(node.children)
      counts.set(node, inside)
      count += inside
    }
  }
  return count
}

/** A group of which only the words are shown, with the way to its first page. Large sites have many on each page: its arrow is of the stylesheet. */
function ClosedGroup({ group, context }: { readonly group: DivisionNode; readonly context: SiteContext }) {
  return (
    <a class="closed" href={firstHref(context, group) ?? '#'}>
      <NamedIcon name={group.icon} /> {group.label}
    </a>
  )
}

/** A group of the first level: its words are a heading, its pages are always there. */
function TopGroup({
  group,
  context,
  page,
}: {
  readonly group: DivisionNode
  readonly context: SiteContext
  readonly page: SitePage
}) {
  const heading = (
    <>
      <NamedIcon name={group.icon} /> {group.label} {group.tag !== undefined && <span class="tag">{group.tag}</span>}
    </>
  )
  // A reference has hundreds of operations: only the group around the page is open.
  if (!isApiGroup(group, context)) {
    return (
      <>
        <h2>
          {group.root === undefined ? heading : <PageLink context={context} page={page} route={group.root} label={heading} />}
        </h2>
        <GroupPages group={group} context={context} page={page} />
      </>
    )
  }
  return (
    <details open={page.trail.includes(group) || group.expanded}>
      <summary>
        <Icon name="chev" class="turn" /> {heading}
      </summary>
      <GroupPages group={group} context={context} page={page} />
    </details>
  )
}

/** By the group: every page of a site asks of all that are near it. */
const apiGroupsOf = createSiteMemo<DivisionNode, boolean>()

function isApiGroup(group: DivisionNode, { plan, pageByRoute }: SiteContext): boolean {
  const known = apiGroupsOf(plan)
  const before = known.get(group)
  if (before !== undefined) return before
  const { children } = group
  const isOperation = (route: string) => {
    const page = pageByRoute.get(route)
    return page !== undefined && pageMethod(page) !== undefined
  }
  const isApi = children.length > 0 && children.every((child) => child.kind === 'page' && isOperation(child.route))
  known.set(group, isApi)
  return isApi
}

const labels: Readonly<Record<string, string>> = {
  language: 'Language',
  version: 'Version',
  product: 'Product',
  dropdown: 'Part of the documentation',
  item: 'Menu',
}

/** What is chosen between, in words. */
function switchLabel({ kind }: NavigationSwitch): string {
  return labels[kind] ?? 'Choice'
}

/** A choice between parts of the site: a menu of links, so that it works without script. */
export function NavigationMenu({ one }: { readonly one: NavigationSwitch }) {
  const current = one.options.find(({ isCurrent }) => isCurrent) ?? one.options[0]
  if (!current) return null
  return (
    <details class="menu switch">
      <summary class="btn quiet">
        {one.kind === 'language' && <Icon name="globe" />}
        <span class="vh">{switchLabel(one)}: </span>
        <NamedIcon name={current.icon} /> {current.label} <Icon name="down" />
      </summary>
      <div>
        <NavigationOptions one={one} />
      </div>
    </details>
  )
}

function NavigationOptions({ one }: { readonly one: NavigationSwitch }) {
  return (
    <>
      {one.options.map(({ label, language, href, icon, description, tag, isCurrent }) => (
        <a href={href} aria-current={isCurrent ? 'true' : undefined} lang={language} hreflang={language}>
          <NamedIcon name={icon} />
          <span>
            {label} {tag !== undefined && <span class="tag">{tag}</span>}
            {description !== undefined && <small>{description}</small>}
          </span>
        </a>
      ))}
    </>
  )
}
