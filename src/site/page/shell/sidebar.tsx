import { renderToString } from 'preact-render-to-string'
import { getOrMake } from '../../../text/plain/lists.ts'
import type { AllowedUrl } from '../../../text/plain/paths.ts'
import { formatMessage } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'
import { listRoutes } from '../../plan/divisions.ts'
import type { DivisionNode, NavigationNode, SitePage, SitePlan } from '../../plan/types.ts'
import { toKebabCase } from '../field-anchors.ts'
import { Html, Raw } from '../html.tsx'
import { Icon, NamedIcon } from '../icons/page-icons.tsx'
import { createSiteMemo, resolveHref, type SiteContext, settingsOf } from '../site-context.ts'
import { AllPages, countPages, GroupPages, listNear, Nodes, PageLink, toEntryLabel } from './group-pages.tsx'
import { pageMethod } from './marks.tsx'
import { firstHref, listSiteLanguages, type NavigationSwitch, type PageView, type ViewLink } from './navigation-view.ts'

/** The sidebar. On narrow screens, a bar that replaces the breadcrumbs and opens the navigation over the page. */
export function Sidebar({ context, page, view }: PageView) {
  const texts = context.messages.page
  const where = view.crumbs.map(({ label }) => label)
  const loose = view.sidebar.filter((node) => node.kind === 'page')
  const nearLoose = listNear(loose, page)
  const groups = view.sidebar.filter((node): node is DivisionNode => node.kind === 'group')
  const listed = view.sidebar.filter((node) => node.kind !== 'group' || !node.isCompact)
  const folds = getOrMake(foldsOf, view.sidebar, () => chooseFolds(listed, context))
  const near = listNear(groups, page)
  return (
    <details class="side drawer">
      <summary>
        <Icon name="menu" /> <span class="vh">{texts.navigation} </span>
        {where.length > 1 && <span>{where.slice(0, -1).join(' / ')} / </span>}
        <b>{where.at(-1) ?? texts.menu}</b>
      </summary>
      <nav aria-label={texts.pages}>
        <CompactLinks context={context} label={texts.sections} at="phone" items={view.tabs} />
        {view.anchors.length > 0 && (
          <section class="anchors">
            <Links context={context} items={view.anchors} />
          </section>
        )}
        {loose.length > 0 && (
          <section>
            <ul>
              {nearLoose.length < loose.length && <AllPages context={context} count={loose.length} />}
              <Nodes nodes={nearLoose} context={context} page={page} showGroup={() => null} />
            </ul>
          </section>
        )}
        {near.length < groups.length && (
          <section>
            <ul>
              <AllPages context={context} count={countPages(listed)} />
            </ul>
          </section>
        )}
        <Raw html={joinSections(near.map((group) => renderGroup(group, context, page, folds)))} />
        {view.switches.map((one) => (
          <CompactLinks context={context} label={switchLabel(one, texts)} at="tablet" items={one.options} />
        ))}
        <CompactLinks context={context} label={texts.links} at="laptop" items={listBarLinks(context, page)} />
      </nav>
    </details>
  )
}

interface Section {
  /** The HTML inside of the section. */
  readonly inner: string
  readonly isClosed: boolean
}

interface RenderedGroup {
  /** The group as pages outside of it show it. */
  readonly section: Section
  readonly routes: ReadonlySet<string>
}

/** Rendered groups for pages outside of them. They are the same on every page. */
const renderedOf = createSiteMemo<DivisionNode, RenderedGroup>()

function renderGroup(group: DivisionNode, context: SiteContext, page: SitePage, folds: Folds): Section {
  const open = (from: SitePage): Section => ({
    inner: renderToString(<TopGroup group={group} context={context} page={from} folds={folds} />),
    isClosed: false,
  })
  if (page.trail.includes(group)) return open(page)
  const groups = renderedOf(context.plan, context.messages.language)
  const isClosed = isLoaded(group, folds, context) || group.isCompact
  const href = isClosed && group.href === undefined ? firstHref(context, group) : undefined
  const render = (from: SitePage): Section =>
    href === undefined
      ? open(from)
      : { inner: renderToString(<ClosedGroup group={group} href={href} context={context} />), isClosed: true }
  const make = () => ({ section: render({ ...page, route: '\0', trail: [] }), routes: new Set(listRoutes(group)) })
  const known = getOrMake(groups, group, make)
  // A page can be listed twice. Mark it in both places.
  return known.routes.has(page.route) ? render(page) : known.section
}

