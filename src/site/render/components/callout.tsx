import { Icon } from '../icons/page-icons.tsx'
import { type ComponentProps, PropIcon, readText, toClassName } from './component-props.tsx'
import { toColorClass } from './page-styles.ts'

const icons = { Note: 'note', Info: 'info', Tip: 'bulb', Check: 'okc', Warning: 'warn', Danger: 'stop', Banner: 'note' } as const

/** `<Note>`, `<Warning>` and similar, and `<Callout icon color>`. */
export function Callout({ element, context, page, show }: ComponentProps) {
  const { name, props } = element
  const kind = name === 'Callout' ? readKind(readText(props, 'type', 'variant')) : (name as keyof typeof icons) // `components` registers this function under these names only.
  const className = toClassName(props, 'call', kind?.toLowerCase(), toColorClass(readText(props, 'color')))
  return (
    <aside class={className} role="note" aria-label={kind ?? 'Note'}>
      {props['icon'] === undefined ? (
        <Icon name={kind ? icons[kind] : 'note'} />
      ) : (
        <PropIcon props={props} context={context} page={page} show={show} />
      )}
      <div>
        {props['title'] !== undefined && (
          <p>
            <b>{show(props['title'])}</b>
          </p>
        )}
        {show(element.children)}
      </div>
    </aside>
  )
}

function readKind(type: string | undefined): keyof typeof icons | undefined {
  const known: Readonly<Record<string, keyof typeof icons>> = {
    note: 'Note',
    info: 'Info',
    tip: 'Tip',
    check: 'Check',
    success: 'Check',
    warning: 'Warning',
    danger: 'Danger',
    error: 'Danger',
  }
  return type !== undefined && Object.hasOwn(known, type.toLowerCase()) ? known[type.toLowerCase()] : undefined
}
