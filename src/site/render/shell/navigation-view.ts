import { resolveHref, type SiteContext, toHref } from '../site-context.ts'
import type { DivisionNode, LinkNode, NavigationNode, SitePage } from '../types.ts'
import { findCounterpart, languageName, toLanguageTag } from './page-language.ts'

/** What the navigation looks like from one page. */
export interface NavigationView {
  /** The tabs of the header; empty where the site has none. */
  readonly tabs: readonly ViewLink[]
  /** Choices between parts of the site, outermost first: languages, versions, products, dropdowns, the menu of a tab. */
  readonly switches: readonly NavigationSwitch[]
  /** Links above the sidebar's groups. */
  readonly anchors: readonly ViewLink[]
  /** What the sidebar lists: only the part of the site that the page is in. */
  readonly sidebar: readonly NavigationNode[]
  /** The words around the page, outermost first. */
  readonly crumbs: readonly { readonly label: string; readonly href: string | undefined }[]
}

export interface ViewLink {
  readonly label: string
  readonly href: string
  readonly icon: string | undefined
  readonly isCurrent: boolean
}

export interface NavigationSwitch {
  readonly kind: DivisionNode['kind']
  readonly options: readonly (ViewLink & {
    readonly description: string | undefined
    readonly tag: string | undefined
    /** BCP 47; only of languages. */
    readonly language: string | undefined
  })[]
}

/**
 * Finds what of the navigation a page shows. A page that the navigation does not list shows what the first page shows, with nothing marked as
 * current.
 */
export function viewNavigation(context: SiteContext, page: SitePage): NavigationView {
  const { navigation, pages } = context.plan
  const isListed = page.trail.length > 0
  const trail = isListed ? page.trail : (pages.find((one) => one.trail.length > 0)?.trail ?? [navigation])
  const tabs: ViewLink[] = []
  const anchors: ViewLink[] = []
  const switches: NavigationSwitch[] = []
  const crumbs: { label: string; href: string | undefined }[] = []
  for (const [depth, node] of trail.entries()) {
    if (node.kind === 'page' || node.kind === 'link') continue
    const current = trail[depth + 1]
    const links = node.children.filter((child): child is LinkNode => child.kind === 'link')
    anchors.push(
      ...links.map(({ label, href, icon }) => ({ label, href: resolveHref(context, href, undefined), icon, isCurrent: false })),
    )
    for (const kind of ['language', 'version', 'product', 'dropdown', 'item', 'tab', 'anchor'] as const) {
      const options = node.children.filter((child): child is DivisionNode => child.kind === kind && !child.hidden)
      if (options.length === 0) continue
      const views = options.flatMap((option) => toOption(context, page, option, isListed ? current : undefined))
      if (kind === 'tab') tabs.push(...views)
      else if (kind === 'anchor') anchors.push(...views)
      else switches.push({ kind, options: views })
    }
  }
  if (isListed) {
    for (const node of page.trail) {
      if (node.kind === 'tab' || node.kind === 'group' || node.kind === 'anchor' || node.kind === 'item') {
        crumbs.push({ label: node.label, href: firstHref(context, node) })
      }
    }
  }
  return { tabs, switches, anchors, sidebar: sidebarOf(trail), crumbs }
}

/** The pages and groups of the innermost division around the page that is no group. */
function sidebarOf(trail: readonly NavigationNode[]): readonly NavigationNode[] {
  const inner = trail.findLast(
    (node): node is DivisionNode => node.kind !== 'group' && node.kind !== 'page' && node.kind !== 'link',
  )
  return inner?.children.filter((child) => child.kind === 'page' || (child.kind === 'group' && !child.hidden)) ?? []
}

/** A choice between languages, versions and the like leads to the same page there, where there is one. */
function toOption(context: SiteContext, page: SitePage, node: DivisionNode, current: NavigationNode | undefined) {
  const { icon, description, tag } = node
  const label = node.kind === 'language' ? languageName(node.label) : node.label
  const isCurrent = node === current
  const isSwitch = node.kind !== 'tab' && node.kind !== 'anchor' && node.kind !== 'item'
  const counterpart =
    isSwitch && !isCurrent && current && current.kind === node.kind
      ? findCounterpart(page, current, node, context.pageByRoute)
      : undefined
  const href =
    isCurrent && isSwitch
      ? toHref(context, page.route)
      : counterpart === undefined
        ? firstHref(context, node)
        : toHref(context, counterpart)
  // A part without a page has nowhere to go.
  const language = node.kind === 'language' ? toLanguageTag(node.label) : undefined
  return href === undefined ? [] : [{ label, language, icon, description, tag, href, isCurrent }]
}

/** Where a division begins: its own link, else its first page. */
export function firstHref(context: SiteContext, node: DivisionNode): string | undefined {
  if (node.href !== undefined) return resolveHref(context, node.href, undefined)
  const route = firstRoute(node)
  return route === undefined ? undefined : toHref(context, route)
}

function firstRoute(node: DivisionNode): string | undefined {
  if (node.root !== undefined) return node.root
  for (const child of node.children) {
    const route = child.kind === 'page' ? child.route : child.kind === 'link' ? undefined : firstRoute(child)
    if (route !== undefined) return route
  }
  return undefined
}

/** The order of a part's pages, made once for each part: every page in it asks for its neighbours. */
const orders = new WeakMap<DivisionNode, { readonly routes: readonly string[]; readonly indexOf: ReadonlyMap<string, number> }>()

/**
 * The pages before and after a page in the order of the navigation, within what its sidebar shows. Left out are pages that only lead elsewhere, and
 * hidden ones.
 */
export function findNeighbours(
  page: SitePage,
  pageByRoute: ReadonlyMap<string, SitePage>,
): { readonly previous: SitePage | undefined; readonly next: SitePage | undefined } {
  const part = page.trail.findLast(
    (node): node is DivisionNode => node.kind !== 'group' && node.kind !== 'page' && node.kind !== 'link',
  )
  if (!part) return { previous: undefined, next: undefined }
  const { routes, indexOf } = orderOf(part)
  const at = indexOf.get(page.route)
  const look = (step: 1 | -1) => {
    for (let index = (at ?? 0) + step; at !== undefined && index >= 0 && index < routes.length; index += step) {
      const other = pageByRoute.get(routes[index] ?? '')
      if (other && !other.hidden && other.externalUrl === undefined) return other
    }
    return undefined
  }
  return { previous: look(-1), next: look(1) }
}

function orderOf(part: DivisionNode) {
  const known = orders.get(part)
  if (known) return known
  const routes = [...new Set(part.children.flatMap(listRoutes))]
  const order = { routes, indexOf: new Map(routes.map((route, index) => [route, index])) }
  orders.set(part, order)
  return order
}

/** Of groups only: other divisions have a sidebar of their own. */
function listRoutes(node: NavigationNode): readonly string[] {
  if (node.kind === 'page') return [node.route]
  if (node.kind !== 'group' || node.hidden) return []
  return [...(node.root === undefined ? [] : [node.root]), ...node.children.flatMap(listRoutes)]
}
