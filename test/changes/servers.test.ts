import { expect, test } from 'vitest'
import { compareDocuments } from './compare-documents.ts'

/** Servers as YAML, and the operation of each path. */
interface Api {
  readonly servers?: string
  readonly paths: { readonly [path: string]: string }
}

const get = "get: {responses: {'200': {description: Pets}}}"
const withServers = (servers: string) => `get: {servers: ${servers}, responses: {'200': {description: Pets}}}`
const parameters = (...names: string[]) =>
  `parameters: [${names.map((name) => `{name: ${name}, in: path, required: true, schema: {type: string}}`).join(', ')}]`

function toDocument({ servers, paths }: Api): string {
  const listed = Object.entries(paths).map(([path, operations]) => `  '${path}': {${operations}}`)
  const list = servers === undefined ? '' : `servers: ${servers}\n`
  return `openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\n${list}paths:\n${listed.join('\n')}\n`
}

const urls = (...list: string[]) => `[${list.map((url) => `{url: '${url}'}`).join(', ')}]`
const pets = { '/pets': get }
const variable = (fields: string, url = 'https://{region}.a.test/v1') => `[{url: '${url}', variables: {region: {${fields}}}}]`

type Row = readonly [title: string, base: Api, revision: Api, ...expected: string[]]

const rows: { readonly [family: string]: readonly Row[] } = {
  'base paths': [
    [
      'move into the paths',
      { servers: urls('https://a.test/v1'), paths: pets },
      { servers: urls('https://a.test'), paths: { '/v1/pets': get } },
      'compatible []: base-path-moved `/v1`',
    ],
    [
      'move into the servers',
      { servers: urls('https://a.test'), paths: { '/v1/pets': get, '/v1/pets/{id}': `${parameters('id')}, ${get}` } },
      { servers: urls('https://a.test/v1/'), paths: { '/pets': get, '/pets/{pet}': `${parameters('pet')}, ${get}` } },
      'compatible []: base-path-moved `/v1`',
    ],
    [
      'move in part',
      { servers: urls('https://a.test/api/v1'), paths: pets },
      { servers: urls('https://a.test/api'), paths: { '/v1/pets': get } },
      'compatible []: base-path-moved `/v1`',
    ],
    [
      'of relative servers move into the paths',
      { servers: urls('/v1'), paths: pets },
      { servers: urls('/'), paths: { '/v1/pets': get } },
      'compatible []: base-path-moved `/v1`',
    ],
    [
      'move from a relative server into the paths of a document without servers',
      { servers: urls('/v1'), paths: pets },
      { paths: { '/v1/pets': get } },
      'compatible []: base-path-moved `/v1`',
      'risky []: server-removed `/v1`',
    ],
    [
      'move from the paths into the first servers of a document',
      { paths: { '/v1/pets': get } },
      { servers: urls('https://a.test/v1'), paths: pets },
      'compatible []: base-path-moved `/v1`',
      'compatible []: server-added `https://a.test/v1`',
    ],
    [
      'of several servers move into the paths',
      { servers: urls('https://a.test/v1', 'https://b.test/v1'), paths: pets },
      { servers: urls('https://b.test', 'https://a.test'), paths: { '/v1/pets': get } },
      'compatible []: base-path-moved `/v1`',
    ],
    [
      'move, and one of several servers disappears',
      { servers: urls('https://a.test/v1', 'https://b.test/v1'), paths: pets },
      { servers: urls('https://a.test'), paths: { '/v1/pets': get } },
      'compatible []: base-path-moved `/v1`',
      'risky []: server-removed `https://b.test/v1`',
    ],
    [
      'move to another host',
      { servers: urls('https://a.test/v1'), paths: pets },
      { servers: urls('https://b.test'), paths: { '/v1/pets': get } },
      'compatible []: base-path-moved `/v1`',
      'compatible []: server-added `https://b.test`',
      'risky []: server-removed `https://a.test/v1`',
    ],
    [
      'move with a variable that becomes a parameter',
      { servers: urls('https://a.test/{tenant}'), paths: { '/pets/{id}': `${parameters('id')}, ${get}` } },
      { servers: urls('https://a.test'), paths: { '/{tenant}/pets/{id}': `${parameters('tenant', 'id')}, ${get}` } },
      'compatible []: base-path-moved `/{tenant}`',
    ],
    [
      'move with a parameter that becomes a variable',
      { servers: urls('https://a.test'), paths: { '/{tenant}/pets/{id}': `${parameters('tenant', 'id')}, ${get}` } },
      { servers: urls('https://a.test/{tenant}'), paths: { '/pets/{id}': `${parameters('id')}, ${get}` } },
      'compatible []: base-path-moved `/{tenant}`',
    ],
    [
      'move with the values of a variable, which become paths',
      { servers: variable('enum: [v1, v2], default: v1', 'https://a.test/{region}'), paths: pets },
      { servers: urls('https://a.test'), paths: { '/v1/pets': get, '/v2/pets': get } },
      'compatible []: base-path-moved `/v1`',
      'compatible get /v2/pets: operation-added',
    ],
    [
      'move with a value of a variable, and another value disappears',
      { servers: variable('enum: [v1, v2], default: v1', 'https://a.test/{region}'), paths: pets },
      { servers: urls('https://a.test'), paths: { '/v1/pets': get } },
      'compatible []: base-path-moved `/v1`',
      'risky []: server-removed `https://a.test/v2`',
    ],
    [
      'move for a path that another operation takes',
      { servers: urls('https://a.test/v1'), paths: pets },
      { servers: urls('https://a.test'), paths: { '/pets': get, '/v1/pets': get } },
      'compatible []: base-path-moved `/v1`',
      'compatible get /pets: operation-added',
    ],
    [
      'move for one operation only',
      { servers: urls('https://a.test/v1'), paths: { '/pets': get, '/cats': get } },
      { servers: urls('https://a.test'), paths: { '/v1/pets': get, '/cats': get } },
      'compatible []: base-path-moved `/v1`',
      'compatible [get /cats]: server-added `https://a.test`',
      'risky [get /cats]: server-removed `https://a.test/v1`',
    ],
    [
      'move with the path of the server itself',
      { servers: urls('https://a.test/v1'), paths: { '/': get } },
      { servers: urls('https://a.test'), paths: { '/v1': get } },
      'compatible []: base-path-moved `/v1`',
    ],
    [
      'move to the servers of an operation',
      { servers: urls('https://a.test/v1'), paths: pets },
      { servers: urls('https://a.test'), paths: { '/v1/pets': withServers(urls('https://a.test')) } },
      'compatible []: base-path-moved `/v1`',
    ],
  ],
  'lists of servers': [
    [
      'that lose one',
      { servers: urls('https://a.test', 'https://b.test'), paths: pets },
      { servers: urls('https://a.test'), paths: pets },
      'risky []: server-removed `https://b.test`',
    ],
    [
      'that get one',
      { servers: urls('https://a.test'), paths: pets },
      { servers: urls('https://b.test', 'https://a.test'), paths: pets },
      'compatible []: server-added `https://b.test`',
    ],
    [
      'with a new version in the URL',
      { servers: urls('https://a.test/v1'), paths: pets },
      { servers: urls('https://a.test/v2'), paths: pets },
      'compatible []: server-added `https://a.test/v2`',
      'risky []: server-removed `https://a.test/v1`',
    ],
    [
      'that are the first of a document',
      { paths: pets },
      { servers: urls('https://a.test'), paths: pets },
      'compatible []: server-added `https://a.test`',
    ],
    [
      'that are removed',
      { servers: urls('https://a.test'), paths: pets },
      { paths: pets },
      'risky []: server-removed `https://a.test`',
    ],
    [
      'with another spelling',
      { servers: urls('https://A.test:443/', 'http://b.test:80'), paths: pets },
      { servers: urls('https://a.test', 'http://b.test'), paths: pets },
    ],
    [
      'that move to a path and an operation',
      { servers: urls('https://a.test'), paths: { '/pets': get, '/cats': get } },
      {
        paths: {
          '/pets': `servers: ${urls('https://a.test')}, ${get}`,
          '/cats': withServers(urls('https://a.test')),
        },
      },
    ],
    [
      'of one operation that lose one',
      { servers: urls('https://a.test', 'https://b.test'), paths: { '/pets': get, '/cats': get } },
      {
        servers: urls('https://a.test', 'https://b.test'),
        paths: { '/pets': get, '/cats': withServers(urls('https://a.test')) },
      },
      'risky get /cats: server-removed `https://b.test`',
    ],
    [
      'of the document, in place of which an operation gets an empty list',
      { servers: urls('https://a.test'), paths: pets },
      { servers: urls('https://a.test'), paths: { '/pets': withServers('[]') } },
    ],
    [
      'of a path',
      { paths: { '/pets': `servers: ${urls('https://a.test', 'https://b.test')}, ${get}` } },
      { paths: { '/pets': `servers: ${urls('https://b.test')}, ${get}` } },
      'risky [get /pets]: server-removed `https://a.test`',
    ],
  ],
  variables: [
    [
      'are written as numbers',
      { servers: variable('enum: [1, 2], default: 1'), paths: pets },
      { servers: variable("enum: ['1', '2'], default: '1'"), paths: pets },
    ],
    [
      'lose a value',
      { servers: variable('enum: [eu, us], default: eu'), paths: pets },
      { servers: variable('enum: [eu], default: eu'), paths: pets },
      'risky []: server-values-removed `us` `region` `https://{region}.a.test/v1`',
    ],
    [
      'get a value and another default',
      { servers: variable('enum: [eu], default: eu'), paths: pets },
      { servers: variable('enum: [eu, us], default: us'), paths: pets },
      'compatible []: server-changed `region` `https://{region}.a.test/v1`',
    ],
    [
      'are limited',
      { servers: variable('default: eu'), paths: pets },
      { servers: variable('enum: [eu], default: eu'), paths: pets },
      'risky []: server-values-removed `region` `https://{region}.a.test/v1` `eu`',
    ],
    [
      'become servers',
      { servers: variable('enum: [eu, us], default: eu'), paths: pets },
      { servers: urls('https://eu.a.test/v1', 'https://us.a.test/v1'), paths: pets },
    ],
    [
      'become servers, except for one value',
      { servers: variable('enum: [eu, us, cn], default: eu'), paths: pets },
      { servers: urls('https://eu.a.test/v1', 'https://us.a.test/v1'), paths: pets },
      'risky []: server-removed `https://cn.a.test/v1`',
    ],
    [
      'stand for the servers of before',
      { servers: urls('https://eu.a.test/v1', 'https://us.a.test/v1'), paths: pets },
      { servers: variable('default: eu'), paths: pets },
      'compatible []: server-added `https://{region}.a.test/v1`',
    ],
    [
      'have another name',
      { servers: urls('https://{host}/v1'), paths: pets },
      { servers: urls('https://{name}/v1'), paths: pets },
    ],
  ],
}

