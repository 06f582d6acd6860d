import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFetchDocument, type FetchDocumentOptions } from '../../src/files/fetch-document.ts'
import type { LimitValues } from '../../src/source/limits.ts'
import { serve } from '../support/serve.ts'
import { withLimits } from '../support/with-limits.ts'

const requests: string[] = []

function startServer(): Promise<string> {
  requests.length = 0
  return serve((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    const status = /^\/status\/(\d+)/.exec(path)?.[1]
    const hop = /^\/hop\/(\d+)/.exec(path)?.[1]
    if (path === '/openapi.json') response.end('{"openapi":"3.1.0"}')
    else if (status !== undefined) response.writeHead(Number(status)).end('sorry')
    else if (hop !== undefined)
      response.writeHead(302, { location: hop === '0' ? '/openapi.json' : `/hop/${Number(hop) - 1}` }).end()
    else if (path.startsWith('/to/')) response.writeHead(307, { location: decodeURIComponent(path.slice(4)) }).end()
    else if (path === '/zipped') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000)))
    else if (path === '/not-zipped') response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    else if (path === '/brotli') response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('br'))
    else if (path === '/deflated') response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('deflate'))
    else if (path === '/picture') response.writeHead(200, { 'content-type': 'image/png' }).end('{}')
    else if (path === '/broken') response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
    // `/never` sends no response at all. `/stuck` never sends the rest.
    else if (path === '/stuck') response.write('half')
  })
}

async function load(path: string, options?: FetchDocumentOptions, limits: Partial<LimitValues> = {}) {
  const origin = await startServer()
  const loaded = await createFetchDocument(options)(path.startsWith('/') ? origin + path : path, withLimits(limits))
  return loaded.kind === 'loaded' ? Buffer.from(loaded.bytes).toString() : loaded
}

describe('loading a document', () => {
  test.each([
    ['/openapi.json', '{"openapi":"3.1.0"}'],
    ['/hop/0', '{"openapi":"3.1.0"}'],
    ['/hop/4', '{"openapi":"3.1.0"}'],
    ['/zipped', 'x'.repeat(100_000)],
    ['/brotli', 'br'],
    ['/deflated', 'deflate'],
    ['/picture', '{}'],
  ])('returns the bytes of %s', async (path, text) => {
    expect(await load(path)).toBe(text)
  })
})

describe('reporting a failure', () => {
  test.each<[string, Partial<LimitValues>, string, string | RegExp]>([
    ['/status/404', {}, 'url-unreachable', '404 Not Found'],
    ['/status/503', {}, 'url-unreachable', '503 Service Unavailable'],
    ['/status/304', {}, 'url-unreachable', '304 Not Modified'],
    ['/hop/5', {}, 'url-unreachable', 'more than 5 redirects'],
    ['/to/http%3A%2F%2F%5B', {}, 'url-unreachable', '307 with a `Location` that is not a URL'],
    ['/to/http%3A%2F%2Fexample.com%2Fx', {}, 'url-refused', /^it redirects to http:\/\/example.com, and plain http is only/],
    ['/to/file%3A%2F%2F%2Fetc%2Fpasswd', {}, 'url-refused', 'it redirects to file://, and `file:` is not supported'],
    ['http://example.com/openapi.json', {}, 'url-refused', /^plain http is only allowed to localhost/],
    ['http://127.0.0.1.example.com/', {}, 'url-refused', /^plain http is only allowed to localhost/],
    ['https://name:secret@example.com/', {}, 'url-refused', /^URLs with a user name or password/],
    ['ftp://example.com/', {}, 'url-refused', '`ftp:` is not supported'],
    ['https://', {}, 'url-refused', 'not an absolute URL'],
    ['/never', { 'fetch-time': 100 }, 'url-unreachable', 'no complete response within 0.1 s'],
    ['/stuck', { 'fetch-time': 100 }, 'url-unreachable', 'no complete response within 0.1 s'],
    ['/broken', {}, 'url-unreachable', 'the host closed the connection'],
    ['/zipped', { 'document-size': 99_999 }, 'file-too-large', 'more than 99999 bytes'],
    ['http://127.0.0.1:1/', {}, 'url-unreachable', 'its port is blocked'],
    ['/not-zipped', {}, 'url-unreachable', 'its compressed response cannot be decoded'],
  ])('%s', async (path, limits, code, reason) => {
    const loaded = await load(path, {}, limits)
    expect(loaded).toMatchObject({ kind: 'failed', code })
    expect(typeof loaded === 'object' && loaded.kind === 'failed' && loaded.reason).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    )
  })

  test('names the limit that was exceeded', async () => {
    expect(await load('/zipped', {}, { 'document-size': 99_999 })).toMatchObject({
      hint: 'Split the document, or raise `limits.document-size` in the configuration file (at most 500 MiB)',
    })
    expect(await load('/never', {}, { 'fetch-time': 100 })).toMatchObject({
      hint: 'Commit the document and use its path, or raise `limits.fetch-time` in the configuration file (at most 600 s)',
    })
  })

  test('never prints a password in the URL', async () => {
    expect(JSON.stringify(await load('https://name:secret@example.com/'))).not.toContain('secret')
  })

  test('does not retry', async () => {
    await load('/status/404')
    expect(requests).toEqual(['/status/404'])
  })

  test('refuses a redirect from a remote document to localhost over http', async () => {
    // If http is allowed everywhere, any first URL is allowed, so this test does not allow it.
    const origin = await startServer()
    const loaded = await createFetchDocument()(`${origin}/to/${encodeURIComponent('http://169.254.169.254/latest')}`)
    expect(loaded).toMatchObject({ kind: 'failed', code: 'url-refused' })
    expect(requests).toHaveLength(1)
  })
})

