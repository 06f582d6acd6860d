import type { JSX } from 'preact'
import { isAllowedUrl } from '../../mdx/allowed-html.ts'
import type { MdxElement } from '../../mdx/types.ts'
import { findImageSize, resolveHref } from '../site-context.ts'
import type { ComponentProps } from './components.tsx'
import { ContentNodes } from './content-nodes.tsx'
import { toClassName } from './to-class-name.ts'

/** Elements that have no children in HTML. */
const voidNames = new Set(['br', 'hr', 'img', 'wbr', 'source', 'track', 'col'])
/** Props that become something else. */
const notAttributes = new Set(['class', 'className', 'style', 'align', 'checked', 'srcset', 'srcSet'])

/** An element of HTML that the reader of pages let through: its addresses lead where they should, its `style` and `class` become classes of ours. */
export function HtmlElement({ element, context, page }: ComponentProps): JSX.Element {
  const { name, props, children } = element
  const inside = voidNames.has(name) ? null : <ContentNodes nodes={children} context={context} page={page} />
  const attributes: Record<string, string | number | boolean> = {}
  for (const [key, value] of Object.entries(props)) {
    if (typeof value === 'object') continue
    if (key === 'href' || key === 'src' || key === 'poster') attributes[key] = resolveHref(context, String(value), page)
    else if (!notAttributes.has(key)) attributes[key] = value
  }
  const sources = props['srcset'] ?? props['srcSet']
  if (typeof sources === 'string') attributes['srcset'] = resolveSources(sources, { context, page })
  const align = typeof props['align'] === 'string' && /^(?:left|center|right)$/.test(props['align']) && `to-${props['align']}`
  const className = toClassName(props, align)
  if (className !== undefined) attributes['class'] = className
  if (/^h[2-6]$/.test(name) && typeof props['id'] === 'string') {
    const Heading = name as 'h2' // One of h2 to h6: their props are the same.
    return (
      <Heading {...attributes}>
        <a class="h" href={`#${props['id']}`}>
          {inside}
        </a>
      </Heading>
    )
  }
  if (name === 'table') {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
      <div class="table" tabIndex={0} role="group" aria-label="Table">
        <table {...attributes}>{inside}</table>
      </div>
    )
  }
  if (name === 'li' && typeof props['checked'] === 'boolean') {
    return (
      <li class="task">
        <input type="checkbox" checked={props['checked']} disabled aria-label={props['checked'] ? 'done' : 'to do'} /> {inside}
      </li>
    )
  }
  if (name === 'h1') {
    // The page's title is the only heading of the first level.
    return <h2 {...attributes}>{inside}</h2>
  }
  if (name === 'img') {
    attributes['loading'] ??= 'lazy'
    attributes['alt'] ??= ''
    Object.assign(attributes, toImageSides(props, { context, page }))
  }
  if (name === 'iframe') {
    attributes['title'] ??= 'Embedded page'
    attributes['loading'] ??= 'lazy'
  }
  const Element = name as 'div' // A name that the reader of pages allows.
  return <Element {...attributes}>{inside}</Element>
}

/** The sides of an image that its author did not give, so that nothing moves when it comes: the style of pages keeps their ratio. */
function toImageSides(
  { src, width, height }: MdxElement['props'],
  { context, page }: Pick<ComponentProps, 'context' | 'page'>,
): Record<string, number> {
  const size = typeof src === 'string' && height === undefined ? findImageSize(context, src, page) : undefined
  if (!size) return {}
  if (width === undefined) return { ...size }
  const across = Number(width)
  return across > 0 ? { height: Math.max(1, Math.round((across * size.height) / size.width)) } : {}
}

/** The addresses of a `srcset`, each with its width or density. */
function resolveSources(sources: string, { context, page }: Pick<ComponentProps, 'context' | 'page'>): string {
  return sources
    .split(/,\s+|,(?=\/|https?:)/)
    .flatMap((source) => {
      const [url = '', ...size] = source.trim().split(/\s+/)
      return url !== '' && isAllowedUrl(url, 'media') ? [[resolveHref(context, url, page), ...size].join(' ')] : []
    })
    .join(', ')
}
