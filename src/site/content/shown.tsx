import { valueToNodes } from '../../mdx/snippets.ts'
import type { MdxValue } from '../../mdx/types.ts'
import type { ComponentProps } from './components.tsx'
import { ContentNodes } from './content-nodes.tsx'

type Around = Pick<ComponentProps, 'context' | 'page'>

/** What stands inside a component. */
export function Inside({ element, context, page }: ComponentProps) {
  return <ContentNodes nodes={element.children} context={context} page={page} />
}

/** What a prop shows: its text, or its JSX. */
export function Shown({ value, context, page }: Around & { readonly value: MdxValue | undefined }) {
  return value === undefined ? null : <ContentNodes nodes={valueToNodes(value)} context={context} page={page} />
}