test('suggests checking the URL when the connection is refused', async () => {
  const loaded = await load('http://127.0.0.1:1/')
  expect(loaded).toMatchObject({ hint: 'Check the URL, or commit the document and use its path' })
})

describe('using a proxy', () => {
  /** A proxy that forwards everything, and the URLs that were requested from it. */
  async function startProxy(): Promise<{ address: string; asked: string[] }> {
    const asked: string[] = []
    const proxy = createServer((request, response) => {
      asked.push(request.url ?? '')
      fetch(request.url ?? '').then(
        async (answer) => response.writeHead(answer.status).end(await answer.text()),
        () => response.writeHead(502).end(),
      )
    })
    proxy.on('connect', ({ url = '' }, client) => {
      asked.push(url)
      const { hostname, port } = new URL(`http://${url}`)
      const upstream = connect(Number(port), hostname, () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
      upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')).pipe(client)
      client.on('error', () => upstream.destroy()).pipe(upstream)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      proxy.closeAllConnections()
      proxy.close()
    })
    // A server that listens on a port returns its address as an object. Strings are for pipes.
    return { address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked }
  }

  const document = '{"openapi":"3.1.0"}'

  test.each(['HTTP_PROXY', 'http_proxy'])('uses the proxy in %s', async (name) => {
    const { address, asked } = await startProxy()
    expect(await load('/openapi.json', { proxyVariables: { [name]: address } })).toBe(document)
    expect(asked).toHaveLength(1)
  })

  test.each<[string, { [name: string]: string }]>([
    ['NO_PROXY excepts the host', { NO_PROXY: '127.0.0.1' }],
    ['NO_PROXY excepts all', { no_proxy: '*' }],
  ])('does not use it when %s', async (_name, variables) => {
    const { address, asked } = await startProxy()
    expect(await load('/openapi.json', { proxyVariables: { HTTP_PROXY: address, ...variables } })).toBe(document)
    expect(asked).toEqual([])
  })

  test('reports an unreachable proxy, and does not use it for the next request', async () => {
    const failure = await load('/openapi.json', { proxyVariables: { HTTP_PROXY: 'http://127.0.0.1:50009' } })
    expect(failure).toMatchObject({ kind: 'failed', code: 'url-unreachable' })
    expect(await load('/openapi.json')).toBe(document)
  })

  test('opens a tunnel for an https URL', async () => {
    const { address, asked } = await startProxy()
    const loaded = await load('https://127.0.0.1:50009/openapi.json', { proxyVariables: { HTTPS_PROXY: address } })
    expect(loaded).toMatchObject({ kind: 'failed', code: 'url-unreachable' })
    expect(asked).toEqual(['127.0.0.1:50009'])
  })
})
