import { encodeUrlPart } from '../../text/plain/paths.ts'
import { type HttpRequest, type NamedText, type RequestPart, toContent, toJsonLines } from '../request/http-request.ts'

/** Generates a `curl` command for any POSIX shell. */
export function toCurl(request: HttpRequest): string {
  const { method, url, body } = request
  const isPiped = body?.kind === 'multipart' && !(body.mediaType === 'multipart/form-data' && body.parts.every(isPlainPart))
  const content = toContent(request, toPrint, ({ name }) => `cat ${quote(`./${name}`)}`)
  // Without these options, curl expands brackets and the braces of parameters without a value to several URLs, and resolves `..` segments.
  const options = `${/[[\]{}]/.test(url) ? ' -g' : ''}${/\/\.{1,2}(?:[/?#]|$)/.test(url) ? ' --path-as-is' : ''}`
  const words = [`curl${toMethod(method, body !== undefined)}${options} ${quote(url)}`]
  if (request.isDigest) words.push(`--digest -u ${quote('<username>:<password>')}`)
  // A header without a value is sent only with `;`.
  for (const { name, value } of isPiped ? content.headers : request.headers)
    words.push(`-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`)
  switch (body?.kind) {
    case 'json':
      words.push(`-d ${quote(toIndentedJson(body))}`)
      break
    case 'text':
      // `-d` reads a file if the text starts with `@`.
      words.push(`--data-raw ${quote(body.text)}`)
      break
    case 'form':
      if (body.fields.length === 0) words.push("-d ''")
      for (const field of body.fields) words.push(toField(field))
      break
    case 'multipart':
      if (isPiped) words.push('--data-binary @-')
      else for (const part of body.parts) words.push(toPart(part))
      break
    case 'file':
      words.push(`--data-binary ${quote(`@${body.file.name}`)}`)
      break
    default:
  }
  const command = words.join(' \\\n  ')
  if (!isPiped) return command
  return `{\n${content.pieces?.map((line) => `  ${line}\n`).join('') ?? ''}} | ${command}`
}

/** A field with only the encoding that is needed: servers read brackets in a name as they are. */
function toField({ name, value }: NamedText): string {
  const key = encodeUrlPart(name).replaceAll('%5B', '[').replaceAll('%5D', ']')
  return `${/^[\w.~:/,@!*()$;?|-]*$/.test(value) ? '-d' : '--data-urlencode'} ${quote(`${key}=${value}`)}`
}

/** JSON with the indentation of the options. Typed text of several lines keeps its own, and line breaks are never part of a JSON string. */
function toIndentedJson({ value, text }: { readonly value: unknown; readonly text?: string }): string {
  return toJsonLines(text?.includes('\n') ? { value, text } : { value }).replaceAll('\n', '\n  ')
}

function toMethod(method: string, hasBody: boolean): string {
  if (method === 'HEAD') return ' -I'
  // curl chooses these methods itself.
  return method === 'GET' && !hasBody ? '' : ` -X ${quote(method)}`
}

/** `-F` ends a name at the first `=`, and older versions do not support headers for parts. */
function isPlainPart({ name, headers }: RequestPart): boolean {
  return headers.length === 0 && !/[=\r\n]/.test(name) && name !== ''
}

function toPart({ name, value, file, contentType }: RequestPart): string {
  if (!file && contentType === undefined) return `--form-string ${quote(`${name}=${value}`)}`
  // curl reads the start of a value as a quote, a file or a group, and stops at a semicolon.
  const isPlain = !/^[\s"@<(=]|[;\r\n]|^\)|\s$/.test(value)
  const content = file
    ? `@${/[",;\\]/.test(file.name) ? quoteFormValue(file.name) : file.name}`
    : isPlain
      ? value
      : quoteFormValue(value)
  return `-F ${quote(`${name}=${content}${contentType === undefined ? '' : `;type=${contentType}`}`)}`
}

/** Quotes a value for an argument of `-F`. */
function quoteFormValue(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`
}

/** Prints text with carriage returns, which the shell has no other portable form for. */
function toPrint(text: string): string {
  return `printf %b ${quote(text.replaceAll('\\', '\\\\').replaceAll('\r\n', '\\r\\n').replaceAll('\r', '\\r'))}`
}

/** Quotes text for a POSIX shell. In single quotes, only the quote itself is special. */
function quote(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
