import { Icon } from '../icons/page-icons.tsx'
import { Inside, PropIcon, readFlag, readText, Shown } from './component-props.tsx'
import type { ComponentProps } from './components.tsx'
import { toClassName } from './page-styles.ts'

/** `<Accordion title description defaultOpen icon id>`: opened by who needs it, and by a link to it. */
export function Accordion({ element, context, page }: ComponentProps) {
  const { props } = element
  const title = props['title'] ?? 'More'
  return (
    <details class={toClassName(props, 'fold')} id={readText(props, 'id')} open={readFlag(props, 'defaultOpen')}>
      <summary>
        <Icon name="chev" class="turn" /> <PropIcon props={props} context={context} page={page} />
        <span>
          <Shown value={title} context={context} page={page} />
          {props['description'] !== undefined && (
            <small>
              <Shown value={props['description']} context={context} page={page} />
            </small>
          )}
        </span>
      </summary>
      <div>
        <Inside element={element} context={context} page={page} />
      </div>
    </details>
  )
}

/** `<AccordionGroup>`. */
export function AccordionGroup({ element, context, page }: ComponentProps) {
  return (
    <div class={toClassName(element.props, 'folds')}>
      <Inside element={element} context={context} page={page} />
    </div>
  )
}
