import type { HttpRequest, NamedText } from '../../request/http-request.ts'

/** A request that was sent, with what has come of it so far. Replaced as more comes, never changed in place. */
export interface Sent {
  readonly request: HttpRequest
  /** When it was sent, in ms since 1970. */
  readonly startedAt: number
  readonly state: 'waiting' | 'reading' | 'done' | 'failed'
  /** From the head of the answer on; also of an answer that broke off. */
  readonly answer: Answer | undefined
  readonly failure: Failure | undefined
}

/** An answer as it comes in. */
export interface Answer {
  readonly status: number
  readonly statusText: string
  /** Where it came from after redirects; absent where there were none. */
  readonly redirectedTo: string | undefined
  /** Those that the browser lets a page see. */
  readonly headers: readonly NamedText[]
  /** Milliseconds from sending to the head, and to the end or the last piece. */
  readonly time: { readonly head: number; readonly whole: number }
  /** Bytes of the content so far, decompressed. */
  readonly size: number
  /** Lower case, without parameters. */
  readonly mediaType: string | undefined
  readonly reading: Reading
  /** The beginning of the content as text; empty where it is none. */
  readonly text: string
  /** Whether there is more than `text`. */
  readonly isCut: boolean
  /** Of a stream: the last events or lines, and how many there were. */
  readonly items: readonly StreamItem[]
  readonly itemCount: number
  /** All that came, for a download; absent until the end. */
  readonly body: Blob | undefined
}

/** How content is shown: as events or lines while they come, as a tree, as text, as a picture, or not at all. */
export type Reading = 'events' | 'lines' | 'json' | 'text' | 'image' | 'binary'

export interface StreamItem {
  /** Counts from 1. */
  readonly number: number
  /** The type of a server-sent event; absent for lines. */
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: string
}

/** Why there is no answer, or not all of it. */
export type Failure = {
  /** Milliseconds from sending. */
  readonly after: number
} & (
  | { readonly kind: 'stopped' | 'offline' | 'mixed' | 'hidden' | 'unreachable' | 'redirect' | 'broken' }
  /** What a browser refuses by itself: `TRACE`, a body with `GET`. `reason`: its own words. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The policy of this page does not list the server. */
  | { readonly kind: 'policy' }
)

/** Sending as the form and the answer see it. */
export interface Sending {
  /** The last request that was sent, with what has come of it. */
  readonly sent: Sent | undefined
  readonly isRunning: boolean
  /** The last try, a new object each time; absent before the first. */
  readonly tried: SendingTry | undefined
  readonly send: () => void
  readonly stop: () => void
  /** Takes back what was told of the last try. */
  readonly forget: () => void
}

/** That somebody wanted to send, and whether it was held back: its address would have been wrong. */
export interface SendingTry {
  readonly isHeld: boolean
}
