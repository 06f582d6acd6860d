import { isAllowedUrl } from '../../mdx/allowed-html.ts'
import { valueToNodes } from '../../mdx/snippets.ts'
import { textOf } from '../../mdx/to-nodes.ts'
import type { MdxElement, MdxProps, MdxValue } from '../../mdx/types.ts'
import { NamedIcon } from '../icons/page-icons.tsx'
import { resolveHref } from '../site-context.ts'
import type { ComponentProps } from './components.tsx'
import { ContentNodes } from './content-nodes.tsx'
import { toColorClass } from './page-styles.ts'

/** The first of some props that is a text (or a number); absent where none is. What JSX shows counts as its text. */
export function readText(props: MdxProps, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = toText(props[name])
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

function toText(value: MdxValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number') return String(value)
  return typeof value === 'object' && value?.kind === 'fragment' ? textOf(value.children).trim() : undefined
}

/** Whether a prop is set: `open`, `open={true}` and `open="true"` are the same. */
export function readFlag(props: MdxProps, name: string): boolean {
  const value = props[name]
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
}

/** A whole number from 1 to `most`; absent for all else. */
export function readCount(props: MdxProps, name: string, most: number): number | undefined {
  const value = Number(readText(props, name) ?? Number.NaN)
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : undefined
}

/** A list of texts; one text is a list of one. */
export function readTexts(props: MdxProps, name: string): readonly string[] {
  const value = props[name]
  if (typeof value === 'object' && value?.kind === 'list') return value.items.flatMap((item) => toText(item) ?? [])
  const text = toText(value)
  return text === undefined || text === '' ? [] : [text]
}

/** The elements of a name among the children, those in fragments that came from snippets included. */
export function childrenNamed(element: MdxElement, name: string): readonly MdxElement[] {
  return element.children.filter((child): child is MdxElement => child.kind === 'element' && child.name === name)
}

/** Where a prop of a component leads; absent where it is no address that a page may link to, or (`media`) show. */
export function toLink(
  props: MdxProps,
  name: string,
  { context, page }: Pick<ComponentProps, 'context' | 'page'>,
  use: 'link' | 'media' = 'link',
): string | undefined {
  const url = readText(props, name)
  return url !== undefined && isAllowedUrl(url, use) ? resolveHref(context, url, page) : undefined
}

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

type Around = Pick<ComponentProps, 'context' | 'page'>

/** What stands inside a component. */
export function Inside({ element, context, page }: ComponentProps) {
  return <ContentNodes nodes={element.children} context={context} page={page} />
}

/** What a prop shows: its text, or its JSX. */
export function Shown({ value, context, page }: Around & { readonly value: MdxValue | undefined }) {
  return value === undefined ? null : <ContentNodes nodes={valueToNodes(value)} context={context} page={page} />
}
