import { createServer, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFetchDocument, type FetchDocumentOptions } from '../../src/files/fetch-document.ts'
import type { PublicNetwork } from '../../src/files/network.ts'
import type { LimitValues } from '../../src/text/plain/limits.ts'
import { selfSignedNames } from '../support/self-signed.ts'
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
    else if (path === '/zstd') response.writeHead(200, { 'content-encoding': 'zstd' }).end(zstdCompressSync('zstd'))
    else if (path === '/not-brotli') response.writeHead(200, { 'content-encoding': 'br' }).end('not encoded at all')
    else if (path === '/zstd-frames') response.writeHead(200, { 'content-encoding': 'zstd' }).end(zstdFrames())
    else if (path === '/zstd-cut') response.writeHead(200, { 'content-encoding': 'zstd' }).end(zstdFrames().subarray(0, -1))
    else if (path === '/zstd-more')
      response.writeHead(200, { 'content-encoding': 'zstd' }).end(Buffer.concat([zstdFrames(), Buffer.from('more')]))
    else if (path === '/zstd-many') {
      const empty = zstdCompressSync('')
      response.writeHead(200, { 'content-encoding': 'zstd' }).end(Buffer.concat(Array.from({ length: 1_001 }, () => empty)))
    } else if (path === '/picture') response.writeHead(200, { 'content-type': 'image/png' }).end('{}')
    else if (path === '/broken') response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
    // `/never` sends no response at all. `/stuck` never sends the rest.
    else if (path === '/stuck') response.write('half')
  })
}

/** Frames of Zstandard, with one that decoders skip. */
function zstdFrames(): Buffer {
  const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
  return Buffer.concat([skipped, zstdCompressSync('zstd of '), skipped, zstdCompressSync('two frames')])
}

async function load(path: string, options?: FetchDocumentOptions, limits: Partial<LimitValues> = {}) {
  const origin = await startServer()
  const url = path.startsWith('/') ? origin + path : path
  const loaded = await createFetchDocument({ namedByUser: new Set([url]), ...options })(url, withLimits(limits))
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
    ['/zstd', 'zstd'],
    ['/zstd-frames', 'zstd of two frames'],
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
    [
      '/to/http%3A%2F%2Fexample.com%2Fx',
      {},
      'url-refused',
      'it redirects to http://example.com, and only `https:` is allowed there',
    ],
    ['/to/file%3A%2F%2F%2Fetc%2Fpasswd', {}, 'url-refused', 'it redirects to file://, and `file:` is not supported'],
    ['https://name:secret@example.com/', {}, 'url-refused', /^URLs with a user name or password/],
    ['ftp://example.com/', {}, 'url-refused', '`ftp:` is not supported'],
    ['https://', {}, 'url-refused', 'not an absolute URL'],
    ['/never', { 'fetch-time': 100 }, 'url-unreachable', 'no complete response within 0.1 s'],
    ['/stuck', { 'fetch-time': 100 }, 'url-unreachable', 'no complete response within 0.1 s'],
    ['/broken', {}, 'url-unreachable', 'the host closed the connection'],
    ['/zipped', { 'document-size': 99_999 }, 'file-too-large', 'more than 99999 bytes'],
    ['http://127.0.0.1:1/', {}, 'url-unreachable', 'the host refused the connection'],
    ['/not-zipped', {}, 'url-unreachable', 'its compressed response cannot be decoded'],
    ['/not-brotli', {}, 'url-unreachable', 'its compressed response cannot be decoded'],
    ['/zstd-cut', {}, 'url-unreachable', 'its compressed response is cut off'],
    ['/zstd-more', {}, 'url-unreachable', 'its compressed response cannot be decoded'],
    ['/zstd-many', {}, 'url-unreachable', 'its compressed response has more than 1000 parts'],
    ['/zstd-frames', { 'document-size': 17 }, 'file-too-large', 'more than 17 bytes'],
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
})

