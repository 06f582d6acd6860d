import type { MdxElement, MdxNode } from '../../mdx/types.ts'

/** Where a `<ParamField>` may say that its parameter is. */
export const parameterLocations = ['path', 'query', 'header', 'cookie'] as const

/** The fields of a page of one name (`ParamField`, `ResponseField`), in order; those inside of others are left to them. */
export function listFields(nodes: readonly MdxNode[], name: string): MdxElement[] {
  return nodes.flatMap((node) => {
    if (node.kind !== 'element') return []
    return node.name === name ? [node] : listFields(node.children, name)
  })
}
