import { expect, test } from 'vitest'
import type { Finding } from '../../src/diagnostics/diagnostic.ts'
import { startDrift } from '../../src/traffic/drift.ts'
import { readRecording } from '../../src/traffic/read-recording.ts'
import { createRouter } from '../../src/traffic/route.ts'
import { readDocument } from '../changes/compare-documents.ts'
import { fc, propertyRuns } from '../support/properties.ts'

const document = `openapi: 3.0.3
info: {title: T, version: '1'}
servers: [{url: https://api.example.com/v1}]
paths:
  /pets:
    get:
      parameters:
      - {name: limit, in: query, required: true, schema: {type: integer}}
      - {name: tags, in: query, style: form, explode: false, schema: {type: array, items: {type: integer}}}
      - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {age: {type: integer}}}}
      - {name: X-Trace, in: header, required: true, schema: {type: string}}
      security: [{key: []}]
      responses:
        '200': {description: Pets, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}
    post:
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: '#/components/schemas/Pet'}}
          application/x-www-form-urlencoded: {schema: {type: object, properties: {age: {type: integer}, tags: {type: array, items: {type: string}}}}}
          multipart/form-data: {schema: {type: object, required: [photo], properties: {age: {type: integer}, photo: {type: string, format: binary}, owner: {type: object, properties: {name: {type: string}}}, tags: {type: array, items: {type: string}}}}}
          application/xml: {schema: {$ref: '#/components/schemas/Pet'}}
      responses:
        '201': {description: Made, headers: {X-Left: {schema: {type: integer}}, X-Ids: {schema: {type: array, items: {type: integer}}}, X-Never: {required: true, schema: {type: integer}}}}
        '422': {description: Refused}
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        2XX: {description: Pet, content: {application/*: {schema: {$ref: '#/components/schemas/Pet'}}}}
        default: {description: Fault}
  /animals:
    get:
      responses: {'200': {description: Any, content: {application/json: {schema: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}}}}}
  /closed:
    get:
      responses:
        '200':
          description: Parts
          content:
            application/json:
              schema:
                allOf:
                - {type: object, additionalProperties: false, properties: {a: {type: string}}}
                - {type: object, additionalProperties: false, properties: {b: {type: string}}}
  /stream: {get: {responses: {'200': {description: Events, content: {text/event-stream: {schema: {$ref: '#/components/schemas/Event'}}, application/x-ndjson: {schema: {$ref: '#/components/schemas/Event'}}}}}}}
components:
  securitySchemes: {key: {type: apiKey, in: query, name: api_key}}
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: {type: string, maxLength: 10}
        id: {type: integer, readOnly: true}
        secret: {type: string, writeOnly: true}
        kind: {type: string, enum: [cat, dog]}
        more: {type: object, additionalProperties: {type: string}}
    Cat: {type: object, required: [kind], properties: {kind: {type: string, enum: [cat]}, lives: {type: integer}}}
    Dog: {type: object, required: [kind], properties: {kind: {type: string, enum: [dog]}, breed: {type: string}}}
    Event: {type: object, required: [type], properties: {type: {type: string, enum: [start]}}}
`

interface Given {
  readonly request: string
  readonly sends?: unknown
  readonly form?: string
  /** The media type of `form`. */
  readonly formType?: string
  readonly headers?: { readonly [name: string]: string }
  readonly status?: number
  readonly receives?: unknown
  readonly mediaType?: string
  readonly date?: string | undefined
}

const pet = { name: 'Rex' }
const list = { request: 'GET /pets?limit=1', receives: [pet] }
const onPet = '/components/schemas/Pet/properties'
const made = { request: 'POST /pets', sends: pet, status: 201 }

