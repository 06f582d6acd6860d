import { type HttpRequest, toContent } from '../request/http-request.ts'
import { printText } from './print-text.ts'

/**
 * Generates the request with the HTTP client of Java 11 and later. Text blocks require Java 15, and bodies of several pieces Java
 * 16.
 */
export function toJava(request: HttpRequest): string {
  const { headers, pieces } = toContent(
    request,
    (piece) => `BodyPublishers.ofString(${text(piece)})`,
    ({ name }) => `BodyPublishers.ofFile(Path.of(${text(name)}))`,
  )
  const [only] = pieces ?? ['BodyPublishers.noBody()']
  const publisher = pieces && pieces.length > 1 ? `BodyPublishers.concat(\n        ${pieces.join(',\n        ')})` : only
  const method = request.method === 'GET' && !pieces ? '' : `\n    .method(${text(request.method)}, ${publisher})`
  return `import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;

var request = HttpRequest.newBuilder(URI.create(${text(request.url)}))${headers
    .map(({ name, value }) => `\n    .header(${text(name)}, ${text(value)})`)
    .join('')}${method}
    .build();
var response = HttpClient.newHttpClient()
    .send(request, HttpResponse.BodyHandlers.ofString());
System.out.println(response.statusCode() + " " + response.body());`
}

function text(value: string): string {
  return (
    printText(value, {
      raw: (lines) => (/\\|"""|"$/.test(lines) ? undefined : `"""\n${lines}"""`),
      join: (literals) => literals.join(' +\n        '),
    })
      // Before Java 18, the compiler reads source files in the default encoding of the system.
      .replace(/[^\x00-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  )
}