/** Names with their addresses. The first is public in these tests, the second private. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['127.0.0.1'],
  'other-public.test': ['127.0.0.1'],
  'private.test': ['127.0.0.2'],
  'mixed.test': ['127.0.0.1', '127.0.0.2'],
}

/** Serves http and https on all loopback addresses. Replaces `PLAIN` and `TLS` in URLs by the ports. */
async function startHosts() {
  const asked: string[] = []
  const listener = (request: { url?: string | undefined; headers: { host?: string | undefined } }, response: ServerResponse) => {
    const [, target] = /^\/to\/(.*)/.exec(request.url ?? '') ?? []
    asked.push(request.headers.host?.replace(/:\d+$/, '') ?? '')
    if (target === undefined) response.end('document')
    else response.writeHead(302, { location: decodeURIComponent(target) }).end()
  }
  const servers = [createServer(listener), createTlsServer(selfSignedNames, listener)]
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))))
  onTestFinished(() => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })
  // A server that listens on a port returns its address as an object.
  const [plain, tls] = servers.map((server) => String((server.address() as AddressInfo).port))
  const lookedUp: string[] = []
  const network: PublicNetwork = {
    lookUp: (host, _options, done) => {
      lookedUp.push(host)
      done(
        null,
        (addresses[host] ?? []).map((address) => ({ address, family: 4 })),
      )
    },
    isAllowed: (address) => address === '127.0.0.1',
    certificates: selfSignedNames.cert,
  }
  const toUrl = (text: string) =>
    text.replace(/^(https?:\/\/[^/]+)/, (origin) => `${origin}:${origin.startsWith('https') ? tls : plain}`)
  return { asked, lookedUp, network, toUrl }
}

