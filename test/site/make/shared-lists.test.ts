import { expect, test } from 'vitest'
import { readOperation } from '../../../src/playground/request/read-operation.ts'
import { sliceDescription } from '../../../src/site/reference/slice-description.ts'
import { referenceOf } from '../reference/reference-of.ts'
import { siteOfDocument } from './site-of.ts'

// All operations can share a list of servers, security requirements or links, and each repeats it.

const range = <Made>(make: (index: number) => Made): Made[] => Array.from({ length: 150 }, (_, index) => make(index))
const servers = range((index) => ({ url: `https://s${index}.test` }))
const security: object[] = range((index) => ({ [`k${index}`]: [] }))
const schemes = range((index) => [`k${index}`, { type: 'apiKey', in: 'header', name: `X-${index}` }] as const)
const links = Object.fromEntries(range((index) => [`l${index}`, { operationId: 'getA', description: `Link ${index}.` }]))
const answer = { $ref: '#/components/responses/Shared' }
const callback = { '{$request.body#/url}': { post: { servers, security, responses: { 200: answer } } } }
const document = {
  openapi: '3.1.0',
  info: { title: 'Shared', version: '1' },
  servers,
  security,
  paths: {
    '/a': { get: { operationId: 'getA', responses: { 200: answer } } },
    '/b': {
      servers,
      get: {
        operationId: 'getB',
        servers,
        security: [...security, {}],
        callbacks: { done: callback },
        responses: { 200: answer },
      },
    },
  },
  components: {
    responses: { Shared: { description: 'Good', links } },
    securitySchemes: Object.fromEntries(schemes),
  },
}

const count = (text: string | undefined, pattern: RegExp) => [...(text ?? '').matchAll(pattern)].length

test('pages show 100 servers, alternatives and links, and how many more there are; the start page of the API shows all', async () => {
  const { files } = await siteOfDocument('openapi.json', JSON.stringify(document))
  const find = (end: RegExp) => Object.entries(files).find(([path]) => end.test(path))?.[1]
  const html = find(/get-?a(?:\/index)?\.html$/i)
  expect(count(html, /<option value="https:\/\/s\d+\.test"/g)).toBe(100)
  expect(count(html, /<option disabled>50 more<\/option>/g)).toBe(1)
  expect(count(html, /<a href="#auth-k\d+"/g)).toBe(100)
  expect(count(html, /Link \d+\./g)).toBe(100)
  expect(count(html, /<p>50 more<\/p>/g)).toBe(2)
  const markdown = find(/get-?a\.md$/i)
  expect(count(markdown, /^- `https:\/\/s\d+\.test`$/gm)).toBe(100)
  expect(count(markdown, /^- `k\d+` \(API key/gm)).toBe(100)
  expect(count(markdown, /Link \d+\./g)).toBe(100)
  expect(count(markdown, /^50 more$/gm)).toBe(3)
  const start = find(/^index\.html$/)
  expect(count(start, /class="p-name">https:\/\/s\d+\.test</g)).toBe(150)
  expect(count(start, /<a href="#auth-k\d+"/g)).toBe(150)
})

test('the OpenAPI document of an operation has the same lists as its view and as the playground', async () => {
  const reference = await referenceOf({ 'openapi.json': document })
  for (const target of ['GET /a', 'GET /b']) {
    const operation = reference.operations.get(target)
    const view = reference.operationView(target)
    if (!operation || !view) throw new Error(`No ${target}`)
    const json = sliceDescription({ kind: 'operation', operation }, reference.context).json
    const playground = readOperation(JSON.parse(json))
    const urls = view.servers.map(({ url }) => url)
    const names = view.security.map((one) => one.map(({ name }) => name))
    expect(urls).toEqual(servers.slice(0, 100).map(({ url }) => url))
    expect(playground?.servers.map(({ url }) => url)).toEqual(urls)
    expect(playground?.security.map((one) => one.map(({ name }) => name))).toEqual(names)
    expect(JSON.parse(json)['x-abridged']).toBe(
      'Some servers or security requirements are omitted. See the full OpenAPI document.',
    )
    expect(json).not.toMatch(/"https:\/\/s1\d\d\.test"|"k1\d\d"/)
    expect([names.length, view.left]).toEqual([100, { servers: 50, security: target === 'GET /a' ? 50 : 51 }])
  }
})

test('credentials stay optional if that comes late in a long list', async () => {
  const reference = await referenceOf({ 'openapi.json': document })
  const view = reference.operationView('GET /b')
  expect(view?.security.at(-1)).toEqual([])
  expect(view?.callbacks[0]?.operations[0]?.left).toEqual({ servers: 50, security: 50 })
})

test('lists of 100 stay whole', async () => {
  const small = { ...document, servers: servers.slice(0, 100), security: security.slice(0, 100) }
  const reference = await referenceOf({ 'openapi.json': small })
  const operation = reference.operations.get('GET /a')
  if (!operation) throw new Error('No operation')
  const slice = JSON.parse(sliceDescription({ kind: 'operation', operation }, reference.context).json)
  expect(slice.servers).toEqual(small.servers)
  expect(slice.security).toEqual(small.security)
  expect(slice['x-abridged']).toBe(undefined)
  expect(reference.operationView('GET /a')?.left).toEqual({ servers: 0, security: 0 })
})
