import { Inside, PropIcon, readText, toLink } from './component-props.tsx'
import type { ComponentProps } from './components.tsx'
import { toClassName } from './page-styles.ts'

/** `<Button href variant icon>`: a link that stands out. One without an address does nothing, so it is only its words. */
export function Button({ element, context, page }: ComponentProps) {
  const { props } = element
  const href = toLink(props, 'href', { context, page })
  const isQuiet = /^(?:secondary|outline|ghost|link)$/.test(readText(props, 'variant', 'color') ?? '')
  if (href === undefined) return <Inside element={element} context={context} page={page} />
  return (
    <a class={toClassName(props, isQuiet ? 'btn' : 'btn primary')} href={href}>
      <PropIcon props={{ icon: props['icon'] ?? null }} context={context} page={page} />
      <Inside element={element} context={context} page={page} />
    </a>
  )
}

/** `<Link href>`, which pages have from the framework they come from. */
export function Link({ element, context, page }: ComponentProps) {
  const href = toLink(element.props, 'href', { context, page }) ?? toLink(element.props, 'to', { context, page })
  const inside = <Inside element={element} context={context} page={page} />
  return href === undefined ? inside : <a href={href}>{inside}</a>
}
