import { type ComponentProps, toClassName } from './component-props.tsx'

/** `<Frame caption hint>`: an image with a border and a caption. */
export function Frame({ element, show }: ComponentProps) {
  const { props } = element
  return (
    <figure class={toClassName(props, 'frame')}>
      {props['hint'] !== undefined && <p class="frame-hint">{show(props['hint'])}</p>}
      {show(element.children)}
      {props['caption'] !== undefined && <figcaption>{show(props['caption'])}</figcaption>}
    </figure>
  )
}
