import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, test } from 'vitest'
import { runBin } from '../support/run-bin.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocument } from '../support/tiny-docs.ts'

const docs = {
  'docs.json': JSON.stringify({ name: 'Zoo', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json' }] } }),
  'openapi.json': tinyDocument('List pets', 'Get pet', 'pets/{id}'),
}

const bin = join(import.meta.dirname, '../../bin/openapi-pages.cjs')

test('an agent searches, reads, checks and compares through the published program', async () => {
  const folder = makeTemporaryFolder({ ...docs, 'old.json': tinyDocument('List pets', 'Old pet') })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', folder],
    cwd: makeTemporaryFolder({}),
    env: getDefaultEnvironment(),
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1' })
  // Everything on stdout that is not the protocol is an error of the transport.
  const errors: unknown[] = []
  client.onerror = (error) => errors.push(error)
  let log = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  await client.connect(transport)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    ...['search', 'read_page', 'get_operation', 'get_schema', 'build_request', 'check', 'changes', 'list_operations'],
  ])
  for (const { annotations, inputSchema } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
  }
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    return [isError === true, (content as { text: string }[])[0]?.text ?? '']
  }
  expect(await call('search', { query: 'get pet' })).toEqual([false, expect.stringContaining('- /api-reference/get-pet')])
  expect(await call('read_page', { page: 'GET /get-pet' })).toEqual([false, expect.stringContaining('# Get pet')])
  expect(await call('get_operation', { operation: 'GET /get-pet' })).toEqual([false, expect.stringContaining('"openapi":')])
  // TypeScript lacks it: ECMAScript, "JSON.parse source text access".
  const id: unknown = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('12345678901234567890')
  const request = { operation: 'GET /pets/{id}', parameters: { id } }
  expect(await call('build_request', request)).toEqual([false, expect.stringContaining('/pets/12345678901234567890')])
  expect(await call('check', {})).toEqual([false, expect.stringMatching(/^1 document checked: /)])
  expect(await call('changes', { base: 'old.json', revision: 'openapi.json' })).toEqual([
    false,
    expect.stringContaining('breaking'),
  ])
  expect(await call('list_operations', {})).toEqual([false, expect.stringContaining('GET /list-pets')])
  expect(await call('read_page', { page: '/nothing' })).toEqual([true, expect.stringContaining('There is no page')])
  expect(await call('delete_page', {})).toEqual([true, expect.stringContaining('Unknown tool')])
  await client.close()
  expect(errors).toEqual([])
  expect(log).toBe('')
})

test('ends when the agent closes its input, and refuses to serve the whole disk', async () => {
  const folder = makeTemporaryFolder(docs)
  expect(await runBin(['mcp'], { cwd: folder })).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await runBin(['mcp', '/'], { cwd: folder })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('whole disk'),
  })
})
