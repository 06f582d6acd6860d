import { expect, test } from 'vitest'
import { isAllowedByPolicy } from '../../../src/playground/send/is-allowed-by-policy.ts'

const self = new URL('https://docs.example.com/a/')

test.each([
  ["connect-src 'self'", 'https://docs.example.com/x', true],
  ["connect-src 'self'", 'https://api.example.com/x', false],
  ["connect-src 'self' https://api.example.com", 'https://api.example.com/v1', true],
  ['connect-src https://api.example.com', 'http://api.example.com/v1', false],
  ['connect-src http://api.example.com', 'https://api.example.com/v1', true],
  ['connect-src https://api.example.com', 'https://api.example.com:8443/v1', false],
  ['connect-src https://api.example.com:8443', 'https://api.example.com:8443/v1', true],
  ['connect-src http://localhost:*', 'http://localhost:3000/', true],
  ['connect-src https://*.example.com', 'https://eu.api.example.com/', true],
  ['connect-src https://*.example.com', 'https://example.com/', false],
  ['connect-src https://*.example.com', 'https://evilexample.com/', false],
  ['connect-src https:', 'https://any.test/', true],
  ['connect-src https:', 'http://any.test/', false],
  ['connect-src *', 'http://any.test/', true],
  ["connect-src 'none'", 'https://docs.example.com/', false],
  ["default-src 'none'", 'https://docs.example.com/', false],
  ["default-src 'none'; connect-src https:", 'https://any.test/', true],
  ["script-src 'self'", 'https://any.test/', true],
  ['CONNECT-SRC API.example.com', 'https://api.example.com/', true],
])('%s: %s is %s', (policy, address, isAllowed) => {
  expect(isAllowedByPolicy(policy, new URL(address), self)).toBe(isAllowed)
})
