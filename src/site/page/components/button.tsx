import { type ComponentProps, PropIcon, readText, toClassName, toLink } from './component-props.tsx'

/** `<Button href variant icon>`: a link styled as a button. Without `href`, only its text is shown. */
export function Button({ element, context, page, show }: ComponentProps) {
  const { props } = element
  const href = toLink(props, 'href', { context, page })
  const isQuiet = /^(?:secondary|outline|ghost|link)$/.test(readText(props, 'variant', 'color') ?? '')
  if (href === undefined) return show(element.children)
  return (
    <a class={toClassName(props, isQuiet ? 'btn' : 'btn primary')} href={href}>
      <PropIcon
        props={{ icon: props['icon'] ?? null, iconType: props['iconType'] ?? null }}
        context={context}
        page={page}
        show={show}
      />
      {show(element.children)}
    </a>
  )
}

/** `<Link href>`, as other frameworks provide it. */
export function Link({ element, context, page, show }: ComponentProps) {
  const href = toLink(element.props, 'href', { context, page }) ?? toLink(element.props, 'to', { context, page })
  const inside = show(element.children)
  return href === undefined ? inside : <a href={href}>{inside}</a>
}
