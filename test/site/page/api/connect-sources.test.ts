import { describe, expect, test } from 'vitest'
import { toConnectSources } from '../../../../src/site/page/api/connect-sources.ts'
import { isServerOfSlice } from '../../../../src/site/page/api/server-sources.ts'
import type { SecurityAlternative } from '../../../../src/site/reference/types.ts'
import { hostileStrings } from '../../../support/hostile-strings.ts'

const server = (url: string, variables: Readonly<Record<string, readonly string[]>> = {}) => ({
  url,
  name: undefined,
  description: undefined,
  variables: Object.entries(variables).map(([name, [preset = '', ...choices]]) => ({
    name,
    default: preset,
    enum: choices,
    description: undefined,
  })),
})

test.each([
  ['https://api.example.com/v1', {}, ['https://api.example.com']],
  ['https://API.example.com:443/v1', {}, ['https://api.example.com']],
  ['http://localhost:3000', {}, ['http://localhost:3000']],
  ['/v1', {}, []],
  ['//api.example.com', {}, []],
  ['https://{region}.example.com', { region: ['eu', 'eu', 'us'] }, ['https://eu.example.com', 'https://us.example.com']],
  ['{scheme}://a.test', { scheme: ['https', 'https', 'http'] }, ['http://a.test', 'https://a.test']],
  ['https://a.test/{version}', { version: ['v1'] }, ['https://a.test']],
  ['https://{tenant}.example.com/x', { tenant: ['demo'] }, ['https://*.example.com', 'https://demo.example.com']],
  ['https://{tenant}-eu.api.example.com', { tenant: ['demo'] }, ['https://*.api.example.com', 'https://demo-eu.api.example.com']],
  ['https://a.{tenant}.example.com', { tenant: ['demo'] }, ['https://*.example.com', 'https://a.demo.example.com']],
  ['http://localhost:{port}', { port: ['8080'] }, ['http://localhost:*', 'http://localhost:8080']],
  // No wildcards for top-level domains and IP addresses.
  ['https://{host}', { host: ['a.test'] }, ['https://a.test']],
  ['https://{tenant}.com', { tenant: ['a'] }, ['https://a.com']],
  ['https://api.{domain}', { domain: ['a.test'] }, ['https://api.a.test']],
  ['https://{a}.0.0.1', { a: ['127'] }, ['https://127.0.0.1']],
  ['https://{host}', {}, []],
  // URLs that a policy cannot express.
  ['http://[::1]:8080', {}, []],
  ['ftp://a.test', {}, []],
  ['javascript:alert(1)', {}, []],
  ["https://a.test; script-src 'unsafe-inline'", {}, []],
  ["https://a.test'unsafe-inline'", {}, []],
  ['https://{x}.example.com; script-src *', { x: ['a'] }, []],
  ['https://*', {}, []],
  ['https://*.com', {}, []],
  ['https://a.test/ *', {}, ['https://a.test']],
  ['https://{x}', { x: ["a.test *; script-src 'unsafe-inline'"] }, []],
  ['https://{x}', { x: ['a.test', 'a.test', '*', "b.test 'unsafe-eval'", 'c.test/;'] }, ['https://a.test', 'https://c.test']],
])('%s with %j allows %j', (url, variables, sources) => {
  expect(toConnectSources({ servers: [server(url, variables)], security: [] })).toEqual(sources)
})

test('allows the token servers of OAuth and OpenID Connect', () => {
  const shared = { description: undefined, deprecated: false, prefill: undefined }
  const flow = {
    flow: 'authorizationCode',
    authorizationUrl: 'https://login.test/a',
    deviceAuthorizationUrl: undefined,
    scopes: [],
  } as const
  const security: SecurityAlternative[] = [
    [
      {
        name: 'a',
        scopes: [],
        scheme: {
          ...shared,
          type: 'oauth2',
          metadataUrl: undefined,
          flows: [{ ...flow, tokenUrl: 'https://token.test/t', refreshUrl: 'https://refresh.test/' }],
        },
      },
      {
        name: 'b',
        scopes: [],
        scheme: { ...shared, type: 'openIdConnect', url: 'https://id.test/.well-known/openid-configuration' },
      },
    ],
  ]
  expect(toConnectSources({ servers: [], security })).toEqual(['https://id.test', 'https://refresh.test', 'https://token.test'])
})

