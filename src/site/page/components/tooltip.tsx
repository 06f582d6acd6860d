import { useId } from 'preact/hooks'
import { type ComponentProps, readText, toLink } from './component-props.tsx'

/** `<Tooltip tip headline cta href>`: text with a tooltip on hover or focus. */
export function Tooltip({ element, context, page, show }: ComponentProps) {
  const { props } = element
  const id = useId()
  const href = toLink(props, 'href', { context, page })
  return (
    <span class="tip-word">
      <button type="button" aria-describedby={id}>
        {show(element.children)}
      </button>
      <span role="tooltip" id={id}>
        {props['headline'] !== undefined && <b>{show(props['headline'])} </b>}
        {show(props['tip'])} {href !== undefined && <a href={href}>{readText(props, 'cta') ?? context.messages.guide.more}</a>}
      </span>
    </span>
  )
}
