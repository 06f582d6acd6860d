import type { JSX } from 'preact'
import type { MdxElement, MdxNode } from '../../mdx/types.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { resolveHref, type SiteContext } from '../site-context.ts'
import type { SitePage } from '../types.ts'
import { components } from './components.tsx'

export interface ContentProps {
  readonly nodes: readonly MdxNode[]
  readonly context: SiteContext
  /** The page that the nodes stand on; relative links count from it. */
  readonly page: SitePage
}

/** What a page, a snippet or a description shows. Components are looked up by name; HTML was cut to what is allowed when it was read. */
export function ContentNodes({ nodes, context, page }: ContentProps): JSX.Element {
  return (
    <>
      {nodes.map((node) => {
        if (node.kind === 'text') return node.value
        if (node.kind === 'code') return <CodeBlock code={node} />
        const Component = components.get(node.name)
        if (Component) return <Component element={node} context={context} page={page} />
        return <HtmlElement element={node} context={context} page={page} />
      })}
    </>
  )
}

interface HtmlProps {
  readonly element: MdxElement
  readonly context: SiteContext
  readonly page: SitePage
}

/** Elements that have no children in HTML. */
const voidNames = new Set(['br', 'hr', 'img', 'wbr', 'source', 'track', 'col'])

function HtmlElement({ element, context, page }: HtmlProps): JSX.Element {
  const { name, props, children } = element
  const inside = voidNames.has(name) ? null : <ContentNodes nodes={children} context={context} page={page} />
  const attributes: Record<string, string | number | boolean> = {}
  for (const [key, value] of Object.entries(props)) {
    if (typeof value === 'object') continue
    if (key === 'href' || key === 'src' || key === 'poster') attributes[key] = resolveHref(context, String(value), page)
    else if (key !== 'style' && key !== 'align' && key !== 'checked') attributes[key] = value
  }
  if (typeof props['align'] === 'string') attributes['class'] = `${attributes['class'] ?? ''} to-${props['align']}`.trim()
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
  if (name === 'img') attributes['loading'] ??= 'lazy'
  const Element = name as 'div' // A name that the reader of pages allows.
  return <Element {...attributes}>{inside}</Element>
}
