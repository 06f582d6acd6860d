import { type ComponentChildren, isValidElement, toChildArray, type VNode } from 'preact'

// Markdown and search are made from the elements of a page, of which these functions read the parts.

export type PropsOf<Component> = Component extends (props: infer Props) => unknown ? Props : never

/** The props of a component; `undefined` for another one. */
export function propsOf<Props>({ type, props }: VNode, component: (props: Props) => unknown): Props | undefined {
  return type === component ? (props as Props) : undefined
}

/** What is in an element, or what a component is made of. */
export function childrenOf({ type, props }: VNode): ComponentChildren {
  // Components of these pages are functions, not classes.
  return typeof type === 'string' ? props.children : (type as (all: unknown) => ComponentChildren)(props)
}

/** The text in elements, without that of components. */
export function plainOf(node: ComponentChildren): string {
  // Most are one text, such as a name.
  if (typeof node === 'string') return node
  return toChildArray(node)
    .map((child) => (isValidElement(child) ? plainOf(child.props.children) : String(child)))
    .join('')
}
