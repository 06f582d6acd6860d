import { type HttpRequest, toContent } from '../request/http-request.ts'
import { printText } from './print-text.ts'

/** Generates the request with `HttpClient`, in C# 12 (.NET 8) and later. */
export function toCsharp(request: HttpRequest): string {
  const { headers, pieces } = toContent(
    request,
    (piece) => `.. ${bytes(piece)}`,
    ({ name }) => `.. File.ReadAllBytes(${text(name)})`,
  )
  const { method } = request
  const known = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE)$/.test(method)
    ? `HttpMethod.${method.charAt(0)}${method.slice(1).toLowerCase()}`
    : `new HttpMethod(${text(method)})`
  const content = pieces ? `request.Content = new ByteArrayContent([${pieces.join(',\n    ')}]);\n` : ''
  const lines = headers.map(({ name, value }) => {
    const owner = pieces && /^content-/i.test(name) ? 'Content.' : ''
    return `request.${owner}Headers.TryAddWithoutValidation(${text(name)}, ${text(value)});\n`
  })
  const login = 'new HttpClientHandler { Credentials = new System.Net.NetworkCredential("<username>", "<password>") }'
  return `using var client = new HttpClient(${request.isDigest ? login : ''});
using var request = new HttpRequestMessage(${known}, ${text(request.url)});
${content}${lines.join('')}using var response = await client.SendAsync(request);
Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");`
}

const text = (value: string) => printText(value)

function bytes(value: string): string {
  return printText(value, {
    raw: (lines) => (lines.includes('"""') ? undefined : `"""\n${lines}\n"""u8`),
    join: (literals) => literals.map((one) => `${one}u8`).join(' +\n    '),
  }).replace(/(?<!u8)$/, 'u8')
}
