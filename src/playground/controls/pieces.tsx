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

/** The icons of the dialog. The stylesheet of the site draws them. */
type IconName = 'chev' | 'copy' | 'down' | 'eye' | 'plus' | 'shrink' | 'widen' | 'up' | 'x'

/** A decorative icon, which screen readers ignore. */
export function Icon({ name, class: more = '' }: { readonly name: IconName; readonly class?: string }) {
  return <i class={`i i-${name} ${more}`} />
}

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: IconName
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
