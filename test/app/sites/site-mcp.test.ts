import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, test } from 'vitest'
import { renderSearchIndex } from '../../../src/site/page/search/search-index.ts'
import { endUpdate, startPeopleApp, toSha } from '../support/people-app.ts'
import { addToken } from '../support/test-app.ts'
import { Visitor } from '../support/visitor.ts'

/** A site with one guide, as the build writes it. */
function toSite(text: string): Readonly<Record<string, string>> {
  const entry = {
    route: 'guide',
    kind: 'page',
    title: text,
    method: undefined,
    path: undefined,
    operationId: undefined,
    about: '',
    category: 'guides',
    boost: undefined,
    names: [],
    part: [],
    sections: [],
  } as const
  const search = renderSearchIndex([entry]).map(({ path, content }) => [path, String(content)])
  return {
    'index.html': '<title>Start</title>',
    'index.md': '# Start\n',
    'guide/index.html': '<title>Guide</title>',
    'guide.md': `# ${text}\n`,
    'notes.md': 'Not a page',
    'skill.md': `# ${text}\n`,
    'llms.txt': `# ${text}\n`,
    '.well-known/agent-skills/index.json': `{"skills":"${text}"}`,
    '.well-known/agent-skills/zoo/SKILL.md': `# ${text}\n`,
    '_agents/changes.json': JSON.stringify([
      {
        route: 'changelog',
        title: text,
        versions: [{ name: '2', changes: [{ level: 'breaking', code: 'a', message: 'b', operations: [] }], left: 0 }],
      },
    ]),
    'guide.openapi.json': JSON.stringify({ openapi: '3.1.0', info: { title: text }, paths: { '/a': { get: {} } } }),
    ...Object.fromEntries(search),
  }
}

async function start() {
  const app = await startPeopleApp()
  const { project: shown } = await app.addRepository('acme/open', { reader: 'read' })
  const { project: secret } = await app.addRepository('acme/plans', { reader: 'read' }, { private: true })
  const { project: others } = await app.addRepository('rival/plans', { spy: 'admin' }, { private: true })
  await endUpdate(app.store, shown, { sha: toSha('1'), site: toSite('Open zoo') })
  await endUpdate(app.store, secret, { sha: toSha('2'), site: toSite('Secret zoo') })
  const siteOf = (label: string) => app.base.replace('localhost', `${label}.localhost`)
  return {
    app,
    open: siteOf(shown.subdomain),
    hidden: siteOf(secret.subdomain),
    missing: siteOf('nothing-here'),
    tokens: {
      own: (await addToken(app.store, { scope: 'read', projectId: secret.id })).text,
      other: (await addToken(app.store, { scope: 'read', projectId: others.id })).text,
      admin: (await addToken(app.store, { scope: 'admin' })).text,
    },
  }
}

/** Sends requests of a client to a host below `localhost`, which Node does not resolve. */
function toFetch(visitor: Visitor) {
  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const visit = await visitor.ask(String(input), {
      method: init.method ?? 'GET',
      headers: { ...Object.fromEntries(new Headers(init.headers)) },
      ...(typeof init.body === 'string' && { body: init.body }),
    })
    const hasBody = visit.status !== 202 && visit.status !== 204
    return new Response(hasBody ? visit.text : null, { status: visit.status, headers: visit.headers })
  }
}

async function connect(site: string, { token, visitor = new Visitor(site) }: { token?: string; visitor?: Visitor } = {}) {
  const client = new Client({ name: 'test', version: '1' })
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', site), {
    requestInit: { headers },
    fetch: toFetch(visitor),
  })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args })
    const [first] = result.content as { text: string }[]
    return `${result.isError ? 'error: ' : ''}${first?.text}`
  }
  return { client, call }
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})

