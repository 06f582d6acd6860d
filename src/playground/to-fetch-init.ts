import type { HttpRequest, RequestBody } from '../request/http-request.ts'

/**
 * Method, headers and body of a request for `fetch`, with the chosen files. Never throws: what browsers do not send is left to `fetch`, which ignores headers
 * that it keeps for itself and refuses the rest.
 */
export function toFetchInit({ method, headers, body }: HttpRequest): RequestInit {
  return {
    method,
    headers: headers.map(({ name, value }): [string, string] => [name, toByteText(value)]),
    ...(body && { body: toBody(body) }),
  }
}

function toBody(body: RequestBody): BodyInit {
  switch (body.kind) {
    case 'json':
      return body.text ?? JSON.stringify(body.value) ?? ''
    case 'text':
      return body.text
    case 'form':
      return new URLSearchParams(body.fields.map(({ name, value }) => [name, value]))
    case 'multipart': {
      // The chosen one may be in a file. The type of a blob is in lower case, and so is the boundary.
      const boundary = `form-${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
      return new Blob(
        body.pieces.map((piece) => (typeof piece === 'string' ? piece.replaceAll(body.boundary, boundary) : toBlob(piece))),
        { type: `${body.mediaType}; boundary=${boundary}` },
      )
    }
    default:
      return toBlob(body.file)
  }
}

/** The chosen file; nothing for one that is only named. */
function toBlob(file: object): Blob {
  return file instanceof Blob ? file : new Blob([])
}

/** `fetch` takes bytes for letters beyond Latin-1. Source: Fetch standard, "Headers class". */
function toByteText(value: string): string {
  return Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('')
}
