import { isAllowedUrl } from '../../mdx/allowed-html.ts'
import type { MdxProps } from '../../mdx/types.ts'
import { NamedIcon } from '../icons/named-icon.tsx'
import { resolveHref } from '../site-context.ts'
import type { ComponentProps } from './components.tsx'
import { readText } from './read-props.ts'
import { Shown } from './shown.tsx'
import { toColorClass } from './to-color.ts'

interface PropIconProps extends Pick<ComponentProps, 'context' | 'page'> {
  readonly props: MdxProps
  /** Which prop it is; `icon` as a rule. */
  readonly name?: string
  readonly size?: number
}

/** The `icon` of a component: a name, the address of a picture, or JSX. It says nothing by itself; a name that is none shows nothing. */
export function PropIcon({ props, name = 'icon', size, context, page }: PropIconProps) {
  const value = props[name]
  if (typeof value === 'object' && value !== null) return <Shown value={value} context={context} page={page} />
  const icon = readText(props, name)
  if (icon === undefined) return null
  if (/[/.]|^data:/.test(icon)) {
    if (!isAllowedUrl(icon, 'media')) return null
    const side = size ?? 16
    return <img class="i" src={resolveHref(context, icon, page)} alt="" width={side} height={side} loading="lazy" />
  }
  const color = toColorClass(readText(props, 'color'))
  const drawn = <NamedIcon name={icon} {...(size !== undefined && { size })} />
  return color === undefined ? drawn : <span class={`tinted ${color}`}>{drawn}</span>
}
