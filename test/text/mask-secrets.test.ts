import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { maskSecrets } from '../../src/text/mask-secrets.ts'

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
