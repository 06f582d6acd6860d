import { describe, expect, test } from 'vitest'
import { buildRequest, type HttpRequest, placeSecret, type RequestBody } from '../../../src/playground/request/http-request.ts'
import { toMultipartBody } from '../../../src/playground/request/request-body.ts'
import { allSamples } from '../../../src/playground/samples/all-samples.ts'
import { findSampleLanguage, type SampleLanguage, sampleLanguages } from '../../../src/playground/samples/sample-languages.ts'
import { readOwn } from '../../../src/text/json/json-values.ts'
import { requirementOf } from '../../support/described-parts.ts'

const samples = allSamples

/** Matches the literals of each language from left to right. `live` matches characters with a meaning inside double quotes. */
const double = /"(?:[^"\\\n]|\\[\s\S])*"/
const literals: Readonly<Record<string, { literal: RegExp; live?: RegExp }>> = {
  go: { literal: or(/`[^`]*`/, double) },
  java: { literal: or(/"""\n[\s\S]*?"""/, double) },
  php: { literal: or(/'(?:[^'\\]|\\[\s\S])*'/, double), live: /(?<!\\)\$/ },
  ruby: { literal: or(/'(?:[^'\\]|\\[\s\S])*'/, double), live: /(?<!\\)#[{$@]/ },
  csharp: { literal: or(/"""\n[\s\S]*?\n"""/, double) },
  rust: { literal: or(/r#"[\s\S]*?"#/, double) },
  powershell: {
    literal: or(/'(?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*'/, /"(?:[^"`\u201c-\u201e]|`[\s\S])*"/),
    live: /(?<!`)\$/,
  },
  kotlin: { literal: or(/"""[\s\S]*?"""/, double), live: /(?<!\\)\$/ },
  swift: { literal: or(/"""\n[\s\S]*?\n"""/, double), live: /(?<!\\)(?:\\\\)*\\\(/ },
  dart: { literal: or(/r'''[\s\S]*?'''/, /'(?:[^'\\\n]|\\[\s\S])*'/), live: /(?<!\\)\$/ },
  c: { literal: or(double), live: /\?\?/ },
}
const languages = Object.keys(literals).flatMap((name) => findSampleLanguage(name) ?? [])

function or(...parts: RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join('|'), 'g')
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: what other languages fill in
const hostile = [
  `"'\``,
  '\\',
  'ends with \\',
  '\\"; hacked(); //',
  "\\'; hacked(); //",
  '${hacked} $(hacked) $hacked #{hacked} \\(hacked) {hacked} %s @hacked #$hacked',
  '"""; hacked(); """',
  "'''; hacked(); '''",
  '"#; hacked(); r#"',
  '`; hacked(); `',
  '\u2019; hacked; \u2018 \u201d; hacked; \u201c',
  '??/ trigraph ??=',
  '\\u0022; hacked(); \\u{22} \\x22 \\042',
  '*/ hacked /* // hacked -- # hacked',
  'line\nbreak "\n\\\n\' $hacked\n  ends "',
  'line\nbreak \\(hacked)\n"""\nhacked()\n"""',
  'carriage\rreturn\r\nand\ttab\0nul\x1b[31m\x7f',
  '\u2028 \u2029 \u202e reversed \u200b \ufeff',
  'grüße 日本語 🦉 \ud800 half',
]
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: what other languages fill in

const requestOf = (value: string, body?: RequestBody): HttpRequest => ({
  method: 'POST',
  url: 'https://api.example.com/a',
  headers: [{ name: 'X-Value', value: value.replace(/[\x00-\x1f\x7f]/g, ' ') }],
  body,
})
const part = (value: string) => ({ name: value, value, file: { name: value, type: '' }, contentType: undefined, headers: [] })
const bodies: Readonly<Record<string, (value: string) => RequestBody>> = {
  text: (value) => ({ kind: 'text', mediaType: 'text/plain', text: value }),
  json: (value) => ({ kind: 'json', mediaType: 'application/json', value: { [value]: [value] } }),
  form: (value) => ({ kind: 'form', mediaType: 'application/x-www-form-urlencoded', fields: [{ name: value, value }] }),
  file: (value) => ({ kind: 'file', mediaType: 'image/png', file: { name: value, type: '' } }),
  parts: (value) => toMultipartBody('multipart/form-data', [part(value), { ...part(value), file: undefined }]),
}

