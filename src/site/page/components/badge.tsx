import { type ComponentProps, PropIcon, readFlag, readText, toClassName, withoutColor } from './component-props.tsx'

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

/** `<Badge color size shape icon stroke disabled>`: an inline label. */
export function Badge({ element: { props, children }, ...around }: ComponentProps) {
  const written = readText(props, 'color') ?? ''
  const color = written.endsWith('-destructive') ? 'red' : written
  const size = readText(props, 'size') ?? ''
  const className = toClassName(
    props,
    'tag badge',
    Object.hasOwn(colors, color) && colors[color],
    /^(?:xs|sm|lg)$/.test(size) && `at-${size}`,
    readText(props, 'shape') === 'pill' && 'pill',
    !readFlag(props, 'stroke') && /^(?!white)/.test(written) && 'filled',
    readFlag(props, 'disabled') && 'disabled',
  )
  return (
    <span class={className}>
      <PropIcon props={withoutColor(props)} size={12} {...around} />
      {around.show(children)}
    </span>
  )
}
