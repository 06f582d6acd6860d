import type { HttpRequest, RequestPart } from '../http-request.ts'

/** The request as a command of `curl` for any POSIX shell. */
export function toCurl({ method, url, headers, body }: HttpRequest): string {
  const words = [`curl${toMethod(method, body !== undefined)}`]
  // Without this curl reads brackets and braces as lists of addresses.
  if (/[[\]{}]/.test(url)) words.push('-g')
  words.push(quote(url))
  // A header without a value is sent only with `;`.
  for (const { name, value } of headers) words.push(`-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`)
  switch (body?.kind) {
    case 'json':
      words.push(`-d ${quote(JSON.stringify(body.value, null, 2))}`)
      break
    case 'text':
      // `-d` reads a file where the text begins with `@`.
      words.push(`--data-raw ${quote(body.text)}`)
      break
    case 'form':
      for (const { name, value } of body.fields) words.push(`--data-urlencode ${quote(`${encodeURIComponent(name)}=${value}`)}`)
      break
    case 'multipart':
      for (const part of body.parts) words.push(toPart(part))
      break
    case 'file':
      words.push(`--data-binary ${quote(`@${body.file.name}`)}`)
      break
    default:
  }
  return words.join(' \\\n  ')
}

function toMethod(method: string, hasBody: boolean): string {
  if (method === 'HEAD') return ' -I'
  // curl chooses these itself.
  return method === 'GET' && !hasBody ? '' : ` -X ${quote(method)}`
}

function toPart({ name, value, file, contentType }: RequestPart): string {
  if (file) return `-F ${quote(`${name}=@${file.name}`)}`
  if (contentType === undefined) return `--form-string ${quote(`${name}=${value}`)}`
  return `-F ${quote(`${name}="${value.replace(/[\\"]/g, '\\$&')}";type=${contentType}`)}`
}

/** Text as one word of a POSIX shell. Between single quotes nothing has a meaning but the quote itself. */
function quote(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
