import { textOf } from '../../content/mdx-values.ts'
import { Icon } from '../icons/page-icons.tsx'
import { type ComponentProps, PropIcon, readTexts, toClassName } from './component-props.tsx'
import { readMarkdown } from './markdown-prop.ts'

/** The longest prompt that is opened with a link. Browsers and operating systems limit the length of URLs. */
const maxLinked = 6_000

/** `<Prompt description icon actions>`: a prompt for an AI assistant, with buttons that copy it or open it in Cursor. */
export function Prompt({ element, context, page, show }: ComponentProps) {
  const { props } = element
  const text = textOf(element.children).trim()
  const actions = readTexts(props, 'actions')
  const canOpen = actions.includes('cursor') && text.length <= maxLinked
  return (
    <div class={toClassName(props, 'code prompt')}>
      <header>
        <span>
          <PropIcon props={props} context={context} page={page} show={show} />{' '}
          {show(readMarkdown(props['description'] ?? props['title'])) ?? 'Prompt'}
        </span>
        {canOpen && (
          <a class="btn quiet" href={`cursor://anysphere.cursor-deeplink/prompt?text=${encodeText(text)}`}>
            Open in Cursor
          </a>
        )}
        {(actions.length === 0 || actions.includes('copy')) && (
          <button type="button" class="btn quiet icon needs-js" data-copy={text} aria-label="Copy prompt">
            <Icon name="copy" />
          </button>
        )}
      </header>
      <div class="pad prose">{show(element.children)}</div>
    </div>
  )
}

/** Encodes text for a URL. Unpaired surrogates, which cannot be encoded, are replaced. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
