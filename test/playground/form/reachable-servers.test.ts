import { expect, test } from 'vitest'
import { chooseServer, customServer, isAllowedByPolicy, toServerUrl } from '../../../src/playground/form/reachable-servers.ts'

const base = 'https://docs.example.com/api/pets/'
const variable = (name: string, preset: string, choices: string[] = []) => ({
  name,
  default: preset,
  enum: choices,
  description: undefined,
})
const server = (url: string, ...variables: ReturnType<typeof variable>[]) => ({
  url,
  name: undefined,
  description: undefined,
  variables,
})

test.each([
  [server('https://api.example.com/v1/'), {}, 'https://api.example.com/v1'],
  [server('/'), {}, 'https://docs.example.com'],
  [server('/v2'), {}, 'https://docs.example.com/v2'],
  [server('v2'), {}, 'https://docs.example.com/api/pets/v2'],
  [server('//api.example.com'), {}, 'https://api.example.com'],
  [
    server('https://{region}.example.com/{v}', variable('region', 'eu'), variable('v', 'v1')),
    { region: 'us' },
    'https://us.example.com/v1',
  ],
  [server('https://{region}.example.com', variable('region', 'eu')), { region: '' }, 'https://eu.example.com'],
  [server('https://a.test/{v}', variable('v', '')), {}, 'https://a.test/{v}'],
  [server('https://{host}', variable('host', '')), {}, 'https://{host}'],
  [server('{scheme}://a.test', variable('scheme', 'https')), { scheme: 'javascript' }, undefined],
  [server('javascript:alert(1)'), {}, undefined],
  [server('file:///etc/passwd'), {}, undefined],
  [server('https://user:password@a.test'), {}, undefined],
  [server('https://{h}.example.com', variable('h', 'a')), { h: 'evil.test/' }, 'https://evil.test/.example.com'],
  [server('https://{constructor}.test', variable('x', 'a')), {}, 'https://{constructor}.test'],
])('%j with %j becomes %s', (one, variables, url) => {
  expect(toServerUrl(one, variables, base)).toBe(url)
})

test('the custom server comes after the servers of the operation', () => {
  const servers = [server('https://a.test')]
  expect(chooseServer(servers, { index: 1, variables: { [customServer]: 'https://b.test' } }).url).toBe('https://b.test')
  expect(chooseServer(servers, { index: 0, variables: {} }).url).toBe('https://a.test')
  expect(chooseServer(servers, { index: 7, variables: {} }).url).toBe('https://a.test')
})

const self = new URL('https://docs.example.com/a/')

test.each([
  ["connect-src 'self'", 'https://docs.example.com/x', true],
  ["connect-src 'self'", 'https://api.example.com/x', false],
  ["connect-src 'self' https://api.example.com", 'https://api.example.com/v1', true],
  ['connect-src https://api.example.com', 'http://api.example.com/v1', false],
  ['connect-src http://api.example.com', 'https://api.example.com/v1', true],
  ['connect-src https://api.example.com', 'https://api.example.com:8443/v1', false],
  ['connect-src https://api.example.com:8443', 'https://api.example.com:8443/v1', true],
  ['connect-src http://localhost:*', 'http://localhost:3000/', true],
  ['connect-src https://*.example.com', 'https://eu.api.example.com/', true],
  ['connect-src https://*.example.com', 'https://example.com/', false],
  ['connect-src https://*.example.com', 'https://evilexample.com/', false],
  ['connect-src https:', 'https://any.test/', true],
  ['connect-src https:', 'http://any.test/', false],
  ['connect-src *', 'http://any.test/', true],
  ["connect-src 'none'", 'https://docs.example.com/', false],
  ["default-src 'none'", 'https://docs.example.com/', false],
  ["default-src 'none'; connect-src https:", 'https://any.test/', true],
  ["script-src 'self'", 'https://any.test/', true],
  ['CONNECT-SRC API.example.com', 'https://api.example.com/', true],
])('%s allows %s: %s', (policy, address, isAllowed) => {
  expect(isAllowedByPolicy(policy, new URL(address), self)).toBe(isAllowed)
})
