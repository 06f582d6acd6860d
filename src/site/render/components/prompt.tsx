import { textOf } from '../../content/mdx-values.ts'
import { Icon } from '../icons/page-icons.tsx'
import { type ComponentProps, PropIcon, readText, toClassName } from './component-props.tsx'

/** `<Prompt description icon>`: a prompt for an AI assistant, with a copy button. */
export function Prompt({ element, context, page, show }: ComponentProps) {
  const { props } = element
  return (
    <div class={toClassName(props, 'code prompt')}>
      <header>
        <span>
          <PropIcon props={props} context={context} page={page} show={show} />{' '}
          {readText(props, 'description', 'title') ?? 'Prompt'}
        </span>
        <button
          type="button"
          class="btn quiet icon needs-js"
          data-copy={textOf(element.children).trim()}
          aria-label="Copy prompt"
        >
          <Icon name="copy" />
        </button>
      </header>
      <div class="pad prose">{show(element.children)}</div>
    </div>
  )
}
