import { describe, expect, test } from 'vitest'
import { diagnosticLines } from '../support/check-text.ts'

const id = '{name: id, in: path, required: true, schema: {type: string}}'
const ok = "responses: {'200': {description: OK}}"

/** The locations and codes of the diagnostics of some paths. The first line of the paths is line 4. */
async function codesOf(paths: string, rest = '', version = '3.1.0'): Promise<string[]> {
  const lines = await diagnosticLines(`openapi: ${version}\ninfo: {title: Pets, version: 1.0.0}\npaths:\n${paths}\n${rest}\n`)
  return lines
    .map((line) => /^\d+:\d+ (?:warning |info )?[a-z-]+/.exec(line)?.[0] ?? line)
    .filter((line) => !line.endsWith('info unused-component'))
}

describe('path-parameter', () => {
  test.each([
    ['described by the operation', `  /a/{id}:\n    get: {parameters: [${id}]}`, []],
    ['described by the path item', `  /a/{id}:\n    parameters: [${id}]\n    get: {}`, []],
    ['described by a component', '  /a/{id}:\n    get: {parameters: [{$ref: "#/components/parameters/Id"}]}', []],
    [
      'one of two described in path item and operation, the other nowhere',
      `  /a/{id}/{b}:\n    parameters: [${id}]\n    get: {parameters: [${id}]}`,
      ['4:3 path-parameter'],
    ],
    ['a path without operations', '  /a/{id}: {}', []],
    ['two names in one step', `  /a/{id}.{format}:\n    get: {parameters: [${id}, ${id.replace('id,', 'format,')}]}`, []],
    ['missing in every operation: once, at the path', '  /a/{id}:\n    get: {}\n    put: {}', ['4:3 path-parameter']],
    ['missing in one: at the operation', `  /a/{id}:\n    get: {parameters: [${id}]}\n    put: {}`, ['6:5 path-parameter']],
    [
      'of the same name elsewhere',
      '  /a/{id}:\n    get: {parameters: [{name: id, in: query, schema: {}}]}',
      ['4:3 path-parameter'],
    ],
    ['in a query that the path has: once', '  /a?b={b}&c={c}:\n    get: {}\n    put: {}', ['4:3 path-parameter']],
    [
      'in a query and in the path: each',
      '  /a/{id}?b={b}:\n    get: {parameters: [{name: b, in: query, schema: {}}]}',
      ['4:3 path-parameter', '4:3 path-parameter'],
    ],
    ['not in the path', `  /a:\n    get: {parameters: [${id}]}`, ['5:24 path-parameter']],
    [
      'not in the path, of the path item: once',
      `  /a:\n    parameters: [${id}]\n    get: {}\n    put: {}`,
      ['5:18 path-parameter'],
    ],
    ['mistyped: once', `  /a/{ids}:\n    get: {parameters: [${id}]}`, ['5:24 path-parameter']],
    ['another name: once', `  /a/{petId}:\n    get: {parameters: [${id}]}`, ['5:24 path-parameter']],
    ['an unresolved reference may be it', '  /a/{id}:\n    get: {parameters: [{$ref: "#/none"}]}', ['5:31 reference-unresolved']],
  ])('%s', async (_, paths, expected) => {
    expect(await codesOf(paths, `components: {parameters: {Id: ${id}}}`)).toEqual(expected)
  })

  test('names in callbacks and webhooks are no path parameters', async () => {
    const paths = "  /a:\n    get: {callbacks: {done: {'{$request.body#/url}': {post: {}}}}}"
    expect(await codesOf(paths, "webhooks: {'{a}': {post: {}}}")).toEqual([])
  })
})

describe('path-template', () => {
  test.each([
    ['different', `  /a/{id}:\n    get: {parameters: [${id}]}\n  /b/{id}:\n    get: {parameters: [${id}]}`, []],
    ['a fixed and a variable step', `  /a/{id}:\n    get: {parameters: [${id}]}\n  /a/all:\n    get: {}`, []],
    [
      'the same, with a common method',
      `  /a/{id}:\n    get: {parameters: [${id}]}\n  /a/{x}:\n    get: {parameters: [${id.replace('id', 'x')}]}`,
      ['6:3 path-template'],
    ],
    [
      'the same, without one',
      `  /a/{id}:\n    get: {parameters: [${id}]}\n  /a/{x}:\n    put: {parameters: [${id.replace('id', 'x')}]}`,
      ['6:3 warning path-template'],
    ],
  ])('%s', async (_, paths, expected) => {
    expect(await codesOf(paths)).toEqual(expected)
  })
})

