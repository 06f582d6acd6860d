import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { IconButton } from '../pieces.tsx'
import { say } from '../playground-messages.ts'

interface ToolDialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog above the playground. The browser returns the focus when it closes. */
export function ToolDialog({ title, onClose, children }: ToolDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('.tool-body :is(textarea, input, select, button)')?.focus()
  }, [])
  return (
    <dialog ref={dialog} class="tool" aria-labelledby="play-tool-title" onClose={onClose}>
      <div class="bar">
        <h2 id="play-tool-title">{title}</h2>
        <IconButton icon="x" label={say('Close {title}', title)} onClick={() => dialog.current?.close()} />
      </div>
      <div class="tool-body">{children}</div>
    </dialog>
  )
}
