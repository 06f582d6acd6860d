import { type HttpRequest, toContent } from '../request/http-request.ts'
import { printText } from './print-text.ts'

/** Generates the request with `URLSession`. */
export function toSwift(request: HttpRequest): string {
  const { headers, pieces } = toContent(
    request,
    (piece) => `Data((${text(piece)}).utf8)`,
    ({ name }) => `Data(contentsOf: URL(fileURLWithPath: ${text(name)}))`,
  )
  const body = pieces?.join(' +\n    ')
  return `import Foundation

var request = URLRequest(url: URL(string: ${text(request.url)})!)
request.httpMethod = ${text(request.method)}
${headers.map(({ name, value }) => `request.setValue(${text(value)}, forHTTPHeaderField: ${text(name)})\n`).join('')}${body === undefined ? '' : `request.httpBody = try ${body}\n`}let (data, response) = try await URLSession.shared.data(for: request)
print((response as! HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self))`
}

function text(value: string): string {
  return printText(value, {
    unicode: (hex) => `\\u{${hex}}`,
    raw: (lines) => (/\\|"""/.test(lines) ? undefined : `"""\n${lines}\n"""`),
    join: (literals) => literals.join(' +\n    '),
  })
}
