import { textOf } from '../../mdx/to-nodes.ts'
import { Icon } from '../icons/page-icons.tsx'
import { Inside, PropIcon, readText } from './component-props.tsx'
import type { ComponentProps } from './components.tsx'
import { toClassName } from './page-styles.ts'

/** `<Prompt description icon>`: a text to give to a model, with a button to copy it. */
export function Prompt({ element, context, page }: ComponentProps) {
  const { props } = element
  return (
    <div class={toClassName(props, 'code prompt')}>
      <header>
        <span>
          <PropIcon props={props} context={context} page={page} /> {readText(props, 'description', 'title') ?? 'Prompt'}
        </span>
        <button
          type="button"
          class="btn quiet icon needs-js"
          data-copy={textOf(element.children).trim()}
          aria-label="Copy the prompt"
        >
          <Icon name="copy" />
        </button>
      </header>
      <div class="pad prose">
        <Inside element={element} context={context} page={page} />
      </div>
    </div>
  )
}
