import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { displayWidth, escapeText, maskSecrets, toSafeJson } from '../../../src/text/plain/escape-text.ts'
import { arbitraryText } from '../../support/arbitrary-text.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

/** What a terminal obeys, or a CI system takes for a command. */
const dangerous = /[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}|^\s*::|##\w*\[/u

const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\x1b[31m',
        '\n',
        '::error::',
        '##',
        '[group]',
        '##vso[x]',
        '\u009b',
        '\u202e',
        ' ',
        '\ud83d',
        '\ude00',
        '#',
      ),
      arbitraryText({ maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(''))

describe('escapeText', () => {
  test.each([
    ['plain `text`, Grüße 😀 日本', 'plain `text`, Grüße 😀 日本'],
    ['a\nb\r\n\tc', 'a\\nb\\r\\n\\tc'],
    ['\x1b[31mred\x1b[0m', '\\u001b[31mred\\u001b[0m'],
    ['\u009b31m', '\\u009b31m'],
    ['user\u202etxt.exe', 'user\\u202etxt.exe'],
    ['zero\u200bwidth', 'zero\\u200bwidth'],
    ['family 👩\u200d👧', 'family 👩\u200d👧'],
    ['half \ud83d pair', 'half \\ud83d pair'],
    ['tag \u{e0041}', 'tag \\udb40\\udc41'],
    ['::error::pwned', '\\u003a:error::pwned'],
    ['  ::error::pwned', '  \\u003a:error::pwned'],
    ['std::vector', 'std::vector'],
    ['x ##[group]y', 'x #\\u0023[group]y'],
    ['##vso[task.setvariable]', '#\\u0023vso[task.setvariable]'],
    ['## Heading', '## Heading'],
    ['###[x]', '##\\u0023[x]'],
  ])('%j', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped)
  })

  test('leaves nothing dangerous in any text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(escapeText(text)).not.toMatch(dangerous)
      }),
      { numRuns: propertyRuns(200) },
    )
  })
})

describe('toSafeJson', () => {
  test('reads back as the same value and is safe line by line', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (key, text) => {
        const value = { [`k${key}`]: [text], list: [] }
        const json = toSafeJson(value)
        expect(JSON.parse(json)).toEqual(value)
        for (const line of json.split('\n')) expect(line).not.toMatch(dangerous)
      }),
      { numRuns: propertyRuns(200) },
    )
  })
})

test.each([
  ['', 0],
  ['plain', 5],
  ['Grüße', 5],
  ['e\u0301', 1],
  ['日本', 4],
  ['한국', 4],
  ['ﾊﾝ', 4 - 2 + 2],
  ['（）', 4],
  ['😀', 2],
  ['👍🏽', 2],
  ['…│▶', 3],
])('%s takes %i cells', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})

const body = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'

test.each([
  ['ghs', `token ghs_${body} used`, 'token ghs_*** used'],
  ['ghs with dots, as newer installation tokens have', `ghs_123_${body}.abc-def.${body}`, 'ghs_***'],
  ['ghp', `ghp_${body}`, 'ghp_***'],
  ['gho, ghu, ghr', `gho_${body} ghu_${body} ghr_${body}`, 'gho_*** ghu_*** ghr_***'],
  ['fine-grained', `github_pat_11ABC_${body}`, 'github_pat_***'],
  ['our own', `opk_${body}-_x`, 'opk_***'],
  ['bearer', `Authorization: Bearer ${body}.x/y+z==`, 'Authorization: Bearer ***'],
  ['bearer in small letters', `authorization: bearer ${body}`, 'authorization: bearer ***'],
  ['bearer with a known token', `Bearer ghs_${body}`, 'Bearer ghs_***'],
  ['basic', 'Authorization: Basic eC1hY2Nlc3MtdG9rZW46Z2hz', 'Authorization: Basic ***'],
  ['JSON Web Token', 'jwt=eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxMjM0NSJ9.c2lnbmF0dXJl', 'jwt=*** (JWT)'],
  ['password in an address', 'git clone https://x-access-token:s3cret@github.com/a/b', 'git clone https://***@github.com/a/b'],
  ['a token as the user name of a URL', `fatal: https://${body}@github.com/a/b`, 'fatal: https://***@github.com/a/b'],
  ['a password in a URL without a scheme', '//me:s3cret@example.com', '//***@example.com'],
  ['a short Authorization value', 'authorization: Basic eDp5', 'authorization: Basic ***'],
  ['a JSON Web Token behind a prefix', 'x-eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxMjM0NSJ9.c2lnbg', 'x-*** (JWT)'],
  ['a key that was cut off', '-----BEGIN RSA PRIVATE KEY-----\nMIIE', '*** (private key)'],
  [
    'words that only look near',
    'the bearer of news, ghs_ and opk_short, a token of trust',
    'the bearer of news, ghs_ and opk_short, a token of trust',
  ],
  ['an email address behind a URL', 'https://a.example?to=b@c.example', 'https://a.example?to=b@c.example'],
  ['an address without a password', 'see https://example.com:8080/a@b', 'see https://example.com:8080/a@b'],
])('masks %s', (_title, text, expected) => {
  expect(maskSecrets(text)).toBe(expected)
})

test('masks a real private key, plain, with escaped newlines, and in base64', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  expect(maskSecrets(`before ${pem}after`)).toBe('before *** (private key)\nafter')
  expect(maskSecrets(`KEY="${pem.replaceAll('\n', '\\n')}" X=1`)).toBe('KEY="*** (private key)\\n" X=1')
  expect(maskSecrets(`KEY=${Buffer.from(pem).toString('base64')} X=1`)).toBe('KEY=*** (private key) X=1')
})
