import { Icon } from '../icons/page-icons.tsx'
import { type ComponentProps, PropIcon, readFlag, readText, toClassName } from './component-props.tsx'

/** `<Accordion title description defaultOpen icon id>`: a collapsible section. A link to it expands it. */
export function Accordion({ element, context, page, show }: ComponentProps) {
  const { props } = element
  const title = props['title'] ?? context.messages.guide.more
  return (
    <details class={toClassName(props, 'fold')} id={readText(props, 'id')} open={readFlag(props, 'defaultOpen')}>
      <summary>
        <Icon name="chev" class="turn" /> <PropIcon props={props} context={context} page={page} show={show} />
        <span>
          {show(title)}
          {props['description'] !== undefined && <small>{show(props['description'])}</small>}
        </span>
      </summary>
      <div>{show(element.children)}</div>
    </details>
  )
}

export function AccordionGroup({ element, show }: ComponentProps) {
  return <div class={toClassName(element.props, 'folds')}>{show(element.children)}</div>
}
