/**
 * A request with values filled in, ready to be sent or to be shown in any language.
 *
 * Code samples and the playground create it, and sample generators and `fetch` use it, so that both show and send the same
 * request.
 */
export interface HttpRequest {
  readonly method: string
  /** Absolute and encoded, with the query. */
  readonly url: string
  /**
   * Names are HTTP tokens; values have no control characters and no surrounding whitespace. Includes `Content-Type` if there is a body, except for
   * `multipart`, whose boundary is chosen by the writer of the body.
   */
  readonly headers: readonly NamedText[]
  readonly body: RequestBody | undefined
}

/** A name and a value, neither encoded. */
export interface NamedText {
  readonly name: string
  readonly value: string
}

/** The body of a request, in terms that most languages have functions for. */
export type RequestBody = {
  /** Never a range. */
  readonly mediaType: string
} & (
  | {
      readonly kind: 'json'
      readonly value: unknown
      /** The same value as typed, for writers that send text. */
      readonly text?: string
    }
  | { readonly kind: 'text'; readonly text: string }
  /** Fields that are encoded as in the URL standard. A form with another encoding is `text`. */
  | { readonly kind: 'form'; readonly fields: readonly NamedText[] }
  | {
      readonly kind: 'multipart'
      readonly parts: readonly RequestPart[]
      /** Does not occur in the text of the parts. */
      readonly boundary: string
      /** The whole body with that boundary, in order, for writers without support for parts. */
      readonly pieces: readonly (string | RequestFile)[]
    }
  | { readonly kind: 'file'; readonly file: RequestFile }
)

/** A part of a `multipart` body. */
export interface RequestPart extends NamedText {
  /** If the part is a file, `value` is not used. */
  readonly file: RequestFile | undefined
  /** Absent for plain text and for files of an unknown type. */
  readonly contentType: string | undefined
  /** Besides `Content-Disposition` and `Content-Type`; with the same guarantees as those of the request. */
  readonly headers: readonly NamedText[]
}

/** A file. In a browser the selected `File`, otherwise the name of a sample file. */
export interface RequestFile {
  readonly name: string
  /** Its media type, `''` if unknown. */
  readonly type: string
}

/** A body as a sequence of strings and files. */
interface Content {
  /** The headers of the request, including the `Content-Type` of a multipart body with its boundary. */
  readonly headers: readonly NamedText[]
  /** Absent without a body. */
  readonly pieces: readonly (string | RequestFile)[] | undefined
}

/** The content of a request for languages that cannot send forms exactly like this. */
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

/** Formats JSON for reading: as typed, or else indented. */
export function toJsonLines({ value, text }: { readonly value: unknown; readonly text?: string }): string {
  return text ?? JSON.stringify(value, null, 2) ?? ''
}
