import { describe, expect, test } from 'vitest'
import { readSlice, toPlace } from '../../../src/model/api.ts'
import type { FieldValue, PlaygroundValues } from '../../../src/playground/controls/types.ts'
import { listMissing } from '../../../src/playground/form/check-value.ts'
import {
  type DescribedBody,
  type DescribedOperation,
  type DescribedParameter,
  keyOf,
  unnamedServer,
} from '../../../src/playground/request/read-operation.ts'
import * as otherBodies from '../../../src/playground/request/request-body.ts'
import { toFetchInit } from '../../../src/playground/send/send-request.ts'
import { toRequest } from '../../../src/playground/send/to-request.ts'
import { encodingsOf, requirementOf } from '../../support/described-parts.ts'

const operationOf = (more: Partial<DescribedOperation>): DescribedOperation => ({
  method: 'POST',
  path: '/a',
  title: '',
  servers: [unnamedServer('https://api.example.com/v1/')],
  security: [],
  parameters: [],
  bodies: [],
  isBodyRequired: false,
  accepts: [],
  dialect: '3.1',
  follow: readSlice({}).follow,
  ...more,
})
const valuesOf = (more: Partial<PlaygroundValues>): PlaygroundValues => ({
  server: { index: 0, variables: {} },
  parameters: {},
  body: { index: 0, mode: 'form', value: undefined, text: '' },
  otherBodies: {},
  extras: [],
  credentials: { alternative: 0, byScheme: {} },
  ...more,
})
const parameterOf = (location: DescribedParameter['in'], name: string, more: Partial<DescribedParameter> = {}) => ({
  name,
  in: location,
  required: location === 'path',
  deprecated: false,
  description: undefined,
  style: { path: 'simple', query: 'form', querystring: 'form', header: 'simple', cookie: 'form' }[location],
  explode: location === 'query' || location === 'cookie',
  allowReserved: false,
  schema: toPlace({}),
  contentType: undefined,
  example: undefined,
  ...more,
})
const options = { base: 'https://docs.example.com/pets/list/', purpose: 'send', others: otherBodies } as const

/** The request for parameters with values, and its problems. */
function fill(
  filled: readonly (readonly [DescribedParameter, PlaygroundValues['parameters'][string] | undefined])[],
  more: Partial<DescribedOperation> = {},
  purpose: 'send' | 'show' = 'send',
) {
  const parameters = Object.fromEntries(
    filled.flatMap(([parameter, value]) => (value === undefined ? [] : [[keyOf(parameter), value]])),
  )
  const operation = operationOf({ parameters: filled.map(([parameter]) => parameter), ...more })
  const { request, problems } = toRequest(operation, valuesOf({ parameters }), { ...options, purpose })
  return { ...request, problems: problems.map(({ kind, at, message }) => `${kind} ${at}: ${message}`) }
}

describe('custom headers and query parameters', () => {
  test('replace generated headers, follow the described parameters, and are not sent if they are off', () => {
    const extra = (location: 'header' | 'query', name: string, value: string, isOn = true) => ({
      in: location,
      name,
      value,
      isOn,
    })
    const operation = operationOf({ accepts: ['application/json'], parameters: [parameterOf('query', 'q')] })
    const extras = [
      extra('header', 'accept', 'text/csv'),
      extra('header', 'X-Line', 'a\r\nX-Evil: 1'),
      extra('header', 'bad name', 'x'),
      extra('header', 'X-Off', 'x', false),
      extra('query', 'a b', 'c&d'),
      extra('query', '', 'x'),
    ]
    const { request, problems } = toRequest(operation, valuesOf({ extras, parameters: { 'query q': '1' } }), options)
    expect(request.url).toMatch(/\?q=1&a%20b=c%26d$/)
    expect(request.headers).toEqual([
      { name: 'accept', value: 'text/csv' },
      { name: 'X-Line', value: 'a X-Evil: 1' },
    ])
    expect(problems.map(({ at }) => at)).toEqual(['header X-Line', 'header bad name'])
  })
})

