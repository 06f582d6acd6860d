import { createParser } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { chooseReading, createItemReader, toFileName } from '../../../src/playground/send/response-content.ts'
import { isJsonMediaType, toMediaType } from '../../../src/playground/send/send-request.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

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

type Item = readonly [data: string, event: string | undefined, id: string | undefined]

function readItems(reading: 'events' | 'lines', pieces: readonly string[]): Item[] {
  const items: Item[] = []
  const read = createItemReader((data, event, id) => items.push([data, event, id]))
  for (const piece of pieces) read(reading, piece, false)
  read(reading, '', true)
  return items
}

test('reads server-sent events as the parser of the standard does, however they are cut', () => {
  const field = fc.constantFrom(
    'data',
    'data:',
    'data: ',
    'data:  ',
    'event: ',
    'event:',
    'id: ',
    'id:\0',
    ':',
    ': ',
    'retry: ',
    'dat',
    ' data:',
  )
  const end = fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n', '\x1e')
  const line = fc.tuple(field, fc.constantFrom('', 'a', 'b: c', ' ', 'ä'), end).map((parts) => parts.join(''))
  const stream = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(''))
  fc.assert(
    fc.property(stream, fc.array(fc.nat(40), { maxLength: 6 }), (text, cuts) => {
      const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
      const pieces = places.slice(1).map((place, at) => text.slice(places[at], place))
      const expected: Item[] = []
      const parser = createParser({ onEvent: ({ data, event, id }) => expected.push([data, event || undefined, id]) })
      for (const piece of pieces) parser.feed(piece)
      expect(readItems('events', pieces)).toEqual(expected)
    }),
    { numRuns: propertyRuns(5_000) },
  )
})

test('reads lines and records that arrive in pieces', () => {
  const pieces = ['{"a":', '1}\r', '\n\x1e{"b":2}\n\n', '{"c"', ':3}']
  expect(readItems('lines', pieces).map(([data]) => data)).toEqual(['{"a":1}', '{"b":2}', '{"c":3}'])
})
