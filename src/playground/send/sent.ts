import type { HttpRequest, NamedText } from '../request/http-request.ts'

/** A request and its response so far. Immutable: replaced when more data arrives. */
export interface Sent {
  readonly request: HttpRequest
  /** In ms since 1970. */
  readonly startedAt: number
  readonly state: 'waiting' | 'reading' | 'done' | 'failed'
  /** Present when the headers have arrived, even if the response is incomplete. */
  readonly response: ReceivedResponse | undefined
  readonly failure: Failure | undefined
  /** Whether it is sent through the server of the site instead of by the browser. */
  readonly isRelayed: boolean
}

/** A response that may still be arriving. */
export interface ReceivedResponse {
  readonly status: number
  readonly statusText: string
  /** The final URL after redirects; absent if there were none. */
  readonly redirectedTo: string | undefined
  /** The headers that the browser exposes to pages. */
  readonly headers: readonly NamedText[]
  /** Bytes of the request's body. */
  readonly requestSize: number
  /** Milliseconds until the headers, and until the end or the latest chunk. */
  readonly time: { readonly head: number; readonly whole: number }
  /** Decompressed bytes received so far. */
  readonly size: number
  /** Lower case, without parameters. */
  readonly mediaType: string | undefined
  readonly reading: Reading
  /** The beginning of the content as text; `''` if it is not text. */
  readonly text: string
  /** Whether `text` is truncated. */
  readonly isCut: boolean
  /** The latest events or lines of a stream, and their total number. */
  readonly items: readonly StreamItem[]
  readonly itemCount: number
  /** All received data, for the download; absent until the end. */
  readonly body: Blob | undefined
}

/** How content is shown: as events or lines while they arrive, as a tree, as text, in a viewer or player, or as bytes. */
export type Reading = 'events' | 'lines' | 'json' | 'text' | 'image' | 'audio' | 'video' | 'pdf' | 'binary'

export interface StreamItem {
  /** Starts at 1. */
  readonly number: number
  /** The type of a server-sent event; absent for lines. */
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: string
  /** Milliseconds between sending and its arrival. */
  readonly after: number
}

/** Why there is no response or only a part of it. */
export type Failure = {
  /** Milliseconds since sending. */
  readonly after: number
} & (
  | { readonly kind: 'stopped' | 'offline' | 'mixed' | 'redirect' | 'broken' }
  /** The page cannot read the response, because of CORS or because the server is unreachable. The browser does not show which. */
  | { readonly kind: 'blocked'; readonly withCookies: boolean }
  /** The browser refuses to send the request, such as `TRACE` or `GET` with a body. `reason` is its message. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The server of the site could not send it, or interrupted the response. `reason` is a sentence with names in backticks. */
  | { readonly kind: 'relay'; readonly reason: string }
  /** The page's Content Security Policy blocks the server. */
  | { readonly kind: 'policy' }
)

/** The state of sending, shared by the form and the response view. */
export interface Sending {
  /** The latest request, and its response so far. */
  readonly sent: Sent | undefined
  readonly isRunning: boolean
  /** The latest attempt, a new object each time; absent before the first. */
  readonly lastAttempt: SendAttempt | undefined
  readonly send: () => void
  /** Sends a blocked request through the server of the site. */
  readonly relay: (request: HttpRequest) => void
  readonly stop: () => void
  /** Hides the problems of the latest attempt. */
  readonly forget: () => void
}

/** An attempt to send. `isHeld` is true if the request was not sent because its URL would be wrong. */
export interface SendAttempt {
  readonly isBlocked: boolean
}
