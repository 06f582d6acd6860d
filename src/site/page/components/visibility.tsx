import { type ComponentProps, readText } from './component-props.tsx'

/** `<Visibility for="humans">`. Content for agents is only part of the page's Markdown. */
export function Visibility({ element, show }: ComponentProps) {
  return readText(element.props, 'for') === 'agents' ? null : show(element.children)
}
