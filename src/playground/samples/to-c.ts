import { type HttpRequest, type RequestBody, toContent } from '../request/http-request.ts'
import { printText } from './print-text.ts'

/** Generates the request with libcurl, in C99 that also compiles as C++. */
export function toC(request: HttpRequest): string {
  const { method, url, body } = request
  const headers = body?.kind === 'multipart' ? toPartsHeaders(request, body) : request.headers
  const option = (name: string, value: string) => `  curl_easy_setopt(curl, CURLOPT_${name}, ${value});\n`
  const lines = headers.map(({ name, value }) => {
    // A header without a value is sent only with \`;\`.
    return `  headers = curl_slist_append(headers, ${text(value === '' ? `${name};` : `${name}: ${value}`)});\n`
  })
  const login = request.isDigest
    ? option('HTTPAUTH', '(long)CURLAUTH_DIGEST') + option('USERPWD', text('<username>:<password>'))
    : ''
  return `#include <curl/curl.h>
#include <stdio.h>

int main(void) {
  CURL *curl = curl_easy_init();
  struct curl_slist *headers = NULL;
${option('URL', text(url))}${method === 'HEAD' ? option('NOBODY', '1L') : ''}${body ? toBody(request, body) : ''}${option('CUSTOMREQUEST', text(method))}${login}${lines.join('')}${option('HTTPHEADER', 'headers')}  CURLcode result = curl_easy_perform(curl);
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
  return (int)result;
}`
}

/** libcurl appends the boundary to the given content type. */
function toPartsHeaders({ headers }: HttpRequest, { mediaType }: RequestBody) {
  return mediaType === 'multipart/form-data' ? headers : [...headers, { name: 'Content-Type', value: mediaType }]
}

function toBody(request: HttpRequest, body: RequestBody): string {
  if (body.kind === 'file') {
    return `  FILE *file = fopen(${text(body.file.name)}, "rb");
  curl_easy_setopt(curl, CURLOPT_POST, 1L);
  curl_easy_setopt(curl, CURLOPT_READDATA, file);
`
  }
  if (body.kind !== 'multipart') {
    const [content = ''] = toContent(request, text, ({ name }) => text(name)).pieces ?? []
    return `  static const char body[] =
    ${content};
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)(sizeof body - 1));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
`
  }
  const parts = body.parts.map(({ name, value, file, contentType, headers }) => {
    const call = (what: string, ...values: string[]) => `  curl_mime_${what}(part${values.map((one) => `, ${one}`).join('')});\n`
    const list = headers.reduce(
      (before, header) => `curl_slist_append(${before}, ${text(`${header.name}: ${header.value}`)})`,
      'NULL',
    )
    return [
      '  part = curl_mime_addpart(form);\n',
      name === '' ? '' : call('name', text(name)),
      file ? call('filedata', text(file.name)) : call('data', text(value), 'CURL_ZERO_TERMINATED'),
      contentType === undefined ? '' : call('type', text(contentType)),
      headers.length === 0 ? '' : call('headers', list, '1'),
    ].join('')
  })
  return `  curl_mime *form = curl_mime_init(curl);
  curl_mimepart *part;
${parts.join('')}  curl_easy_setopt(curl, CURLOPT_MIMEPOST, form);
`
}

/** Uses three octal digits, the maximum that is read. A question mark could start a trigraph. */
function text(value: string): string {
  return printText(value, {
    specials: /["\\?]/g,
    unicode: (hex) =>
      Array.from(
        new TextEncoder().encode(String.fromCharCode(Number.parseInt(hex, 16))),
        (byte) => `\\${byte.toString(8).padStart(3, '0')}`,
      ).join(''),
    join: (literals) => literals.join('\n    '),
  })
}
