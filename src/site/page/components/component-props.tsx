import type { JSX } from 'preact'
import {
  type MdxElement,
  type MdxNode,
  type MdxProps,
  type MdxValue,
  toProps,
  valueToText,
} from '../../../script/values/values.ts'
import { readOwn } from '../../../text/json/json-values.ts'
import { addTo } from '../../../text/plain/lists.ts'
import { type AllowedUrl, isAllowedUrl } from '../../../text/plain/paths.ts'
import { readStyle } from '../../content/allowed/allowed-style.ts'
import { classPrefix } from '../../content/allowed/clean-stylesheet.ts'
import { withStyle } from '../../plan/icon-sets.ts'
import type { SitePage } from '../../plan/types.ts'
import { isKnownIcon, NamedIcon } from '../icons/page-icons.tsx'
import { resolveHref, type SiteContext } from '../site-context.ts'
import { pairColors } from '../theme/pair-colors.ts'
import { readUtility, type StyleVariant, toColorClass, toStyleClass } from './page-styles.ts'

/** The props of every page component. */
export interface ComponentProps {
  readonly element: MdxElement
  readonly context: SiteContext
  readonly page: SitePage
  /** Renders the children of a component or the value of a prop, which can be JSX. */
  readonly show: (content: readonly MdxNode[] | MdxValue | undefined) => JSX.Element | null
}

/** The first of the given props that has text, trimmed. JSX is converted to its text. */
export function readText(props: MdxProps, ...names: readonly string[]): string | undefined {
  return names.map((name) => valueToText(readOwn(props, name))).find((text) => text !== '')
}

/** Whether a boolean prop is set: `open`, `open={true}` or `open="true"`. */
export function readFlag(props: MdxProps, name: string): boolean {
  return String(readOwn(props, name)).toLowerCase() === 'true'
}

/** A positive integer, limited to `most`; `undefined` for any other value. */
export function readCount(props: MdxProps, name: string, most: number): number | undefined {
  const value = Number(readText(props, name) ?? Number.NaN)
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : undefined
}

/** A list of strings. A single string becomes a list. */
export function readTexts(props: MdxProps, name: string): readonly string[] {
  const value = readOwn(props, name)
  const all = typeof value === 'object' && value?.kind === 'list' ? value.items : [value]
  return all.map(valueToText).filter((text) => text !== '')
}

/** Adds the prefix to class names that the stylesheet of the repository has. */
export function markCustomClasses(element: MdxElement, classes: ReadonlySet<string> | undefined): MdxElement {
  if (!classes || classes.size === 0) return element
  const key = element.props['className'] === undefined ? 'class' : 'className'
  const written = element.props[key]
  if (typeof written !== 'string') return element
  const tokens = written.split(/\s+/).slice(0, 100)
  const own = tokens.filter((token) => classes.has(token)).map((token) => classPrefix + token)
  return own.length === 0
    ? element
    : { ...element, props: toProps([...Object.entries(element.props), [key, [...own, ...tokens].join(' ')]]) }
}

/** The child elements with a given name. */
export function childrenNamed(element: MdxElement, name: string): readonly MdxElement[] {
  return element.children.filter((child): child is MdxElement => child.kind === 'element' && child.name === name)
}

/** The resolved URL from a prop; `undefined` if it is not allowed as a link or, with `media`, as an image. */
export function toLink(
  props: MdxProps,
  name: string,
  { context, page }: Pick<ComponentProps, 'context' | 'page'>,
  use: 'link' | 'media' = 'link',
): AllowedUrl | undefined {
  const url = readText(props, name)
  return url !== undefined && isAllowedUrl(url, use) ? resolveHref(context, url, page) : undefined
}

interface PropIconProps extends Pick<ComponentProps, 'context' | 'page' | 'show'> {
  readonly props: MdxProps
  /** The name of the prop; `icon` by default. */
  readonly name?: string
  readonly size?: number
  /** The class of an element around the icon. */
  readonly box?: string | undefined
}

/** The decorative icon of a component: a name, an image URL, or JSX. Unknown names render nothing, also not the box around them. */
export function PropIcon({ props, name = 'icon', size, box, context, page, show }: PropIconProps) {
  const value = readOwn(props, name)
  const inBox = (icon: JSX.Element | null) => (box === undefined ? icon : <span class={box}>{icon}</span>)
  if (typeof value === 'object' && value !== null) return inBox(show(value))
  const icon = withStyle(readText(props, name), readText(props, 'iconType'))
  if (icon === undefined) return null
  const drawn = <NamedIcon name={icon} context={context} page={page} {...(size !== undefined && { size })} />
  if (!isKnownIcon(icon, context)) return drawn
  const color = toColorClass(readText(props, 'color'))
  return inBox(color === undefined ? drawn : <span class={`tinted ${color}`}>{drawn}</span>)
}

/** The icon of a component whose `color` is not that of its icon. */
export function withoutColor({ icon = null, iconType = null }: MdxProps): MdxProps {
  return { icon, iconType }
}

/** Added by `markCustomClasses`. */
const isCustomClass = new RegExp(`^${classPrefix}[\\w-]+$`)

/**
 * The class names of an element: the given ones, and generated ones for its `class`, `className` and `style`; `undefined` if there are none. Author input
 * never gets into the page directly: known classes and allowed declarations become generated classes.
 */
export function toClassName(props: MdxProps, ...classes: readonly (string | false | undefined)[]): string | undefined {
  const byVariant = new Map<StyleVariant, string[]>()
  const own: string[] = []
  for (const token of readText(props, 'class', 'className')?.split(/\s+/).slice(0, 100) ?? []) {
    const utility = readUtility(token)
    if (!utility) {
      if (isCustomClass.test(token)) own.push(token)
      continue
    }
    const list = byVariant.get(utility.variant) ?? []
    // Shorthands such as `margin` must come before `margin-top`, and font sizes before `line-height`.
    if (/^[a-z]+:|;/.test(utility.declaration)) list.unshift(utility.declaration)
    else list.push(utility.declaration)
    byVariant.set(utility.variant, list)
  }
  for (const [name, variant] of styleProps) {
    const style = readStyle(readOwn(props, name))
    if (style !== '') addTo(byVariant, variant, withinParent(style))
  }
  const generated = [...byVariant].map(([variant, declarations]) => toStyleClass(inScheme(variant, declarations), variant))
  const names = [...classes.filter((name) => typeof name === 'string' && name !== ''), ...own, ...generated]
  return names.length === 0 ? undefined : names.join(' ')
}

const styleProps: readonly (readonly [name: string, variant: StyleVariant])[] = [
  ['style', ''],
  ['dark-style', 'dark'],
]

/** A background for the dark theme ends the light color scheme that the other background of the element may have. */
function inScheme(variant: StyleVariant, declarations: readonly string[]): string {
  const paired = pairColors(declarations.join(';'))
  return variant === 'dark' && /(?:^|;)background/.test(paired) && !paired.startsWith('color-scheme:')
    ? `color-scheme:dark;${paired}`
    : paired
}

/** A width in pixels can exceed a small screen, where the rest of the element would not be visible. */
function withinParent(style: string): string {
  return /(?:^|;)width:\d{3,}/.test(style) && !style.includes('max-width:') ? `${style};max-width:100%` : style
}
