import {
  type HttpRequest,
  type NamedText,
  type RequestBody,
  type RequestFile,
  type RequestPart,
  toContent,
  toJsonLines,
} from '../request/http-request.ts'
import { hasRounded, type LiteralStyle, printLiteral, printText, remarkDigest } from './print-text.ts'
import type { WriteSample } from './sample-languages.ts'

/** Generates the request with `fetch` for browsers. Files come from a file input on the page. */
export const toJavaScript = toFetchSample('JavaScript')

/** Generates the same request in TypeScript. */
export const toTypeScript = toFetchSample('TypeScript')

/** Generates the same request for Node.js, with files on disk. */
export const toNode = toFetchSample('Node.js')

type Dialect = 'JavaScript' | 'TypeScript' | 'Node.js'

function toFetchSample(dialect: Dialect): WriteSample {
  return remarkDigest((request) => printFetch(request, dialect))
}

function printFetch(request: HttpRequest, dialect: Dialect): string {
  const { method, url, body } = request
  const before: string[] = []
  const whole = body && toBody(request, body, dialect, before)
  const headers = whole?.headers ?? request.headers
  const options: string[] = []
  if (method !== 'GET' || body) options.push(`  method: ${text(method)},`)
  if (headers.length > 0) options.push(`  headers: {\n${headers.map(toHeader).join('\n')}\n  },`)
  if (whole) options.push(`  body: ${whole.source},`)
  const call = `${fetchStart}${text(url)}${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`})`
  const lead = before.length === 0 ? '' : `${before.join('\n')}\n\n`
  const type = dialect === 'TypeScript' ? ': Response' : ''
  return `${lead}const response${type} = await ${call}\nconsole.log(response.status, await response.text())`
}

/** The start of the sample, as a constant so that code search does not mistake it for a real call. */
const fetchStart = 'fetch('

interface Whole {
  readonly source: string
  readonly headers: readonly NamedText[]
}

function toBody(request: HttpRequest, body: RequestBody, dialect: Dialect, before: string[]): Whole {
  const { headers } = request
  switch (body.kind) {
    case 'json':
      if (hasRounded(body.value)) return { source: lines(toJsonLines(body)), headers }
      return { source: `JSON.stringify(${printLiteral(body.value, style, '  ')})`, headers }
    case 'text':
      return { source: lines(body.text), headers }
    case 'form': {
      const fields = body.fields.map(({ name, value }) => `    [${text(name)}, ${text(value)}],`).join('\n')
      return { source: fields === '' ? 'new URLSearchParams()' : `new URLSearchParams([\n${fields}\n  ])`, headers }
    }
    default: {
      const fileOf = toFileSource(dialect, before)
      if (body.kind === 'multipart' && isFormData(body)) {
        before.push(`const form${dialect === 'TypeScript' ? ': FormData' : ''} = new FormData()`)
        for (const { name, value, file, contentType } of body.parts) {
          const shown = file ? `${fileOf(file, contentType)}, ${text(file.name)}` : text(value)
          before.push(`form.append(${text(name)}, ${shown})`)
        }
        return { source: 'form', headers }
      }
      const { pieces = [], headers: all } = toContent(request, lines, (file) => fileOf(file, undefined))
      if (pieces.length === 1 && body.kind === 'file') return { source: pieces[0] ?? '', headers }
      return { source: `new Blob([\n    ${pieces.join(',\n    ')},\n  ])`, headers: all }
    }
  }
}

/** Whether `FormData` sends the parts unchanged: it adds a file name to a part with a type, and changes line breaks in text. */
function isFormData({ mediaType, parts }: { readonly mediaType: string; readonly parts: readonly RequestPart[] }): boolean {
  const isPlain = ({ name, value, file, contentType, headers }: RequestPart) =>
    headers.length === 0 && !/[\r\n]/.test(name + value) && (file !== undefined || contentType === undefined)
  return mediaType === 'multipart/form-data' && parts.every(isPlain)
}

/** Returns an expression for each file, in the order they are requested. */
function toFileSource(dialect: Dialect, before: string[]): (file: RequestFile, type: string | undefined) => string {
  let count = 0
  return ({ name }, type) => {
    if (dialect === 'Node.js') {
      if (count++ === 0) before.unshift("import { openAsBlob } from 'node:fs'", '')
      return `await openAsBlob(${text(name)}${type === undefined ? '' : `, { type: ${text(type)} }`})`
    }
    if (count === 0) {
      const input = `document.querySelector${dialect === 'TypeScript' ? '<HTMLInputElement>' : ''}('input[type="file"]')`
      before.unshift(dialect === 'TypeScript' ? `const files = ${input}?.files ?? []` : `const { files } = ${input}`)
    }
    return `files[${count++}]`
  }
}

function toHeader({ name, value }: NamedText): string {
  // `fetch` reads header values as Latin-1 bytes. Source: Fetch standard, "Headers class".
  const isPlain = /^[\x20-\x7e]*$/.test(value)
  return `    ${key(name)}${isPlain ? text(value) : `String.fromCharCode(...new TextEncoder().encode(${text(value)}))`},`
}

function text(value: string): string {
  return printText(value, quotes)
}

/** Writes text of the body with one line per literal. */
function lines(value: string): string {
  return printText(value, { ...quotes, join: (literals) => literals.join(' +\n    ') })
}

const quotes = { mark: "'", specials: /['\\]/g } as const

function key(name: string): string {
  // In a literal, this name would set the prototype.
  if (name === '__proto__') return "['__proto__']: "
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${name}: ` : `${text(name)}: `
}

const style: LiteralStyle = { indent: '  ', text, key, true: 'true', false: 'false', null: 'null', trailingComma: true }
