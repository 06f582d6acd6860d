import { type IncomingMessage, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type RelayCall, relayMediaType, relayMetric, relayPath } from '../../../src/playground/request/relay-format.ts'
import { localNetwork, serveHttps } from '../../support/serve-https.ts'
import type { ConnectOptions } from '../support/connected-app.ts'
import { endUpdate, type PeopleApp, startPeopleApp, toSha } from '../support/people-app.ts'
import { addToken } from '../support/test-app.ts'
import { Visitor } from '../support/visitor.ts'

const credential = 'Bearer s3cr3t-t0k3n-0f-ann'

interface Received {
  readonly request: IncomingMessage
  readonly body: string
}

/** An API without CORS. It records requests, and echoes their bodies unless the path has an own response. */
async function serveApi(
  respond: Parameters<typeof serveHttps>[0] = (_request, response) => void response.end('{"name":"Minka"}'),
) {
  const received: Received[] = []
  const origin = await serveHttps(async (asked, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk)
    received.push({ request: asked, body: Buffer.concat(chunks).toString() })
    respond(asked, response)
  })
  return { origin, received }
}

/** An app with a public and a private project. The document of both names `server`. */
async function start(server: string, options: ConnectOptions = {}) {
  const metricsToken = 'f3a9c2d17b604e58a1c9'
  const app = await startPeopleApp({
    network: localNetwork,
    ...options,
    env: { PLAYGROUND_RELAY: 'all', METRICS_TOKEN: metricsToken, ...options.env },
  })
  const { project: open } = await app.addRepository('acme/open', { reader: 'read' })
  const { project: closed } = await app.addRepository('acme/plans', { reader: 'read', other: 'read' }, { private: true })
  const operation = { summary: 'Pets', responses: {} }
  const paths = { '/pets': { get: operation, post: operation } }
  const slice = { openapi: '3.1.0', servers: [{ url: `${server}/v1` }], paths }
  const site = { 'index.html': 'Pets', 'pets.openapi.json': JSON.stringify(slice), 'other.json': JSON.stringify(slice) }
  await endUpdate(app.store, open, { sha: toSha('1'), site })
  await endUpdate(app.store, closed, { sha: toSha('2'), site })
  const siteOf = (label: string) => app.base.replace('localhost', `${label}.localhost`)
  const metrics = async () => {
    const response = await fetch(`${app.base}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } })
    const lines = (await response.text()).match(/^openapi_pages_relay_requests_total\{.*$/gm) ?? []
    return Object.fromEntries(lines.map((line) => [/outcome="([^"]+)"/.exec(line)?.[1], Number(line.split(' ').at(-1))]))
  }
  return { app, open: siteOf(open.subdomain), closed: siteOf(closed.subdomain), openProject: open, siteOf, metrics }
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The first line, or the problem. */
  readonly head: { readonly [name: string]: unknown }
  readonly body: string
}

interface SendOptions extends Partial<RelayCall> {
  readonly body?: string
  readonly cookie?: string
  /** Replace or (`undefined`) remove headers of the call itself. */
  readonly own?: Readonly<Record<string, string | undefined>>
  readonly raw?: string
}

/** Sends a call like the playground. Rejects if the response is incomplete. */
async function send(site: string, options: SendOptions = {}): Promise<Answer> {
  const { body = '', cookie, own = {}, raw, ...call } = options
  const head = { slice: '/pets.openapi.json', method: 'GET', headers: [['Authorization', credential]], ...call }
  const target = new URL(relayPath, site)
  const { host } = target
  target.hostname = '127.0.0.1'
  const headers = {
    Host: host,
    'Content-Type': relayMediaType,
    'Sec-Fetch-Site': 'same-origin',
    ...(cookie !== undefined && { Cookie: cookie }),
    ...own,
  }
  return await new Promise((resolve, reject) => {
    const sent = request(target, {
      method: 'POST',
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value)),
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const end = response.statusCode === 200 ? text.indexOf('\n') : text.length
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          head: JSON.parse(text.slice(0, end)),
          body: text.slice(end + 1),
        })
      })
    })
    sent.end(raw ?? `${JSON.stringify(head)}\n${body}`)
  })
}

/** The cookies of a visitor for a site. */
const cookiesOf = (visitor: Visitor, site: string) =>
  [...(visitor.cookies.get(new URL(site).host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')

/** Signs a user in to a private site, and returns the cookies of the site. */
async function enter(app: PeopleApp, login: string, site: string): Promise<string> {
  const visitor = await app.visitorOf(login)
  expect((await visitor.go(`${site}/_openapi-pages/sign-in?to=/`)).text).toBe('Pets')
  return cookiesOf(visitor, site)
}

describe('a relayed request', () => {
  test('reaches the server with its headers and body, and returns the response without cookies', async () => {
    const api = await serveApi((_request, response) => {
      response.setHeader('Set-Cookie', 'session=1').setHeader('X-Total', '3').setHeader('Content-Type', 'text/html')
      response.statusCode = 201
      response.end('<script>alert(1)</script>')
    })
    const { open, metrics } = await start(api.origin)
    const answer = await send(open, {
      method: 'POST',
      url: `${api.origin}/v1/pets?limit=2#part`,
      headers: [
        ['Authorization', credential],
        ['Content-Type', 'application/json'],
        ['X-Name', 'Zo\u00c3\u00ab'],
        ['Cookie', 'own=1'],
        ['Host', 'evil.test'],
        ['Connection', 'upgrade'],
        ['Transfer-Encoding', 'chunked'],
        ['Origin', 'https://evil.test'],
        ['Sec-Fetch-Site', 'same-origin'],
        ['Proxy-Authorization', 'x'],
        ['X-Forwarded-For', '10.0.0.1'],
        ['Forwarded', 'for=10.0.0.1'],
      ],
      body: '{"name":"Minka"}',
      cookie: 'openapi-pages-site=abc',
    })
    const [received] = api.received
    expect(received?.body).toBe('{"name":"Minka"}')
    expect([received?.request.method, received?.request.url]).toEqual(['POST', '/v1/pets?limit=2'])
    expect(received?.request.headers).toEqual({
      accept: '*/*',
      'accept-encoding': 'identity',
      authorization: credential,
      connection: 'close',
      'content-length': '16',
      'content-type': 'application/json',
      host: new URL(api.origin).host,
      'user-agent': 'openapi-pages',
      via: '1.1 openapi-pages',
      'x-name': 'Zo\u00c3\u00ab',
    })
    expect(answer.head).toMatchObject({ status: 201, statusText: 'Created' })
    const names = (answer.head['headers'] as [string, string][]).map(([name]) => name.toLowerCase())
    expect(names).toEqual(expect.arrayContaining(['x-total', 'content-type', 'content-length']))
    expect(names).not.toContain('set-cookie')
    expect(answer.body).toBe('<script>alert(1)</script>')
    // A browser that opens the response downloads it, and runs nothing.
    expect(answer.headers).toMatchObject({
      'content-type': relayMediaType,
      'content-disposition': 'attachment; filename="response"',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
    await expect.poll(metrics).toEqual({ answered: 1 })
  })

  test('returns redirects instead of following them', async () => {
    const inside = await serveApi()
    const api = await serveApi((_request, response) => {
      response.writeHead(307, { Location: `${inside.origin}/v1/pets` }).end()
    })
    const { open } = await start(api.origin)
    const { head } = await send(open, { url: `${api.origin}/v1/pets` })
    expect(head).toMatchObject({ status: 307 })
    expect(head['headers']).toContainEqual(['Location', `${inside.origin}/v1/pets`])
    expect(inside.received).toEqual([])
  })

  test('decompresses the response, and passes events on as they arrive', async () => {
    const api = await serveApi((_request, response) => {
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync('{"a":1}'))
    })
    const { open } = await start(api.origin)
    const { head, body } = await send(open, { url: `${api.origin}/v1/pets` })
    expect([body, JSON.stringify(head['headers']).toLowerCase()]).toEqual([
      '{"a":1}',
      expect.not.stringContaining('content-encoding'),
    ])
  })

  test('ends when the reader stops it', async () => {
    let isClosed = false
    const api = await serveApi((_request, response) => {
      response.on('close', () => {
        isClosed = true
      })
      response.write('data: 1\n\n')
    })
    const { open, metrics } = await start(api.origin)
    const target = new URL(relayPath, open)
    const { host } = target
    target.hostname = '127.0.0.1'
    const headers = { Host: host, 'Content-Type': relayMediaType, 'Sec-Fetch-Site': 'same-origin' }
    const call = { slice: '/pets.openapi.json', method: 'GET', url: `${api.origin}/v1/pets`, headers: [] }
    const sent = request(target, { method: 'POST', headers })
    sent.on('error', () => undefined)
    const event = await new Promise<string>((resolve) => {
      let text = ''
      sent.on('response', (response) => {
        response.on('error', () => undefined)
        response.on('data', (chunk) => {
          text += chunk
          // The response has not ended.
          if (text.includes('data: 1')) resolve(text)
        })
      })
      sent.end(`${JSON.stringify(call)}\n`)
    })
    expect(event).toContain('"status":200')
    expect(isClosed).toBe(false)
    sent.destroy()
    await expect.poll(() => isClosed).toBe(true)
    await expect.poll(metrics).toEqual({ stopped: 1 })
  })

  test.each([
    [
      'an unreachable server',
      'https://localhost:1',
      { failure: 'Cannot get a response from `localhost`: the host refused the connection.' },
    ],
    ['a private address', 'https://inside.test', { failure: '`inside.test` has no public IP address.' }],
    ['an IP address', 'https://169.254.169.254', { failure: '`169.254.169.254` has no public IP address.' }],
  ])('reports %s', async (_name, origin, head) => {
    const { open } = await start(origin)
    expect((await send(open, { url: `${origin}/v1/pets` })).head).toEqual(head)
  })

  test('connects to public addresses only, unless a test changes the network', async () => {
    const api = await serveApi()
    const app = await start(api.origin, { network: (await import('../../../src/files/network.ts')).publicNetwork })
    expect((await send(app.open, { url: `${api.origin}/v1/pets` })).head).toEqual({
      failure: '`localhost` has no public IP address.',
    })
    expect(api.received).toEqual([])
    await expect.poll(app.metrics).toEqual({ 'not-public': 1 })
  })
})

