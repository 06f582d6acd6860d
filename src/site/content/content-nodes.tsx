import type { JSX } from 'preact'
import type { MdxNode } from '../../mdx/types.ts'
import { CodeBlock } from '../code/code-block.tsx'
import type { SiteContext } from '../site-context.ts'
import type { SitePage } from '../types.ts'
import { components, partNames } from './components.tsx'
import { groupSiblings } from './group-siblings.ts'
import { HtmlElement } from './html-element.tsx'

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
      {groupSiblings(nodes, partNames).map((node) => {
        if (node.kind === 'text') return node.value
        if (node.kind === 'code') return <CodeBlock code={node} />
        const Component = components.get(node.name)?.()
        if (Component) return <Component element={node} context={context} page={page} />
        return <HtmlElement element={node} context={context} page={page} />
      })}
    </>
  )
}
