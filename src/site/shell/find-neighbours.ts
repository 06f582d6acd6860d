import type { DivisionNode, NavigationNode, SitePage } from '../types.ts'

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
