import { type HttpRequest, toContent } from '../request/http-request.ts'
import { printText } from './print-text.ts'

/** Generates the request with PowerShell 7. */
export function toPowershell(request: HttpRequest): string {
  const { headers, pieces } = toContent(
    request,
    (piece) => `[Text.Encoding]::UTF8.GetBytes(${text(piece)})`,
    ({ name }) => `[IO.File]::ReadAllBytes((Resolve-Path -LiteralPath ${text(name)}))`,
  )
  const { method } = request
  const isKnown = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE)$/.test(method)
  const type = headers.find(({ name }) => /^content-type$/i.test(name))
  const others = headers.filter((header) => header !== type)
  const options = [
    `${isKnown ? 'Method' : 'CustomMethod'} = ${text(method)}`,
    `Uri = ${text(request.url)}`,
    ...(others.length === 0
      ? []
      : [`Headers = @{\n${others.map(({ name, value }) => `        ${text(name)} = ${text(value)}\n`).join('')}    }`]),
    ...(request.isDigest ? ["Credential = Get-Credential '<username>'"] : []),
    ...(type ? [`ContentType = ${text(type.value)}`] : []),
    ...(pieces ? [`Body = ${pieces.length === 1 ? pieces[0] : `[byte[]](${pieces.join(' +\n        ')})`}`] : []),
  ]
  return `$request = @{
${options.map((option) => `    ${option}\n`).join('')}}
$response = Invoke-WebRequest @request -SkipHeaderValidation
$response.StatusCode, $response.Content`
}

/** PowerShell also accepts curly quotes as quotes. In a single-quoted string nothing else is special, and lines may break. */
function text(value: string): string {
  const quoted = `'${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`
  if (/^[\x20-\x7e]*$/.test(value)) return quoted
  return printText(value, {
    specials: /["`$\u201c-\u201e]/g,
    escapeBy: '`',
    unicode: (hex) => `\`u{${hex}}`,
    raw: () => quoted,
    join: (literals) => `(${literals.join(' +\n        ')})`,
  })
}
