import type { MdxNode } from '../../../script/values/values.ts'
import type { ComponentProps } from './component-props.tsx'

/** `<Panel>`: content shown next to the text. */
export function Panel({ element, show }: ComponentProps) {
  return <div class="panel prose">{show(element.children)}</div>
}

const names = new Set(['RequestExample', 'ResponseExample', 'Panel'])

/** Separates top-level `<RequestExample>`, `<ResponseExample>` and `<Panel>` elements, which are shown next to the text. */
export function splitPanels(nodes: readonly MdxNode[]): {
  readonly text: readonly MdxNode[]
  readonly panels: readonly MdxNode[]
} {
  const isPanel = (node: MdxNode) => node.kind === 'element' && names.has(node.name)
  return { text: nodes.filter((node) => !isPanel(node)), panels: nodes.filter(isPanel) }
}
