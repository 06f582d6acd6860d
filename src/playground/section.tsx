import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface SectionProps {
  readonly title: string
  /** Beside the title: what it is of, or how much is filled in. */
  readonly note?: ComponentChildren
  readonly isOpen?: boolean
  readonly children: ComponentChildren
}

/** A part of the request that can be folded. */
export function Section({ title, note, isOpen = true, children }: SectionProps) {
  return (
    <details class="sec" open={isOpen}>
      <summary>
        {title} <small>{note}</small> <Icon name="chev" class="turn" />
      </summary>
      {children}
    </details>
  )
}
