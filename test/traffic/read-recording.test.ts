import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Exchange } from '../../src/traffic/exchange.ts'
import { openHarStream, readRecording } from '../../src/traffic/read-recording.ts'
import { fc, propertyRuns } from '../support/properties.ts'

const sent = { note: 'ü', items: [{ sku: 'A-1' }] }
const received = { id: 7, state: null }
const [request, response] = [JSON.stringify(sent), JSON.stringify(received)]
const url = 'https://api.example.com/v1/orders'
const zipped = gzipSync(response).toString('base64')
const date = 'Tue, 04 Feb 2025 10:11:12 GMT'

function toVcr(requestBody: string, responseBody: string, more = ''): string {
  return `http_interactions:
- request: {method: post, uri: '${url}', headers: {Content-Type: [application/json]}, body: ${requestBody}}
  response:
    status: {code: 201}
    headers: {Content-Type: [application/json; charset=utf-8]}
    body: ${responseBody}
  recorded_at: ${date}
${more}`
}

const toHar = (content: object) =>
  JSON.stringify({
    log: {
      entries: [
        {
          startedDateTime: '2025-02-04T10:11:12.345Z',
          request: {
            method: 'POST',
            url,
            headers: [{ name: 'Content-Type', value: 'application/json' }],
            postData: { mimeType: 'application/json', text: request },
          },
          response: { status: 201, headers: [], content: { mimeType: 'application/json', ...content } },
        },
      ],
    },
  })

/** One exchange in each format and dialect. */
const recordings: { readonly [name: string]: string } = {
  'vcr.yml': toVcr(`{string: '${request}'}`, `{encoding: UTF-8, string: '${response}'}`),
  'vcr-binary.yml': toVcr(`{string: '${request}'}`, `{encoding: ASCII-8BIT, string: !binary "${zipped}"}`),
  'vcr.json': JSON.stringify({
    http_interactions: [
      {
        request: {
          method: 'post',
          uri: url,
          headers: { 'Content-Type': ['application/json'] },
          body: { base64_string: Buffer.from(request).toString('base64') },
        },
        response: {
          status: { code: 201 },
          headers: { 'Content-Type': 'application/json' },
          body: { base64_string: zipped, string: '' },
        },
        recorded_at: '2025-02-04T10:11:12',
      },
    ],
  }),
  'vcrpy.yaml': `interactions:
- request: {body: !!python/unicode '${request}', headers: {!!python/unicode 'Content-Type': [!!python/unicode application/json]}, method: POST, uri: '${url}'}
  response:
    body: {string: !!binary "${zipped}"}
    headers: {content-type: [application/json], date: ['${date}']}
    status: {code: 201}
version: 1
`,
  'vcrpy-parsed.yaml': `interactions:
- request: {headers: {content-type: [application/json]}, method: POST, parsed_body: ${request}, uri: '${url}'}
  response: {headers: {content-type: [application/json], date: ['${date}']}, parsed_body: ${response}, status: {code: 201}}
`,
  'go-vcr.yaml': `version: 2
interactions:
- request: {body: '${request}', form: {}, headers: {Content-Type: [application/json]}, url: '${url}', method: POST}
  response:
    body: '${response}'
    headers: {Content-Type: [application/json], Date: [${date}]}
    status: 201 Created
    code: 201
`,
  'browser.har': toHar({ text: response }),
  'browser-base64.har': toHar({ text: Buffer.from(response).toString('base64'), encoding: 'base64' }),
  'polly-chunks.har': toHar({ text: JSON.stringify([zipped.slice(0, 8), zipped.slice(8)]), encoding: 'base64' }),
  'polly-cut.har': toHar({ text: JSON.stringify([zipped.slice(0, 7), zipped.slice(7)]), encoding: 'base64' }),
  'polly-hex.har': toHar({ text: JSON.stringify([gzipSync(response).toString('hex')]), _isBinary: true }),
}

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

test.each([
  { version: '2.0.0', request: { body: sent, query: 'a=1' }, response: { body: { id: 7, lines: [{ sku: 'A' }] } } },
  { version: '3.0.0', request: { body: sent, query: { a: ['1'] } }, response: { body: { id: 7, lines: [{ sku: 'A' }] } } },
  {
    version: '4.0',
    request: { body: { content: sent, contentType: 'application/json', encoded: false }, query: { a: ['1'] } },
    response: { body: { content: { id: 7, lines: [{ sku: 'A' }] }, contentType: 'application/json', encoded: false } },
  },
])('reads what a client reads in a contract of Pact $version', ({ version, request, response }) => {
  const interaction = { request: { method: 'post', path: '/v1/orders', ...request }, response: { status: 201, ...response } }
  const message = { type: 'Asynchronous/Messages', contents: {} }
  const contract = {
    consumer: { name: 'checkout' },
    provider: { name: 'shop' },
    interactions: version === '4.0' ? [{ type: 'Synchronous/HTTP', ...interaction }, message] : [interaction],
    metadata: { pactSpecification: { version } },
  }
  const { exchanges, incomplete } = read('pact.json', JSON.stringify(contract))
  expect({ incomplete, exchanges: exchanges.map(describe) }).toEqual({
    incomplete: 0,
    exchanges: [
      {
        place: { file: 'pact.json', index: 1 },
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
