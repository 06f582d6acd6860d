/** One recorded exchange: a request, and the response to it. All formats of recordings are read as these. */
export interface Exchange {
  /** Its file as given, and its number in it, from 1. For messages. */
  readonly place: { readonly file: string; readonly index: number }
  /** ISO 8601, UTC, such as `2025-02-04T10:11:12Z`. Absent if it was not recorded. */
  readonly date: string | undefined
  readonly request: RecordedRequest
  /** Absent if only the request was recorded. */
  readonly response: RecordedResponse | undefined
  /** Only in contracts of Pact: the parts of the response body that the client reads. `*` is every entry of a list or mapping. */
  readonly reads: readonly (readonly (string | number)[])[] | undefined
}

/** What requests and responses have in common. */
export interface RecordedMessage {
  /** By names in lower case. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  /** The media type of the body, as recorded. */
  readonly mediaType: string | undefined
  readonly body: RecordedBody
}

export interface RecordedRequest extends RecordedMessage {
  /** In upper case. */
  readonly method: string
  /** As recorded, or only a path. Can contain secrets and masks, so no message quotes it. */
  readonly url: string
}

export interface RecordedResponse extends RecordedMessage {
  readonly status: number
}

/** What was recorded of a body. Encodings such as gzip and base64 are decoded. */
export type RecordedBody =
  /** Empty, or none. */
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  /** Recorded as a value, not as the text of one. */
  | { readonly kind: 'value'; readonly value: unknown }
  /** The fields of a form, in order. Names can repeat. */
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] }
  /** Content that is no text, such as an image. */
  | { readonly kind: 'bytes' }
  /** There was a body, but the recording does not have it, or it cannot be decoded. */
  | { readonly kind: 'lost'; readonly reason: string }
