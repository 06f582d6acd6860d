import { useId } from 'preact/hooks'
import { Inside, readText, Shown, toLink } from './component-props.tsx'
import type { ComponentProps } from './components.tsx'

/** `<Tooltip tip headline cta href>`: a word that says more when it is pointed at or focused. */
export function Tooltip({ element, context, page }: ComponentProps) {
  const { props } = element
  const id = useId()
  const href = toLink(props, 'href', { context, page })
  return (
    <span class="tip-word">
      <button type="button" aria-describedby={id}>
        <Inside element={element} context={context} page={page} />
      </button>
      <span role="tooltip" id={id}>
        {props['headline'] !== undefined && (
          <b>
            <Shown value={props['headline']} context={context} page={page} />{' '}
          </b>
        )}
        <Shown value={props['tip']} context={context} page={page} />{' '}
        {href !== undefined && <a href={href}>{readText(props, 'cta') ?? 'More'}</a>}
      </span>
    </span>
  )
}
