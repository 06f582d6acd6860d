import { describe, expect, test } from 'vitest'
import { answerHttp } from '../../../src/site/agents/mcp-server.ts'
import { type AgentChangelog, createApiTools, createChangesTool, describeFailure } from '../../../src/site/agents/site-tools.ts'
import { openSiteIndex } from '../../../src/site/search/find-hits.ts'
import { parseWrittenJson, settleNumbers } from '../../../src/text/json/json-values.ts'
import { siteOf } from '../make/site-of.ts'

const openapi = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://{region}.example.com/v1/', variables: { region: { default: 'eu' } } }],
  security: [{ token: [] }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'List pets',
        parameters: [
          { name: 'tags', in: 'query', explode: false, schema: { type: 'array' } },
          { name: 'limit', in: 'query', required: true, schema: { type: 'integer' } },
          { $ref: '#/components/parameters/Trace' },
        ],
        responses: {
          200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        },
      },
      post: {
        operationId: 'addPet',
        summary: 'Add a pet',
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Pet' } },
            'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Pet' } },
            'application/xml': { schema: { $ref: '#/components/schemas/Pet' } },
          },
        },
        responses: { 201: { description: 'ok' } },
      },
    },
    '/pets/{petId}': {
      get: { operationId: 'getPet', summary: 'Get a pet', responses: { 200: { description: 'ok' } } },
    },
  },
  components: {
    parameters: { Trace: { name: 'X-Trace', in: 'header', schema: { type: 'string' } } },
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Pet: {
        type: 'object',
        description: 'An animal',
        xml: { name: 'pet' },
        properties: {
          name: { type: 'string', xml: { name: 'id', attribute: true } },
          id: { type: 'integer' },
          weight: { type: ['number', 'null'] },
        },
      },
    },
  },
})

let built: ReturnType<typeof siteOf> | undefined
/** The files of the site. It is built in the first test. */
async function read(path: string): Promise<string | undefined> {
  const navigation = { groups: [{ group: 'API', openapi: 'openapi.json' }] }
  built ??= siteOf({
    'docs.json': JSON.stringify({ name: 'Pets', navigation }),
    'openapi-pages.config.yaml': 'schemas: true\n',
    'openapi.json': openapi,
  })
  return (await built).files[path]
}

const tools = createApiTools({
  indexes: async () => {
    const index = await openSiteIndex(0, read)
    return index ? [index] : []
  },
  markdown: (route) => read(`${route}.md`),
  document: (route) => read(`${route}.openapi.json`),
})

async function call(name: string, args: unknown): Promise<string> {
  try {
    return (await tools.find((each) => each.name === name)?.run(args)) ?? ''
  } catch (error) {
    return `error: ${describeFailure(error)}`
  }
}

describe('get_operation', () => {
  test.each(['GET /pets', 'get /pets', 'listPets', '/api-reference/list-pets'])('finds %s', async (operation) => {
    const { paths } = JSON.parse(await call('get_operation', { operation }))
    expect(Object.keys(paths)).toEqual(['/pets'])
    expect(paths['/pets'].get.operationId).toBe('listPets')
    expect(paths['/pets'].post).toBeUndefined()
    expect(JSON.stringify(paths)).toContain('"/openapi.json#/components/schemas/Pet"')
  })

  test.each(['DELETE /pets', 'list', 'nothing', '/none'])('names similar pages for %s', async (operation) => {
    expect(await call('get_operation', { operation })).toContain(`error: There is no operation \`${operation}\`.`)
  })
})

describe('get_schema', () => {
  test.each(['Pet', 'pet'])('returns %s as Markdown', async (name) => {
    const text = await call('get_schema', { name })
    expect(text).toContain('# Pet\n')
    expect(text).toContain('An animal')
  })

  test('names similar schemas', async () => {
    expect(await call('get_schema', { name: 'Pets' })).toMatch(/^error: There is no schema `Pets`\./)
  })
})