describe('parameters', () => {
  test('serializes each parameter in its location', () => {
    const { url, headers, problems } = fill(
      [
        [parameterOf('path', 'id'), 'a/b c'],
        [parameterOf('query', 'q', { style: 'deepObject' }), { name: 'x', ages: [1] }],
        [parameterOf('query', 'tags', { explode: false }), ['a,b', 'c']],
        [parameterOf('query', 'filter', { contentType: 'application/json' }), { a: [1, null] }],
        [parameterOf('query', 'text', { contentType: 'application/json' }), 'a'],
        [parameterOf('header', 'X-Ids'), [1, 2]],
        [parameterOf('cookie', 'session'), 'a b'],
      ],
      { path: '/pets/{id}/toys', accepts: ['application/json', 'text/csv'] },
    )
    expect(url).toBe(
      'https://api.example.com/v1/pets/a%2Fb%20c/toys?q%5Bname%5D=x&q%5Bages%5D%5B0%5D=1&tags=a%2Cb,c&filter=%7B%22a%22%3A%5B1%2Cnull%5D%7D&text=%22a%22',
    )
    expect(headers).toEqual([
      { name: 'Accept', value: 'application/json' },
      { name: 'X-Ids', value: '1,2' },
      { name: 'Cookie', value: 'session=a%20b' },
    ])
    expect(problems).toEqual([
      'changed cookie session: Cookie `session` is only in the code samples, because browsers do not let pages set cookies for a request',
    ])
  })

  test.each([
    ['application/x-www-form-urlencoded', { foo: 'a + b', bar: true }, 'foo=a+%2B+b&bar=true'],
    ['application/x-www-form-urlencoded', 'a=b c#d&e', 'a=b%20c%23d&e'],
    ['application/json', { numbers: [1, 2], flag: null }, '%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D'],
    ['application/jsonpath', '$.a.b[1:1]', '%24.a.b%5B1%3A1%5D'],
  ])('serializes the whole query as %s', (contentType, value, expected) => {
    expect(fill([[parameterOf('querystring', 'x', { contentType }), value]]).url).toBe(`https://api.example.com/v1/a?${expected}`)
  })

  test('applies encodings to a form that is the whole query', () => {
    const parameter = parameterOf('querystring', 'x', {
      contentType: 'application/x-www-form-urlencoded',
      encodings: encodingsOf({ ids: { style: 'pipeDelimited' }, at: { allowReserved: true } }),
    })
    expect(fill([[parameter, { ids: [1, 2], at: 'a/b', rest: 'c/d' }]]).url).toBe(
      'https://api.example.com/v1/a?ids=1%7C2&at=a/b&rest=c%2Fd',
    )
  })

  test('omits absent values and reports required ones', () => {
    const filled = [
      [parameterOf('path', 'id'), undefined],
      [parameterOf('query', 'q', { required: true }), undefined],
      [parameterOf('query', 'r'), undefined],
      [parameterOf('header', 'X-A', { required: true }), undefined],
    ] as const
    const sent = fill(filled, { path: '/{id}', isBodyRequired: true })
    expect([sent.url, sent.headers]).toEqual(['https://api.example.com/v1/{id}', []])
    expect(sent.problems).toEqual([
      'missing path id: Missing `id` in the path',
      'missing query q: Missing `q` in the query',
      'missing header X-A: Missing `X-A` in the headers',
      'missing body: Missing request body',
    ])
    const shown = fill(filled, { path: '/{id}' }, 'show')
    expect([shown.url, shown.headers]).toEqual(['https://api.example.com/v1/{id}?q=%3Cq%3E', [{ name: 'X-A', value: '<X-A>' }]])
    expect(fill([[parameterOf('path', 'id'), '']], { path: '/{id}' }).problems).toEqual([
      'missing path id: Missing `id` in the path',
    ])
  })

  test('sends an empty form only if the operation requires a body', () => {
    const bodies = [
      {
        mediaType: 'application/x-www-form-urlencoded',
        schema: toPlace({ type: 'object' }),
        examples: [],
        encodings: encodingsOf(),
      },
    ]
    const body = { index: 0, mode: 'form', value: {}, text: '' } as const
    const bodyOf = (isBodyRequired: boolean) =>
      toRequest(operationOf({ method: 'GET', bodies, isBodyRequired }), valuesOf({ body }), options)
    expect([bodyOf(false).request.body, bodyOf(false).problems]).toEqual([undefined, []])
    expect(bodyOf(true).problems.map(({ kind, at }) => `${kind} ${at}`)).toEqual(['impossible body'])
  })

  test('sends undefined values of RFC 6570 only for required parameters; an empty string is a value', () => {
    const url = (required: boolean) =>
      fill(([null, [], {}, ''] as const).map((value, index) => [parameterOf('query', `p${index}`, { required }), value])).url
    expect(url(false)).toBe('https://api.example.com/v1/a?p3=')
    expect(url(true)).toBe('https://api.example.com/v1/a?p0=&p1=&p2=&p3=')
  })

  test('reports headers that browsers or HTTP do not allow', () => {
    const { headers, problems } = fill([
      [parameterOf('header', 'Host'), 'other.example'],
      [parameterOf('header', 'Sec-Fetch-Site'), 'none'],
      [parameterOf('header', 'X-Two'), 'a\r\nX-Three: b'],
      [parameterOf('header', 'X Bad\nX-Four: c'), 'd'],
      [parameterOf('header', 'X-Good'), 'é'],
    ])
    expect(headers).toEqual([
      { name: 'Host', value: 'other.example' },
      { name: 'Sec-Fetch-Site', value: 'none' },
      { name: 'X-Two', value: 'a X-Three: b' },
      { name: 'X-Good', value: 'é' },
    ])
    expect(problems).toEqual([
      'changed header Host: Header `Host` is only in the code samples, because browsers do not let pages set it',
      'changed header Sec-Fetch-Site: Header `Sec-Fetch-Site` is only in the code samples, because browsers do not let pages set it',
      'changed header X-Two: Line breaks and control characters in `X-Two` are replaced with spaces',
      'changed header X Bad\nX-Four: c: Header `X Bad\nX-Four: c` is not sent, because its name is not valid in HTTP',
    ])
  })

  test.each(['..', '.', '%2e%2E'])('rejects the dot segment `%s` as a path value', (value) => {
    const parameter = parameterOf('path', 'id', { allowReserved: true })
    expect(fill([[parameter, value]], { path: '/x/{id}/y' }).problems).toEqual([
      'impossible server: Browsers resolve `.` and `..` in a path, so the request would go to a different URL',
    ])
    expect(fill([[parameter, value]], { path: '/x/{id}.json' }).problems).toEqual([])
  })
})