describe('the relay refuses', () => {
  const other = 'https://localhost:9'

  test.each<[string, SendOptions, number]>([
    ['another server', { url: 'https://example.com/v1/pets' }, 403],
    ['another port', { url: `${other}/v1/pets` }, 403],
    ['another path', { url: '/admin' }, 403],
    ['a path above the server', { url: '/v1/../admin' }, 403],
    ['http', { url: 'http://localhost/v1/pets' }, 400],
    ['a user name in the URL', { url: 'https://ann:secret@localhost/v1/pets' }, 400],
    ['a relative URL', { url: 'v1/pets' }, 400],
    ['a method without an operation', { method: 'DELETE' }, 403],
    ['TRACE', { method: 'TRACE' }, 400],
    ['a line break in a header', { headers: [['X-A', 'a\r\nX-B: b']] }, 400],
    ['an invalid header name', { headers: [['X A', 'a']] }, 400],
    ['too many headers', { headers: Array.from({ length: 201 }, (_, index) => [`X-${index}`, '']) }, 400],
    ['a first line that is too long', { headers: [['X-A', 'a'.repeat(70_000)]] }, 400],
    ['a body that is too large', { method: 'POST', body: 'a'.repeat(4 * 1024 * 1024 + 1) }, 413],
    ['a file that is not a slice', { slice: '/other.json' }, 422],
    ['a slice of another site', { slice: 'https://evil.test/pets.openapi.json' }, 422],
    ['a slice outside the site', { slice: '/../pets.openapi.json' }, 422],
    ['no first line', { raw: 'GET /' }, 400],
    ['a first line that is not JSON', { raw: 'GET /\n' }, 400],
    ['an empty call', { raw: '{}\n' }, 400],
    ['another site', { own: { 'Sec-Fetch-Site': 'cross-site' } }, 403],
    ['another site on the same domain', { own: { 'Sec-Fetch-Site': 'same-site' } }, 403],
    ['a navigation', { own: { 'Sec-Fetch-Site': 'none' } }, 403],
    ['a browser that names another origin', { own: { 'Sec-Fetch-Site': undefined, Origin: 'https://evil.test' } }, 403],
    ['a client without an origin', { own: { 'Sec-Fetch-Site': undefined } }, 403],
    ['a form', { own: { 'Content-Type': 'text/plain' } }, 415],
  ])('%s', async (_name, options, status) => {
    const api = await serveApi()
    const { open, app } = await start(api.origin)
    const { url = '/v1/pets' } = options
    const answer = await send(open, { ...options, url: url.startsWith('/') ? `${api.origin}${url}` : url })
    expect([answer.status, answer.headers['content-type']]).toEqual([status, expect.stringContaining('problem+json')])
    expect(api.received).toEqual([])
    expect(JSON.stringify(answer.head)).not.toContain('s3cr3t')
    expect(app.logLines.join('')).not.toMatch(/s3cr3t|ann:secret/)
  })

  test('every call unless an administrator enabled it', async () => {
    const api = await serveApi()
    const { open, app } = await start(api.origin, { env: { PLAYGROUND_RELAY: 'off' } })
    const visitor = new Visitor(app.base)
    expect((await visitor.ask(`${open}${relayPath}`, { method: 'POST' })).status).toBe(404)
    expect((await visitor.ask(open)).headers.get('server-timing')).toBeNull()
    expect(api.received).toEqual([])
  })

  test('calls to the host of the app', async () => {
    const api = await serveApi()
    const { app } = await start(api.origin)
    expect((await send(app.base, { url: `${api.origin}/v1/pets` })).status).toBe(404)
  })

  test('previews of forks', async () => {
    const api = await serveApi()
    const { app, openProject, siteOf } = await start(api.origin)
    const slice = JSON.stringify({ servers: [{ url: api.origin }], paths: { '/pets': { get: {} } } })
    const site = { 'index.html': 'Fork', 'pets.openapi.json': slice }
    await endUpdate(app.store, openProject, { sha: toSha('3'), ref: 'refs/pull/7/head', site })
    const preview = siteOf(`${openProject.subdomain}--${toSha('3').slice(0, 12)}`)
    const shown = await new Visitor(app.base).ask(preview)
    expect([shown.text, shown.headers.get('server-timing')]).toEqual(['Fork', null])
    expect((await send(preview, { url: `${api.origin}/pets` })).status).toBe(404)
    expect(api.received).toEqual([])
  })
})

