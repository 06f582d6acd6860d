import type { HttpRequest } from '../request/http-request.ts'
import { toContent } from '../request/http-request.ts'
import { printText } from './print-text.ts'

/** Generates the request with the crate `reqwest`, for use inside a function that returns an error. */
export function toRust(request: HttpRequest): string {
  const { headers, pieces } = toContent(request)
  const { method } = request
  const call = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(method)
    ? `${method.toLowerCase()}(${text(request.url)})`
    : `request(${text(method)}.parse()?, ${text(request.url)})`
  const parts = pieces?.map((piece) => (typeof piece === 'string' ? text(piece) : `std::fs::read(${text(piece.name)})?`))
  const one = (part: string, index: number) => (typeof pieces?.[index] === 'string' ? `${part}.as_bytes()` : `&${part}`)
  const body = parts && parts.length > 1 ? `[\n        ${parts.map(one).join(',\n        ')},\n    ].concat()` : parts?.[0]
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
