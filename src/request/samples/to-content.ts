import type { HttpRequest, NamedText, RequestFile } from '../http-request.ts'

/** A body as the texts and files that it is made of. */
export interface Content {
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