/** Returns the code around literals. Adjacent literals and the byte suffix of C# are merged. */
function toSkeleton(source: string, literal: RegExp): string {
  let code = source
    .replace(literal, '§')
    .replaceAll('§u8', '§')
    .replace(/concat!\(\s*(?:§,?\s*)+\)/g, '§')
    .replace(/§(?:\s*[.+\\]?\s*§)+/g, '§')
  while (code.includes('(§)')) code = code.replaceAll('(§)', '§')
  return code
}

describe.each(languages)('%s', (language) => {
  const write = samples[language] ?? (() => '')
  const { literal, live } = literals[language] ?? { literal: double }
  test.each(Object.keys(bodies))('keeps any value as text and the code the same: %s', (kind) => {
    const body = bodies[kind] ?? (() => undefined)
    const plain = toSkeleton(write(requestOf('x', body('x'))), literal)
    for (const value of hostile) {
      const source = write(requestOf(value, body(value)))
      expect(toSkeleton(source, literal)).toBe(plain)
      expect(source).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\u202e\ufeff\u200b]/)
      // Characters other than the quote are special between double quotes. The last line of the sample uses this to print the
      // response.
      const quoted = (source.match(literal) ?? []).filter((one) => /^"(?!"")|^'/.test(one) && !/response/.test(one))
      const open = quoted.filter((one) => one.startsWith('"') || language === 'dart')
      if (live) for (const one of open) expect(one).not.toMatch(live)
    }
  })
})

/** Languages without a test that runs them: a literal with every special character. */
test.each([
  ['csharp', `"a'\\"\\\\$#{b}%\\r\\u0000\\u202e?\\n"`],
  ['rust', `"a'\\"\\\\$#{b}%\\r\\u{0000}\\u{202e}?\\n"`],
  ['powershell', '"a\'`"\\`$#{b}%`r`u{0000}`u{202e}?`n"'],
  ['kotlin', `"a'\\"\\\\\\$#{b}%\\r\\u0000\\u202e?\\n"`],
  ['swift', `"a'\\"\\\\$#{b}%\\r\\u{0000}\\u{202e}?\\n"`],
  ['dart', `'a\\'"\\\\\\$#{b}%\\r\\u0000\\u202e?\\n'`],
  ['c', `"a'\\"\\\\$#{b}%\\r\\000\\342\\200\\256\\?\\n"`],
  ['go', `"a'\\"\\\\$#{b}%\\r\\u0000\\u202e?\\n"`],
] as const)('%s: %s', (language, expected) => {
  const body: RequestBody = { kind: 'file', mediaType: 'image/png', file: { name: `a'"\\$#{b}%\r\0\u202e?\n`, type: '' } }
  expect(samples[language]?.(requestOf('x', body))).toContain(expected)
})

/** The code of the clients that compute the credentials of HTTP digest. */
const digestCode: Partial<Record<SampleLanguage, string>> = {
  bash: "--digest -u '<username>:<password>'",
  python: 'auth=requests.auth.HTTPDigestAuth("<username>", "<password>")',
  php: "CURLOPT_HTTPAUTH => CURLAUTH_DIGEST,\n    CURLOPT_USERPWD => '<username>:<password>'",
  csharp: 'Credentials = new System.Net.NetworkCredential("<username>", "<password>")',
  dotnet: 'Credentials = new System.Net.NetworkCredential("<username>", "<password>")',
  powershell: "Credential = Get-Credential '<username>'",
  c: 'CURLOPT_HTTPAUTH, (long)CURLAUTH_DIGEST',
  'c++': 'CURLOPT_HTTPAUTH, (long)CURLAUTH_DIGEST',
}

test.each(Object.entries(samples))(
  '%s lets the client answer the challenge of HTTP digest, or says that it cannot',
  (language, write) => {
    const credentials = requirementOf({ digest: { type: 'http', scheme: 'digest' } }).flatMap(
      ({ scheme }) => placeSecret(scheme, undefined) ?? [],
    )
    const request = { method: 'GET', server: 'https://a.example', path: '/', parameters: [], accept: undefined, body: undefined }
    const source = write(buildRequest({ ...request, credentials }))
    expect(source).toContain(readOwn(digestCode, language) ?? 'This client cannot compute HTTP digest credentials')
    expect(source).not.toMatch(/authorization|<token>/i)
  },
)

test('each language has a sample, a label and a key in docs.json', () => {
  const keys = Object.keys(sampleLanguages) as SampleLanguage[] // The keys of a constant.
  expect(Object.keys(samples).sort()).toEqual([...keys].sort())
  expect(keys).toHaveLength(18)
  for (const key of keys) expect(samples[key]?.(requestOf('x'))).toContain('https://api.example.com/a')
})
