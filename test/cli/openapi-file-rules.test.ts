import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { testCases } from './cases.ts'
import { runInFolder } from './run-in-folder.ts'

// How the command line of `@mintlify/scraping` 4.0.1053 was seen to act, rule by rule; see `test/docs/pages/openapi-file-rules.test.ts`.
testCases('openapi-file-rules')

const fine = "responses: {'200': {description: Fine}}"
const toDocument = (more: string) => `openapi: 3.1.0\ninfo: {title: T, version: '1'}\n${more}`
const document = toDocument(`paths:
  /users:
    get: {summary: List users, tags: [People], ${fine}}
    post: {summary: List users, tags: [People], ${fine}}
  /health: {get: {${fine}}}
`)
const navigation = (prefix: string) => [
  { group: 'People', pages: [`${prefix}people/list-users`, `${prefix}people/list-users-1`] },
  { group: 'API Reference', pages: [`${prefix}get-health`] },
]

test('prints the same for a URL, where Mintlify adds two lines', async () => {
  const server = createServer((_, response) => response.end(document))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo // Of a server that listens on a port it is none of the other forms.
    const folder = makeTemporaryFolder({})
    const run = await runInFolder(folder, ['openapi-file', `http://127.0.0.1:${port}/openapi.yaml`, '-o', 'ref'])
    expect([run.exitCode, run.stdout]).toEqual([0, `\n${JSON.stringify(navigation('ref/'), undefined, 2)}\n`])
    expect(readFileSync(join(folder, 'ref/get-health.mdx'), 'utf8')).toBe('---\nopenapi: get /health\n---')
  } finally {
    server.close()
  }
})

test.each(['openapi-check', 'openapi-file'])('here: %s reads plain http, because the user named the URL', async (command) => {
  const run = await runInFolder(makeTemporaryFolder({}), [command, 'http://example.invalid/a.yaml'])
  expect([run.exitCode, run.stdout]).toEqual([2, ''])
  expect(run.stderr).toMatch(/the host name/)
})