const cases = Object.entries(rows).flatMap(([family, list]) => {
  return list.map(([title, base, revision, ...expected]) => [family, title, base, revision, expected] as const)
})

test.each(cases)('compares the URLs of operations: %s %s', async (_family, _title, base, revision, expected) => {
  const changes = await compareDocuments(toDocument(base), toDocument(revision))
  const found = changes.map(({ level, code, method, path, operations, message }) => {
    const listed = operations.map((operation) => `${operation.method} ${operation.path}`).join(', ')
    const owner = method === null ? `[${listed}]` : `${method} ${path}`
    const names = code === 'operation-added' ? [] : (message.match(/`[^`]+`/g) ?? [])
    return [`${level} ${owner}: ${code}`, ...names].join(' ')
  })
  expect(found.sort()).toEqual(expected)
})

test('compares 500 operations with 500 servers', async () => {
  const numbers = Array.from({ length: 500 }, (_, index) => index)
  const servers = urls(...numbers.map((index) => `https://a.test/v${index}`))
  const toPaths = (toPath: (index: number) => string, operations: string) =>
    Object.fromEntries(numbers.map((index) => [toPath(index), operations]))
  const base = toDocument({ paths: toPaths((index) => `/pets${index}`, withServers(urls('https://b.test'))) })
  const revision = toDocument({ servers, paths: toPaths((index) => `/v${index % 50}/pets${index}`, get) })
  const changes = await compareDocuments(base, revision)
  expect(changes.some(({ code }) => code === 'operation-removed')).toBe(true)
})
