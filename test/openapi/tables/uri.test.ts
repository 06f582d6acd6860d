import { describe, expect, test } from 'vitest'
import { isEmail, isUri, isUriReference } from '../../../src/openapi/tables/uri.ts'

describe('isUriReference', () => {
  test.each([
    'https://example.com',
    'https://user:pass@example.com:8080/a/b;c?d=e&f[]#g'.replace('[]', ''),
    'http://[::1]:80/',
    'mailto:ann@example.com',
    'urn:isbn:0451450523',
    '//example.com/a',
    '/a/b',
    'a/b.yaml#/c/d',
    '../a',
    '#/paths/~1pets/get',
    '?a=b',
    'a%20b',
    'https://example.com/Übersicht',
    '',
  ])('takes %s', (text) => {
    expect(isUriReference(text)).toBe(true)
  })

  test.each([
    'a b',
    'https://{host}/a',
    'a<b',
    'a%2',
    '1a:b',
    '#a#b',
    'https://exa mple.com',
    'a\\b',
    '"a"',
    'http://[::1',
    'a|b',
    'a\nb',
  ])('does not take %s', (text) => {
    expect(isUriReference(text)).toBe(false)
  })
})

test.each([
  ['https://example.com/a', true],
  ['urn:a', true],
  ['/a', false],
  ['example.com', false],
  ['https://a b', false],
])('isUri %s: %s', (text, expected) => {
  expect(isUri(text)).toBe(expected)
})

test.each([
  ['ann@example.com', true],
  ["o'hara+pets@mail.example.co.uk", true],
  ['ann@localhost', false],
  ['ann example.com', false],
  ['a..b@example.com', false],
  ['ann@-example.com', false],
])('isEmail %s: %s', (text, expected) => {
  expect(isEmail(text)).toBe(expected)
})
