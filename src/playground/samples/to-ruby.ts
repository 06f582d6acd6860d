import { type HttpRequest, toContent } from '../request/http-request.ts'
import { printText } from './print-text.ts'

/** Generates the request with the Ruby standard library. */
export function toRuby(request: HttpRequest): string {
  const { headers, pieces: body } = toContent(request, text, ({ name }) => `File.binread(${text(name)})`)
  const { method } = request
  const isKnown = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE)$/.test(method)
  const made = isKnown
    ? `Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)`
    : `Net::HTTPGenericRequest.new(${text(method)}, true, true, uri)`
  // Ruby cannot concatenate binary and non-ASCII strings.
  const joined = body && body.length > 1 ? body.map((one) => `(${one}).b`).join(' +\n  ') : body?.[0]
  return `require 'net/http'

uri = URI(${text(request.url)})
request = ${made}
${headers.map(({ name, value }) => `request[${text(name)}] = ${text(value)}\n`).join('')}${joined === undefined ? '' : `request.body = ${joined}\n`}response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') do |http|
  http.request(request)
end
puts response.code, response.body`
}

/** In a single-quoted string, only the quote and the backslash are special, and lines may break. */
function text(value: string): string {
  const quoted = `'${value.replace(/['\\]/g, '\\$&')}'`
  if (/^[\x20-\x7e]*$/.test(value)) return quoted
  return printText(value, { specials: /["\\#]/g, raw: () => quoted, join: (literals) => literals.join(' \\\n  ') })
}
