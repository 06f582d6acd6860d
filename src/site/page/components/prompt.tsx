import { type MdxCode, type MdxElement, type MdxNode, textOf } from '../../../script/values/values.ts'
import { encodeUrlPart } from '../../../text/plain/paths.ts'
import { formatMessage } from '../../messages/format-message.ts'
import { Icon } from '../icons/page-icons.tsx'
import { type ComponentProps, PropIcon, readTexts, toClassName } from './component-props.tsx'
import { readMarkdown } from './markdown-prop.ts'

/** The longest prompt that is opened with a link. Browsers and operating systems limit the length of URLs. */
const maxLinked = 6_000

/** `<Prompt description icon actions>`: a prompt for an AI assistant, with buttons that copy it or open it in Cursor. */
export function Prompt({ element, context, page, show }: ComponentProps) {
  const { props } = element
  const text = toPromptText(element.children).trim()
  const actions = readTexts(props, 'actions')
  const texts = context.messages.guide
  const canOpen = actions.includes('cursor') && text.length <= maxLinked
  return (
    <div class={toClassName(props, 'code prompt')}>
      <header>
        <span>
          <PropIcon props={props} context={context} page={page} show={show} />{' '}
          {show(readMarkdown(props['description'] ?? props['title'])) ?? texts.prompt}
        </span>
        {canOpen && (
          <a class="btn quiet" href={`cursor://anysphere.cursor-deeplink/prompt?text=${encodeUrlPart(text)}`}>
            {formatMessage(context.messages.pageMenu.openIn, { name: 'Cursor' }, context.messages.language)}
          </a>
        )}
        {(actions.length === 0 || actions.includes('copy')) && (
          <button type="button" class="btn quiet icon needs-js" data-copy={text} aria-label={texts.copyPrompt}>
            <Icon name="copy" />
          </button>
        )}
      </header>
      <div class="pad prose">{show(element.children)}</div>
    </div>
  )
}

/** The text of a prompt for an assistant, with its paragraphs, lists and code. */
function toPromptText(nodes: readonly MdxNode[], indent = ''): string {
  let text = ''
  for (const node of nodes) {
    if (node.kind === 'text') text += node.value
    else if (node.kind === 'code') text += `${fence(node)}\n\n`
    else if (node.name === 'ul' || node.name === 'ol')
      text = `${text.trimEnd()}${indent === '' ? '\n\n' : '\n'}${toListText(node, indent)}\n\n`
    else if (node.name === 'br') text += '\n'
    else if (blocks.has(node.name)) text = `${text}${toPromptText(node.children, indent).trim()}\n\n`
    else if (node.name === 'code') text += `\`${textOf(node.children)}\``
    else if (node.name === 'strong') text += `**${toPromptText(node.children, indent)}**`
    else text += toPromptText(node.children, indent)
  }
  return text
}

const blocks = new Set(['p', 'div', 'blockquote', 'h2', 'h3', 'h4', 'h5', 'h6'])

function fence({ language, value }: MdxCode): string {
  return `\`\`\`${language ?? ''}\n${value}\n\`\`\``
}

function toListText({ name, children }: MdxElement, indent: string): string {
  const items = children.filter((child): child is MdxElement => child.kind === 'element' && child.name === 'li')
  const inside = `${indent}  `
  return items
    .map((item, index) => `${indent}${name === 'ol' ? `${index + 1}.` : '-'} ${toPromptText(item.children, inside).trim()}`)
    .join('\n')
}
