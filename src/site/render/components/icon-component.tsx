import { type ComponentProps, PropIcon, readCount, toClassName } from './component-props.tsx'

/** `<Icon icon iconType src color size className>`: an inline icon. */
export function IconComponent({ element: { props }, context, page, show }: ComponentProps) {
  const size = readCount(props, 'size', 96)
  const name = ['icon', 'src', 'name'].find((one) => props[one] !== undefined) ?? 'icon'
  const icon = (
    <PropIcon props={props} name={name} {...(size !== undefined && { size })} context={context} page={page} show={show} />
  )
  const className = toClassName(props)
  return className === undefined ? icon : <span class={className}>{icon}</span>
}
