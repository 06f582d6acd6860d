import { type ComponentProps, readText } from './component-props.tsx'

/** `<Visibility for="humans">`; what is for agents stands only in the Markdown of the page. */
export function Visibility({ element, show }: ComponentProps) {
  return readText(element.props, 'for') === 'agents' ? null : show(element.children)
}
