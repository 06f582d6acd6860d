import { Inside, readText } from './component-props.tsx'
import type { ComponentProps } from './components.tsx'

/** `<Visibility for="humans">`; what is for agents stands only in the Markdown of the page. */
export function Visibility({ element, context, page }: ComponentProps) {
  return readText(element.props, 'for') === 'agents' ? null : <Inside element={element} context={context} page={page} />
}
