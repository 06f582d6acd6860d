import type { RequestBody, RequestFile, RequestPart } from './http-request.ts'

/** A body of these parts. */
export function toMultipartBody(mediaType: string, parts: readonly RequestPart[]): RequestBody {
  const boundary = chooseBoundary(parts)
  return { kind: 'multipart', mediaType, parts, boundary, pieces: toPieces(parts, boundary) }
}

/**
 * A body in parts as the texts and files that it is made of, in order, for what has no words for it: browsers and many languages send no part that has a
 * media type but no file name.
 *
 * A part without a name has only its own headers. Source: RFC 7578; HTML standard, "Multipart form data", for what is escaped in names.
 */
function toPieces(parts: readonly RequestPart[], boundary: string): (string | RequestFile)[] {
  const pieces: (string | RequestFile)[] = []
  let text = ''
  for (const { name, value, file, contentType, headers } of parts) {
    text += `--${boundary}\r\n`
    const fileName = file && `; filename="${escapeName(file.name)}"`
    if (name !== '') text += `Content-Disposition: form-data; name="${escapeName(name)}"${fileName ?? ''}\r\n`
    else if (fileName) text += `Content-Disposition: attachment${fileName}\r\n`
    const type = contentType ?? (file ? 'application/octet-stream' : undefined)
    if (type !== undefined) text += `Content-Type: ${type.replace(/[\r\n]+/g, ' ')}\r\n`
    for (const header of headers) text += `${header.name}: ${header.value}\r\n`
    text += '\r\n'
    if (file) {
      pieces.push(text, file)
      text = ''
    } else text += value
    text += '\r\n'
  }
  return [...pieces, `${text}--${boundary}--\r\n`]
}

/** A boundary that is in no text of these parts, the same for the same parts. */
function chooseBoundary(parts: readonly RequestPart[]): string {
  const texts = JSON.stringify(parts.map(({ file, ...part }) => [file?.name, part]))
  let boundary = 'form-boundary'
  for (let count = 2; texts.includes(boundary); count++) boundary = `form-boundary-${count}`
  return boundary
}

function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