describe('servers', () => {
  const variable = { name: 'region', default: 'eu', enum: [], description: undefined }
  const serverOf = (url: string) => ({ servers: [{ url, name: undefined, description: undefined, variables: [variable] }] })
  test.each([
    ['https://{region}.example.com', {}, 'https://eu.example.com/a', []],
    ['https://{region}.example.com', { region: 'us' }, 'https://us.example.com/a', []],
    ['/v2', {}, 'https://docs.example.com/v2/a', []],
    ['', {}, 'https://docs.example.com/pets/list/a', []],
    ['https://api.example.com/v1/', {}, 'https://api.example.com/v1/a', []],
    ['https://{zone}.example.com', {}, 'https://{zone}.example.com/a', ['missing server']],
    ['javascript:alert(1)//', {}, 'javascript:alert(1)/a', ['impossible server']],
    ['https://user:secret@example.com', {}, 'https://user:secret@example.com/a', ['impossible server']],
    ['https://{region}.example.com', { region: 'x/?#@' }, 'https://x/a', []],
  ])('%s with %j', (url, variables, expected, problems) => {
    const result = toRequest(operationOf(serverOf(url)), valuesOf({ server: { index: 0, variables } }), options)
    expect(result.request.url).toBe(expected)
    expect(result.problems.map(({ kind, at }) => `${kind} ${at}`)).toEqual(problems)
  })
})

