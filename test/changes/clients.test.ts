import { expect, test } from 'vitest'
import { type Change, meetsThreshold } from '../../src/changes/change.ts'
import { markClients } from '../../src/changes/clients/client-effects.ts'
import { compareDescriptions } from '../../src/changes/compare/compare.ts'
import { describeClients, summarizeClients } from '../../src/changes/show/changes-text.ts'
import { addExchange, type ClientRecord, emptyClient, readClientFile, writeClientFile } from '../../src/traffic/client-file.ts'
import { readRecording } from '../../src/traffic/read-recording.ts'
import { createRouter } from '../../src/traffic/route.ts'
import { readDocument } from './compare-documents.ts'

const base = `
openapi: 3.0.3
info: { title: Library, version: '1' }
servers: [{ url: 'https://library.example/v2' }]
paths:
  /loans:
    get:
      parameters:
        - { name: order, in: query, schema: { type: string, enum: [due, title] } }
        - { name: size, in: query, schema: { type: integer, default: 30 } }
      responses:
        '200': { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Loan' } } } } }
    post:
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/NewLoan' } }
          application/xml: { schema: { $ref: '#/components/schemas/NewLoan' } }
      responses: { '202': { description: Later, headers: { Retry-After: { schema: { type: integer } }, X-Left: { schema: { type: integer } } } }, '422': { description: Refused, content: { application/json: { schema: { type: object, required: [hint], properties: { hint: { type: string } } } } } }, '201': { description: New, content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } } } }
  /loans/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    delete: { responses: { '204': { description: Ended } } }
  /news:
    get:
      responses:
        '200': { description: News, content: { application/x-ndjson: { schema: { oneOf: [{ $ref: '#/components/schemas/Opened' }] } } } }
components:
  schemas:
    Loan:
      type: object
      required: [id, state]
      properties:
        id: { type: integer }
        state: { type: string }
        reader: { type: object, nullable: true, properties: { name: { type: string } } }
    NewLoan:
      type: object
      properties:
        title: { type: string, maxLength: 80 }
        note: { type: string, nullable: true }
        renew: { type: boolean }
        days: { type: integer }
        labels: { type: object, additionalProperties: { type: string, nullable: true } }
        item: { oneOf: [{ $ref: '#/components/schemas/Book' }, { $ref: '#/components/schemas/Film' }, { type: string }] }
    Book: { type: object, required: [pages], properties: { pages: { type: integer } } }
    Film: { type: object, required: [minutes], properties: { minutes: { type: integer } } }
    Opened: { type: object, properties: { kind: { type: string, enum: [opened] } } }
    Closed: { type: object, properties: { kind: { type: string, enum: [closed] } } }
`

interface Exchange {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly status?: number
  readonly answer?: string
  readonly headers?: { readonly [name: string]: string }
}

