import { expect, test } from 'vitest'
import type { Exchange } from '../../src/traffic/exchange.ts'
import { openHarStream, readRecording } from '../../src/traffic/read-recording.ts'
import { fc, propertyRuns } from '../support/properties.ts'
import { pactRecordings, received, recordings, response, sent, toHar, toVcr, url, zipped } from '../support/recordings.ts'

test.each(Object.entries(recordings))('reads the exchange of %s', (file, text) => {
  expect(read(file, text).exchanges.map(describe)).toEqual([
    {
      place: { file, index: 1 },
      date: '2025-02-04T10:11:12Z',
      request: { method: 'POST', url, mediaType: 'application/json', body: sent },
      response: { status: 201, mediaType: expect.stringMatching(/^application\/json/), body: received },
      reads: undefined,
    },
  ])
})

test.each(Object.entries(pactRecordings))('reads what a client reads in %s', (file, text) => {
  const { exchanges, incomplete } = read(file, text)
  expect({ incomplete, exchanges: exchanges.map(describe) }).toEqual({
    incomplete: 0,
    exchanges: [
      {
        place: { file, index: 1 },
        date: undefined,
        request: expect.objectContaining({ method: 'POST', url: '/v1/orders?a=1', body: sent }),
        response: expect.objectContaining({ status: 201, body: undefined }),
        reads: [['id'], ['lines', '*', 'sku']],
      },
    ],
  })
})

test('reads the fields of a form that a recorder keeps beside an empty body', () => {
  const text = `interactions:\n- request: {body: '', form: {a: [x, y], b: ['1']}, url: '${url}', method: POST}\n  response: {code: 200, body: ''}\n`
  expect(read('go.yaml', text).exchanges[0]?.request.body).toEqual({
    kind: 'form',
    fields: [
      ['a', 'x'],
      ['a', 'y'],
      ['b', '1'],
    ],
  })
})

test.each([
  [
    'that the recorder lost',
    toVcr('{string: ""}', '{string: "{}"}').replace('headers: {C', "headers: {Content-Length: ['9'], C"),
    'request',
  ],
  ['that is compressed and damaged', toVcr('{string: "{}"}', `{string: !binary "${zipped.slice(0, 20)}"}`), 'response'],
] as const)('tells a body %s from an empty one', (_, text, side) => {
  expect(read('vcr.yml', text).exchanges[0]?.[side]?.body.kind).toBe('lost')
})

test('constructs nothing: tags that are unknown are text, lists and mappings', () => {
  const tags = ['!ruby/object:Net::HTTP', '!!python/object/apply:os.system', '!!js/function', '!<tag:example.com,2020:x>']
  for (const tag of tags) {
    const [exchange] = read('x.yml', toVcr('{string: "{}"}', `{string: ${tag} 'text'}`)).exchanges
    expect(exchange?.response?.body, tag).toEqual({ kind: 'text', text: 'text' })
    for (const value of ['{a: 1}', '[1]']) {
      const [other] = read('x.yml', toVcr('{string: "{}"}', `{string: ${tag} ${value}}`)).exchanges
      const body = other?.response?.body
      const constructed = body?.kind === 'value' ? Object.getPrototypeOf(body.value) : undefined
      expect([Object.prototype, Array.prototype], tag).toContain(constructed)
    }
  }
})

test.each([
  ['broken.har', '{"log": {"entries": [', 'it is no valid JSON'],
  ['broken.yaml', 'interactions:\n- {a: [}\n', 'it is no valid YAML'],
  [
    'nock.json',
    '[{"scope": "https://api.example.com", "method": "GET", "path": "/"}]',
    expect.stringMatching(/convert it to HAR$/),
  ],
  ['postman.json', '{"info": {"_postman_id": "1"}, "item": []}', expect.stringMatching(/convert it to HAR$/)],
])('refuses %s with one problem, which quotes nothing', (file, text, problem) => {
  expect(read(file, text)).toMatchObject({ exchanges: [], problem })
})

test('counts interactions without a URL or status, and reads the others', () => {
  const more = '- request: {method: get}\n- {}\n'
  const { exchanges, incomplete } = read('vcr.yml', toVcr('{string: a}', '{string: b}', more))
  expect([exchanges.length, incomplete]).toEqual([1, 2])
})

test('reads a HAR file in parts of any size as a whole', async () => {
  const entries = fc.array(
    fc.record({
      request: fc.record({ method: fc.constantFrom('GET', 'POST'), url: fc.string() }),
      response: fc.record({
        status: fc.integer({ min: 100, max: 599 }),
        content: fc.record({ text: fc.string({ unit: 'grapheme' }) }),
      }),
    }),
    { maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(entries, fc.integer({ min: 1, max: 40 }), async (given, size) => {
      const bytes = Buffer.from(JSON.stringify({ log: { version: '1.2', entries: given } }))
      const streamed: Exchange[] = []
      const stream = await openHarStream('a.har', (exchange) => streamed.push(exchange))
      for (let start = 0; start < bytes.length; start += size) stream.write(bytes.subarray(start, start + size))
      const whole = read('a.har', bytes.toString())
      expect({ exchanges: streamed, ...stream.end() }).toEqual(whole)
    }),
    { numRuns: propertyRuns(100) },
  )
})

test('finds that a HAR file in parts ends too early', async () => {
  const text = toHar({ text: response })
  const stream = await openHarStream('a.har', () => undefined)
  stream.write(Buffer.from(text.slice(0, -1)))
  expect(stream.end().problem).toBe('it is no valid JSON')
})

function read(file: string, text: string) {
  const exchanges: Exchange[] = []
  const result = readRecording(file, Buffer.from(text), (exchange) => exchanges.push(exchange))
  return { exchanges, ...result }
}

function describe({ request, response, ...exchange }: Exchange) {
  const toBody = ({ body }: Exchange['request'] | NonNullable<typeof response>) => {
    if (body.kind === 'text') return JSON.parse(body.text)
    return body.kind === 'value' ? body.value : undefined
  }
  const [{ headers: _, ...sentMessage }, { headers: __, ...receivedMessage } = request] = [request, response]
  return {
    ...exchange,
    request: { ...sentMessage, body: toBody(request) },
    response: { ...receivedMessage, body: response && toBody(response) },
  }
}
