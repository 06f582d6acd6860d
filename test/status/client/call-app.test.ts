import { expect, test } from 'vitest'
import { parseAppUrl } from '../../../src/status/client/call-app.ts'
import type { ConfigError } from '../../../src/text/errors.ts'

test.each([
  ['https://pages.example.com', 'https://pages.example.com'],
  ['https://pages.example.com/', 'https://pages.example.com'],
  ['https://pages.example.com:8443', 'https://pages.example.com:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('accepts %s', (text, address) => {
  expect(parseAppUrl(text, '`--url`')).toBe(address)
})

test.each([
  ['pages.example.com', 'expected the URL of an app', 'For example `https://pages.example.com`'],
  ['http://pages.example.com', 'expected an `https:` URL', 'Use `https:`. Tokens are sent over plain http only to localhost'],
  ['http://127.0.0.1.example.com', 'expected an `https:` URL', 'Use `https:`. Tokens are sent over plain http only to localhost'],
  ['http://localhost.example.com', 'expected an `https:` URL', 'Use `https:`. Tokens are sent over plain http only to localhost'],
  ['ftp://localhost', 'expected an `https:` URL', 'Use `https:`. Tokens are sent over plain http only to localhost'],
  ['https://pages.example.com/v1', 'expected a URL without a path', 'Use `https://pages.example.com`'],
  ['https://pages.example.com?x', 'expected a URL without a path', 'Use `https://pages.example.com`'],
  ['https://me:secret@pages.example.com', 'expected a URL without a user name or password', 'Remove them. The token is enough'],
])('rejects %s', (text, message, hint) => {
  let error: unknown
  try {
    parseAppUrl(text, '`--url`')
  } catch (thrown) {
    error = thrown
  }
  expect(error).toMatchObject({ name: 'ConfigError', hint, message: expect.stringContaining(message) })
  expect((error as ConfigError).message).not.toContain('secret')
})
