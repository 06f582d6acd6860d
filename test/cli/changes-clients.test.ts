import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const toDocument = (values: string) => `openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets:
    get:
      parameters: [{name: order, in: query, schema: {enum: [${values}]}}]
      responses: {'200': {description: Pets}}
`
const toClient = (name: string, words: string) => `client: ${name}
recorded: {exchanges: 3, from: 2026-01-02, to: 2026-03-04}
documents:
  openapi.yaml:
    GET /pets:
      count: 3
      parameters: {query order: {types: {string: 3}, words: [${words}]}}
      receives: {'200': {count: 3}}
`
const docs = '{"navigation": {"openapi": "openapi.yaml"}}'

/** Two versions of a docs directory. The revision changes the record of a client. */
const makeVersions = (failOn?: string) =>
  makeTemporaryFolder({
    'base/docs.json': docs,
    'base/openapi.yaml': toDocument('name, age'),
    'base/clients/web.yaml': toClient('web', 'age, name'),
    'base/clients/desk.yaml': toClient('desk', 'name'),
    'base/clients/broken.yaml': 'client: [',
    'next/docs.json': docs,
    'next/openapi.yaml': toDocument('name'),
    'next/clients/web.yaml': toClient('web', 'name'),
    'next/clients/desk.yaml': toClient('desk', 'name'),
    ...(failOn === undefined ? {} : { 'next/openapi-pages.config.yaml': `changes: {failOn: ${failOn}}` }),
  })

const line = 'breaks `web` (sends `age`), unknown for `broken` (nothing is recorded), not `desk` (never sends it)'

test.each([
  ['text', line],
  ['markdown', 'Clients: breaks `web` \\(sends `age`\\)'],
  ['github', `clients: ${line}`],
  ['sarif', `clients: ${line}`],
  ['junit', 'clients: breaks `web` (sends `age`)'],
])('names the clients of the base in the format %s', async (format, expected) => {
  const { stdout } = await runInFolder(makeVersions(), ['changes', 'base', 'next', '--format', format])
  expect(stdout).toContain(expected)
})

test('names the clients in a review', async () => {
  const { stdout } = await runInFolder(makeVersions(), ['review', 'base', 'next', '--output', '-'])
  expect(stdout).toContain('breaks <code>web</code> (sends <code>age</code>)')
})

test('lists the effects in JSON, and the clients that the revision narrows', async () => {
  const { stdout } = await runInFolder(makeVersions(), ['changes', 'base', 'next', '--format', 'json'])
  const [document] = JSON.parse(stdout).documents
  const place = '/paths/~1pets/get/parameters/0/schema/enum/1'
  expect(document.changes[0].clients).toContainEqual({
    ...{ client: 'web', effect: 'hurts', operation: { method: 'get', path: '/pets' }, place, why: 'sends `age`' },
  })
  expect(document.clients).toEqual([
    { client: 'broken', state: 'removed' },
    { client: 'web', state: 'narrowed' },
  ])
})

test.each([
  [['--fail-on', 'client'], undefined, 1],
  [['--fail-on', 'client', '--fail-on', 'risky'], undefined, 1],
  [['--fail-on', 'never'], '[client, client-unknown]', 0],
  [[], '[client]', 1],
  [[], 'client-unknown', 1],
  [[], undefined, 0],
])('exits with 1 if a change hurts a client: %j, failOn %s', async (options, failOn, exitCode) => {
  const run = await runInFolder(makeVersions(failOn), ['changes', 'base', 'next', ...options])
  expect(run.exitCode).toBe(exitCode)
})

test('says nothing about clients without their files', async () => {
  const folder = makeTemporaryFolder({ 'base.yaml': toDocument('name, age'), 'openapi.yaml': toDocument('name') })
  const { stdout } = await runInFolder(folder, ['changes', 'base.yaml', 'openapi.yaml', '--format', 'json'])
  expect(stdout).not.toContain('clients')
  expect((await runInFolder(folder, ['changes', 'base.yaml', 'openapi.yaml', '--fail-on', 'client'])).exitCode).toBe(0)
})

test('reads the files beside a document', async () => {
  const files = { 'api/base.yaml': toDocument('name, age'), 'api/openapi.yaml': toDocument('name') }
  const folder = makeTemporaryFolder({
    ...files,
    'api/clients/web.yaml': toClient('web', 'age').replace('openapi.yaml', 'api/base.yaml'),
  })
  const { stdout } = await runInFolder(folder, ['changes', 'api/base.yaml', 'api/openapi.yaml'])
  expect(stdout).toContain('✖ 1 breaking change (api/base.yaml → api/openapi.yaml, 1)\n  GET /pets breaks web (sends `age`)\n')
})
