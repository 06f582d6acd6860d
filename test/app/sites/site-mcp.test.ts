import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { renderSearchIndex } from '../../../src/site/render/search/search-index.ts'
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
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'read_page'])
  expect(await call('search', { query: 'zoo' })).toBe('- /guide · Open zoo\n')
  expect(await call('read_page', { page: '/guide' })).toBe('# Open zoo\n')
  expect(await call('read_page', { page: '/' })).toBe('# Start\n')
  for (const page of ['/notes', '/../guide', '/_headers', '/none']) {
    expect(await call('read_page', { page })).toMatch(/^(?:error: There is no page|# Open zoo)/)
  }
  expect(await call('read_page', { page: '/notes' })).toContain('error:')
  await client.close()
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
