import { suggest } from '../text/suggest.ts'
import { isAllowedFrame, judgeAttribute, judgeElement } from './allowed-html.ts'
import { isAllowedUrl } from './allowed-url.ts'
import { fillComponent } from './fill-component.ts'
import { findOldSnippet } from './find-old-snippet.ts'
import { type Piece, reportAt } from './piece.ts'
import { readStyle } from './read-style.ts'
import { toProps } from './to-value.ts'
import type { MdxNode, MdxPlace, MdxProps, MdxValue } from './types.ts'
import { withAnchor } from './with-anchor.ts'

/** An element of JSX or HTML before it is known what it stands for. */
export interface RawElement {
  readonly name: string
  readonly props: MdxProps
  /** Made only where they are shown: what stands inside a `<script>` is not looked at. */
  readonly children: () => readonly MdxNode[]
  readonly place: MdxPlace
}

/** What an element shows: itself where it is allowed or a known component, what a snippet has in it, or only its children. */
export function toElement(element: RawElement, piece: Piece): readonly MdxNode[] {
  const { name, place } = element
  const { run } = piece
  if (--run.budget.nodes < 0) return []
  if (/^[a-z]/.test(name) && !name.includes('.')) return toHtml(element, piece)
  const entry = piece.scope.get(name.split('.')[0] ?? name)
  if (entry?.kind === 'snippet' || entry?.kind === 'function') return fillComponent(entry, element, piece)
  if (entry?.kind === 'unavailable') {
    return [
      {
        kind: 'element',
        name: 'Unavailable',
        props: toProps([...Object.entries(element.props), ['name', name], ['from', entry.from]]),
        children: element.children(),
        place,
      },
    ]
  }
  if (run.components.has(name)) {
    // Before the children: headings inside come after it.
    const props = withAnchor(element, run)
    return [{ kind: 'element', name, props, children: element.children(), place }]
  }
  if (name === 'Snippet') {
    const snippet = findOldSnippet(element.props, run)
    if (snippet) return fillComponent({ kind: 'snippet', snippet }, element, piece)
  }
  const near = suggest(name, run.components)
  reportAt(run, place, {
    code: 'unknown-component',
    message: `Unexpected component \`<${name}>\`, which is neither known nor imported; only what is inside it is shown`,
    ...(near !== undefined && { hint: `did you mean \`<${near}>\`?` }),
  })
  return element.children()
}

function toHtml({ name, props, children, place }: RawElement, { run }: Piece): readonly MdxNode[] {
  const lower = name.toLowerCase()
  const source = props['src']
  const isRefusedFrame = lower === 'iframe' && !(typeof source === 'string' && isAllowedFrame(source))
  const verdict = isRefusedFrame ? 'nothing' : judgeElement(name)
  if (verdict === 'shown') {
    return [{ kind: 'element', name: lower, props: toHtmlProps(props), children: children(), place }]
  }
  const what = isRefusedFrame
    ? `\`<iframe>\` of ${typeof source === 'string' ? `\`${source.slice(0, 200)}\`` : 'no address'}`
    : `\`<${name}>\``
  const message = `${what} is not shown${verdict === 'children' ? ', only what is inside it' : ''}`
  reportAt(run, place, { code: 'refused-html', message, hint: hintOf(lower) })
  return verdict === 'children' ? children() : []
}

function hintOf(name: string): string {
  if (name === 'iframe') return 'link to it; films of the usual players can be framed'
  return 'a page may use HTML that shows something, not what runs or sends'
}

/** The attributes that are allowed, under the names that HTML has for them. */
function toHtmlProps(props: MdxProps): MdxProps {
  const kept: [string, MdxValue][] = []
  for (const [name, value] of Object.entries(props)) {
    const verdict = judgeAttribute(name)
    if (name === 'style') {
      const style = readStyle(value)
      if (style !== '') kept.push(['style', style])
    } else if (verdict !== 'nothing' && isScalar(value)) {
      const isUrl = verdict === 'url-link' || verdict === 'url-media'
      if (isUrl && !(typeof value === 'string' && isAllowedUrl(value, verdict === 'url-link' ? 'link' : 'media'))) continue
      kept.push([name.toLowerCase() === 'classname' ? 'class' : name, value])
    }
  }
  return toProps(kept)
}

function isScalar(value: MdxValue): value is string | number | boolean {
  return value !== null && typeof value !== 'object'
}
