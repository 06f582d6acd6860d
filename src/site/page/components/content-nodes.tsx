import type { JSX } from 'preact'
import { type MdxElement, type MdxNode, textOf, toProps, valueToNodes } from '../../../script/values/values.ts'
import { setOwn } from '../../../text/json/json-values.ts'
import { type AllowedUrl, isAllowedUrl } from '../../../text/plain/paths.ts'
import { toMintlifyHeadingId } from '../../content/page-urls.ts'
import type { SitePage } from '../../plan/types.ts'
import { CodeOrDiagram } from '../code/diagram.tsx'
import { extraId } from '../field-anchors.ts'
import { isKnownIcon } from '../icons/page-icons.tsx'
import { findImageSize, resolveHref, type SiteContext } from '../site-context.ts'
import { type ComponentProps, markCustomClasses, readText, toClassName } from './component-props.tsx'
import { components, parentNames } from './components.tsx'

interface ContentProps {
  readonly nodes: readonly MdxNode[]
  readonly context: SiteContext
  /** The page that contains the nodes. Relative links are resolved against it. */
  readonly page: SitePage
}

/** Renders the nodes of a page, a snippet or a description. The reader has already removed HTML that is not allowed. */
export function ContentNodes({ nodes, context, page }: ContentProps): JSX.Element {
  const show: ComponentProps['show'] = (content) => {
    if (content === undefined) return null
    const inside = typeof content === 'object' && content !== null && 'length' in content ? content : valueToNodes(content)
    return <ContentNodes nodes={inside} context={context} page={page} />
  }
  return (
    <>
      {groupSiblings(nodes).map((node) => {
        if (node.kind === 'text') return node.value
        if (node.kind === 'code') return <CodeOrDiagram code={node} context={context} page={page} />
        const Component = components.get(node.name) ?? HtmlElement
        const element = markCustomClasses(node, context.media.customClasses)
        return <Component element={element} context={context} page={page} show={show} />
      })}
    </>
  )
}

/** Wraps consecutive siblings that lack their parent, such as a step outside `<Steps>`. Ignores whitespace between siblings. */
export function groupSiblings(nodes: readonly MdxNode[]): readonly MdxNode[] {
  if (!nodes.some((node) => node.kind === 'element' && parentNames.has(node.name))) return nodes
  const grouped: MdxNode[] = []
  let open: { readonly name: string; readonly children: MdxNode[] } | undefined
  for (const node of nodes) {
    const name = node.kind === 'element' ? parentNames.get(node.name) : undefined
    if (open && node.kind === 'text' && node.value.trim() === '') continue
    if (name === undefined || node.kind !== 'element') {
      open = undefined
      grouped.push(node)
      continue
    }
    if (open?.name === name) open.children.push(node)
    else {
      const children: MdxNode[] = [node]
      open = { name, children }
      const whole: MdxElement = { kind: 'element', name, props: toProps([]), children, place: node.place }
      grouped.push(whole)
    }
  }
  return grouped
}

/** Whether a box would be empty, because its icon is in no icon set. */
function hasOnlyUnknownIcons(children: readonly MdxNode[], context: SiteContext): boolean {
  const shown = children.filter((child) => child.kind !== 'text' || child.value.trim() !== '')
  return (
    shown.length > 0 &&
    shown.every((child) => {
      const icon = child.kind === 'element' && child.name === 'Icon' ? readText(child.props, 'icon', 'name') : undefined
      return icon !== undefined && !isKnownIcon(icon, context)
    })
  )
}

/** The ID that Mintlify gives to a heading, if it is another one: without components such as badges. */
export function toForeignHeadingId(children: readonly MdxNode[], id: string): string | undefined {
  const plain = children.filter((child) => child.kind !== 'element' || !/^[A-Z]/.test(child.name))
  const foreign = toMintlifyHeadingId(textOf(plain), plain.length < children.length ? undefined : id)
  return foreign === '' || foreign === id ? undefined : foreign
}

const voidNames = new Set(['br', 'hr', 'img', 'wbr', 'source', 'track', 'col'])
/** Props that are not copied as attributes. */
const notAttributes = new Set(['class', 'className', 'style', 'dark-style', 'align', 'checked', 'srcset', 'srcSet'])

