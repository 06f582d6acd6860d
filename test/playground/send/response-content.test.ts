import { expect, test } from 'vitest'
import { chooseReading, toFileName } from '../../../src/playground/send/response-content.ts'
import { isJsonMediaType, toMediaType } from '../../../src/playground/send/send-request.ts'

test.each([
  ['application/json; charset=utf-8', 'json'],
  ['application/problem+json', 'json'],
  ['application/stream+json', 'lines'],
  ['text/json', 'json'],
  ['TEXT/EVENT-STREAM', 'events'],
  ['application/x-ndjson', 'lines'],
  ['application/jsonl', 'lines'],
  ['text/html', 'text'],
  ['application/xhtml+xml', 'text'],
  ['application/javascript', 'text'],
  // SVG can run scripts, so it is never shown as an image.
  ['image/svg+xml', 'text'],
  ['image/png', 'image'],
  ['image/tiff', 'binary'],
  ['application/pdf', 'pdf'],
  ['video/mp4', 'video'],
  ['audio/mpeg', 'audio'],
  ['application/octet-stream', 'binary'],
] as const)('%s is shown as %s', (contentType, reading) => {
  const mediaType = toMediaType(contentType)
  expect(chooseReading(mediaType, new TextEncoder().encode('abc'))).toBe(reading)
  if (isJsonMediaType(mediaType)) expect(reading).toBe('json')
})

test.each([
  ['plain text', 'text'],
  ['', 'text'],
  ['\0\u0001', 'binary'],
  [new Uint8Array([0xff, 0xfe, 0x00]), 'binary'],
  // A character that is cut at the end of the inspected bytes.
  [new TextEncoder().encode(`${'a'.repeat(511)}ä`), 'text'],
] as const)('detects the type of content without a media type: %j', (content, reading) => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  expect(chooseReading(undefined, bytes)).toBe(reading)
  expect(chooseReading('application/vnd.something', bytes)).toBe(reading)
})

test.each([
  [undefined, 'application/json', 'https://a.test/v1/pets', 'pets.json'],
  [undefined, 'application/problem+json', 'https://a.test/', 'response.json'],
  [undefined, undefined, 'https://a.test/v1/report.pdf', 'report.pdf'],
  [undefined, 'image/jpeg', 'https://a.test/photo', 'photo.jpg'],
  ['attachment; filename="a b.csv"', 'text/csv', 'https://a.test/x', 'a-b.csv'],
  ['attachment; filename=../../.bashrc', undefined, 'https://a.test/x', 'bashrc'],
  ['attachment; filename="\u202Efdp.exe"', undefined, 'https://a.test/x', 'fdp.exe'],
  [undefined, undefined, 'https://a.test/%2e%2e%2f', '2e-2e-2f'],
])('%s, %s, %s: %s', (disposition, mediaType, url, name) => {
  expect(toFileName(disposition, mediaType, url)).toBe(name)
})
