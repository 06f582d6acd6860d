import type { JSX } from 'preact'
import { isAllowedUrl, readStyle } from '../../content/allowed-html.ts'
import { textOf } from '../../content/mdx-values.ts'
import type { MdxElement, MdxNode, MdxProps, MdxValue } from '../../content/types.ts'
import { NamedIcon } from '../icons/page-icons.tsx'
import { resolveHref, type SiteContext } from '../site-context.ts'
import type { SitePage } from '../types.ts'
import { readUtility, type StyleVariant, toColorClass, toStyleClass } from './page-styles.ts'

/** What every component of a page is given. */
export interface ComponentProps {
  readonly element: MdxElement
  readonly context: SiteContext
  readonly page: SitePage
  /** Renders what is inside a component, or the value of a prop, whose JSX may contain components again. */
  readonly show: (content: readonly MdxNode[] | MdxValue | undefined) => JSX.Element | null
}

/** The first of some props that is a string or a number, trimmed. JSX counts as the text it shows. */
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

/** A whole number from 1, at most `most`; `undefined` for anything else. */
export function readCount(props: MdxProps, name: string, most: number): number | undefined {
  const value = Number(readText(props, name) ?? Number.NaN)
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : undefined
}

/** A list of strings; a single string is a list of one. */
export function readTexts(props: MdxProps, name: string): readonly string[] {
  const value = props[name]
  if (typeof value === 'object' && value?.kind === 'list') return value.items.flatMap((item) => toText(item) ?? [])
  const text = toText(value)
  return text === undefined || text === '' ? [] : [text]
}

/** The child elements of one name. */
export function childrenNamed(element: MdxElement, name: string): readonly MdxElement[] {
  return element.children.filter((child): child is MdxElement => child.kind === 'element' && child.name === name)
}

/** The URL in a prop, resolved; `undefined` unless a page may link to it, or (`media`) show it as an image. */
export function toLink(
  props: MdxProps,
  name: string,
  { context, page }: Pick<ComponentProps, 'context' | 'page'>,
  use: 'link' | 'media' = 'link',
): string | undefined {
  const url = readText(props, name)
  return url !== undefined && isAllowedUrl(url, use) ? resolveHref(context, url, page) : undefined
}

interface PropIconProps extends Pick<ComponentProps, 'context' | 'page' | 'show'> {
  readonly props: MdxProps
  /** Which prop it is; `icon` as a rule. */
  readonly name?: string
  readonly size?: number
}

/** The decorative `icon` of a component: a name, the URL of an image, or JSX. An unknown name shows nothing. */
export function PropIcon({ props, name = 'icon', size, context, page, show }: PropIconProps) {
  const value = props[name]
  if (typeof value === 'object' && value !== null) return show(value)
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

/**
 * The classes of our own that the `class` (or `className`) and `style` of an element or a component become, after ours; absent where there are
 * none. Nothing of what is written goes into the page as it is: known classes and allowed declarations become classes made from them.
 */
export function toClassName(props: MdxProps, ...ours: readonly (string | false | undefined)[]): string | undefined {
  const byVariant = new Map<StyleVariant, string[]>()
  for (const token of readText(props, 'class', 'className')?.split(/\s+/).slice(0, 100) ?? []) {
    const utility = readUtility(token)
    if (!utility) continue
    const list = byVariant.get(utility.variant) ?? []
    // `margin` before `margin-top`, whatever stands first.
    if (/^[a-z]+:/.test(utility.declaration)) list.unshift(utility.declaration)
    else list.push(utility.declaration)
    byVariant.set(utility.variant, list)
  }
  const style = readStyle(props['style'])
  if (style !== '') byVariant.set('', [...(byVariant.get('') ?? []), style])
  const made = [...byVariant].map(([variant, declarations]) => toStyleClass(declarations.join(';'), variant))
  const names = [...ours.filter((name) => typeof name === 'string' && name !== ''), ...made]
  return names.length === 0 ? undefined : names.join(' ')
}
