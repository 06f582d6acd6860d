import { type ComponentProps, PropIcon, readText, toClassName, toLink } from './component-props.tsx'

/** `<Button href variant icon>`: a link that stands out. One without an address does nothing, so it is only its words. */
export function Button({ element, context, page, show }: ComponentProps) {
  const { props } = element
  const href = toLink(props, 'href', { context, page })
  const isQuiet = /^(?:secondary|outline|ghost|link)$/.test(readText(props, 'variant', 'color') ?? '')
  if (href === undefined) return show(element.children)
  return (
    <a class={toClassName(props, isQuiet ? 'btn' : 'btn primary')} href={href}>
      <PropIcon props={{ icon: props['icon'] ?? null }} context={context} page={page} show={show} />
      {show(element.children)}
    </a>
  )
}

/** `<Link href>`, which pages have from the framework they come from. */
export function Link({ element, context, page, show }: ComponentProps) {
  const href = toLink(element.props, 'href', { context, page }) ?? toLink(element.props, 'to', { context, page })
  const inside = show(element.children)
  return href === undefined ? inside : <a href={href}>{inside}</a>
}