async function record(name: string, exchanges: readonly Exchange[]): Promise<ClientRecord> {
  const client = emptyClient(name)
  const route = createRouter([await readDocument(base)])
  const entries = exchanges.map(({ method, path, body, status = 200, answer = '', headers = {} }) => ({
    startedDateTime: '2026-03-04T05:06:07Z',
    request: {
      ...{ method, url: `https://library.example${path}`, headers: [] },
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: {
      status,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      content: { mimeType: path.endsWith('news') ? 'application/x-ndjson' : 'application/json', text: answer },
    },
  }))
  const bytes = new TextEncoder().encode(JSON.stringify({ log: { entries } }))
  readRecording('recording.har', bytes, (exchange) => addExchange(client, route(exchange)))
  const text = writeClientFile(client)
  const read = await readClientFile({ path: 'client.yaml', text })
  if (!read.record) throw new Error('The file cannot be read')
  // The same record has the same text.
  expect(writeClientFile(read.record)).toBe(text)
  return read.record
}

const loan = JSON.stringify({ id: 1, state: 'open', reader: null })

const web = () =>
  record('web', [
    { method: 'GET', path: '/v2/loans?order=title', answer: `[${loan}]` },
    {
      ...{ method: 'POST', path: '/v2/loans', status: 201, answer: loan },
      body: { title: 'A book with a long title', note: null, labels: { mine: null }, days: 3, item: { pages: 12 } },
    },
    { method: 'GET', path: '/v2/news', answer: '{"kind":"opened"}\n{"kind":"opened"}' },
  ])

const desk = () =>
  record('desk', [
    { method: 'GET', path: '/v2/loans?order=due&size=100', answer: '[]' },
    {
      method: 'POST',
      path: '/v2/loans',
      body: { title: 'B', note: 'n', renew: false, item: { minutes: 9 } },
      status: 201,
      answer: loan,
    },
    { method: 'DELETE', path: '/v2/loans/1', status: 204 },
  ])

const masked = () => record('masked', [{ method: 'GET', path: '/v<ID>/loans', answer: `[${loan}]` }])

/** The changes of a text of the base, with the effects on clients. */
async function compare(
  replace: readonly [from: string, to: string],
  clients: readonly ClientRecord[],
  revised: readonly ClientRecord[] = [],
) {
  const [from, to] = replace
  if (!base.includes(from)) throw new Error(`The document has no ${from}`)
  const sides = { base: await readDocument(base), revision: await readDocument(base.replace(from, to)) }
  const compared = compareDescriptions(sides.base, sides.revision, { today: '2026-06-15' })
  return markClients({ ...compared, clients: undefined }, { base: clients, revision: revised }, sides)
}

test.each<[change: string, replace: readonly [string, string], web: string, desk: string]>([
  ['a value is removed', ['enum: [due, title]', 'enum: [due]'], 'hurts sends `title`', 'safe never sends it'],
  ['a default changes', ['default: 30', 'default: 10'], 'may-hurt 1 of 1 requests omit `size`', 'safe always sends `size`'],
  ['a text gets shorter', ['maxLength: 80', 'maxLength: 5'], 'hurts sends length 24', 'safe sends length 1'],
  [
    '`null` is refused',
    ['note: { type: string, nullable: true }', 'note: { type: string }'],
    'hurts sends `null`',
    'safe never sends `null`',
  ],
  [
    'a value of a map is no longer `null`',
    ['{ type: string, nullable: true } }\n        item', '{ type: string } }\n        item'],
    'hurts sends `null`',
    'unused never sends `labels`',
  ],
  [
    'a property becomes required',
    ['NewLoan:\n      type: object', 'NewLoan:\n      type: object\n      required: [renew]'],
    'hurts 1 of 1 values lack `renew`',
    'safe always sends `renew`',
  ],
  [
    'a number gets a limit',
    ['days: { type: integer }', 'days: { type: integer, maximum: 2 }'],
    'may-hurt sends `days`',
    'unused never sends `days`',
  ],
  ['a type changes', ['days: { type: integer }', 'days: { type: string }'], 'hurts sends `integer`', 'unused never sends `days`'],
  ['an alternative is removed', [", { $ref: '#/components/schemas/Film' }", ''], 'unused ', 'hurts sends `Film`'],
  [
    'one alternative is stricter',
    ['pages: { type: integer }', 'pages: { type: integer, minimum: 20 }'],
    'may-hurt sends `pages`',
    'unused ',
  ],
  [
    'a media type is removed',
    ["          application/xml: { schema: { $ref: '#/components/schemas/NewLoan' } }\n", ''],
    'safe sends another media type',
    'safe sends another media type',
  ],
  [
    'a response can have `null`',
    ['name: { type: string }', 'name: { type: string, nullable: true }'],
    'may-hurt receives `name`',
    'may-hurt ',
  ],
  [
    'a response can lack a property',
    ['required: [id, state]', 'required: [id]'],
    'may-hurt receives items of the body',
    'may-hurt ',
  ],
  [
    'a response changes that it never received',
    ['required: [hint]', 'required: []'],
    'unused never receives it',
    'unused never receives it',
  ],
  [
    'an operation is removed',
    ["    delete: { responses: { '204': { description: Ended } } }\n", ''],
    'unused never calls it',
    'hurts calls it',
  ],
  [
    'a parameter is required',
    [
      '        - { name: size,',
      '        - { name: branch, in: query, required: true, schema: { type: string } }\n        - { name: size,',
    ],
    'hurts never sends `branch`',
    'hurts never sends `branch`',
  ],
  [
    'a stream has another event',
    [
      "oneOf: [{ $ref: '#/components/schemas/Opened' }]",
      "oneOf: [{ $ref: '#/components/schemas/Opened' }, { $ref: '#/components/schemas/Closed' }]",
    ],
    'may-hurt receives the body',
    'unused never calls it',
  ],
])('decides by what a client is recorded to send: %s', async (_, replace, onWeb, onDesk) => {
  const { changes } = await compare(replace, [await web(), await desk(), await masked()])
  const found = changes
    .filter(({ level }) => level !== 'compatible')
    .map(({ clients = [] }) => clients.map(({ effect, why }) => `${effect} ${why}`))
  expect(found.length).toBeGreaterThan(0)
  const matches = found.filter(([first, second]) => first?.startsWith(onWeb) && second?.startsWith(onDesk))
  expect(matches.length, JSON.stringify(found)).toBeGreaterThan(0)
  for (const [, , third] of found) expect(third).toBe('unknown 1 of 1 exchange unknown')
})

test('knows for sure only what a client reads', async () => {
  const client = await web()
  const operations = [...client.documents.values()].flatMap((own) => [...own.values()])
  for (const { reads } of operations) reads.add('state').add('[].state')
  const effectOf = async (replace: readonly [string, string]) => {
    const { changes } = await compare(replace, [client])
    return changes.flatMap(({ level, clients = [] }) => (level === 'compatible' ? [] : clients.map(({ effect }) => effect)))
  }
  expect(await effectOf(['state: { type: string }', 'state: { type: string, nullable: true }'])).toEqual(['hurts'])
  expect(await effectOf(['id: { type: integer }', 'id: { type: integer, nullable: true }'])).toEqual(['safe'])
})

test('counts the headers that a response describes as received', async () => {
  const later = {
    method: 'POST',
    path: '/v2/loans',
    status: 202,
    body: { title: 'A' },
    headers: { 'retry-after': '3', 'X-Other': '1' },
  }
  const client = await record('web', [later])
  const [operation] = [...client.documents.values()].flatMap((own) => [...own.values()])
  expect([...(operation?.receives.get('202')?.headers.keys() ?? [])]).toEqual(['Retry-After'])
  const effectsOf = async (replace: readonly [string, string]) =>
    (await compare(replace, [client])).changes.flatMap(({ clients = [] }) => clients.map(({ effect, why }) => `${effect} ${why}`))
  expect(await effectsOf(['Retry-After: { schema: { type: integer } }, ', ''])).toEqual(['may-hurt receives `Retry-After`'])
  expect(await effectsOf(['Retry-After: { schema: { type: integer', 'Retry-After: { schema: { type: string'])).toEqual([
    'may-hurt receives `Retry-After`',
  ])
  expect(await effectsOf([', X-Left: { schema: { type: integer } }', ''])).toEqual(['may-hurt receives `202`'])
})

test('lists clients that the revision adds, removes or narrows, and counts those of the base', async () => {
  const [before, other] = [await web(), await desk()]
  const smaller = await record('web', [{ method: 'GET', path: '/v2/loans?order=due', answer: '[]' }])
  const compared = await compare(['enum: [due, title]', 'enum: [due]'], [before], [smaller, other])
  expect(compared.clients).toEqual([
    { client: 'web', state: 'narrowed' },
    { client: 'desk', state: 'added' },
  ])
  expect(compared.changes.flatMap(({ clients = [] }) => clients.map(({ client, effect }) => `${client} ${effect}`))).toEqual([
    'web hurts',
    'desk safe',
  ])
  const removed = await compare(['enum: [due, title]', 'enum: [due]'], [before], [])
  expect(removed.clients).toEqual([{ client: 'web', state: 'removed' }])
})

test('never calls a change safe that touches no client', async () => {
  const { changes } = await compare(["    delete: { responses: { '204': { description: Ended } } }\n", ''], [await web()])
  expect(changes.map(describeClients)).toEqual(['touches none of 1 recorded client'])
  expect(summarizeClients(changes)).toBe('1 touches none of 1 recorded client')
})

test('says whom a change breaks', async () => {
  const { changes } = await compare(['enum: [due, title]', 'enum: [due]'], [await web(), await desk(), await masked()])
  expect(changes.map(describeClients)).toEqual([
    'breaks `web` (sends `title`), unknown for `masked` (1 of 1 exchange unknown), not `desk` (never sends it)',
  ])
  expect(summarizeClients(changes)).toBe('GET /loans breaks web (sends `title`)')
})

test.each<[effect: string, level: Change['level'], thresholds: Parameters<typeof meetsThreshold>[1], isMet: boolean]>([
  ['hurts', 'breaking', 'client', true],
  ['hurts', 'compatible', 'client', false],
  ['may-hurt', 'breaking', 'client', false],
  ['may-hurt', 'risky', 'client-unknown', true],
  ['unknown', 'breaking', 'client-unknown', true],
  ['unused', 'breaking', 'client-unknown', false],
  ['unused', 'breaking', ['client', 'breaking'], true],
  ['hurts', 'risky', ['client', 'breaking'], true],
])('%s, %s: --fail-on %s', (effect, level, thresholds, isMet) => {
  const clients = [{ client: 'web', effect: effect as 'hurts', operation: null, place: null, why: '' }]
  expect(meetsThreshold({ level, clients }, thresholds)).toBe(isMet)
})

/** The texts of a value, keys included. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Map) return [...value].flatMap(([key, one]) => [...listTexts(key), ...listTexts(one)])
  if (value instanceof Set || Array.isArray(value)) return [...value].flatMap(listTexts)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

test('writes no text but words of the document, the name of the client, numbers and days', async () => {
  const secret = (at: string) => `sk_live_${at}`
  const client = await record('web', [
    {
      ...{ method: 'POST', path: `/v2/loans?${secret('query')}=${secret('value')}`, status: 201 },
      body: {
        ...{ title: secret('title'), note: secret('note'), [secret('field')]: secret('other') },
        ...{ labels: { [secret('key')]: secret('label') }, item: { pages: 1, [secret('inner')]: 1 } },
      },
      answer: JSON.stringify({ id: 7_331_733, state: secret('state'), [secret('received')]: { name: secret('name') } }),
    },
    {
      method: 'GET',
      path: `/v2/loans?order=${secret('order')}`,
      answer: JSON.stringify([{ id: 1, state: secret('s'), [secret('k')]: 1 }]),
    },
    { method: 'DELETE', path: `/v2/loans/${secret('path')}`, status: 204 },
    {
      ...{ method: 'POST', path: '/v2/loans', body: {}, status: 202 },
      headers: { 'Retry-After': secret('header'), [secret('header-name')]: '1' },
    },
    { method: 'GET', path: `/v2/${secret('unmatched')}` },
  ])
  const text = writeClientFile(client)
  expect(text).not.toContain('sk_live')
  expect(text).not.toContain('7331733')
  const words = new Set([...base.split(/[\s{}[\]'",:]+/), 'web', 'openapi.yaml', 'array', 'POST', 'GET', 'DELETE', '2026-03-04'])
  const types = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null', 'length', 'items', 'keys', 'query', 'path']
  const all = listTexts(client)
    .flatMap((one) => one.split(/[\s{}]+/))
    .filter((one) => one !== '' && !/^\d+$/.test(one))
  expect(all.filter((one) => !words.has(one) && !types.includes(one))).toEqual([])
})

test('a file that is no clients file is a problem, and its values never throw', async () => {
  for (const text of [
    '[]',
    'client: 3',
    'client: a\ndocuments: []',
    '{',
    'client: a\ndocuments: {a.yaml: {GET /a: 3, GET /b: {sends: [1], receives: {200: {body: {a: {fields: {b: 1}}}}}}}}',
  ]) {
    const { record: read, findings } = await readClientFile({ path: 'a.yaml', text })
    expect(Boolean(read)).toBe(findings.length === 0)
  }
})
