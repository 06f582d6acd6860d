import { toWellFormed } from '../encode.ts'
import type { HttpRequest, RequestBody } from '../http-request.ts'
import { type LiteralStyle, printLiteral } from './print-literal.ts'

/** The request with the library `requests`. */
export function toPython({ method, url, headers, body }: HttpRequest): string {
  const known = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].includes(method)
  const lines = known ? [`    ${text(url)},`] : [`    ${text(method)},`, `    ${text(url)},`]
  if (headers.length > 0) {
    lines.push('    headers={')
    for (const { name, value } of headers) lines.push(`        ${text(name)}: ${toBytes(value)},`)
    lines.push('    },')
  }
  if (body) lines.push(...toBody(body).map((line) => `    ${line}`))
  const call = known ? `requests.${method.toLowerCase()}` : 'requests.request'
  return `import requests\n\nresponse = ${call}(\n${lines.join('\n')}\n)\nprint(response.status_code, response.text)`
}

function toBody(body: RequestBody): string[] {
  switch (body.kind) {
    case 'json':
      return [`json=${printLiteral(body.value, style, '    ')},`]
    case 'text':
      return [`data=${toBytes(body.text)},`]
    case 'form':
      return ['data=[', ...body.fields.map(({ name, value }) => `    (${text(name)}, ${text(value)}),`), '],']
    case 'multipart':
      return [
        'files=[',
        ...body.parts.map(({ name, value, file, contentType }) => {
          if (file) return `    (${text(name)}, open(${text(file.name)}, "rb")),`
          const part = contentType === undefined ? `(None, ${text(value)})` : `(None, ${text(value)}, ${text(contentType)})`
          return `    (${text(name)}, ${part}),`
        }),
        '],',
      ]
    default:
      return [`data=open(${text(body.file.name)}, "rb"),`]
  }
}

/** Python's strings have the escapes of JSON. */
function text(value: string): string {
  return JSON.stringify(toWellFormed(value))
}

/** `requests` sends text as Latin-1. */
function toBytes(value: string): string {
  return /^[\x00-\x7e]*$/.test(value) ? text(value) : `${text(value)}.encode()`
}

const style: LiteralStyle = {
  indent: '    ',
  text,
  key: (name) => `${text(name)}: `,
  true: 'True',
  false: 'False',
  null: 'None',
  trailingComma: true,
}