/** Header content that moves to the sidebar on small screens. `at` is the smallest screen that shows it in the header. */
function CompactLinks({
  context,
  label,
  at,
  items,
}: {
  readonly context: SiteContext
  readonly label: string
  readonly at: 'phone' | 'tablet' | 'laptop'
  readonly items: readonly ViewLink[]
}) {
  if (items.length === 0) return null
  return (
    <section class={`small to-${at}`}>
      <h2>{label}</h2>
      <Links context={context} items={items} />
    </section>
  )
}

function Links({ context, items }: { readonly context: SiteContext; readonly items: readonly ViewLink[] }) {
  return (
    <ul>
      {items.map(({ href, label, icon, isCurrent }) => (
        <li>
          <a href={href} aria-current={isCurrent ? 'true' : undefined}>
            <NamedIcon name={icon} context={context} /> {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

function listBarLinks(context: SiteContext, page: SitePage): ViewLink[] {
  const { links, primary } = settingsOf(page, context.plan.settings).navbar
  const all = primary ? [...links, primary] : links
  return all.map(({ label, href, icon }) => ({ label, icon, href: resolveHref(context, href, undefined), isCurrent: false }))
}

/** How groups start: all open, only the current one open, or closed groups load their pages when they are opened: those of APIs, or all. */
type Folds = 'open' | 'current' | 'load-apis' | 'load'

/** The most operations of an API whose groups start open. */
const maxOpen = 30

/** The most operations that every page lists. */
const maxOperations = 80

function isLoaded(group: DivisionNode, folds: Folds, context: SiteContext): boolean {
  return folds === 'load' || (folds === 'load-apis' && isApiGroup(group, context))
}

/** By the sidebar: every page needs it, and it depends on all of them. */
const foldsOf = new WeakMap<readonly NavigationNode[], Folds>()

function chooseFolds(nodes: readonly NavigationNode[], { plan }: SiteContext): Folds {
  if (countPages(nodes) > maxLinks) return 'load'
  const pages = nodes
    .flatMap((node) => (node.kind === 'group' ? listRoutes(node) : []))
    .map((route) => plan.pageByRoute.get(route))
  const count = pages.filter((page) => page && pageMethod(page) !== undefined).length
  if (count > maxOperations) return 'load-apis'
  return count <= maxOpen ? 'open' : 'current'
}

/** The most links of a fully listed sidebar. In larger ones, only the groups that contain the page list their pages, to keep pages small. */
const maxLinks = 300

/** The most pages of a group inside another one that a large sidebar lists, if the page is not in it. */
const maxInside = 20

/**
 * A group that does not list its pages: a link to the first of them, which lists the others. The script of the page shows them in place of
 * the link.
 */
function ClosedGroup({
  group,
  href,
  context,
}: { readonly group: DivisionNode; readonly href: AllowedUrl } & Pick<PageView, 'context'>) {
  return (
    <a href={href} title={toTitle(group)}>
      <NamedIcon name={group.icon} context={context} />
      {toEntryLabel(group.label)}
    </a>
  )
}

/** The name of the tag of a group, if it does not only differ in spelling. */
function toTitle({ label, tagName }: DivisionNode): string | undefined {
  const spell = (name: string) => toKebabCase(name).replaceAll('-', '')
  return tagName === undefined || spell(tagName) === spell(label) ? undefined : tagName
}

/** Puts closed groups that follow each other in one section. Large sites have many of them on each page. */
function joinSections(sections: readonly Section[]): Html {
  let html = ''
  for (const [index, { inner, isClosed }] of sections.entries()) {
    const isJoined = isClosed && sections[index - 1]?.isClosed
    html += isJoined ? inner : `${index === 0 ? '' : '</section>'}<section>${inner}`
  }
  return new Html(html === '' ? '' : `${html}</section>`)
}

interface GroupProps extends Pick<PageView, 'context' | 'page'> {
  readonly group: DivisionNode
  readonly folds: Folds
}

function GroupLabel({ group: { icon, label, tag }, context }: Pick<GroupProps, 'group' | 'context'>) {
  return (
    <>
      <NamedIcon name={icon} context={context} /> {toEntryLabel(label)} {tag !== undefined && <span class="tag">{tag}</span>}
    </>
  )
}

/** A top-level group, with its label as a heading. */
function TopGroup({ group, context, page, folds }: GroupProps) {
  const showGroup = (inner: DivisionNode) => <InnerGroup group={inner} context={context} page={page} folds={folds} />
  const heading = <GroupLabel group={group} context={context} />
  // API groups can have hundreds of operations, so only the current one is expanded.
  if (!isApiGroup(group, context)) {
    return (
      <>
        {(group.label.trim() !== '' || group.icon !== undefined) && (
          <h2>
            {group.root === undefined ? heading : <PageLink context={context} page={page} route={group.root} label={heading} />}
          </h2>
        )}
        <GroupPages group={group} context={context} page={page} showGroup={showGroup} />
      </>
    )
  }
  return (
    <details open={page.trail.includes(group) || group.expanded || folds === 'open'}>
      <summary title={toTitle(group)}>{heading}</summary>
      <GroupPages group={group} context={context} page={page} showGroup={showGroup} />
    </details>
  )
}

/** A group inside another one. */
function InnerGroup({ group, context, page, folds }: GroupProps) {
  const isCurrent = page.trail.includes(group)
  const isApi = isApiGroup(group, context)
  const isLarge = isApi || countPages(group.children) > maxInside
  const href = isLarge && isLoaded(group, folds, context) && !isCurrent ? firstHref(context, group) : undefined
  const closed = href !== undefined && <ClosedGroup group={group} href={href} context={context} />
  if (closed) return <section>{closed}</section>
  const showGroup = (inner: DivisionNode) => <InnerGroup group={inner} context={context} page={page} folds={folds} />
  return (
    <details open={isCurrent || group.expanded || (isApi && folds === 'open')}>
      <summary title={toTitle(group)}>
        <GroupLabel group={group} context={context} />
      </summary>
      {group.root !== undefined && (
        <ul>
          <li>
            <PageLink context={context} page={page} route={group.root} />
          </li>
        </ul>
      )}
      <GroupPages group={group} context={context} page={page} showGroup={showGroup} />
    </details>
  )
}

/** Computed once per group, because every page needs it. */
const apiGroupsOf = createSiteMemo<DivisionNode, boolean>()

function isApiGroup(group: DivisionNode, { plan }: Pick<SiteContext, 'plan'>): boolean {
  return getOrMake(apiGroupsOf(plan), group, () => hasOnlyOperations(group, plan))
}

/** A group with only inner groups is a heading. */
function hasOnlyOperations({ children }: DivisionNode, plan: SitePlan): boolean {
  const isOperation = (page: SitePage | undefined) =>
    page !== undefined && (pageMethod(page) !== undefined || /^(?:tag|schemas?)$/.test(page.subject.kind))
  return (
    children.some(({ kind }) => kind === 'page') &&
    children.every((child) =>
      child.kind === 'page'
        ? isOperation(plan.pageByRoute.get(child.route))
        : child.kind === 'group' && isApiGroup(child, { plan }),
    )
  )
}

function switchLabel({ kind }: NavigationSwitch, texts: Messages['page']): string {
  if (kind === 'language' || kind === 'version' || kind === 'product') return texts[kind]
  return kind === 'dropdown' ? texts.section : texts.menu
}

interface NavigationMenuProps {
  readonly one: NavigationSwitch
  readonly context: SiteContext
}

/** A menu of links between divisions. It works without scripts. */
export function NavigationMenu({ one, context }: NavigationMenuProps) {
  const current = one.options.find(({ isCurrent }) => isCurrent) ?? one.options[0]
  if (!current) return null
  const { page: texts, language } = context.messages
  const isKept = one.kind === 'language' && listSiteLanguages(context).length > 1
  return (
    <details class="menu switch">
      <summary class="btn quiet">
        {one.kind === 'language' && <Icon name="globe" />}
        <span class="vh">{formatMessage(texts.choice, { name: switchLabel(one, texts) }, language)} </span>
        <NamedIcon name={current.icon} context={context} /> {current.label} <Icon name="down" />
      </summary>
      <div>
        {one.options.map(({ label, language, href, icon, description, tag, isCurrent }) => (
          <a
            href={href}
            aria-current={isCurrent ? 'true' : undefined}
            lang={language}
            hreflang={language}
            data-language={isKept ? language : undefined}
          >
            <NamedIcon name={icon} context={context} />
            <span>
              {label} {tag !== undefined && <span class="tag">{tag}</span>}
              {description !== undefined && <small>{description}</small>}
            </span>
          </a>
        ))}
      </div>
    </details>
  )
}