/** An allowed HTML element, with resolved URLs and with generated classes instead of `style` and `class`. */
function HtmlElement({ element, context, page, show }: ComponentProps): JSX.Element {
  const { name, props, children } = element
  const inside = voidNames.has(name) ? null : show(children)
  if (/^(?:div|span)$/.test(name) && hasOnlyUnknownIcons(children, context)) return <>{inside}</>
  const attributes: Record<string, string | number | boolean> = {}
  const texts = context.messages.guide
  for (const [key, value] of Object.entries(props)) {
    if (typeof value === 'object') continue
    // Drawings refer to their own elements.
    if (key === 'href' && name !== 'a' && String(value).startsWith('#')) setOwn(attributes, key, value)
    else if (key === 'href' || key === 'src' || key === 'poster') {
      const url = String(value)
      if (isAllowedUrl(url, key === 'href' ? 'link' : 'media')) setOwn(attributes, key, resolveHref(context, url, page))
    } else if (!notAttributes.has(key)) setOwn(attributes, key, value)
  }
  const sources = props['srcset'] ?? props['srcSet']
  if (typeof sources === 'string') attributes['srcset'] = resolveSrcset(sources, { context, page })
  const align = typeof props['align'] === 'string' && /^(?:left|center|right)$/.test(props['align']) && `to-${props['align']}`
  const className = toClassName(props, align)
  if (className !== undefined) attributes['class'] = className
  if (/^h[2-6]$/.test(name) && typeof props['id'] === 'string') {
    const Heading = name as 'h2' // Any of h2 to h6, which have the same props.
    return (
      <Heading {...attributes}>
        <a class="h" href={`#${props['id']}`} {...extraId(toForeignHeadingId(children, props['id']), context)}>
          {inside}
        </a>
      </Heading>
    )
  }
  if (name === 'table') {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard
      <div class="table" tabIndex={0} role="group" aria-label={texts.table}>
        <table {...attributes}>{inside}</table>
      </div>
    )
  }
  if (name === 'li' && typeof props['checked'] === 'boolean') {
    return (
      <li class="task">
        <input type="checkbox" checked={props['checked']} disabled aria-label={texts[props['checked'] ? 'done' : 'toDo']} />{' '}
        {inside}
      </li>
    )
  }
  if (name === 'h1') {
    // The page title is the only `h1`.
    return <h2 {...attributes}>{inside}</h2>
  }
  if (name === 'img') {
    attributes['loading'] ??= 'lazy'
    attributes['alt'] ??= ''
    Object.assign(attributes, toImageSize(props, { context, page }))
  }
  if (name === 'iframe') {
    attributes['title'] ??= texts.embedded
    attributes['loading'] ??= 'lazy'
  }
  const Element = name as 'div' // The MDX reader allows only known names.
  return <Element {...attributes}>{inside}</Element>
}

/** The missing dimensions of an image, to avoid layout shifts while it loads. */
function toImageSize(
  { src, width, height }: MdxElement['props'],
  { context, page }: Pick<ComponentProps, 'context' | 'page'>,
): Record<string, number> {
  const size = typeof src === 'string' && height === undefined ? findImageSize(context, src, page) : undefined
  if (!size) return {}
  if (width === undefined) return { ...size }
  const across = Number(width)
  return across > 0 ? { height: Math.max(1, Math.round((across * size.height) / size.width)) } : {}
}

/** Resolves the URLs of a `srcset`. */
function resolveSrcset(sources: string, { context, page }: Pick<ComponentProps, 'context' | 'page'>): string {
  return listSources(sources)
    .map(({ url, size }) => [resolveHref(context, url, page), ...size].join(' '))
    .join(', ')
}

/** The allowed URLs of a `srcset`, each with its size. */
export function listSources(sources: string): { readonly url: AllowedUrl; readonly size: readonly string[] }[] {
  return sources.split(/,\s+|,(?=\/|https?:)/).flatMap((source) => {
    const [url = '', ...size] = source.trim().split(/\s+/)
    return url !== '' && isAllowedUrl(url, 'media') ? [{ url, size }] : []
  })
}