const post = (site: string, headers: Record<string, string> = {}, body = initialize) =>
  new Visitor(site).ask(`${site}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body,
  })

test('serves search and pages of a public site to a client without a token', async () => {
  const { open } = await start()
  const { client, call } = await connect(open)
  expect(client.getInstructions()).toContain(open)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    ...['search', 'read_page', 'get_operation', 'get_schema', 'build_request', 'list_changes'],
  ])
  expect(await call('search', { query: 'zoo' })).toBe('- /guide · Open zoo\n')
  expect(await call('read_page', { page: '/guide' })).toBe('# Open zoo\n')
  expect(await call('read_page', { page: '/' })).toBe('# Start\n')
  for (const page of ['/notes', '/../guide', '/_headers', '/none']) {
    expect(await call('read_page', { page })).toMatch(/^(?:error: There is no page|# Open zoo)/)
  }
  expect(await call('read_page', { page: '/notes' })).toContain('error:')
  expect(await call('get_operation', { operation: '/guide' })).toContain('"Open zoo"')
  expect(await call('build_request', { operation: '/guide' })).toContain('curl /a\n')
  expect(await call('list_changes', {})).toBe('# Open zoo, 2 · /changelog\n- breaking · a: b\n')
  await client.close()
})

/** One request of the protocol without sessions. */
const call2026 = (site: string, method: string, params: object, headers: Record<string, string> = {}) =>
  post(
    site,
    { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...headers },
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  )

test.each(['{', 'x', 'null', '{"a":1}'])('logs no error for the malformed request %s', async (body) => {
  const { app, open } = await start()
  expect((await post(open, {}, body)).status).toBe(400)
  expect(app.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('speaks version 2026-07-28 without a handshake', async () => {
  const { open, hidden, missing, tokens } = await start()
  const discovered = await call2026(open, 'server/discover', {})
  expect([discovered.status, JSON.parse(discovered.text).result.supportedVersions]).toEqual([200, ['2026-07-28']])
  const listed = await call2026(open, 'tools/list', {})
  expect(JSON.parse(listed.text).result.tools).toHaveLength(6)
  const read = (site: string, headers: Record<string, string> = {}) =>
    call2026(site, 'tools/call', { name: 'read_page', arguments: { page: '/guide' } }, { 'Mcp-Name': 'read_page', ...headers })
  expect(JSON.parse((await read(open)).text).result.content).toEqual([{ type: 'text', text: '# Open zoo\n' }])
  expect((await read(hidden, { Authorization: `Bearer ${tokens.own}` })).text).toContain('Secret zoo')
  expect([(await read(hidden)).status, (await read(missing)).status]).toEqual([404, 404])
  const listen = await call2026(open, 'subscriptions/listen', { filter: {} })
  expect(listen.text).toContain('"error"')
})

describe('files for agents', () => {
  const discovery = [
    '/.well-known/mcp',
    '/.well-known/mcp.json',
    '/.well-known/mcp/server-card.json',
    '/.well-known/mcp/server-cards.json',
    '/.well-known/ai-catalog.json',
    '/mcp/server-card',
  ]
  const files = [
    ...['/skill.md', '/llms.txt', '/guide.md', '/guide.openapi.json', '/_agents/changes.json'],
    ...['/.well-known/agent-skills/index.json', '/.well-known/agent-skills/zoo/SKILL.md'],
  ]
  const get = (url: string, headers: Record<string, string> = {}) =>
    new Visitor(url).ask(url, { headers: { Accept: '*/*', ...headers } })

  test('describe the MCP server of a public site', async () => {
    const { open } = await start()
    const [endpoints, , card, cards, catalog] = await Promise.all(discovery.map((path) => get(open + path)))
    expect(JSON.parse(endpoints?.text ?? '')).toMatchObject({
      transport: 'http',
      url: `${open}/mcp`,
      servers: [{ name: 'public', url: `${open}/mcp`, transport: 'http', authentication: 'none' }],
    })
    expect(card?.headers.get('content-type')).toBe('application/mcp-server-card+json')
    expect(card?.headers.get('access-control-allow-origin')).toBe('*')
    const shown = JSON.parse(card?.text ?? '')
    expect(shown.name).toMatch(/^localhost\.[a-z0-9-]+\/mcp$/)
    expect(shown.remotes).toEqual([
      {
        type: 'streamable-http',
        url: `${open}/mcp`,
        supportedProtocolVersions: expect.arrayContaining(['2026-07-28', '2025-06-18']),
      },
    ])
    expect(JSON.parse(cards?.text ?? '')).toEqual({ servers: [shown] })
    expect(JSON.parse(catalog?.text ?? '').entries[0].url).toBe(`${open}/mcp/server-card`)
  })

  test('describe a private site to those with access, and say that it needs a token', async () => {
    const { hidden, tokens } = await start()
    const headers = { Authorization: `Bearer ${tokens.own}` }
    const endpoints = await get(`${hidden}/.well-known/mcp`, headers)
    expect(JSON.parse(endpoints.text).servers[0].authentication).toBe('bearer')
    expect(endpoints.headers.get('access-control-allow-origin')).toBeNull()
    expect(endpoints.headers.get('cache-control')).toBe('private, no-cache')
    const card = JSON.parse((await get(`${hidden}/mcp/server-card`, headers)).text)
    expect(card.remotes[0].headers[0]).toMatchObject({ name: 'Authorization', isRequired: true, isSecret: true })
  })

  test.each([...discovery, ...files])('%s of a private site is like that of a host without a site', async (path) => {
    const { open, hidden, missing, tokens } = await start()
    const strip = ({ status, text }: { status: number; text: string }) => [status, text.replace(/"requestId":"[^"]*"/, '')]
    expect((await get(open + path)).status).toBe(200)
    for (const headers of [{}, { Accept: 'text/markdown' }, { Accept: 'text/plain' }, { Cookie: 'openapi-pages-site=forged' }]) {
      const [found, none] = [await get(hidden + path, headers), await get(missing + path, headers)]
      expect(found.status).toBe(404)
      expect(strip(found)).toEqual(strip(none))
      expect(found.text).not.toContain('zoo')
    }
    if (discovery.includes(path)) {
      const other = await get(hidden + path, { Authorization: `Bearer ${tokens.other}` })
      expect(other.status).toBe(404)
    }
  })

  test('a private page is not Markdown for those without access', async () => {
    const { hidden, missing } = await start()
    for (const accept of ['text/markdown', 'text/plain', 'text/html']) {
      const [found, none] = [
        await get(`${hidden}/guide/`, { Accept: accept }),
        await get(`${missing}/guide/`, { Accept: accept }),
      ]
      expect([found.status, found.text]).toEqual([404, none.text])
    }
  })

  test('exist on hosts of sites only', async () => {
    const { app } = await start()
    for (const path of discovery) expect((await get(app.base + path)).status).toBe(404)
  })
})

test('serves a private site to tokens of its project, and to a signed-in reader', async () => {
  const { app, hidden, tokens } = await start()
  for (const token of [tokens.own, tokens.admin]) {
    const { client, call } = await connect(hidden, { token })
    expect(await call('read_page', { page: '/guide' })).toBe('# Secret zoo\n')
    await client.close()
  }
  const visitor = await app.visitorOf('reader')
  const first = await visitor.go(hidden)
  await visitor.go(new URL(/href="([^"]*_openapi-pages[^"]*)"/.exec(first.text)?.[1] ?? '', first.url).href)
  const { client, call } = await connect(hidden, { visitor })
  expect(await call('search', { query: 'zoo' })).toBe('- /guide · Secret zoo\n')
  await client.close()
})

test('gives others the response of a host without a site', async () => {
  const { open, hidden, missing, tokens } = await start()
  const strip = ({ status, text }: { status: number; text: string }) => [status, text.replace(/"requestId":"[^"]*"/, '')]
  for (const headers of [{}, { Authorization: `Bearer ${tokens.other}` }, { Cookie: 'openapi-pages-site=forged' }]) {
    const [found, none] = [await post(hidden, headers), await post(missing, headers)]
    expect(found.status).toBe(404)
    expect(strip(found)).toEqual(strip(none))
  }
  for (const site of [open, hidden, missing]) {
    expect((await post(site, { Authorization: 'Bearer opk_wrong' })).status).toBe(401)
  }
})

test('rejects requests from other origins', async () => {
  const { open } = await start()
  expect((await post(open, { Origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(open, { Origin: 'null' })).status).toBe(403)
  expect((await post(open, { Origin: open })).status).toBe(200)
})

test('rejects streams, batches, other types and large bodies', async () => {
  const { app, open, hidden, missing } = await start()
  const visitor = new Visitor(app.base)
  for (const site of [open, hidden, missing]) {
    const stream = await visitor.ask(`${site}/mcp`, { headers: { Accept: 'text/event-stream' } })
    expect([stream.status, stream.headers.get('allow')]).toEqual([405, 'POST'])
  }
  expect((await post(open, {}, `[${initialize},${initialize}]`)).status).toBe(400)
  expect((await post(open, { 'Content-Type': 'text/plain' })).status).toBe(415)
  expect((await post(open, {}, `{"a":"${'x'.repeat(40_000)}"}`)).status).toBe(413)
  expect(
    (await visitor.ask(`${app.base}/mcp`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: initialize }))
      .status,
  ).toBe(404)
})
