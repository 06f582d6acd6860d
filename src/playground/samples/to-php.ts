import { type HttpRequest, toContent } from '../request/http-request.ts'
import { printText } from './print-text.ts'

/** Generates the request with PHP's curl extension. */
export function toPhp(request: HttpRequest): string {
  const { headers, pieces } = toContent(request, text, ({ name }) => `file_get_contents(${text(name)})`)
  const options = [
    ...(request.method === 'HEAD' ? ['CURLOPT_NOBODY => true'] : []),
    ...(request.method === 'GET' && !pieces ? [] : [`CURLOPT_CUSTOMREQUEST => ${text(request.method)}`]),
    ...(headers.length === 0
      ? []
      : // A header without a value is sent only with `;`.
        [
          `CURLOPT_HTTPHEADER => [\n${headers.map(({ name, value }) => `        ${text(value === '' ? `${name};` : `${name}: ${value}`)},\n`).join('')}    ]`,
        ]),
    ...(pieces ? [`CURLOPT_POSTFIELDS => ${pieces.join(' .\n        ')}`] : []),
    ...(request.isDigest ? ['CURLOPT_HTTPAUTH => CURLAUTH_DIGEST', "CURLOPT_USERPWD => '<username>:<password>'"] : []),
    'CURLOPT_RETURNTRANSFER => true',
  ]
  return `<?php

$curl = curl_init(${text(request.url)});
curl_setopt_array($curl, [
${options.map((option) => `    ${option},\n`).join('')}]);
$answer = curl_exec($curl);
echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $answer;`
}

/** In a single-quoted string, only the quote and the backslash are special, and lines may break. */
function text(value: string): string {
  const single = /['\\]/g
  const quoted = `'${value.replace(single, '\\$&')}'`
  if (/^[\x20-\x7e]*$/.test(value)) return quoted
  return printText(value, {
    specials: /["\\$]/g,
    unicode: (hex) => `\\u{${hex}}`,
    raw: () => quoted,
    join: (literals) => literals.join(' .\n        '),
  })
}
