import { readOwn } from '../../../text/json/json-values.ts'
import { type ComponentProps, PropIcon, readCount, toClassName } from './component-props.tsx'

/** The properties of `<Icon>` with its name. The first one that is set counts. */
export const iconNames = ['icon', 'src', 'name'] as const

/** `<Icon icon iconType src color size className>`: an inline icon. */
export function IconComponent({ element: { props }, ...around }: ComponentProps) {
  const size = readCount(props, 'size', 96)
  const name = iconNames.find((one) => readOwn(props, one) !== undefined) ?? 'icon'
  return <PropIcon props={props} name={name} {...(size !== undefined && { size })} box={toClassName(props)} {...around} />
}