describe('credentials', () => {
  const schemes = requirementOf({
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    query: { type: 'apiKey', in: 'query', name: 'key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
    basic: { type: 'http', scheme: 'Basic' },
    digest: { type: 'http', scheme: 'Digest' },
    oauth: { type: 'oauth2' },
    unknown: {},
  })
  const byScheme: PlaygroundValues['credentials']['byScheme'] = {
    key: { kind: 'text', value: 'k&1' },
    query: { kind: 'text', value: 'k&2' },
    cookie: { kind: 'text', value: 'k3' },
    basic: { kind: 'basic', username: 'jürgen', password: 'a:b' },
    digest: { kind: 'text', value: 'x' },
    oauth: { kind: 'token', accessToken: 't', expiresAt: undefined },
    unknown: { kind: 'text', value: 'x' },
  }
  const requestOf = (credentials: PlaygroundValues['credentials'], purpose: 'send' | 'show' = 'send') =>
    toRequest(operationOf({ security: [schemes] }), valuesOf({ credentials }), { ...options, purpose })

  test('adds each credential in its location', () => {
    const { request, problems } = requestOf({ alternative: 0, byScheme })
    expect(request.url).toBe('https://api.example.com/v1/a?key=k%262')
    expect(request.headers.map(({ name, value }) => `${name}: ${value}`)).toEqual([
      'X-Key: k&1',
      `Authorization: Basic ${Buffer.from('jürgen:a:b').toString('base64')}`,
      'Authorization: Digest x',
      'Authorization: Bearer t',
      'Cookie: sid=k3',
    ])
    expect(problems.map(({ kind, at }) => `${kind} ${at}`)).toEqual(['changed security cookie'])
  })

  test('shows placeholders for missing credentials and does not send them', () => {
    expect(requestOf({ alternative: 0, byScheme: {} }).request.headers).toEqual([])
    expect(requestOf({ alternative: 0, byScheme: {} }, 'show').request.headers[1]?.value).toBe('Basic <credentials>')
    expect(requestOf({ alternative: -1, byScheme }, 'show').request.headers).toEqual([])
    // A scheme with the name of a prototype member.
    const operation = operationOf({ security: [requirementOf({ constructor: { type: 'oauth2' } })] })
    expect(toRequest(operation, valuesOf({}), options).request.headers).toEqual([])
  })
})

describe('bodies', () => {
  const file = new File(['bytes\r\n\0'], 'a "b".png', { type: 'image/png' })
  const bodyOf = (mediaType: string, more: Partial<DescribedBody> = {}): DescribedBody => ({
    mediaType,
    schema: toPlace({}),
    examples: [],
    encodings: encodingsOf(),
    ...more,
  })
  const send = async (body: DescribedBody, values: Partial<PlaygroundValues['body']>, method = 'POST') => {
    const operation = operationOf({ method, bodies: [body] })
    const bodyValues = { index: 0, mode: 'form', value: undefined, text: '', ...values } as const
    const { request, problems } = toRequest(operation, valuesOf({ body: bodyValues }), options)
    const sent = method === 'GET' ? undefined : new Request(request.url, toFetchInit(request))
    return { request, problems, sent, type: sent?.headers.get('content-type'), text: await sent?.text() }
  }

  test.each([
    ['application/json', { a: [1, null, 'x'] }, 'application/json', '{"a":[1,null,"x"]}'],
    ['application/vnd.api+json; ext=1', 'text', 'application/vnd.api+json; ext=1', '"text"'],
    ['application/json', null, 'application/json', 'null'],
    ['application/x-ndjson', [{ a: 1 }, { b: 2 }], 'application/x-ndjson', '{"a":1}\n{"b":2}\n'],
    ['application/x-ndjson', 'one line', 'application/x-ndjson', '"one line"\n'],
    ['application/x-ndjson', '{"a":1}\n{"b":2}\n', 'application/x-ndjson', '{"a":1}\n{"b":2}\n'],
    ['application/json-seq', [1], 'application/json-seq', '\x1e1\n'],
    ['text/plain', 'a\nb', 'text/plain', 'a\nb'],
    ['text/plain', 5, 'text/plain', '5'],
    ['application/*+json', { a: 1 }, 'application/json', '{"a":1}'],
    ['application/*+xml', '<a/>', 'application/xml', '<a/>'],
    ['text/*', 'a', 'text/plain', 'a'],
    ['*/*', { a: 1 }, 'application/json', '{"a":1}'],
    ['*/*', 'a', 'text/plain', 'a'],
    [
      'application/x-www-form-urlencoded',
      { a: 'x y&', b: [1, 'z'], c: { d: 1 }, e: null, f: true },
      'application/x-www-form-urlencoded',
      'a=x+y%26&b=1&b=z&c=%7B%22d%22%3A1%7D&f=true',
    ],
    ['image/png', file, 'image/png', 'bytes\r\n\0'],
    ['image/*', file, 'image/png', 'bytes\r\n\0'],
    ['application/octet-stream', file, 'application/octet-stream', 'bytes\r\n\0'],
  ])('%s of %j', async (mediaType, value, type, text) => {
    expect(await send(bodyOf(mediaType), { value })).toMatchObject({ type, text, problems: [] })
  })

  test.each([
    ['application/json', '{ "a": 1.0 }', 'json'],
    ['application/json', '{ "a": 1 }', 'json'],
    ['application/json', '{"a":1,"a":2}', 'text'],
    ['application/json', '{"a": 12345678901234567890}', 'json'],
    ['application/json', '{"a": nope', 'text'],
    ['application/json', '{"a": "b  \\" c", "__proto__": {"x": [ ]}}', 'json'],
    ['application/xml', '<a/>', 'text'],
    ['application/x-www-form-urlencoded', 'a=b%20c&a', 'text'],
    ['multipart/form-data', 'not a form', 'text'],
  ])('sends raw %s unchanged: %s', async (mediaType, text, kind) => {
    const result = await send(bodyOf(mediaType), { mode: 'raw', text, value: { other: 1 } })
    expect(result).toMatchObject({ type: mediaType, text, problems: [] })
    expect(result.request.body?.kind).toBe(kind)
  })

  // The examples of OpenAPI 3.2.0, "Encoding the `x-www-form-urlencoded` Media Type".
  test('encodes a form that contains JSON', async () => {
    const address = { streetAddress: '123 Example Dr.', city: 'Somewhere', state: 'CA', zip: '99999+1234' }
    const body = bodyOf('application/x-www-form-urlencoded')
    expect((await send(body, { value: { id: 'f81d4fae', address } })).text).toBe(
      'id=f81d4fae&address=%7B%22streetAddress%22%3A%22123+Example+Dr.%22%2C%22city%22%3A%22Somewhere%22%2C%22state%22%3A%22CA%22%2C%22zip%22%3A%2299999%2B1234%22%7D',
    )
    const json = { ...body, encodings: encodingsOf({ id: { contentType: 'application/json' } }) }
    expect((await send(json, { value: { id: 'f81d4fae' } })).text).toBe('id=%22f81d4fae%22')
  })

  test('encodes a form with styles', async () => {
    const encodings = encodingsOf({
      comma: { explode: false },
      pipe: { style: 'pipeDelimited' },
      deep: { style: 'deepObject' },
      map: { style: 'form' },
      open: { allowReserved: true },
      empty: { style: 'form' },
    })
    const value = { comma: ['a', 'b,'], pipe: ['c', 'd'], deep: { e: 1 }, map: { f: 'g h' }, open: 'i/j', empty: [], rest: 'k l' }
    const result = await send(bodyOf('application/x-www-form-urlencoded', { encodings }), { value })
    expect(result.text).toBe('comma=a,b%2C&pipe=c%7Cd&deep%5Be%5D=1&f=g%20h&open=i/j&rest=k+l')
    expect(result.request.body?.kind).toBe('text')
    const plain = await send(bodyOf('application/x-www-form-urlencoded', { encodings }), {
      value: { deep: { e: 1 }, map: { f: 'g h' } },
    })
    expect(plain.request.body).toMatchObject({
      kind: 'form',
      fields: [
        { name: 'deep[e]', value: '1' },
        { name: 'f', value: 'g h' },
      ],
    })
  })

  test('writes a multipart form byte for byte', async () => {
    const encodings = encodingsOf({
      meta: {
        contentType: 'application/vnd.meta+json',
        headers: { 'X-Id': { schema: { allOf: [{ default: 7 }] } }, 'Content-Type': { example: 'no' } },
      },
      tags: { style: 'spaceDelimited' },
      photo: { contentType: 'image/jpeg, image/png' },
      doc: { contentType: 'application/xml' },
    })
    const value = {
      name: 'a\nb',
      meta: { a: 1 },
      list: [1, { b: 2 }],
      tags: ['x', 'y'],
      photo: file,
      doc: { c: '<' },
      none: null,
    }
    const { text, type } = await send(bodyOf('multipart/form-data', { encodings }), { value })
    const boundary = /^multipart\/form-data; boundary=(form-[0-9a-f]{32})$/.exec(type ?? '')?.[1] ?? 'none'
    const part = (head: string, body: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
    expect(text).toBe(
      [
        part('name="name"', 'a\nb'),
        part('name="meta"\r\nContent-Type: application/vnd.meta+json\r\nX-Id: 7', '{"a":1}'),
        part('name="list"', '1'),
        part('name="list"\r\nContent-Type: application/json', '{"b":2}'),
        part('name="tags"', 'x y'),
        part('name="photo"; filename="a %22b%22.png"\r\nContent-Type: image/png', 'bytes\r\n\0'),
        part(
          'name="doc"\r\nContent-Type: application/xml',
          '<?xml version="1.0" encoding="UTF-8"?>\n<root>\n  <c>&lt;</c>\n</root>\n',
        ),
        `--${boundary}--\r\n`,
      ].join(''),
    )
  })

  test('writes a list as multipart parts without names', async () => {
    const { text, type } = await send(bodyOf('multipart/mixed'), { value: [{ a: 1 }, 'text', file] })
    const boundary = type?.split('boundary=')[1] ?? 'none'
    expect(text?.split(`--${boundary}`).slice(1, -1)).toEqual([
      '\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n',
      '\r\n\r\ntext\r\n',
      '\r\nContent-Disposition: attachment; filename="a %22b%22.png"\r\nContent-Type: image/png\r\n\r\nbytes\r\n\0\r\n',
    ])
  })

  test('writes a form as XML', async () => {
    const pet = {
      xml: { name: 'pet', namespace: 'https://example.com/"ns', prefix: 'p' },
      properties: {
        id: { xml: { attribute: true } },
        tags: { type: 'array', xml: { wrapped: true, name: 'labels' }, items: { xml: { name: 'label' } } },
        photos: { type: 'array', items: {} },
        animals: { type: 'array', xml: { wrapped: true }, items: {} },
        toys: { xml: { nodeType: 'element', name: 'toys' }, items: { xml: { name: 'toy' } } },
        text: { xml: { nodeType: 'text' } },
      },
    }
    const value = {
      id: '1"',
      name: 'a<b & c',
      tags: ['x', 'y'],
      photos: ['u', 'v'],
      animals: [1],
      toys: [2],
      'odd name': {},
      none: null,
    }
    const { text } = await send(bodyOf('application/xml', { schema: toPlace(pet) }), { value })
    expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<p:pet xmlns:p="https://example.com/&quot;ns" id="1&quot;">
  <name>a&lt;b &amp; c</name>
  <labels>
    <label>x</label>
    <label>y</label>
  </labels>
  <photos>u</photos>
  <photos>v</photos>
  <animals>
    <animals>1</animals>
  </animals>
  <toys>
    <toy>2</toy>
  </toys>
  <odd_name/>
  <none/>
</p:pet>
`)
    const component = bodyOf('application/xml', { schema: toPlace({ $ref: '#/components/schemas/Pet' }) })
    expect((await send(component, { value: [{ a: 1 }] })).text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<Pet>\n  <Pet>\n    <a>1</a>\n  </Pet>\n</Pet>\n',
    )
  })

  test('reports bodies and methods that browsers do not send', async () => {
    const { problems } = await send(bodyOf('application/json'), { value: {} }, 'GET')
    expect(problems.map(({ kind, at, message }) => `${kind} ${at}: ${message}`)).toEqual([
      'impossible body: Browsers cannot send a body with `GET`',
    ])
    const trace = toRequest(operationOf({ method: 'TRACE' }), valuesOf({}), options)
    expect(trace.problems.map(({ message }) => message)).toEqual(['Browsers cannot send `TRACE` requests'])
  })
})

const schemas = {
  Pet: {
    type: 'object',
    required: ['id', 'name', 'owner'],
    properties: { id: { readOnly: true }, name: { type: 'string' }, owner: { $ref: '#/components/schemas/Owner' }, age: {} },
  },
  Owner: {
    type: 'object',
    required: ['mail'],
    properties: { mail: {}, pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
  },
  Chair: { type: 'object', required: ['type', 'legs'], properties: { type: { const: 'Chair' }, legs: { type: 'integer' } } },
  Table: { type: 'object', required: ['type', 'top'], properties: { type: { const: 'Table' }, top: { type: 'string' } } },
  Rug: {
    type: 'object',
    required: ['size'],
    properties: {
      type: { type: 'string' },
      size: {},
      on: { type: 'array', items: { oneOf: [{ $ref: '#/components/schemas/Table' }, { $ref: '#/components/schemas/Chair' }] } },
    },
  },
  Loop: { oneOf: [{ $ref: '#/components/schemas/Loop' }, { type: 'object', required: ['a'] }] },
}

const [pet, chair, table, rug] = ['Pet', 'Chair', 'Table', 'Rug'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
const discriminator = { propertyName: 'type' }
const choiceOf = (it: object) => ({ type: 'object', properties: { it } })

test.each<[string, FieldValue, unknown, readonly (readonly (string | number)[])[]]>([
  ['ignores read-only values', { name: 'a', owner: { mail: 'a' } }, pet, []],
  ['at the top level', {}, pet, [['name'], ['owner']]],
  ['in a nested object', { name: 'a', owner: {} }, pet, [['owner', 'mail']]],
  ['in a list', [{ name: 'a' }, null], { items: pet }, [[0, 'owner']]],
  [
    'in a circular schema',
    { name: 'a', owner: { mail: 'a', pets: [{ owner: { mail: 'b' } }] } },
    pet,
    [['owner', 'pets', 0, 'name']],
  ],
  ['in `allOf`', { a: 1 }, { allOf: [pet, { required: ['a'] }] }, [['name'], ['owner']]],
  ['ignores values of another type', 'text', pet, []],
  ['accepts null', { name: null, owner: null }, pet, []],
  ['in the choice with the constant', { it: { type: 'Chair' } }, choiceOf({ oneOf: [chair, table] }), [['it', 'legs']]],
  [
    'in the choice of the discriminator',
    { it: { type: 'Rug' } },
    choiceOf({ anyOf: [pet, rug], discriminator }),
    [['it', 'size']],
  ],
  [
    'in the choice of the same type',
    { it: { type: 'Table' } },
    choiceOf({ oneOf: [{ type: 'string' }, table] }),
    [['it', 'top']],
  ],
  [
    'in the choice with the keys',
    { it: { age: 1 } },
    choiceOf({ anyOf: [rug, pet] }),
    [
      ['it', 'name'],
      ['it', 'owner'],
    ],
  ],
  [
    'in a choice in a list in a choice',
    { it: { type: 'Rug', size: 1, on: [{ type: 'Chair' }] } },
    choiceOf({ oneOf: [chair, rug] }),
    [['it', 'on', 0, 'legs']],
  ],
  ['in a choice of itself', {}, { $ref: '#/components/schemas/Loop' }, []],
])('finds missing required values: %s', (_case, value, schema, expected) => {
  const { follow } = readSlice({ components: { schemas } })
  expect(listMissing(value, toPlace(schema), { follow, dialect: '3.1' })).toEqual(expected)
})

test('the fragment of a path, which tells operations apart, is not sent', () => {
  const query = parameterOf('query', 'fields')
  expect(fill([[query, 'a']], { path: '/files#shared' }).url).toBe('https://api.example.com/v1/files?fields=a')
})
