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
  /**
   * Names are tokens of HTTP; values have no control characters, and no blanks at their ends. `Content-Type` is among them where there is a body,
   * but not for `multipart`: who writes the body makes the boundary.
   */
  readonly headers: readonly NamedText[]
  readonly body: RequestBody | undefined
}

/** A name and a value, neither encoded. */
export interface NamedText {
  readonly name: string
  readonly value: string
}

/** The body of a request, in the form that languages have words for. */
export type RequestBody = {
  /** As sent: no ranges. */
  readonly mediaType: string
} & (
  | {
      readonly kind: 'json'
      readonly value: unknown
      /** The same value as somebody typed it; to be sent so where it is sent as text. */
      readonly text?: string
    }
  | { readonly kind: 'text'; readonly text: string }
  /** Fields whose texts are encoded as the URL standard does; a form that wants another encoding is `text`. */
  | { readonly kind: 'form'; readonly fields: readonly NamedText[] }
  | {
      readonly kind: 'multipart'
      readonly parts: readonly RequestPart[]
      /** In no text of the parts. */
      readonly boundary: string
      /** The whole of it with that boundary, in order, for what has no words for parts. */
      readonly pieces: readonly (string | RequestFile)[]
    }
  | { readonly kind: 'file'; readonly file: RequestFile }
)

/** A part of a `multipart` body. */
export interface RequestPart extends NamedText {
  /** The part is a file; `value` is not used. */
  readonly file: RequestFile | undefined
  /** Absent for plain text, and for a file of a type that nobody knows. */
  readonly contentType: string | undefined
  /** Besides `Content-Disposition` and `Content-Type`; clean as those of the request. */
  readonly headers: readonly NamedText[]
}

/** A file of the reader's: in a browser the chosen `File` itself, else the name of one that there might be. */
export interface RequestFile {
  readonly name: string
  /** Its media type, empty where it is not known. */
  readonly type: string
}

/** A body as the texts and files that it is made of. */
interface Content {
  /** Those of the request; with the `Content-Type` of a body in parts, whose boundary is chosen here. */
  readonly headers: readonly NamedText[]
  /** Absent without a body. */
  readonly pieces: readonly (string | RequestFile)[] | undefined
}

/** What a language needs that has no words for forms, or none that send them exactly so. */
export function toContent({ headers, body }: Pick<HttpRequest, 'headers' | 'body'>): Content {
  if (!body) return { headers, pieces: undefined }
  switch (body.kind) {
    case 'json':
      return { headers, pieces: [toJsonLines(body)] }
    case 'text':
      return { headers, pieces: [body.text] }
    case 'form':
      return { headers, pieces: [new URLSearchParams(body.fields.map(({ name, value }) => [name, value])).toString()] }
    case 'multipart': {
      const type = { name: 'Content-Type', value: `${body.mediaType}; boundary=${body.boundary}` }
      return { headers: [...headers, type], pieces: body.pieces }
    }
    default:
      return { headers, pieces: [body.file] }
  }
}

/** JSON for people: as somebody typed it, else an entry a line. */
export function toJsonLines({ value, text }: { readonly value: unknown; readonly text?: string }): string {
  return text ?? JSON.stringify(value, null, 2) ?? ''
}
