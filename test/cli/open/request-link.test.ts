import { expect, test } from 'vitest'
import { requestLink } from '../../../src/cli/open/request-link.ts'
import { serve } from '../../support/serve.ts'

const ask = (url: string, mayBePrivate = true) =>
  requestLink(url, { signal: new AbortController().signal, timeoutMs: 10_000, mayBePrivate })

async function startServer() {
  const requests: string[] = []
  const origin = await serve(({ method, url = '' }, response) => {
    requests.push(`${method} ${url}`)
    const [, status = '200'] = /^\/status\/(\d+)/.exec(url) ?? []
    if (url === '/no-head' && method === 'HEAD') response.writeHead(405).end()
    else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (url === '/moved') response.writeHead(301, { location: '/status/404' }).end()
    else if (url === '/closed') response.destroy()
    else response.writeHead(Number(status)).end('body')
  })
  return { origin, requests }
}

test.each([
  ['/', 'found', '', ['HEAD /']],
  ['/no-head', 'found', '', ['HEAD /no-head', 'GET /no-head']],
  ['/status/404', 'missing', '404 Not Found', ['HEAD /status/404', 'GET /status/404']],
  ['/status/410', 'missing', '410 Gone', ['HEAD /status/410', 'GET /status/410']],
  ['/moved', 'missing', '404 Not Found', ['HEAD /moved', 'HEAD /status/404', 'GET /status/404']],
  ['/status/403', 'unknown', '403 Forbidden', ['HEAD /status/403', 'GET /status/403']],
  ['/status/429', 'unknown', '429 Too Many Requests', ['HEAD /status/429']],
  ['/status/503', 'unknown', '503 Service Unavailable', ['HEAD /status/503', 'GET /status/503']],
  ['/loop', 'unknown', 'too many redirects', Array.from({ length: 6 }, () => 'HEAD /loop')],
  ['/closed', 'unknown', 'the host closed the connection', ['HEAD /closed']],
])('a link to %s is %s', async (path, kind, reason, expected) => {
  const { origin, requests } = await startServer()
  expect(await ask(origin + path)).toEqual({ kind, reason })
  expect(requests).toEqual(expected)
})

test('does not contact hosts without a public address, and reports names that cannot be resolved', async () => {
  const { origin, requests } = await startServer()
  expect(await ask(`${origin}/`, false)).toEqual({ kind: 'unknown', reason: 'the host has no public IP address' })
  expect(requests).toEqual([])
  const lookUp = (host: string, _options: object, done: (error: Error | null, addresses: []) => void) =>
    done(Object.assign(new Error(host), { code: 'ENOTFOUND' }), [])
  const options = { signal: new AbortController().signal, timeoutMs: 10_000, network: { lookUp, isAllowed: () => true } }
  expect(await requestLink('https://gone.acme.com/', options)).toEqual({
    kind: 'missing',
    reason: 'the host name cannot be resolved',
    isUnresolved: true,
  })
})
