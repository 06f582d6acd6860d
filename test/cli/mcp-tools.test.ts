import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLocalDocs } from '../../src/cli/editors/local-docs.ts'
import { createLocalTools } from '../../src/cli/editors/local-tools.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import { createPageTools, describeFailure } from '../../src/site/agents/site-tools.ts'
import { createSourcePages } from '../../src/site/agents/source-pages.ts'
import { runProgram } from '../support/small-process/run-program.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocs, tinyDocument } from '../support/tiny-docs.ts'

function openTools(folder: string, argument = folder) {
  const output = { write: () => {}, isTerminal: false, columns: undefined }
  const stdout = {
    ...output,
    write: () => {
      throw new Error('stdout is for the protocol')
    },
  }
  const context = {
    workingDirectory: toOwnPath(folder),
    env: {},
    readStdin: async () => new Uint8Array(),
    stdout,
    stderr: output,
  }
  const docs = openLocalDocs(argument, { boundary: toOwnPath(folder), allowHttp: false, network: false }, context)
  const tools = [...createPageTools(createSourcePages(docs.readPages)), ...createLocalTools(docs)]
  return async (name: string, args: unknown = {}) => {
    try {
      return (await tools.find((tool) => tool.name === name)?.run(args)) ?? ''
    } catch (error) {
      return `error: ${describeFailure(error)}`
    }
  }
}

const pages = { ...tinyDocs(['List pets', 'Get pet']), 'start.mdx': '---\ntitle: Start\n---\n\nWelcome to the zoo.\n' }

test('searches and reads the pages of a docs directory, and sees changed files', async () => {
  const folder = makeTemporaryFolder(pages)
  const call = openTools(folder)
  expect(await call('search', { query: 'pets' })).toContain('/api-reference/list-pets · List pets · GET /list-pets')
  expect(await call('read_page', { page: 'GET /list-pets' })).toMatch(/^# List pets\n\n```http\nGET/)
  writeFileSync(join(folder, 'openapi.json'), tinyDocument('List birds'))
  expect(await call('read_page', { page: 'GET /list-birds' })).toMatch(/^# List birds/)
  expect(await call('read_page', { page: 'GET /list-pets' })).toContain('error: There is no page')
})

test('lists operations in parts, with their pages', async () => {
  const call = openTools(makeTemporaryFolder(pages))
  expect(await call('list_operations', { limit: 1 })).toBe(
    '2 operations in 1 document\n# openapi.json (Tiny, OpenAPI 3.1.0)\nGET /list-pets · List pets · /api-reference/list-pets\n' +
      '\nEntries 1 to 1 of 2. For more, set `offset` to 1.',
  )
  expect(await call('list_operations', { contains: 'get pet' })).toContain('GET /get-pet')
  expect(await call('list_operations', { document: 'none.yaml' })).toBe('error: Cannot read an OpenAPI document at none.yaml')
})

test('reads documents of a directory without a docs.json', async () => {
  const call = openTools(makeTemporaryFolder({ 'apis/a.json': tinyDocument('A'), 'apis/b.json': tinyDocument('B') }))
  expect(await call('list_operations')).toContain('# apis/b.json (Tiny, OpenAPI 3.1.0)\nGET /b · B')
  expect(await call('check', { severity: 'error' })).toMatch(/^2 documents checked: /)
  expect(await call('search', { query: 'a' })).toContain('error: There are no pages')
})

test('checks documents and returns problems in parts, errors first', async () => {
  const broken = { openapi: '3.1.0', info: { titel: 'A', version: '1' }, tag: [], paths: { '/a': { get: {} } } }
  const call = openTools(makeTemporaryFolder({ ...pages, 'openapi.json': JSON.stringify(broken) }))
  const text = await call('check', { limit: 1 })
  expect(text).toContain('openapi.json:1:')
  expect(text).toMatch(/error .*: .*\n\nEntries 1 to 1 of \d+\. For more, set `offset` to 1\.$/)
  expect(await call('check', { path: 'openapi.json' })).toContain('Did you mean `title`?')
})

test('compares the work tree with a revision', async () => {
  const folder = makeTemporaryFolder(pages)
  const git = (...args: string[]) =>
    runProgram('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  const call = openTools(folder)
  expect(await call('changes', { base: 'main' })).toBe('1 document compared: no changes\n')
  writeFileSync(join(folder, 'openapi.json'), tinyDocument('List pets', 'Add pet'))
  const text = await call('changes', { base: 'main' })
  expect(text).toMatch(/^1 document compared: 1 breaking, 1 compatible\nbreaking · operation-removed · GET \/get-pet: /)
  expect(await call('changes', { base: 'main', level: 'compatible' })).not.toContain('operation-removed')
  expect(await call('changes', { base: 'nothing' })).toContain('error: cannot find nothing')
})

test('reads nothing outside the boundary, and no URLs', async () => {
  const outside = makeTemporaryFolder({ 'secret.json': tinyDocument('Secret') })
  const call = openTools(makeTemporaryFolder(pages))
  for (const path of [join(outside, 'secret.json'), '../secret.json', '/etc/passwd']) {
    expect(await call('check', { path })).toContain('outside')
    expect(await call('list_operations', { document: path })).toContain('outside')
    expect(await call('changes', { base: path })).toContain('outside')
  }
  for (const path of ['https://example.com/openapi.json', 'http://169.254.169.254/']) {
    expect(await call('check', { path })).toContain('error: Unexpected URL')
    expect(await call('changes', { base: 'HEAD', revision: path })).toContain('error: Unexpected URL')
  }
})
