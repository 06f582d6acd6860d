import type { MdxNode, MdxProps, MdxValue } from '../../script/values/values.ts'
import { setOwn } from '../../text/json/json-values.ts'

/** Values by name in an object without a prototype. */
export function toProps(entries: Iterable<readonly [name: string, value: MdxValue]>): MdxProps {
  const props: Record<string, MdxValue> = Object.create(null)
  for (const [name, value] of entries) setOwn(props, name, value)
  return props
}

/** Converts a value between elements to nodes. As in JSX, `true`, `false` and `null` show nothing. */
export function valueToNodes(value: MdxValue): readonly MdxNode[] {
  if (value === null || typeof value === 'boolean') return []
  if (typeof value !== 'object') return [{ kind: 'text', value: String(value) }]
  if (value.kind === 'list') return value.items.flatMap(valueToNodes)
  return value.kind === 'fragment' ? value.children : []
}

/** Returns the text content of nodes. */
export function textOf(nodes: readonly MdxNode[]): string {
  return nodes.map((node) => (node.kind === 'element' ? textOf(node.children) : node.value)).join('')
}
