import { type HttpRequest, toContent } from '../request/http-request.ts'
import { printText } from './print-text.ts'

/** Generates the request with the crate `reqwest`, for use inside a function that returns an error. */
export function toRust(request: HttpRequest): string {
  const { headers, pieces } = toContent(
    request,
    (piece) => ({ part: text(piece), bytes: `${text(piece)}.as_bytes()` }),
    ({ name }) => ({ part: `std::fs::read(${text(name)})?`, bytes: `&std::fs::read(${text(name)})?` }),
  )
  const { method } = request
  const call = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(method)
    ? `${method.toLowerCase()}(${text(request.url)})`
    : `request(${text(method)}.parse()?, ${text(request.url)})`
  const joined = pieces?.map(({ bytes }) => bytes).join(',\n        ')
  const body = pieces && pieces.length > 1 ? `[\n        ${joined},\n    ].concat()` : pieces?.[0]?.part
  return `let response = reqwest::blocking::Client::new()
    .${call}${headers.map(({ name, value }) => `\n    .header(${text(name)}, ${text(value)})`).join('')}${body === undefined ? '' : `\n    .body(${body})`}
    .send()?;
println!("{} {}", response.status(), response.text()?);`
}

function text(value: string): string {
  return printText(value, {
    unicode: (hex) => `\\u{${hex}}`,
    raw: (lines) => (lines.includes('"#') ? undefined : `r#"${lines}"#`),
    join: (literals) => `concat!(\n        ${literals.join(',\n        ')},\n    )`,
  })
}
