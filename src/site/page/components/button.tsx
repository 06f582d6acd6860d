import { type ComponentProps, PropIcon, readText, toClassName, toLink, withoutColor } from './component-props.tsx'

/** `<Button href variant icon>`: a link styled as a button. Without `href`, only its text is shown. */
export function Button({ element: { props, children }, ...around }: ComponentProps) {
  const href = toLink(props, 'href', around)
  const isQuiet = /^(?:secondary|outline|ghost|link)$/.test(readText(props, 'variant', 'color') ?? '')
  if (href === undefined) return around.show(children)
  return (
    <a class={toClassName(props, isQuiet ? 'btn' : 'btn primary')} href={href}>
      <PropIcon props={withoutColor(props)} {...around} />
      {around.show(children)}
    </a>
  )
}

/** `<Link href>`, as other frameworks provide it. */
export function Link({ element: { props, children }, ...around }: ComponentProps) {
  const href = toLink(props, 'href', around) ?? toLink(props, 'to', around)
  const inside = around.show(children)
  return href === undefined ? inside : <a href={href}>{inside}</a>
}
