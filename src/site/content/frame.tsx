import { Inside, Shown } from './component-props.tsx'
import type { ComponentProps } from './components.tsx'
import { toClassName } from './page-styles.ts'

/** `<Frame caption hint>`: a picture with a border and a word under it. */
export function Frame({ element, context, page }: ComponentProps) {
  const { props } = element
  return (
    <figure class={toClassName(props, 'frame')}>
      {props['hint'] !== undefined && (
        <p class="frame-hint">
          <Shown value={props['hint']} context={context} page={page} />
        </p>
      )}
      <Inside element={element} context={context} page={page} />
      {props['caption'] !== undefined && (
        <figcaption>
          <Shown value={props['caption']} context={context} page={page} />
        </figcaption>
      )}
    </figure>
  )
}
