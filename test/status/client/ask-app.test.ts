import { expect, test } from 'vitest'
import type { ConfigError } from '../../../src/errors.ts'
import { readAppAddress } from '../../../src/status/client/ask-app.ts'

test.each([
  ['https://pages.example.com', 'https://pages.example.com'],
  ['https://pages.example.com/', 'https://pages.example.com'],
  ['https://pages.example.com:8443', 'https://pages.example.com:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('%s is an address', (text, address) => {
  expect(readAppAddress(text, '`--url`')).toBe(address)
})

test.each([
  ['pages.example.com', 'expected the address of an app', 'for example `https://pages.example.com`'],
  ['http://pages.example.com', 'expected an `https:` address', 'a token is not sent over plain http, except to this machine'],
  ['http://127.0.0.1.example.com', 'expected an `https:` address', 'a token is not sent over plain http, except to this machine'],
  ['http://localhost.example.com', 'expected an `https:` address', 'a token is not sent over plain http, except to this machine'],
  ['ftp://localhost', 'expected an `https:` address', 'a token is not sent over plain http, except to this machine'],
  ['https://pages.example.com/v1', 'expected an address without a path', '`https://pages.example.com` is enough'],
  ['https://pages.example.com?x', 'expected an address without a path', '`https://pages.example.com` is enough'],
  ['https://me:secret@pages.example.com', 'expected an address without a user name or password', 'the token is enough'],
])('%s is refused', (text, message, hint) => {
  let error: unknown
  try {
    readAppAddress(text, '`--url`')
  } catch (thrown) {
    error = thrown
  }
  expect(error).toMatchObject({ name: 'ConfigError', hint, message: expect.stringContaining(message) })
  expect((error as ConfigError).message).not.toContain('secret')
})