describe('who named a URL decides where it may point to', () => {
  const byUser = { named: true }
  const byRepository = {}
  const allowed = { repositoryUrls: 'any' } as const
  const none = { repositoryUrls: 'none' } as const
  const read = 'document'
  const plain = 'only `https:` is allowed'
  const serverFetchesNothing = 'this server fetches no URLs of the repository'
  const notPublic = (host: string) => `\`${host}\` has no public IP address`

  test.each<[string, { named?: boolean; repositoryUrls?: 'any' | 'none' | 'public' }, string]>([
    ['https://public.test', byUser, read],
    ['http://public.test', byUser, read],
    ['https://private.test', byUser, read],
    ['http://private.test', byUser, read],
    ['http://127.0.0.2', byUser, read],
    ['https://mixed.test', byUser, read],
    ['https://private.test', { ...byUser, ...none }, read],

    ['https://public.test', byRepository, read],
    ['http://public.test', byRepository, plain],
    ['https://private.test', byRepository, notPublic('private.test')],
    ['https://mixed.test', byRepository, notPublic('mixed.test')],
    ['http://private.test', byRepository, plain],
    ['http://127.0.0.2', byRepository, plain],
    ['https://127.0.0.2', byRepository, notPublic('127.0.0.2')],
    ['https://[::1]', byRepository, notPublic('[::1]')],
    ['https://2130706434', byRepository, notPublic('127.0.0.2')],
    ['https://[::ffff:127.0.0.2]', byRepository, notPublic('[::ffff:7f00:2]')],

    ['https://public.test', allowed, read],
    ['http://public.test', allowed, read],
    ['https://private.test', allowed, read],
    ['http://127.0.0.2', allowed, read],

    ['https://public.test', none, serverFetchesNothing],
    ['http://127.0.0.2', none, serverFetchesNothing],
  ])('%s, %o: %s', async (origin, { named, repositoryUrls = 'public' }, expected) => {
    const { asked, network, toUrl } = await startHosts()
    const url = `${toUrl(origin)}/openapi.json`
    const namedByUser = new Set(named ? [url] : [])
    const loaded = await createFetchDocument({ namedByUser, repositoryUrls, network })(url)
    if (expected === read) return expect(loaded).toMatchObject({ kind: 'loaded' })
    expect(loaded).toMatchObject({ kind: 'failed', code: 'url-refused', reason: expected })
    expect(asked).toEqual([])
  })

  test.each<[from: string, to: string, { named?: boolean; repositoryUrls?: 'any' }, string | RegExp]>([
    ['https://public.test', 'https://other-public.test', byUser, read],
    ['https://public.test', 'https://private.test', byUser, notPublic('private.test')],
    ['https://public.test', 'https://127.0.0.2', byUser, notPublic('127.0.0.2')],
    ['https://public.test', 'http://public.test', byUser, /only `https:` is allowed there/],
    ['http://public.test', 'http://public.test', byUser, read],
    ['http://public.test', 'https://public.test', byUser, read],
    ['http://public.test', 'http://other-public.test', byUser, /only `https:` is allowed there/],
    ['http://public.test', 'https://private.test', byUser, notPublic('private.test')],
    ['http://127.0.0.2', 'http://127.0.0.2', byUser, read],
    ['http://private.test', 'https://private.test', byUser, read],
    ['http://private.test', 'https://public.test', byUser, read],
    ['http://private.test', 'http://169.254.169.254', byUser, /only `https:` is allowed there/],
    ['https://private.test', 'https://127.0.0.2', byUser, notPublic('127.0.0.2')],

    ['https://public.test', 'https://other-public.test', byRepository, read],
    ['https://public.test', 'https://private.test', byRepository, notPublic('private.test')],
    ['https://public.test', 'http://public.test', byRepository, /only `https:` is allowed there/],

    ['https://public.test', 'http://other-public.test', allowed, read],
    ['https://public.test', 'https://private.test', allowed, notPublic('private.test')],
    ['http://private.test', 'http://127.0.0.2', allowed, read],
    ['https://private.test', 'http://public.test', allowed, read],
  ])('%s redirects to %s, %o: %s', async (from, to, { named, repositoryUrls }, expected) => {
    const { asked, network, toUrl } = await startHosts()
    const url = `${toUrl(from)}/to/${encodeURIComponent(`${toUrl(to)}/openapi.json`)}`
    const namedByUser = new Set(named ? [url] : [])
    const loaded = await createFetchDocument({ namedByUser, repositoryUrls: repositoryUrls ?? 'public', network })(url)
    if (expected === read) return expect(loaded).toMatchObject({ kind: 'loaded' })
    const reason = typeof expected === 'string' ? expected : expect.stringMatching(expected)
    expect(loaded).toMatchObject({ kind: 'failed', code: 'url-refused', reason })
    expect(asked).toEqual([new URL(from).hostname])
  })

  test('a redirect to the same name with another address does not reach a private one', async () => {
    const { asked, network, toUrl } = await startHosts()
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const rebinding: PublicNetwork = {
      ...network,
      lookUp: (_host, _options, done) => done(null, [{ address: answers.shift()?.[0] ?? '', family: 4 }]),
    }
    const url = `${toUrl('http://rebinding.test')}/to/${encodeURIComponent(`${toUrl('http://rebinding.test')}/admin`)}`
    const loaded = await createFetchDocument({ namedByUser: new Set([url]), network: rebinding })(url)
    expect(loaded).toMatchObject({ code: 'url-refused', reason: notPublic('rebinding.test') })
    expect(asked).toEqual(['rebinding.test'])
  })

  test('explains how to allow a refused URL', async () => {
    const { network, toUrl } = await startHosts()
    const load = createFetchDocument({ network, howToAllow: 'pass `--allow-http`' })
    for (const origin of ['http://public.test', 'https://private.test']) {
      expect(await load(`${toUrl(origin)}/`)).toMatchObject({ hint: expect.stringMatching(/To allow it, pass `--allow-http`$/) })
    }
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

  test('does not ask the proxy for a URL of the repository that resolves to a private address', async () => {
    const { address, asked } = await startProxy()
    const { network } = await startHosts()
    const load = createFetchDocument({ proxyVariables: { HTTPS_PROXY: address, HTTP_PROXY: address }, network })
    for (const url of ['https://private.test/x', 'https://127.0.0.2/x', 'https://[::1]/x', 'http://public.test/x']) {
      expect(await load(url)).toMatchObject({ kind: 'failed', code: 'url-refused' })
    }
    expect(asked).toEqual([])
    expect(await load('https://public.test:50009/x')).toMatchObject({ code: 'url-unreachable' })
    expect(asked).toEqual(['public.test:50009'])
  })

  test('opens a tunnel for an https URL', async () => {
    const { address, asked } = await startProxy()
    const loaded = await load('https://127.0.0.1:50009/openapi.json', { proxyVariables: { HTTPS_PROXY: address } })
    expect(loaded).toMatchObject({ kind: 'failed', code: 'url-unreachable' })
    expect(asked).toEqual(['127.0.0.1:50009'])
  })
})
