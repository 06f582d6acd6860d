import { expect, test } from 'vitest'
import { chooseServer, toServerUrl, typedServer } from '../../../src/playground/servers/to-server-url.ts'

const base = 'https://docs.example.com/api/pets/'
const variable = (name: string, preset: string, choices: string[] = []) => ({
  name,
  default: preset,
  enum: choices,
  description: undefined,
})
const server = (url: string, ...variables: ReturnType<typeof variable>[]) => ({ url, description: undefined, variables })

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
])('%j with %j is %s', (one, variables, url) => {
  expect(toServerUrl(one, variables, base)).toBe(url)
})

test('the server that is typed stands after those of the operation', () => {
  const servers = [server('https://a.test')]
  expect(chooseServer(servers, { index: 1, variables: { [typedServer]: 'https://b.test' } }).url).toBe('https://b.test')
  expect(chooseServer(servers, { index: 0, variables: {} }).url).toBe('https://a.test')
  expect(chooseServer(servers, { index: 7, variables: {} }).url).toBe('https://a.test')
})
