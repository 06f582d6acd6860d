import { expect, test } from 'vitest'
import type { Exchange } from '../../src/traffic/exchange.ts'
import { createRouter, type RouteOptions } from '../../src/traffic/route.ts'
import { readDocument } from '../changes/compare-documents.ts'
import { fc, propertyRuns } from '../support/properties.ts'

function toDocument(servers: string, paths: { readonly [path: string]: string }): string {
  const items = Object.entries(paths).map(([path, methods]) => {
    const operations = methods.split(' ').map((method) => `${method}: {operationId: '${method} ${path}', responses: {}}`)
    return `  '${path}': {${operations.join(', ')}}\n`
  })
  return `openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: ${servers}\npaths:\n${items.join('')}`
}

const servers = `
- url: https://{tenant}.example.com/api/{version}
  variables: {tenant: {default: demo}, version: {default: v1}}
- url: http://intern.example.org:80/api/v1/
`
const shop = toDocument(servers, {
  '/orders': 'get post',
  '/orders/{id}': 'get delete',
  '/orders/search': 'get',
  '/orders/{id}/files/{path}': 'get',
  '/orders/{id}/files/{path}/history': 'get',
  '/compare/{base}...{head}': 'get',
  '/users/{login}/{repo}/orders': 'get',
  '/reports.json': 'get',
})

const base = 'https://demo.example.com/api/v1'

test.each([
  [`GET ${base}/orders`, 'get /orders'],
  ['GET https://other.example.com/api/v9/orders/7?x=1', 'get /orders/{id} id=7'],
  ['GET http://intern.example.org/api/v1/orders', 'get /orders'],
  ['GET https://DEMO.example.com:443/api/v1/orders', 'get /orders'],
  ['GET https://user:password@demo.example.com/api/v1/orders', 'get /orders'],
  ['GET http://localhost:8080/api/v1/orders', 'get /orders'],
  ['GET https://<HOST>/api/v1/orders', 'get /orders'],
  [`GET ${base}/orders/`, 'get /orders'],
  [`GET ${base}//orders`, 'get /orders'],
  [`HEAD ${base}/orders`, 'get /orders'],
  [`GET ${base}/orders.json`, 'get /orders'],
  [`GET ${base}/reports`, 'get /reports.json'],
  [`GET ${base}/orders/search`, 'get /orders/search'],
  [`DELETE ${base}/orders/search`, 'delete /orders/{id} id=search'],
  [`GET ${base}/orders/%zz`, 'get /orders/{id} id=%zz'],
  [`GET ${base}/orders/7/files/a%2Fb`, 'get /orders/{id}/files/{path} id=7 path=a/b'],
  [`GET ${base}/orders/7/files/a/b.txt`, 'get /orders/{id}/files/{path} id=7 path=a/b.txt'],
  [`GET ${base}/orders/7/files/a/b/history`, 'get /orders/{id}/files/{path}/history id=7 path=a/b'],
  [`GET ${base}/compare/main...a/b`, 'get /compare/{base}...{head} base=main head=a/b'],
  [`GET ${base}/orders/7/shipments/3`, 'undocumented below /orders/{id}'],
  [`GET ${base}/carts/3`, 'undocumented below '],
  [`PUT ${base}/orders/7`, 'undocumented /orders/{id} below /orders/{id}'],
  [`OPTIONS ${base}/orders`, 'ignored'],
  ['GET https://demo.example.com/login', 'outside'],
  ['GET https://accounts.example.net/api/v1/orders', 'outside'],
  ['GET http://intern.example.org/api/v<ID>/orders/<ID>', 'unreadable'],
  ['GET orders', 'unreadable'],
])('finds the operation of %s', async (request, expected) => {
  expect(await route(request, [shop])).toBe(expected)
})

test('tries aliases last, and never matches an unknown parameter with a literal', async () => {
  const options = { aliases: { '/repositories/{id}/*': '/users/{login}/{repo}/*', '/orders/*': '/carts/*' } }
  expect(await route(`GET ${base}/repositories/12/orders`, [shop], options)).toBe('get /users/{login}/{repo}/orders')
  expect(await route(`GET ${base}/orders`, [shop], options)).toBe('get /orders')
  expect(await route(`GET ${base}/repositories/12/others`, [shop], options)).toBe('undocumented below ')
})

test('lets configured parameters contain slashes', async () => {
  const document = toDocument(servers, { '/blobs/{name}': 'get' })
  expect(await route(`GET ${base}/blobs/a/b`, [document])).toBe('undocumented below /blobs/{name}')
  expect(await route(`GET ${base}/blobs/a/b`, [document], { slashes: ['name'] })).toBe('get /blobs/{name} name=a/b')
})

test('with several documents on a host, a request is undocumented only if none of them has it', async () => {
  const [first, second] = [toDocument(servers, { '/a': 'get' }), toDocument(servers, { '/b': 'get' })]
  expect(await route(`GET ${base}/a`, [first, second])).toBe('get /a')
  expect(await route(`GET ${base}/b`, [first, second])).toBe('get /b')
  expect(await route(`GET ${base}/c`, [first, second])).toBe('undocumented below ')
})

test('finds the template of every path that was made from it, unless a literal is nearer', async () => {
  const segment = fc.constantFrom('a', 'b', '{x}', '{y}', '{x}.txt', 'v{x}-{y}')
  const template = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`)
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(template, { minLength: 1, maxLength: 8 }), fc.nat(), async (templates, pick) => {
      const chosen = templates[pick % templates.length] ?? ''
      const path = chosen.replaceAll('{x}', 'one').replaceAll('{y}', 'two')
      const found = await route(`GET ${base}${path}`, [
        toDocument(servers, Object.fromEntries(templates.map((one) => [one, 'get']))),
      ])
      const [, matched = ''] = /^get (\S+)/.exec(found) ?? []
      // Whatever matches has all its literals at their places, and as many segments.
      const isFit = matched.split('/').every((part, index) => part.includes('{') || part === path.split('/')[index])
      expect({ found, isFit, length: matched.split('/').length }).toEqual({ found, isFit: true, length: path.split('/').length })
    }),
    { numRuns: propertyRuns(60) },
  )
})

async function route(request: string, documents: readonly string[], options: RouteOptions = {}): Promise<string> {
  const [method = '', url = ''] = request.split(' ', 2)
  const apis = await Promise.all(documents.map(async (document) => await readDocument(document)))
  const message = { headers: new Map(), mediaType: undefined, body: { kind: 'none' } } as const
  const exchange: Exchange = {
    place: { file: 'a.har', index: 1 },
    date: undefined,
    request: { ...message, method, url },
    response: undefined,
    reads: undefined,
  }
  const routed = createRouter(apis, options)(exchange)
  if (routed.kind === 'undocumented') return `undocumented ${routed.path ?? ''} below ${routed.within}`.replace('  ', ' ')
  if (routed.kind !== 'operation') return routed.kind
  const values = [...routed.pathValues].map(([name, value]) => ` ${name}=${value}`)
  return `${routed.operation.collected.fields.operationId}${values.join('')}`
}