describe('readers', () => {
  test('of public sites are limited by IP address', async () => {
    const api = await serveApi()
    const { open, app, metrics } = await start(api.origin, { env: { PLAYGROUND_RELAY_PER_MINUTE: '2' } })
    expect((await new Visitor(app.base).ask(open)).headers.get('server-timing')).toBe(relayMetric)
    const statuses: number[] = []
    for (let index = 0; index < 3; index++) statuses.push((await send(open, { url: `${api.origin}/v1/pets` })).status)
    expect(statuses).toEqual([200, 200, 429])
    expect(api.received).toHaveLength(2)
    await expect.poll(metrics).toEqual({ answered: 2, limited: 1 })
  })

  test('of public sites cannot use it if it is for signed-in readers', async () => {
    const api = await serveApi()
    const { open, closed, app } = await start(api.origin, { env: { PLAYGROUND_RELAY: 'private' } })
    expect((await send(open, { url: `${api.origin}/v1/pets` })).status).toBe(404)
    expect((await new Visitor(app.base).ask(open)).headers.get('server-timing')).toBeNull()
    const cookie = await enter(app, 'reader', closed)
    expect((await send(closed, { url: `${api.origin}/v1/pets`, cookie })).head).toMatchObject({ status: 200 })
  })

  test('of private sites must be signed in, and are limited by user', async () => {
    const api = await serveApi()
    const { closed, siteOf, app } = await start(api.origin, { env: { PLAYGROUND_RELAY_PER_MINUTE: '2' } })
    const url = `${api.origin}/v1/pets`
    const anonymous = await send(closed, { url })
    const missing = await send(siteOf('nothing-here'), { url })
    const { requestId: _one, ...refused } = anonymous.head
    const { requestId: _two, ...unknown } = missing.head
    expect([anonymous.status, refused]).toEqual([404, unknown])
    const first = await enter(app, 'reader', closed)
    const again = await enter(app, 'reader', closed)
    expect([
      (await send(closed, { url, cookie: first })).status,
      (await send(closed, { url, cookie: again })).status,
      // Another session of the same user.
      (await send(closed, { url, cookie: first })).status,
      (await send(closed, { url, cookie: await enter(app, 'other', closed) })).status,
    ]).toEqual([200, 200, 429, 200])
    expect(api.received.map(({ request: { headers } }) => headers.cookie)).toEqual([undefined, undefined, undefined])
  })

  test('with a share link cannot use it', async () => {
    const api = await serveApi()
    const { closed, app } = await start(api.origin)
    const owner = await app.store.sites.findOwner({ subdomain: new URL(closed).hostname.split('.')[0] ?? '' })
    const link = await addToken(app.store, { scope: 'link', host: new URL(closed).host, projectId: owner.projectId })
    const visitor = new Visitor(app.base)
    const shown = await visitor.go(`${closed}/?openapi-pages-link=${link.text}`)
    expect([shown.text, shown.headers.get('server-timing')]).toEqual(['Pets', null])
    const cookie = cookiesOf(visitor, closed)
    expect((await send(closed, { url: `${api.origin}/v1/pets`, cookie })).status).toBe(404)
    expect(api.received).toEqual([])
  })

  test('have at most four requests at the same time', async () => {
    const open: (() => void)[] = []
    onTestFinished(() => {
      for (const end of open) end()
    })
    const api = await serveApi((_request, response) => void open.push(() => response.end()))
    const site = await start(api.origin)
    const running = Array.from({ length: 4 }, () => send(site.open, { url: `${api.origin}/v1/pets` }))
    await expect.poll(() => open.length).toBe(4)
    expect((await send(site.open, { url: `${api.origin}/v1/pets` })).status).toBe(429)
    for (const end of open) end()
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const later = send(site.open, { url: `${api.origin}/v1/pets` })
    await expect.poll(() => open.length).toBe(5)
    open[4]?.()
    expect((await later).status).toBe(200)
  })
})

test('never logs the URL, headers or body of a request, also if it fails', async () => {
  const api = await serveApi((asked, response) => {
    if (asked.url?.includes('break')) response.destroy()
    else response.end('secret-response')
  })
  const { open, app } = await start(api.origin)
  const headers = [
    ['Authorization', credential],
    ['X-Key', 'secret-key'],
  ] as const
  for (const part of ['pets', 'break', 'pets']) {
    await send(open, { method: 'POST', url: `${api.origin}/v1/${part}?token=secret-query`, headers, body: 'secret-body' })
  }
  await send(open, { url: 'https://secret-host.test/', headers })
  await expect.poll(() => app.logLines.filter((line) => line.includes('Relayed a request')).length).toBe(3)
  const log = app.logLines.join('')
  expect(log).not.toMatch(/s3cr3t|secret-/)
  const lines = app.logLines.filter((line) => line.includes('Relayed a request')).map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ host: new URL(api.origin).host, outcome: 'answered', address: '127.0.0.1' })
  expect(lines[1]).toMatchObject({ outcome: 'unreachable' })
})
