import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { say, sayDecimal } from '../playground-messages.ts'

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

/** Reason phrases of common status codes, which HTTP/2 does not send. Source: RFC 9110, "Status Codes". */
const reasonPhrases: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  206: 'Partial Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
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
