import { Icon } from '../icons/page-icons.tsx'
import { type ComponentProps, PropIcon, readText, toClassName } from './component-props.tsx'
import { toColorClass } from './page-styles.ts'

export const calloutIcons = {
  Note: 'note',
  Info: 'info',
  Tip: 'bulb',
  Check: 'okc',
  Warning: 'warn',
  Danger: 'stop',
  Banner: 'note',
} as const

/** `<Note>`, `<Warning>` and similar, and `<Callout icon color>`. */
export function Callout({ element, context, page, show }: ComponentProps) {
  const { name, props } = element
  const kind = name === 'Callout' ? readKind(readText(props, 'type', 'variant')) : (name as keyof typeof calloutIcons) // `components` registers this function under these names only.
  const color = toColorClass(readText(props, 'color'))
  const className = toClassName(props, 'call', kind?.toLowerCase(), color, color !== undefined && 'colored')
  return (
    <aside class={className} role="note" aria-label={context.messages.guide[toKey(kind ?? 'Note')]}>
      {props['icon'] === undefined ? (
        <Icon name={kind ? calloutIcons[kind] : 'note'} />
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

function toKey(kind: keyof typeof calloutIcons): Lowercase<typeof kind> {
  return kind.toLowerCase() as Lowercase<typeof kind> // `toLowerCase` returns `string`.
}

/** The kind of a callout, or of a card with `type`. */
export function readKind(type: string | undefined): keyof typeof calloutIcons | undefined {
  const known: Readonly<Record<string, keyof typeof calloutIcons>> = {
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
