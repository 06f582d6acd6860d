import { toProps } from '../../mdx/mdx-values.ts'
import type { MdxElement, MdxNode } from '../../mdx/types.ts'

/**
 * Puts parts that stand alone (fields after each other, a step outside `<Steps>`) into what holds them: `wholeOf` says what that is. Blanks
 * between parts are part of it.
 */
export function groupSiblings(nodes: readonly MdxNode[], wholeOf: ReadonlyMap<string, string>): readonly MdxNode[] {
  if (!nodes.some((node) => node.kind === 'element' && wholeOf.has(node.name))) return nodes
  const grouped: MdxNode[] = []
  let open: { readonly name: string; readonly children: MdxNode[] } | undefined
  for (const node of nodes) {
    const name = node.kind === 'element' ? wholeOf.get(node.name) : undefined
    if (open && node.kind === 'text' && node.value.trim() === '') continue
    if (name === undefined || node.kind !== 'element') {
      open = undefined
      grouped.push(node)
      continue
    }
    if (open?.name === name) open.children.push(node)
    else {
      const children: MdxNode[] = [node]
      open = { name, children }
      const whole: MdxElement = { kind: 'element', name, props: toProps([]), children, place: node.place }
      grouped.push(whole)
    }
  }
  return grouped
}
