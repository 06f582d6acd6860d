import type { MdxNode } from '../../mdx/types.ts'
import { CodeGroup } from './code-group.tsx'
import type { ComponentProps } from './components.tsx'
import { ContentNodes } from './content-nodes.tsx'

const names = new Set(['RequestExample', 'ResponseExample', 'Panel'])

/** Splits what a page shows beside its text (`<RequestExample>`, `<ResponseExample>`, `<Panel>`) from the text, at any depth of snippets but not inside other components. */
export function splitPanels(nodes: readonly MdxNode[]): {
  readonly text: readonly MdxNode[]
  readonly panels: readonly MdxNode[]
} {
  const isPanel = (node: MdxNode) => node.kind === 'element' && names.has(node.name)
  return { text: nodes.filter((node) => !isPanel(node)), panels: nodes.filter(isPanel) }
}

/** What stands at the right of a page that has panels. */
export function PanelsAside({
  panels,
  context,
  page,
}: Pick<ComponentProps, 'context' | 'page'> & { readonly panels: readonly MdxNode[] }) {
  return (
    <aside class="aside" id="samples" aria-label="Samples">
      <ContentNodes nodes={panels} context={context} page={page} />
    </aside>
  )
}

/** `<RequestExample>` and `<ResponseExample>`: codes, of which one is shown at a time. */
export function Example({ element, context, page }: ComponentProps) {
  return <CodeGroup element={element} context={context} page={page} />
}

/** `<Panel>`: anything that stands beside the text. */
export function Panel({ element, context, page }: ComponentProps) {
  return (
    <div class="panel prose">
      <ContentNodes nodes={element.children} context={context} page={page} />
    </div>
  )
}
