import type { MdxCode } from '../../../script/values/values.ts'
import type { SitePage } from '../../plan/types.ts'
import type { SiteContext } from '../site-context.ts'
import { CodeBlock, type CodeBlockProps } from './code-block.tsx'
import { readCodeMeta } from './code-meta.ts'

/** The opening tag of every diagram, by which `renderDocument` finds pages that need the script. */
export const diagramTag = '<figure class="diagram"'

interface DiagramProps {
  readonly source: MdxCode
  readonly context: SiteContext
  readonly page: SitePage
  readonly title?: string | undefined
  /** Whether to show the zoom controls. By default, high diagrams have them. */
  readonly actions?: boolean | undefined
  /** The corner of the zoom controls. */
  readonly placement?: string | undefined
}

const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right']

/** A Mermaid diagram. A script draws it (see `client/diagrams`). Without scripts, readers see its source. */
export function Diagram({ source, title, actions, placement = '', context, page }: DiagramProps) {
  const texts = context.messages.guide
  return (
    <figure class="diagram" data-actions={actions} data-placement={corners.includes(placement) ? placement : undefined}>
      {title !== undefined && <figcaption>{title}</figcaption>}
      <div class="canvas needs-js">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
        <div class="drawing" tabIndex={0} role="group" aria-label={title ?? texts.diagram} />
        <div class="zoom" role="group" aria-label={texts.zoom} hidden>
          <button type="button" class="btn" data-zoom="out" aria-label={texts.zoomOut}>
            −
          </button>
          <button type="button" class="btn" data-zoom="fit">
            {texts.fit}
          </button>
          <button type="button" class="btn" data-zoom="in" aria-label={texts.zoomIn}>
            +
          </button>
        </div>
      </div>
      <details>
        <summary>{texts.diagramSource}</summary>
        <CodeBlock code={source} context={context} page={page} />
      </details>
    </figure>
  )
}

/** A fenced code block: a diagram if its language is Mermaid. */
export function CodeOrDiagram({ code, context, page }: CodeBlockProps) {
  if (code.language !== 'mermaid') return <CodeBlock code={code} context={context} page={page} />
  const { title, actions, placement } = readCodeMeta(code.meta)
  return (
    <Diagram source={{ ...code, meta: '' }} title={title} actions={actions} placement={placement} context={context} page={page} />
  )
}
