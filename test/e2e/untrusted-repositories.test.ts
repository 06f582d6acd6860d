import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeExampleRemote, pullRequestFrom, runAction } from '../support/action-harness.ts'
import { git } from '../support/git-remote.ts'
import { serve } from '../support/serve.ts'

const colors = { primary: '#000000' }

test('reports an unknown entry with its document and the nearest operation, and writes the rest', async () => {
  const pages = ['openapi.yaml GET /petz', 'openapi.yaml POST /pets']
  const tab = { tab: 'API Reference', openapi: 'openapi.yaml', pages }
  const remote = makeExampleRemote('petstore', {
    'docs.json': JSON.stringify({ theme: 'mint', name: 'x', colors, navigation: { tabs: [tab] } }, undefined, 2),
  })
  const run = await runAction(remote.checkOut(), { temporaryFolder: remote.folder })
  const said = run.commands.find(
    ({ properties }) => properties['title'] === 'binding-unknown-operation' || properties['file'] === 'docs.json',
  )
  expect(said?.properties).toMatchObject({ file: 'docs.json', line: expect.stringMatching(/^\d+$/) })
  expect(said?.data).toContain('GET /petz')
  expect(said?.data).toContain('openapi.yaml')
  expect(said?.data).toContain('GET /pets')
  expect(run.outputs['committed']).toBe('true')
  expect(Number(run.outputs['pages-added'])).toBeGreaterThan(0)
  expect(remote.read('api-reference/pets/get-a-pet.mdx')).toBeDefined()
})

test('does not read files outside the checkout or fetch URLs for a fork', async () => {
  const asked: string[] = []
  const origin = await serve((request, response) => {
    asked.push(request.url ?? '')
    response.end('{}')
  })
  const remote = makeExampleRemote('petstore')
  const secret = join(remote.folder, 'secret.yaml')
  writeFileSync(secret, 'a: a secret value\n')
  const schema = (ref: string) => `{$ref: ${JSON.stringify(ref)}}`
  const references = [
    '../../secret.yaml',
    secret,
    `file://${secret}`,
    'link.yaml',
    'folder/secret.yaml',
    `${origin}/schema.json`,
    '/etc/passwd',
  ]
  const schemas = references.map((ref, index) => `    S${index}: ${schema(ref)}`).join('\n')
  remote.push(
    { 'openapi.yaml': `openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n${schemas}\n` },
    'topic',
  )
  const checkout = remote.checkOut('topic')
  symlinkSync(secret, join(checkout, 'link.yaml'))
  symlinkSync(remote.folder, join(checkout, 'folder'))
  const tips = git(remote.path, 'for-each-ref')
  const run = await runAction(checkout, {
    temporaryFolder: remote.folder,
    event: pullRequestFrom('topic', 'mallory/docs'),
    inputs: { mode: 'commit' },
  })
  // The URL is not requested, which is reported.
  expect(run.outputs).toMatchObject({ 'error-count': String(references.length - 1), 'warning-count': '1' })
  expect(run.code).toBe(1)
  expect(asked).toEqual([])
  expect(run.stdout + run.stderr + run.summary + run.report).not.toMatch(/a secret value|root:x:0/)
  expect(git(remote.path, 'for-each-ref')).toBe(tips)
})

test('writes no page outside the docs directory, whatever names and links exist', async () => {
  const operation = (summary: string, more: object = {}) => ({
    get: { summary, tags: ['../../tags'], responses: { 200: { description: 'x' } }, ...more },
  })
  const paths = {
    '/a': operation('../../../summary'),
    '/b': operation('Href', { 'x-mint': { href: '/../../../href' } }),
    '/..\\..\\c': operation('', { tags: ['C:\\windows'] }),
  }
  const document = { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths }
  const toTab = (tab: string, source: string, directory: string) => ({ tab, openapi: { source, directory } })
  const tabs = [
    toTab('Names', 'names.json', 'api-reference'),
    toTab('Directory', 'directory.json', '../../outside'),
    toTab('Link', 'link.json', 'link'),
  ]
  const inDocs = (name: string) => [`docs/${name}`, JSON.stringify(document)] as const
  const remote = makeExampleRemote('petstore', {
    'docs/docs.json': JSON.stringify({ theme: 'mint', name: 'x', colors, navigation: { tabs } }, undefined, 2),
    ...Object.fromEntries(['names.json', 'directory.json', 'link.json'].map(inDocs)),
    'outside/here.txt': 'here',
  })
  const person = join(remote.folder, 'person')
  symlinkSync('../outside', join(person, 'docs/link'))
  const linked = remote.push({})
  const refused = await runAction(remote.checkOut(), { temporaryFolder: remote.folder, inputs: { root: 'docs' } })
  expect([refused.code, remote.tip()]).toEqual([1, linked])
  expect(refused.summary).toContain('it is outside the writable directory')
  const before = remote.push({ 'docs/link': null })
  const run = await runAction(remote.checkOut(), { temporaryFolder: remote.folder, inputs: { root: 'docs' } })
  expect(run.commands.map(({ data }) => data)).toContainEqual(
    expect.stringContaining('`../../outside` outside the docs directory'),
  )
  const changed = git(remote.path, 'diff', '--name-only', before, 'main').split('\n')
  expect([run.outputs['committed'], changed.filter((path) => !path.startsWith('docs/'))]).toEqual(['true', []])
  expect(changed.filter((path) => path.endsWith('.mdx'))).toHaveLength(6)
  // Nor is anything left beside what git knows.
  expect(readdirSync(remote.folder).sort()).toEqual(['checkout-1', 'checkout-2', 'person', 'remote.git'])
  for (const checkout of ['checkout-1', 'checkout-2']) {
    expect(git(join(remote.folder, checkout), 'status', '--porcelain')).toBe('')
    expect(readdirSync(join(remote.folder, checkout, 'outside'))).toEqual(['here.txt'])
  }
})
