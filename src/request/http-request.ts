/**
 * A request with values filled in, ready to be sent or to be written in any language.
 *
 * It is the one shape between what fills it (the sample of a page, what a reader types into the playground) and what uses it (the
 * generators of samples, the playground's `fetch`), so that both show and send the same.
 */
export interface HttpRequest {
  readonly method: string
  /** Whole and encoded, with the query. */
  readonly url: string
  /** Names are tokens of HTTP; values have no control characters, and no blanks at their ends. */
  readonly headers: readonly NamedText[]
  readonly body: RequestBody | undefined
}

/** A name and a value, neither encoded. */
export interface NamedText {
  readonly name: string
  readonly value: string
}

/** The body of a request, in the form that languages have words for. */
export type RequestBody = { readonly mediaType: string } & (
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'form'; readonly fields: readonly NamedText[] }
  | { readonly kind: 'multipart'; readonly parts: readonly RequestPart[] }
  /** Bytes of a file that the reader has. */
  | { readonly kind: 'file'; readonly fileName: string }
)

/** A part of a `multipart` body. */
export interface RequestPart extends NamedText {
  /** The part is a file of the reader's; `value` is not used. */
  readonly fileName: string | undefined
  /** Absent for plain text. */
  readonly contentType: string | undefined
}
