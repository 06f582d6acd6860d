import { PropIcon, readCount } from './component-props.tsx'
import type { ComponentProps } from './components.tsx'

/** `<Icon icon color size>`, in the line. */
export function IconComponent({ element: { props }, context, page }: ComponentProps) {
  const size = readCount(props, 'size', 96)
  const name = props['icon'] === undefined ? 'name' : 'icon'
  return <PropIcon props={props} name={name} context={context} page={page} {...(size !== undefined && { size })} />
}
