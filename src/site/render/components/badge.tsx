import { type ComponentProps, PropIcon, readText, toClassName } from './component-props.tsx'

/** The classes of the closest site colors, by color name. */
const colors: Readonly<Record<string, string>> = {
  blue: 'post',
  green: 'ok',
  yellow: 'put',
  orange: 'put',
  purple: 'patch',
  red: 'bad',
  warning: 'put',
  danger: 'bad',
  success: 'ok',
}

/** `<Badge color icon>`: an inline label. */
export function Badge({ element, context, page, show }: ComponentProps) {
  const { props } = element
  const color = (readText(props, 'color') ?? '').replace(/-destructive$/, '')
  return (
    <span class={toClassName(props, 'tag badge', Object.hasOwn(colors, color) && colors[color])}>
      <PropIcon props={{ icon: props['icon'] ?? null }} size={12} context={context} page={page} show={show} />
      {show(element.children)}
    </span>
  )
}
