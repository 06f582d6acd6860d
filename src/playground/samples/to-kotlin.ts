import { type HttpRequest, toContent } from '../request/http-request.ts'
import { printText } from './print-text.ts'

/** Generates the request with OkHttp. */
export function toKotlin(request: HttpRequest): string {
  const { headers, pieces } = toContent(
    request,
    (piece) => `${bracket(text(piece))}.toByteArray()`,
    ({ name }) => `File(${text(name)}).readBytes()`,
  )
  const bytes = pieces && pieces.length > 1 ? `(${pieces.join(' +\n        ')})` : pieces?.[0]
  const needsBody = /^(?:POST|PUT|PATCH)$/.test(request.method)
  const body = bytes === undefined ? (needsBody ? 'ByteArray(0).toRequestBody()' : 'null') : `${bytes}.toRequestBody()`
  const method = request.method === 'GET' && !pieces ? '' : `\n    .method(${text(request.method)}, ${body})`
  return `import java.io.File
import okhttp3.*
import okhttp3.RequestBody.Companion.toRequestBody

val request = Request.Builder()
    .url(${text(request.url)})${headers.map(({ name, value }) => `\n    .addHeader(${text(name)}, ${text(value)})`).join('')}${method}
    .build()
OkHttpClient().newCall(request).execute().use { response ->
    println("\${response.code} \${response.body?.string()}")
}`
}

const bracket = (literal: string) => (literal.includes(' +\n') ? `(${literal})` : literal)

function text(value: string): string {
  return printText(value, {
    specials: /["\\$]/g,
    raw: (lines) => (/"""|\$|"$/.test(lines) ? undefined : `"""${lines}"""`),
    join: (literals) => literals.join(' +\n        '),
  })
}
