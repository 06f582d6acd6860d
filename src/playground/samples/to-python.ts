import { type HttpRequest, type RequestBody, type RequestPart, toContent, toJsonLines } from '../request/http-request.ts'
import { hasRounded, type LiteralStyle, printLiteral, printText } from './print-text.ts'

/** Generates the request with the library `requests`. */
export function toPython(request: HttpRequest): string {
  const { method, url, body } = request
  const isMixed = body?.kind === 'multipart' && body.mediaType !== 'multipart/form-data'
  const content = toContent(
    request,
    (piece) => `${text(piece)}.encode()`,
    ({ name }) => `open(${text(name)}, "rb").read()`,
  )
  const headers = isMixed ? content.headers : request.headers
  const known = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].includes(method)
  const lines = known ? [`    ${text(url)},`] : [`    ${text(method)},`, `    ${text(url)},`]
  if (headers.length > 0) {
    lines.push('    headers={')
    for (const { name, value } of headers) lines.push(`        ${text(name)}: ${toBytes(value)},`)
    lines.push('    },')
  }
  if (request.isDigest) lines.push('    auth=requests.auth.HTTPDigestAuth("<username>", "<password>"),')
  if (body) lines.push(...(isMixed ? toPieces(content.pieces) : toBody(body)).map((line) => `    ${line}`))
  const call = known ? `requests.${method.toLowerCase()}` : 'requests.request'
  return `import requests\n\nresponse = ${call}(\n${lines.join('\n')}\n)\nprint(response.status_code, response.text)`
}

function toBody(body: RequestBody): string[] {
  switch (body.kind) {
    case 'json':
      if (hasRounded(body.value)) return [`data=${toBytes(toJsonLines(body))},`]
      // The library treats `None` as no body.
      return [body.value === null ? 'data="null",' : `json=${printLiteral(body.value, style, '    ')},`]
    case 'text':
      return [`data=${toBytes(body.text)},`]
    case 'form':
      return ['data=[', ...body.fields.map(({ name, value }) => `    (${text(name)}, ${text(value)}),`), '],']
    case 'multipart':
      return ['files=[', ...body.parts.map((part) => `    (${text(part.name)}, (${toPart(part)})),`), '],']
    default:
      return [`data=open(${text(body.file.name)}, "rb"),`]
  }
}

/** File name, content, media type and headers. The last two are optional. */
function toPart({ value, file, contentType, headers }: RequestPart): string {
  const values = file ? [text(file.name), `open(${text(file.name)}, "rb")`] : ['None', text(value)]
  const type = contentType ?? (file ? 'application/octet-stream' : undefined)
  if (type !== undefined || headers.length > 0) values.push(type === undefined ? 'None' : text(type))
  if (headers.length > 0) values.push(`{${headers.map((header) => `${text(header.name)}: ${text(header.value)}`).join(', ')}}`)
  return values.join(', ')
}

/** The library only supports form parts. */
function toPieces(pieces: readonly string[] = []): string[] {
  return ['data=b"".join([', ...pieces.map((piece) => `    ${piece},`), ']),']
}

/** `requests` encodes text as Latin-1. */
function toBytes(value: string): string {
  return /^[\x00-\x7e]*$/.test(value) ? text(value) : `${text(value)}.encode()`
}

const text = (value: string) => printText(value)

const style: LiteralStyle = {
  indent: '    ',
  text,
  key: (name) => `${text(name)}: `,
  true: 'True',
  false: 'False',
  null: 'None',
  trailingComma: true,
}
