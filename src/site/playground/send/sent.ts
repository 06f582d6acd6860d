import type { HttpRequest, NamedText } from '../../request/http-request.ts'

/** A request that was sent, and its response so far. Immutable: replaced as more arrives. */
export interface Sent {
  readonly request: HttpRequest
  /** When it was sent, in ms since 1970. */
  readonly startedAt: number
  readonly state: 'waiting' | 'reading' | 'done' | 'failed'
  /** Present from the headers on, also if the response is incomplete. */
  readonly answer: Answer | undefined
  readonly failure: Failure | undefined
}

/** A response that may still be arriving. */
export interface Answer {
  readonly status: number
  readonly statusText: string
  /** The final URL after redirects; absent if there were none. */
  readonly redirectedTo: string | undefined
  /** Those that the browser exposes to pages. */
  readonly headers: readonly NamedText[]
  /** Milliseconds from sending to the headers, and to the end or the latest chunk. */
  readonly time: { readonly head: number; readonly whole: number }
  /** Bytes of the content so far, decompressed. */
  readonly size: number
  /** Lower case, without parameters. */
  readonly mediaType: string | undefined
  readonly reading: Reading
  /** The beginning of the content as text; `''` if it is not text. */
  readonly text: string
  /** Whether there is more than `text`. */
  readonly isCut: boolean
  /** The latest events or lines of a stream, and their total number. */
  readonly items: readonly StreamItem[]
  readonly itemCount: number
  /** Everything that arrived, for a download; absent until the end. */
  readonly body: Blob | undefined
}

/** How content is shown: as events or lines while they come, as a tree, as text, as an image, or not at all. */
export type Reading = 'events' | 'lines' | 'json' | 'text' | 'image' | 'binary'

export interface StreamItem {
  /** Counts from 1. */
  readonly number: number
  /** The type of a server-sent event; absent for lines. */
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: string
}

/** Why there is no response, or only a part of it. */
export type Failure = {
  /** Milliseconds from sending. */
  readonly after: number
} & (
  | { readonly kind: 'stopped' | 'offline' | 'mixed' | 'hidden' | 'unreachable' | 'redirect' | 'broken' }
  /** The browser refuses to send it, such as `TRACE` or a body with `GET`. `reason` is its message. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The policy of this page does not list the server. */
  | { readonly kind: 'policy' }
)

/** Sending as the form and the answer see it. */
export interface Sending {
  /** The latest request, and its response so far. */
  readonly sent: Sent | undefined
  readonly isRunning: boolean
  /** The latest attempt, a new object each time; absent before the first. */
  readonly tried: SendingTry | undefined
  readonly send: () => void
  readonly stop: () => void
  /** Clears the report on the latest attempt. */
  readonly forget: () => void
}

/** An attempt to send, and whether it was held back because the URL would be wrong. */
export interface SendingTry {
  readonly isHeld: boolean
}
