import type { TreeNode } from './parse-tree.ts'

/** The nodes whose key or value has the text, letters of both cases alike, and all above them; in the order of the document. */
export function findNodes(
  root: TreeNode,
  query: string,
): { readonly hits: ReadonlySet<TreeNode>; readonly above: ReadonlySet<TreeNode> } {
  const wanted = query.toLowerCase()
  const hits = new Set<TreeNode>()
  const above = new Set<TreeNode>()
  const rest = [root]
  for (let node = rest.pop(); node; node = rest.pop()) {
    const isHit =
      node.text.toLowerCase().includes(wanted) || (typeof node.key === 'string' && node.key.toLowerCase().includes(wanted))
    if (isHit) {
      hits.add(node)
      for (let up = node.parent; up && !above.has(up); up = up.parent) above.add(up)
    }
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index]
      if (child) rest.push(child)
    }
  }
  return { hits, above }
}
