import type { ComponentChildren, ComponentProps } from 'preact'

interface SectionProps {
  readonly title: string
  /** Shown next to the title, such as "2 of 5 set". */
  readonly note?: ComponentChildren
  readonly isOpen?: boolean
  readonly onToggle?: (isOpen: boolean) => void
  readonly children: ComponentChildren
}

/** A collapsible section of the request. */
export function Section({ title, note, isOpen = true, onToggle, children }: SectionProps) {
  return (
    <details class="sec" open={isOpen} onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}>
      <summary>
        {title} <small>{note}</small> <Icon name="chev" class="turn" />
      </summary>
      {children}
    </details>
  )
}

/** Icons of the dialog. The page's sprite contains only the icons that the page itself uses. */
const icons = {
  chev: 'm6 3.5 4.5 4.5L6 12.5',
  copy: 'M7.25 5.5h4.5c1 0 1.75.75 1.75 1.75v4.5c0 1-.75 1.75-1.75 1.75h-4.5c-1 0-1.75-.75-1.75-1.75v-4.5c0-1 .75-1.75 1.75-1.75ZM10.5 3.25A1.25 1.25 0 0 0 9.25 2.5h-5.5c-.7 0-1.25.55-1.25 1.25v5.5c0 .5.3.95.75 1.15',
  down: 'm3.5 6 4.5 4.5L12.5 6',
  eye: 'M1.5 8s2.4-4.25 6.5-4.25S14.5 8 14.5 8 12.1 12.25 8 12.25 1.5 8 1.5 8ZM6 8a2 2 0 1 0 4 0 2 2 0 0 0-4 0',
  plus: 'M8 3v10M3 8h10',
  shrink: 'M1.5 8h5M4 5.5 6.5 8 4 10.5M14.5 8h-5M12 5.5 9.5 8l2.5 2.5',
  widen: 'M6.5 8h-5M4 5.5 1.5 8 4 10.5M9.5 8h5M12 5.5 14.5 8 12 10.5',
  up: 'm3.5 10 4.5-4.5 4.5 4.5',
  x: 'm4 4 8 8M12 4l-8 8',
}

/** A decorative icon, hidden from screen readers. */
export function Icon({ name, class: more = '' }: { readonly name: keyof typeof icons; readonly class?: string }) {
  return (
    <svg class={`i ${more}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  )
}

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: keyof typeof icons
  readonly label: string
}

/** A button that shows only an icon. */
export function IconButton({ icon, label, ...others }: IconButtonProps) {
  return (
    <button type="button" class="btn quiet icon" aria-label={label} {...others}>
      <Icon name={icon} />
    </button>
  )
}

/** A sentence in which text in backticks is shown as code. */
export function TextWithCode({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>
}

/** The most characters of a description that are shown next to a field. The page shows all of it. */
const maxLength = 240

/** The first paragraph of a description as plain text with inline code. Untrusted Markdown is not rendered here. */
export function FieldText({ text }: { readonly text: unknown }) {
  if (typeof text !== 'string' || text.trim() === '') return null
  // Skip headings.
  const [first = ''] = text
    .slice(0, 4000)
    .replace(/^#+ .*$/gm, '')
    .trim()
    .split(/\n\s*\n/)
  const plain = first
    .replace(/!?\[([^[\]]*)\](?:\([^)\s[]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<[^>]{0,99}>/g, '')
    .replace(/\s+/g, ' ')
  const shown = plain.length > maxLength ? `${plain.slice(0, maxLength).replace(/\s\S*$/, '')} …` : plain
  return (
    <p class="p-desc">
      {shown
        .split('`')
        .map((part, index) =>
          index % 2 === 1 ? <code>{part}</code> : part.replace(/(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)/g, ''),
        )}
    </p>
  )
}