describe('parameter-unique', () => {
  const query = '{name: id, in: query, schema: {}}'
  test.each([
    ['in different places', `  /a/{id}:\n    get: {parameters: [${id}, ${query}]}`, []],
    ['in path item and operation', `  /a:\n    parameters: [${query}]\n    get: {parameters: [${query}]}`, []],
    ['twice', `  /a:\n    get: {parameters: [${query}, ${query}]}`, ['5:59 parameter-unique']],
    [
      'twice by reference',
      '  /a:\n    get: {parameters: [{$ref: "#/components/parameters/Q"}, {$ref: "#/components/parameters/Q"}]}',
      ['5:61 parameter-unique'],
    ],
    [
      'twice in a path item with several operations: once',
      `  /a:\n    parameters: [${query}, ${query}]\n    get: {}\n    put: {}`,
      ['5:53 parameter-unique'],
    ],
  ])('%s', async (_, paths, expected) => {
    expect(await codesOf(paths, `components: {parameters: {Q: ${query}}}`)).toEqual(expected)
  })
})

describe('operation-id-unique', () => {
  test.each([
    ['different', '  /a:\n    get: {operationId: a}\n    put: {operationId: b}', '', []],
    ['none', '  /a:\n    get: {}\n    put: {}', '', []],
    [
      'the third too',
      '  /a:\n    get: {operationId: a}\n    put: {operationId: a}\n    post: {operationId: a}',
      '',
      ['6:24 operation-id-unique', '7:25 operation-id-unique'],
    ],
    ['in a webhook', '  /a:\n    get: {operationId: a}', 'webhooks: {b: {post: {operationId: a}}}', ['6:36 operation-id-unique']],
    [
      'one path item under two paths',
      '  /a: {$ref: "#/components/pathItems/P"}\n  /b: {$ref: "#/components/pathItems/P"}',
      'components: {pathItems: {P: {get: {operationId: a}}}}',
      [],
    ],
  ])('%s', async (_, paths, rest, expected) => {
    expect(await codesOf(paths, rest)).toEqual(expected)
  })
})

describe('security-scheme', () => {
  const scheme = 'components: {securitySchemes: {key: {type: http, scheme: basic}}}'
  test.each([
    ['declared', `  /a:\n    get: {security: [{key: []}, {}]}`, scheme, '3.1.0', []],
    ['of an operation', '  /a:\n    get: {security: [{keys: []}]}', scheme, '3.1.0', ['5:23 security-scheme']],
    ['of a webhook', '  /a: {}', `${scheme}\nwebhooks: {b: {post: {security: [{none: []}]}}}`, '3.1.0', ['6:35 security-scheme']],
    ['an address, from 3.2 on', '  /a:\n    get: {security: [{"#/components/securitySchemes/key": []}]}', scheme, '3.2.0', []],
    [
      'reports security schemes written as a list',
      '  /a:\n    get: {security: [{key: []}]}',
      'components: {securitySchemes: []}',
      '3.1.0',
      ['6:31 wrong-type'],
    ],
  ])('%s', async (_, paths, rest, version, expected) => {
    expect(await codesOf(paths, rest, version)).toEqual(expected)
  })
})

describe('server-variable', () => {
  test.each([
    ['3.0.3', ['6:79 warning server-variable']],
    ['3.1.0', ['6:79 server-variable']],
  ])('a default that its enum does not have in %s', async (version, expected) => {
    const servers = "servers: [{url: 'https://{region}.example.com', variables: {region: {default: x, enum: [eu, us]}}}]"
    expect(await codesOf(`  /a:\n    get: {${ok}}`, servers, version)).toEqual(expected)
  })

  test('of path items and operations', async () => {
    const paths = `  /a:\n    servers: [{url: '/{x}'}]\n    get: {servers: [{url: '/{y}'}]}\n    put: {}`
    expect(await codesOf(paths)).toEqual(['5:21 warning server-variable', '6:27 warning server-variable'])
  })
})
