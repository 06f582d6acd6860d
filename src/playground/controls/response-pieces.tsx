import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { reasonPhrases } from '../request/http-request.ts'
import { say, sayDecimal } from './playground-messages.ts'

/** The tabs of a response. */
export const responseTabs = ['Body', 'Headers', 'Raw', 'Timing'] as const

export type ResponseTab = (typeof responseTabs)[number]

/** The most characters of JSON that are shown as a tree. */
export const maxTreeText = 2_000_000

interface CopyButtonProps {
  readonly text: () => string
  readonly children: ComponentChildren
  readonly class?: string
}

/** Copies a string to the clipboard. The label shows the result. */
export function CopyButton({ text, children, class: className = 'btn quiet' }: CopyButtonProps) {
  const [notice, setNotice] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setNotice(say('Copied'))
    } catch {
      setNotice(say('Could not copy'))
    }
    setTimeout(() => setNotice(''), 1500)
  }
  return (
    <button type="button" class={className} onClick={copy} aria-live="polite">
      {notice || children}
    </button>
  )
}

/** The reason phrase of a status: from the server, else from the standard, else `''`. */
export function toStatusText({ status, statusText }: { readonly status: number; readonly statusText: string }): string {
  return statusText || (reasonPhrases[status] ?? '')
}

/** `412 ms`, `4.1 s`. */
export function formatTime(milliseconds: number): string {
  return milliseconds < 1000 ? say('{time} ms', Math.round(milliseconds)) : say('{time} s', sayDecimal(milliseconds / 1000))
}

/** `840 B`, `3.4 kB`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return say('{size} B', bytes)
  return bytes < 1e6 ? say('{size} kB', sayDecimal(bytes / 1e3)) : say('{size} MB', sayDecimal(bytes / 1e6))
}
