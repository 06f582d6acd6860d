import { gzipSync } from 'node:zlib'

export const sent = { note: 'ü', items: [{ sku: 'A-1' }] }
export const received = { id: 7, state: null }
const request = JSON.stringify(sent)
export const response = JSON.stringify(received)
export const url = 'https://api.example.com/v1/orders'
export const zipped = gzipSync(response).toString('base64')
const date = 'Tue, 04 Feb 2025 10:11:12 GMT'

export function toVcr(requestBody: string, responseBody: string, more = ''): string {
  return `http_interactions:
- request: {method: post, uri: '${url}', headers: {Content-Type: [application/json]}, body: ${requestBody}}
  response:
    status: {code: 201}
    headers: {Content-Type: [application/json; charset=utf-8]}
    body: ${responseBody}
  recorded_at: ${date}
${more}`
}

export const toHar = (content: object) =>
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
export const recordings: { readonly [name: string]: string } = {
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

const lines = { id: 7, lines: [{ sku: 'A' }] }

/** Contracts of Pact in each version: one request with a response, of which the client reads `id` and `lines`. */
export const pactRecordings: { readonly [name: string]: string } = {
  'pact-2.json': toPact('2.0.0', { body: sent, query: 'a=1' }, { body: lines }),
  'pact-3.json': toPact('3.0.0', { body: sent, query: { a: ['1'] } }, { body: lines }),
  'pact-4.json': toPact(
    '4.0',
    { body: { content: sent, contentType: 'application/json', encoded: false }, query: { a: ['1'] } },
    { body: { content: lines, contentType: 'application/json', encoded: false } },
  ),
}

function toPact(version: string, request: object, response: object): string {
  const interaction = { request: { method: 'post', path: '/v1/orders', ...request }, response: { status: 201, ...response } }
  const message = { type: 'Asynchronous/Messages', contents: {} }
  return JSON.stringify({
    consumer: { name: 'checkout' },
    provider: { name: 'shop' },
    interactions: version === '4.0' ? [{ type: 'Synchronous/HTTP', ...interaction }, message] : [interaction],
    metadata: { pactSpecification: { version } },
  })
}
