import type { HttpRequest, RequestBody } from '../request/http-request.ts'
import { toMultipartPieces } from '../request/to-multipart-pieces.ts'

/**
 * What `fetch` is called with for a request: the address, and method, headers and body. Never throws; `fetch` itself refuses what browsers do not send.
 *
 * The names of headers that browsers keep for themselves are left to `fetch`, which ignores them.
 */
export function toFetch({ method, url, headers, body }: HttpRequest): { readonly url: string; readonly init: RequestInit } {
  return {
    url,
    init: {
      method,
      headers: headers.map(({ name, value }): [string, string] => [name, toByteText(value)]),
      ...(body && { body: toBody(body) }),
    },
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
      // The type of a blob is in lower case, and so is the boundary.
      const boundary = `form-${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
      const pieces = toMultipartPieces(body.parts, boundary)
      return new Blob(
        pieces.map((piece) => (typeof piece === 'string' ? piece : toBlob(piece))),
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
