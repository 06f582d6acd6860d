import { type HttpRequest, toContent } from '../request/http-request.ts'
import { printText } from './print-text.ts'

/** Generates the request with the package `http`. */
export function toDart(request: HttpRequest): string {
  const { headers, pieces } = toContent(
    request,
    (piece) => `utf8.encode(${text(piece)})`,
    ({ name }) => `File(${text(name)}).readAsBytesSync()`,
  )
  const bytes = pieces && pieces.length > 1 ? `[\n    ${pieces.map((part) => `...${part}`).join(',\n    ')},\n  ]` : pieces?.[0]
  const lines = headers.map(({ name, value }) => `\n  ..headers[${text(name)}] = ${text(value)}`).join('')
  return `${['dart:convert', 'dart:io'].map((library) => `import ${text(library)};\n`).join('')}import ${text('package:http/http.dart')} as http;

final request = http.Request(${text(request.method)}, Uri.parse(${text(request.url)}))${lines}${bytes === undefined ? '' : `\n  ..bodyBytes = ${bytes}`};
final response = await http.Response.fromStream(await request.send());
print('\${response.statusCode} \${response.body}');`
}

function text(value: string): string {
  return printText(value, {
    mark: "'",
    specials: /['\\$]/g,
    raw: (lines) => (/'''|'$/.test(lines) ? undefined : `r'''${lines}'''`),
    join: (literals) => literals.join('\n    '),
  })
}
