import { expect, test } from 'vitest'
import { listCorsHeaders } from '../../../src/playground/answer/cors-headers.ts'
import type { HttpRequest, RequestBody } from '../../../src/playground/request/http-request.ts'

const request = (method: string, headers: Readonly<Record<string, string>> = {}, body?: RequestBody): HttpRequest => ({
  method,
  url: 'https://api.example.com/',
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  body,
})
const form = { kind: 'multipart', mediaType: 'multipart/form-data', parts: [], boundary: 'x', pieces: [] } as const

test.each<[string, HttpRequest, readonly string[]]>([
  ['a simple request', request('GET', { Accept: 'application/json', 'Accept-Language': 'en, de;q=0.5' }), []],
  ['a form', request('POST', { 'Content-Type': 'application/x-www-form-urlencoded' }), []],
  ['files', request('POST', {}, form), []],
  ['other parts', request('POST', {}, { ...form, mediaType: 'multipart/mixed' }), ['access-control-allow-headers: content-type']],
  ['JSON', request('POST', { 'Content-Type': 'application/json' }), ['access-control-allow-headers: content-type']],
  [
    'credentials with another method',
    request('DELETE', { 'X-Key': 'a', Authorization: 'Bearer x', 'x-key': 'b' }),
    ['access-control-allow-methods: DELETE', 'access-control-allow-headers: authorization, x-key'],
  ],
  ['headers that browsers omit', request('GET', { Cookie: 'a=1', Host: 'x', 'Sec-Fetch-Mode': 'cors' }), []],
  ['a long or unsafe value', request('GET', { Accept: 'a"b' }), ['access-control-allow-headers: accept']],
  ['text with parameters', request('POST', { 'Content-Type': 'text/plain; charset=utf-8' }), []],
])('lists the headers that the server needs for %s', (_what, sent, preflight) => {
  expect(listCorsHeaders(sent, 'https://docs.example.com', false)).toEqual({
    always: ['access-control-allow-origin: https://docs.example.com'],
    preflight,
  })
})

test('lists the header for cookies', () => {
  expect(listCorsHeaders(request('GET'), 'https://docs.example.com', true).always).toContain(
    'access-control-allow-credentials: true',
  )
})