describe('build_request', () => {
  const build = async (args: object) => {
    const text = await call('build_request', args)
    const [, json = '{}'] = /```json\n([^`]*)\n```/.exec(text) ?? []
    return { text, request: JSON.parse(json) }
  }

  test('encodes parameters as the document says', async () => {
    const { text, request } = await build({ operation: 'listPets', parameters: { tags: ['a b', 'c'], limit: 5, 'X-Trace': 't' } })
    expect(request).toEqual({
      method: 'GET',
      url: 'https://eu.example.com/v1/pets?tags=a%20b,c&limit=5',
      headers: { Accept: 'application/json', 'X-Trace': 't', Authorization: 'Bearer <token>' },
    })
    expect(text).toContain("curl 'https://eu.example.com/v1/pets?tags=a%20b,c&limit=5'")
    expect(text).not.toContain('Missing')
  })

  test('names what is missing', async () => {
    expect((await build({ operation: 'listPets' })).text).toMatch(/\nMissing: `limit` \(query\)\n$/)
    const { text, request } = await build({ operation: 'getPet' })
    expect(request.url).toBe('https://eu.example.com/v1/pets/{petId}')
    expect(text).toMatch(/\nMissing: `petId` \(path\)\n$/)
    expect((await build({ operation: 'addPet' })).text).toMatch(/\nMissing: the body\n$/)
    const relative = await build({ operation: 'getPet', parameters: { petId: 1 }, server: '/v2' })
    expect(relative.text).toMatch(/\nMissing: the URL of the API \(`server`\)\n$/)
  })

  test('writes a body in its media type', async () => {
    const body = { name: 'Rex & co' }
    expect((await build({ operation: 'addPet', body })).request).toMatchObject({
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body, undefined, 2),
    })
    const form = await build({ operation: 'addPet', body, mediaType: 'application/x-www-form-urlencoded' })
    expect(form.request.body).toBe('name=Rex+%26+co')
    const xml = await build({ operation: 'addPet', body, mediaType: 'application/xml' })
    expect(xml.request.body).toContain('<pet id="Rex &amp; co"')
    const other = await build({ operation: 'getPet', parameters: { petId: 'a/b' }, server: 'https://test.example.com' })
    expect(other.request.url).toBe('https://test.example.com/pets/a%2Fb')
  })

  test('keeps numbers as an agent writes them, as numbers or as strings', async () => {
    const text = '{"id": 12345678901234567890, "weight": 1.0, "name": "007"}'
    const given = (json: string) => settleNumbers(parseWrittenJson(json))
    const numbers = await build(given(`{"operation": "addPet", "body": ${text}}`) as object) // An object in JSON.
    expect(numbers.text).toContain('\\"id\\": 12345678901234567890,\\n  \\"weight\\": 1.0,')
    const strings = { id: '12345678901234567890', weight: '1.0', name: '007' }
    expect((await build({ operation: 'addPet', body: strings })).request.body).toBe(numbers.request.body)
    expect((await build({ operation: 'addPet', body: text })).request.body).toBe(numbers.request.body)
    const parameters = '{"operation": "getPet", "parameters": {"petId": 12345678901234567890}}'
    expect((await build(given(parameters) as object)).request.url).toMatch(/\/12345678901234567890$/) // As above.
  })

  test.each([
    [{ operation: 'getPet', parameters: { id: 1 } }, 'Unexpected parameter `id`. Parameters: `petId`'],
    [{ operation: 'addPet', body: {}, mediaType: 'text/csv' }, 'Unexpected media type `text/csv`. Media types:'],
    [{ operation: 'listPets', body: {} }, 'Unexpected body. The operation has none'],
    [{ operation: 'listPets', token: 'secret' }, 'Unexpected argument `token`'],
  ])('refuses %j', async (args, message) => {
    expect(await call('build_request', args)).toContain(`error: ${message}`)
  })
})

test.each([
  ['2025-06-18', {}],
  ['2026-07-28', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }],
])('calls of version %s have the numbers that the agent wrote', async (version, meta) => {
  const headers = {
    ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'Mcp-Method': 'tools/call' },
    ...{ 'MCP-Protocol-Version': version, 'Mcp-Name': 'build_request' },
  }
  const args = '{"operation": "addPet", "body": {"id": 12345678901234567890, "weight": 1.0}}'
  const params = `{"name": "build_request", "arguments": ${args}, "_meta": ${JSON.stringify(meta)}}`
  const body = `{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": ${params}}`
  const server = { name: 'a', title: 'A', version: '1', instructions: '', tools, onError: () => {} }
  const response = await answerHttp(server, new Request('https://a.example/mcp', { method: 'POST', headers, body }))
  expect(await response.text()).toMatch(/12345678901234567890.*1\.0/s)
})

describe('list_changes', () => {
  const change = (level: string, message: string, ...operations: string[]) => ({ level, code: 'some-code', message, operations })
  const changelogs: readonly AgentChangelog[] = [
    {
      route: 'api/changelog',
      title: 'Changelog',
      versions: [
        {
          name: '2.0.0',
          date: '2026-03-02',
          changes: [
            change('breaking', '`x` was removed', 'GET /pets'),
            change('compatible', 'Operation `POST /pets` was added', 'POST /pets'),
          ],
          left: 0,
        },
        { name: '1.1.0', changes: [change('risky', '`y` is shorter', 'GET /pets')], left: 0 },
      ],
    },
  ]
  const list = async (args: object, all = changelogs) => {
    try {
      return await createChangesTool(async () => all).run(args)
    } catch (error) {
      return `error: ${describeFailure(error)}`
    }
  }

  test('lists changes by version', async () => {
    expect(await list({})).toBe(
      '# Changelog, 2.0.0 (2026-03-02) · /api/changelog\n' +
        '- breaking · some-code: `x` was removed (GET /pets)\n' +
        '- compatible · some-code: Operation `POST /pets` was added\n' +
        '# Changelog, 1.1.0 · /api/changelog\n' +
        '- risky · some-code: `y` is shorter (GET /pets)\n',
    )
  })

  test.each([
    [{ level: 'risky' }, ['risky']],
    [{ version: '2.0.0' }, ['breaking', 'compatible']],
    [{ operation: 'get /pets' }, ['breaking', 'risky']],
    [{ limit: 1, offset: 1 }, ['compatible']],
  ])('filters by %j', async (args, levels) => {
    expect((await list(args)).match(/(?<=^- )\w+/gm)).toEqual(levels)
  })

  test('says which versions there are, or that there is no changelog', async () => {
    expect(await list({ version: '3' })).toBe('No changes found. Versions: 2.0.0, 1.1.0\n')
    expect(await list({}, [])).toBe('error: This documentation has no changelog of an API')
  })
})
