import { type ComponentProps, PropIcon, readCount } from './component-props.tsx'

/** `<Icon icon color size>`: an inline icon. */
export function IconComponent({ element: { props }, context, page, show }: ComponentProps) {
  const size = readCount(props, 'size', 96)
  const name = props['icon'] === undefined ? 'name' : 'icon'
  return <PropIcon props={props} name={name} {...(size !== undefined && { size })} context={context} page={page} show={show} />
}