test('untrusted documents can add nothing but origins to the policy', () => {
  for (const text of hostileStrings) {
    for (const url of [
      text,
      `https://${text}`,
      `https://a.test/${text}`,
      `https://${text}.example.com`,
      `https://{x}.example.com`,
    ]) {
      for (const source of toConnectSources({
        servers: [server(url, { x: [text, text] }), server(url, { x: [text] })],
        security: [],
      })) {
        expect(source).toMatch(/^https?:\/\/(?:\*\.)?[a-z0-9.-]+(?::(?:\d+|\*))?$/)
      }
    }
  }
})

describe('isServerOfSlice', () => {
  const tenant = { tenant: { default: 'acme' } }
  const region = { region: { default: 'eu', enum: ['eu', 'us'] } }
  const open = { host: { default: 'api.example.com' }, version: { default: 'v1' } }
  const sliceOf = (servers: unknown, get: object = {}) => ({ paths: { '/pets': { post: { servers: [] }, get } }, servers })

  test.each([
    ['https://api.example.com', {}, 'https://api.example.com/pets', true],
    ['https://api.example.com', {}, 'http://api.example.com/pets', false],
    ['https://api.example.com', {}, 'https://api.example.com:8443/pets', false],
    ['https://api.example.com', {}, 'https://api.example.com.evil.test/pets', false],
    ['https://api.example.com', {}, 'https://evil.test/https://api.example.com/', false],
    ['https://api.example.com/v1/', {}, 'https://api.example.com/v1/pets', true],
    ['https://api.example.com/v1/', {}, 'https://api.example.com/v10/pets', false],
    ['https://api.example.com/v1', {}, 'https://api.example.com/v1/../admin', false],
    ['https://api.example.com/v1', {}, 'https://api.example.com/v1/%2e%2e/admin', false],
    ['https://{tenant}.example.com/v1', tenant, 'https://other.example.com/v1/pets', true],
    ['https://{tenant}.example.com/v1', tenant, 'https://other.example.org/v1/pets', false],
    ['https://{region}.example.com', region, 'https://us.example.com/', true],
    ['https://{region}.example.com', region, 'https://admin.example.com/', false],
    // A variable for a whole host allows only its default.
    ['https://{host}/{version}', open, 'https://api.example.com/v2/pets', true],
    ['https://{host}/{version}', open, 'https://evil.test/v2/pets', false],
    ['https://api.example.com/a b/{version}', open, 'https://api.example.com/a%20b/v2', true],
    ['/v1', {}, 'https://api.example.com/v1/pets', false],
    ['https://', {}, 'https://evil.test/', false],
    ['*', {}, 'https://evil.test/', false],
  ])('server %s, variables %j: %s is %s', (url, variables, asked, isServer) => {
    expect(isServerOfSlice(sliceOf([{ url, variables }]), 'GET', new URL(asked))).toBe(isServer)
  })

  test('uses the servers of the operation, and only its method', () => {
    const servers = [{ url: 'https://document.test' }]
    const slice = sliceOf(servers, { servers: [{ url: 'https://operation.test' }] })
    expect(isServerOfSlice(slice, 'GET', new URL('https://operation.test/pets'))).toBe(true)
    expect(isServerOfSlice(slice, 'GET', new URL('https://document.test/pets'))).toBe(false)
    expect(isServerOfSlice(slice, 'DELETE', new URL('https://operation.test/pets'))).toBe(false)
    const custom = { paths: { '/pets': { additionalOperations: { COPY: {} } } }, servers }
    expect(isServerOfSlice({ ...slice, servers }, '__PROTO__', new URL('https://document.test/pets'))).toBe(false)
    expect(isServerOfSlice(custom, 'COPY', new URL('https://document.test/pets'))).toBe(true)
  })

  test.each([
    undefined,
    null,
    [],
    'text',
    {},
    { paths: [] },
    { paths: { '/pets': null } },
    sliceOf('text'),
    sliceOf([null, { url: 1 }]),
  ])('allows nothing for %j', (slice) => {
    expect(isServerOfSlice(slice, 'GET', new URL('https://evil.test/'))).toBe(false)
  })
})
