import { onceFor } from '../../../text/plain/lists.ts'
import type { AllowedUrl } from '../../../text/plain/paths.ts'
import { isDivision, listDivisions } from '../../plan/divisions.ts'
import { findCounterpart, languageName, toLanguageTag } from '../../plan/page-language.ts'
import type { DivisionNode, LinkNode, NavigationNode, SitePage } from '../../plan/types.ts'
import { resolveHref, type SiteContext, toHref } from '../site-context.ts'

/** A page, and the navigation that it shows. */
export interface PageView {
  readonly context: SiteContext
  readonly page: SitePage
  readonly view: NavigationView
}

/** The navigation as one page shows it. */
export interface NavigationView {
  /** The tabs in the header. */
  readonly tabs: readonly ViewLink[]
  /** Menus for languages, versions, products, dropdowns and tab menus, outermost first. */
  readonly switches: readonly NavigationSwitch[]
  /** Links above the sidebar's groups. */
  readonly anchors: readonly ViewLink[]
  /** The pages and groups in the sidebar. */
  readonly sidebar: readonly NavigationNode[]
  /** Breadcrumbs, outermost first, without a last one that repeats the title of the page. */
  readonly crumbs: readonly { readonly label: string; readonly href: AllowedUrl | undefined }[]
}

export interface ViewLink extends Omit<LinkNode, 'kind'> {
  readonly isCurrent: boolean
}

export interface NavigationSwitch {
  readonly kind: DivisionNode['kind']
  readonly options: readonly (ViewLink & {
    readonly description: string | undefined
    readonly tag: string | undefined
    /** The BCP 47 tag of a language. */
    readonly language: string | undefined
  })[]
}

/**
 * Creates the navigation view of a page. A page that the navigation does not list gets the view of the first page, without a current entry.
 */
export function viewNavigation(context: SiteContext, page: SitePage): NavigationView {
  const { navigation, pages } = context.plan
  const isListed = page.trail.length > 0
  const trail = isListed ? page.trail : (pages.find((one) => one.trail.length > 0)?.trail ?? [navigation])
  const tabs: ViewLink[] = []
  const anchors: ViewLink[] = []
  const switches: NavigationSwitch[] = []
  const crumbs: { label: string; href: AllowedUrl | undefined }[] = []
  for (const [depth, node] of trail.entries()) {
    if (!isDivision(node)) continue
    const current = trail[depth + 1]
    const links = node.children.filter((child): child is LinkNode => child.kind === 'link')
    anchors.push(
      ...links.map(({ label, href, icon }) => ({ label, href: resolveHref(context, href, undefined), icon, isCurrent: false })),
    )
    // A group can have a thousand pages.
    const divisions = listDivisions(node.children).filter((child) => child.kind !== 'group')
    for (const kind of ['language', 'version', 'product', 'dropdown', 'item', 'tab', 'anchor'] as const) {
      const options = divisions.filter((child) => child.kind === kind)
      if (options.length === 0) continue
      const views = options.flatMap((option) => toOption(context, page, option, isListed ? current : undefined))
      if (kind === 'tab') tabs.push(...views)
      else if (kind === 'anchor') anchors.push(...views)
      else switches.push({ kind, options: views })
    }
  }
  if (isListed) {
    for (const node of page.trail.filter(isDivision)) {
      if (node.label.trim() !== '' && /^(?:tab|group|anchor|item)$/.test(node.kind))
        crumbs.push({ label: node.label, href: firstHref(context, node) })
    }
  }
  // The first page of a group often has its title.
  if (crumbs.at(-1)?.label === page.title) crumbs.pop()
  return { tabs, switches, anchors, sidebar: sidebarOf(trail), crumbs }
}

/** The sidebar of each division, the same for all of its pages. */
const sidebarIn = onceFor(({ children }: DivisionNode) =>
  children.filter((child) => child.kind === 'page' || (child.kind === 'group' && !child.hidden)),
)

/** The pages and groups of the innermost division that is not a group. */
function sidebarOf(trail: readonly NavigationNode[]): readonly NavigationNode[] {
  const inner = findDivision(trail)
  return inner ? sidebarIn(inner) : []
}

function findDivision(trail: readonly NavigationNode[]): DivisionNode | undefined {
  return trail.filter(isDivision).findLast(({ kind }) => kind !== 'group')
}

/** A menu option. It links to the same page in the other language or version if there is one, else to the first page. */
function toOption(context: SiteContext, page: SitePage, node: DivisionNode, current: NavigationNode | undefined) {
  const { icon, description, tag } = node
  const label = node.kind === 'language' ? languageName(node.label) : node.label
  const isCurrent = node === current
  const isSwitch = node.kind !== 'tab' && node.kind !== 'anchor' && node.kind !== 'item'
  const counterpart =
    isSwitch && !isCurrent && current && current.kind === node.kind
      ? findCounterpart(page, current, node, context.plan.pageByRoute)
      : undefined
  const href =
    isCurrent && isSwitch
      ? toHref(context.hosting, page.route)
      : counterpart === undefined
        ? firstHref(context, node)
        : toHref(context.hosting, counterpart)
  // Skip divisions without pages.
  const language = node.kind === 'language' ? toLanguageTag(node.label) : undefined
  return href === undefined ? [] : [{ label, language, icon, description, tag, href, isCurrent }]
}

/** The URL of a division: its own link, else its first page. */
export function firstHref(context: SiteContext, node: DivisionNode): AllowedUrl | undefined {
  if (node.href !== undefined) return resolveHref(context, node.href, undefined)
  const route = firstRoute(node)
  return route === undefined ? undefined : toHref(context.hosting, route)
}

/** The languages among which the server of the site chooses for a reader who opens `/`, the default first; empty if it does not choose. */
export function listSiteLanguages(context: SiteContext): { readonly tag: string; readonly href: AllowedUrl }[] {
  if (!context.hosting.appliesRedirects || !context.plan.settings.site.detectLanguage) return []
  const divisions = listDivisions(context.plan.navigation.children, 'language').filter(({ href }) => href === undefined)
  const sorted = divisions.sort((a, b) => Number(b.isDefault) - Number(a.isDefault))
  return sorted.flatMap((division) => {
    const tag = toLanguageTag(division.label)
    const href = firstHref(context, division)
    return tag === undefined || href === undefined ? [] : [{ tag, href }]
  })
}

function firstRoute(node: DivisionNode): string | undefined {
  if (node.root !== undefined) return node.root
  for (const child of node.children) {
    const route = child.kind === 'page' ? child.route : isDivision(child) ? firstRoute(child) : undefined
    if (route !== undefined) return route
  }
  return undefined
}

/** The page order of each division, computed once for all of its pages. */
const orderOf = onceFor((part: DivisionNode) => {
  const routes = [...new Set(part.children.flatMap(listShown))]
  return { routes, indexOf: new Map(routes.map((route, index) => [route, index])) }
})

/**
 * The previous and next page in the sidebar of a page. Skips hidden pages and external links.
 */
export function findNeighbors(
  page: SitePage,
  pageByRoute: ReadonlyMap<string, SitePage>,
): { readonly previous: SitePage | undefined; readonly next: SitePage | undefined } {
  const part = findDivision(page.trail)
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

/** The routes of a page or group. Other divisions have their own sidebar. */
function listShown(node: NavigationNode): readonly string[] {
  if (node.kind === 'page') return [node.route]
  if (node.kind !== 'group' || node.hidden) return []
  return [...(node.root === undefined ? [] : [node.root]), ...node.children.flatMap(listShown)]
}
