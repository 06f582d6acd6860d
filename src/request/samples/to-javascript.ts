import type { HttpRequest, RequestBody } from '../http-request.ts'
import { type LiteralStyle, printLiteral } from './print-literal.ts'

/** The request with `fetch`, for browsers and Node.js. */
export function toJavaScript({ method, url, headers, body }: HttpRequest): string {
  const before: string[] = []
  const options: string[] = []
  if (method !== 'GET' || body) options.push(`  method: ${text(method)},`)
  if (headers.length > 0) {
    const lines = headers.map(({ name, value }) => `    ${key(name)}${toHeaderValue(value)},`)
    options.push(`  headers: {\n${lines.join('\n')}\n  },`)
  }
  if (body) options.push(`  body: ${toBody(body, before)},`)
  const call = `${begin}${text(url)}${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`})`
  const lead = before.length === 0 ? '' : `${before.join('\n')}\n\n`
  return `${lead}const response = await ${call}\nconsole.log(response.status, await response.text())`
}

/** The words that the sample begins with, apart so that nobody takes them for a call of ours. */
const begin = 'fetch('

function toBody(body: RequestBody, before: string[]): string {
  switch (body.kind) {
    case 'json':
      return `JSON.stringify(${printLiteral(body.value, style, '  ')})`
    case 'text':
      return text(body.text)
    case 'form':
      return `new URLSearchParams([\n${body.fields.map(({ name, value }) => `    [${text(name)}, ${text(value)}],`).join('\n')}\n  ])`
    case 'multipart':
      before.push('const form = new FormData()')
      for (const { name, value, file, contentType } of body.parts) {
        const blob = contentType === undefined ? text(value) : `new Blob([${text(value)}], { type: ${text(contentType)} })`
        const shown = !file ? blob : `new Blob([/* the file */]), ${text(file.name)}`
        before.push(`form.append(${text(name)}, ${shown})`)
      }
      return 'form'
    default:
      return 'new Blob([/* the file */])'
  }
}

/** `fetch` takes bytes for letters beyond Latin-1. Source: Fetch standard, "Headers class". */
function toHeaderValue(value: string): string {
  return /^[\x20-\x7e]*$/.test(value) ? text(value) : `String.fromCharCode(...new TextEncoder().encode(${text(value)}))`
}

/** Text between single quotes. */
function text(value: string): string {
  const inside = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inside.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
}

function key(name: string): string {
  // In a literal this name sets the prototype.
  if (name === '__proto__') return "['__proto__']: "
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${name}: ` : `${text(name)}: `
}

const style: LiteralStyle = { indent: '  ', text, key, true: 'true', false: 'false', null: 'null', trailingComma: true }
