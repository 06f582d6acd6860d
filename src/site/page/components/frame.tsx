import { type MdxNode, toProps } from '../../../script/values/values.ts'
import { type ComponentProps, toClassName } from './component-props.tsx'
import { readMarkdown } from './markdown-prop.ts'

/** `<Frame caption hint>`: an image or a video with a border and a caption. */
export function Frame({ element, show }: ComponentProps) {
  const { props } = element
  return (
    <figure class={toClassName(props, 'frame')}>
      {props['hint'] !== undefined && <p class="frame-hint">{show(readMarkdown(props['hint']))}</p>}
      {show(element.children.map(withQuietVideos))}
      {props['caption'] !== undefined && <figcaption>{show(readMarkdown(props['caption']))}</figcaption>}
    </figure>
  )
}

/** Browsers only start videos that are muted. */
function withQuietVideos(node: MdxNode): MdxNode {
  if (node.kind !== 'element') return node
  const isPlaying = node.name === 'video' && (node.props['autoPlay'] ?? node.props['autoplay'] ?? false) !== false
  if (isPlaying) return { ...node, props: toProps([...Object.entries(node.props), ...quiet]) }
  return node.name === 'p' || node.name === 'div' ? { ...node, children: node.children.map(withQuietVideos) } : node
}

const quiet = [
  ['muted', true],
  ['loop', true],
  ['playsInline', true],
] as const
