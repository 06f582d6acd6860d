import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface CopyButtonProps {
  readonly text: () => string
  readonly children: ComponentChildren
}

/** Copies a text, and says that it did. */
export function CopyButton({ text, children }: CopyButtonProps) {
  const [said, say] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      say('Copied')
    } catch {
      say('The browser did not allow it')
    }
    setTimeout(() => say(''), 1500)
  }
  return (
    <button type="button" class="btn quiet" onClick={copy} aria-live="polite">
      {said || children}
    </button>
  )
}
