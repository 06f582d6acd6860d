import type { DivisionNode, NavigationNode } from './types.ts'

/** Whether a node contains others. */
export function isDivision(node: NavigationNode | undefined): node is DivisionNode {
  return node !== undefined && node.kind !== 'page' && node.kind !== 'link'
}

/** The divisions among nodes, of one kind if it is given, without hidden ones. */
export function listDivisions(nodes: readonly NavigationNode[], kind?: DivisionNode['kind']): DivisionNode[] {
  return nodes.filter((node): node is DivisionNode => isDivision(node) && !node.hidden && (kind ?? node.kind) === node.kind)
}

/** The language division around a page. */
export function findLanguage(trail: readonly NavigationNode[]): DivisionNode | undefined {
  return trail.filter(isDivision).find(({ kind }) => kind === 'language')
}

/** The default language of a navigation with languages. */
export function findDefaultLanguage({ children }: DivisionNode): DivisionNode | undefined {
  const languages = children.filter(isDivision).filter(({ kind }) => kind === 'language')
  return languages.find(({ isDefault }) => isDefault) ?? languages[0]
}

/** The routes of a node, its own first. */
export function listRoutes(node: NavigationNode): string[] {
  if (node.kind === 'page') return [node.route]
  if (node.kind === 'link') return []
  return [...(node.root === undefined ? [] : [node.root]), ...node.children.flatMap(listRoutes)]
}

/** Replaces the divisions in a division. */
export function mapDivisions({ children }: DivisionNode, replace: (inner: DivisionNode) => DivisionNode): NavigationNode[] {
  return children.map((child) => (isDivision(child) ? replace(child) : child))
}
