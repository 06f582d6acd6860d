import { useId } from 'preact/hooks'
import type { ComponentProps } from './components.tsx'
import { readText } from './read-props.ts'
import { Inside, Shown } from './shown.tsx'
import { toLink } from './to-link.ts'

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