/** A multipart form with these heads and contents. */
const multipart = (...parts: readonly (readonly [head: string, content: string])[]) => ({
  ...{ request: 'POST /pets', status: 201, formType: 'multipart/form-data; boundary=XX' },
  form: `${parts.map(([head, content]) => `--XX\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join('')}--XX--\r\n`,
})
const json = '\r\nContent-Type: application/json'
const photo = ['name="photo"; filename="a.png"\r\nContent-Type: image/png', '\x89PNG\r\n\r\n--X'] as const
const onForm = '/paths/~1pets/post/requestBody/content/multipart~1form-data/schema'

test.each<readonly [what: string, given: readonly Given[], expected: readonly string[]]>([
  ['what fits', [list, { request: 'GET /pets/1', receives: pet }], []],
  [
    'the value of an enum',
    [
      {
        ...list,
        receives: [
          { ...pet, kind: null },
          { ...pet, kind: 'cow' },
        ],
      },
    ],
    [`warning traffic-response ${onPet}/kind/enum 2`],
  ],
  ['a type', [{ ...list, receives: [{ name: 1 }] }], [`warning traffic-response ${onPet}/name/type 1`]],
  ['a limit', [{ ...list, receives: [{ name: 'A very long name' }] }], [`warning traffic-response ${onPet}/name/maxLength 1`]],
  ['a missing property', [{ ...list, receives: [{}] }], ['warning traffic-response /components/schemas/Pet/required 1']],
  [
    'the reason of the branch that the tag leaves',
    [{ request: 'GET /animals', receives: { kind: 'cat', lives: 'nine' } }],
    ['warning traffic-response /components/schemas/Cat/properties/lives/type 1'],
  ],
  [
    'closed parts of `allOf` once',
    [{ request: 'GET /closed', receives: { a: 'x', b: 'y' } }],
    ['warning traffic-response /paths/~1closed/get/responses/200/content/application~1json/schema 1'],
  ],
  [
    'undocumented properties, but none of a map',
    [{ ...list, receives: [{ ...pet, more: { 'a@b.example': 'x' }, color: 'red' }] }],
    [`info traffic-undocumented-field ${onPet} 1`],
  ],
  [
    'the events of a stream',
    [
      {
        request: 'GET /stream',
        mediaType: 'text/event-stream',
        receives: 'event: a\ndata: {"type": "start"}\n\ndata: {"type": "end"}\n\ndata: [DONE]\n\n',
      },
    ],
    ['warning traffic-response /components/schemas/Event/properties/type/enum 1'],
  ],
  [
    'the lines of a stream',
    [{ request: 'GET /stream', mediaType: 'application/x-ndjson', receives: '{"type": "start"}\n{}\n' }],
    ['warning traffic-response /components/schemas/Event/required 1'],
  ],
  [
    'an accepted body',
    [{ request: 'POST /pets', sends: { name: null }, status: 201 }],
    [`warning traffic-request ${onPet}/name/type 1`],
  ],
  ['no refused body', [{ request: 'POST /pets', sends: { name: null }, status: 422 }], []],
  ['no read-only property that is missing', [{ request: 'POST /pets', sends: pet, status: 201 }], []],
  [
    'the fields of a form',
    [{ request: 'POST /pets', form: 'age=young&tags[]=a&tags[]=b', status: 201 }],
    [
      'warning traffic-request /paths/~1pets/post/requestBody/content/application~1x-www-form-urlencoded/schema/properties/age/type 1',
    ],
  ],
  [
    'nothing in a multipart form that fits',
    [multipart(photo, ['name=age', '3'], [`name="owner"${json}`, '{"name": "Ü"}'], [`name="tags"${json}`, '["a", "b"]'])],
    [],
  ],
  [
    'the parts of a multipart form',
    [multipart(['name="age"', 'young'], [`name="owner"${json}`, '{"name": 1}'], ['name="tags"', 'a'], ['name="tags"', 'b'])],
    [
      `warning traffic-request ${onForm}/required 1`,
      `warning traffic-request ${onForm}/properties/age/type 1`,
      `warning traffic-request ${onForm}/properties/owner/properties/name/type 1`,
    ],
  ],
  [
    'the headers that a response describes, but none that is undocumented or missing',
    [
      { ...made, headers: { 'x-left': 'many', 'X-Ids': '1, 2', 'X-Other': 'x' } },
      { ...made, headers: { 'X-Left': '[REDACTED]', 'X-Ids': '1,b' } },
    ],
    [
      'warning traffic-response /paths/~1pets/post/responses/201/headers/X-Left/schema/type 1',
      'warning traffic-response /paths/~1pets/post/responses/201/headers/X-Ids/schema/items/type 1',
    ],
  ],
  [
    'a parameter',
    [{ ...list, request: 'GET /pets?limit=all' }],
    ['warning traffic-request /paths/~1pets/get/parameters/0/schema/type 1'],
  ],
  [
    'the items of a parameter',
    [{ ...list, request: 'GET /pets?limit=1&tags=1,x' }],
    ['warning traffic-request /paths/~1pets/get/parameters/1/schema/items/type 1'],
  ],
  [
    'the properties of a parameter',
    [{ ...list, request: 'GET /pets?limit=1&filter[age]=x' }],
    ['warning traffic-request /paths/~1pets/get/parameters/2/schema/properties/age/type 1'],
  ],
  [
    'a path parameter',
    [{ request: 'GET /pets/x', receives: pet }],
    ['warning traffic-request /paths/~1pets~1{id}/parameters/0/schema/type 1'],
  ],
  [
    'a required parameter that is missing, but no header',
    [{ ...list, request: 'GET /pets' }],
    ['warning traffic-request /paths/~1pets/get/parameters/0/required 1'],
  ],
  [
    'undocumented parameters, but no credentials',
    [{ ...list, request: 'GET /pets?limit=1&api_key=x&page=2' }],
    ['info traffic-undocumented-field /paths/~1pets/get/parameters 1'],
  ],
  [
    'a status',
    [{ request: 'POST /pets', sends: pet, status: 200 }],
    ['warning traffic-undocumented-status /paths/~1pets/post/responses 1'],
  ],
  [
    'an unknown resource',
    [{ request: 'GET /animals', status: 404 }],
    ['info traffic-undocumented-status /paths/~1animals/get/responses 1'],
  ],
  [
    'general faults once for a document',
    [
      { request: 'POST /pets', sends: pet, status: 429 },
      { request: 'GET /animals', status: 500 },
    ],
    ['info traffic-undocumented-status /paths/~1pets/post/responses 2'],
  ],
  ['no content that is not modified', [{ request: 'GET /animals', status: 304 }], []],
  [
    'no status of a range',
    [
      { request: 'GET /pets/1', status: 203, receives: pet },
      { request: 'GET /pets/1', status: 418 },
    ],
    [],
  ],
  [
    'a media type',
    [{ ...list, mediaType: 'text/html', receives: 'x' }],
    ['warning traffic-undocumented-media-type /paths/~1pets/get/responses/200/content 1'],
  ],
  ['a path', [list, { request: 'GET /cats' }, { request: 'GET /cats' }], ['warning traffic-undocumented-operation /paths 2']],
  ['a method', [list, { request: 'DELETE /pets' }], ['warning traffic-undocumented-operation /paths/~1pets 1']],
  ['values that a mask replaces', [{ ...list, receives: [{ name: '<A VERY LONG NAME>', kind: '[REDACTED]' }] }], []],
])('finds %s', async (_, given, expected) => {
  const { findings } = await compare(given)
  expect(findings.map(summarize)).toEqual(expected)
})

test('counts what it cannot compare, with the reason', async () => {
  const { unread } = await compare([
    { ...list, receives: '[{"name": <NAME>}]' },
    { request: 'POST /pets', status: 201 },
    { request: 'GET /v<ID>' },
    { request: 'POST /pets', status: 201, form: '<pet/>', formType: 'application/xml' },
  ])
  expect([...(unread.get('a.har') ?? [])].map(([reason, count]) => `${count} ${reason}`)).toEqual([
    '1 its body is no valid JSON',
    '1 the body was not recorded',
    '1 bodies of its media type are not read',
  ])
})

test('has one finding for a place and keyword, with the first and the last date', async () => {
  const given = ['2025-02-04', '2024-01-31', '2026-03-01'].map((date) => ({ ...list, receives: [{ name: null }], date }))
  const { findings } = await compare(given)
  expect(findings.map(({ message, hint }) => `${message} · ${hint}`)).toEqual([
    'Unexpected `null` for `name` in recorded responses, expected a string (count 3, from 2024-01-31 to 2026-03-01) · Add `nullable: true` beside `type` in the schema to allow `null`, not beside a `$ref`',
  ])
})

test('takes age for no drift: what is older than the version of the document, or without a date, is an info', async () => {
  const given = (date: string | undefined) => [{ ...list, receives: [{ name: null }], date }]
  const severitiesOf = async (date: string | undefined, since?: string) =>
    (await compare(given(date), { since, versionDate: '2025-06-01' })).findings.map(({ severity }) => severity ?? 'warning')
  expect(await severitiesOf('2025-06-02')).toEqual(['warning'])
  expect(await severitiesOf('2025-05-31')).toEqual(['info'])
  expect(await severitiesOf(undefined)).toEqual(['info'])
  expect(await severitiesOf('2025-06-02', '2025-06-03')).toEqual([])
})

test('names an undocumented property only if two exchanges have it', async () => {
  const given = (...names: readonly string[]) =>
    names.map((name) => ({
      ...list,
      receives: [
        { ...pet, [name]: 1 },
        { ...pet, [name]: 1 },
      ],
    }))
  const messagesOf = async (...names: readonly string[]) =>
    (await compare(given(...names))).findings.map(({ message }) => message)
  expect(await messagesOf('color', 'color')).toEqual([expect.stringContaining('the property `color`')])
  expect(await messagesOf('color', 'size')).toEqual([expect.stringContaining('have properties that')])
})

test('keeps every recorded text to itself', async () => {
  // Letters that no word of the document and of the messages has.
  const secret = fc.string({ unit: fc.constantFrom('Q', 'Ж', '7'), minLength: 8, maxLength: 12 })
  const anywhere = fc.record({
    request: fc
      .tuple(fc.constantFrom('GET', 'POST', 'SECRET'), fc.constantFrom('/pets', '/pets/*', '/stream', '/*'), secret)
      .map(
        ([method, path, text]) =>
          `${method === 'SECRET' ? text : method} ${path.replace('*', text)}?limit=${text}&${text}=${text}`,
      ),
    sends: fc.dictionary(secret, secret),
    status: fc.constantFrom(200, 201, 404, 429),
    receives: fc.oneof(
      secret,
      fc.array(fc.dictionary(secret, fc.oneof(secret, fc.dictionary(secret, secret)))),
      fc.dictionary(secret, secret),
      fc.record({ name: secret, kind: secret, more: secret }),
    ),
    mediaType: fc.oneof(fc.constant('application/json'), fc.constant('text/event-stream'), secret),
    date: fc.oneof(secret, fc.constant('2025-01-01')),
  })
  await fc.assert(
    // One exchange: a name that several have is shown.
    fc.asyncProperty(anywhere, async (given) => {
      const { findings, unread } = await compare([list, given])
      expect(JSON.stringify([findings, [...unread.values()].map((reasons) => [...reasons])])).not.toMatch(/[QЖ7]{8}/)
    }),
    { numRuns: propertyRuns(200) },
  )
})

async function compare(
  given: readonly Given[],
  { since, versionDate }: { readonly since?: string | undefined; readonly versionDate?: string } = {},
) {
  const api = await readDocument(document)
  const route = createRouter([api])
  const drift = startDrift({ since, versionDateOf: () => versionDate })
  readRecording('a.har', Buffer.from(toHar(given)), (exchange) => drift.add(route(exchange)))
  const { findings, ...others } = drift.finish()
  return { ...others, findings: [...findings.values()].flat() }
}

function toHar(given: readonly Given[]): string {
  const entries = given.map(({ request, sends, form, status = 200, receives, mediaType = 'application/json', ...others }) => {
    const { formType = 'application/x-www-form-urlencoded', headers = {} } = others
    const [, method, path] = /^(\S+) (.*)$/.exec(request) ?? []
    const toText = (value: unknown) => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value))
    const sent = form === undefined ? { mimeType: 'application/json', text: toText(sends) } : { mimeType: formType, text: form }
    return {
      startedDateTime: 'date' in others ? others.date : '2025-02-04',
      request: { method, url: `https://api.example.com/v1${path}`, headers: [], postData: sent },
      response: { status, headers: toList(headers), content: { mimeType: mediaType, text: toText(receives) } },
    }
  })
  return JSON.stringify({ log: { entries } })
}

function toList(headers: { readonly [name: string]: string }) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

function summarize({ code, severity, pointer, message }: Finding): string {
  const byDefault = code === 'traffic-undocumented-field' ? 'info' : 'warning'
  return `${severity ?? byDefault} ${code} ${pointer} ${/\(count (\d+)/.exec(message)?.[1]}`
}
