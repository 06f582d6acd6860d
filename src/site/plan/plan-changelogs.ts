import { isDivision, listDivisions } from './divisions.ts'
import type { DivisionNode } from './types.ts'

interface Section {
  /** Whether a page shows a part of the API. */
  readonly isPart: (route: string) => boolean
  /** Whether a page is the start page of the API. */
  readonly isStart: (route: string) => boolean
}

/**
 * Lists the changelog of an API in the part of the navigation with the pages of the API: after its start page, else at the end. In a navigation with
 * several languages or versions, in the default one.
 */
export function listChangelog(node: DivisionNode, route: string, section: Section): DivisionNode {
  const inside = listDivisions(node.children).filter((child) => has(child, section))
  const parts = inside.filter(({ kind }) => kind !== 'group')
  const [only, ...others] = inside
  const isAlone = others.length === 0 && !node.children.some((child) => child.kind === 'page' && section.isPart(child.route))
  const hasGroups = only?.children.some((child) => isDivision(child) && has(child, section)) === true
  const target = parts.find(({ isDefault }) => isDefault) ?? parts[0] ?? (isAlone && hasGroups ? only : undefined)
  if (target) {
    const children = node.children.map((child) => (child === target ? listChangelog(target, route, section) : child))
    return { ...node, children }
  }
  const at = node.children.findIndex((child) => child.kind === 'page' && section.isStart(child.route))
  const index = at === -1 ? node.children.length : at + 1
  return { ...node, children: [...node.children.slice(0, index), { kind: 'page', route }, ...node.children.slice(index)] }
}

/** Whether a division lists a part of the API. */
function has({ root, children }: DivisionNode, section: Section): boolean {
  if (root !== undefined && section.isPart(root)) return true
  return children.some((child) =>
    child.kind === 'page' ? section.isPart(child.route) : isDivision(child) && !child.hidden && has(child, section),
  )
}
