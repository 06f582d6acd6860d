import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeExampleRemote, pullRequestFrom, runAction } from '../support/action-harness.ts'
import { git } from '../support/git-remote.ts'
import { serve } from '../support/serve.ts'

const colors = { primary: '#000000' }

test('requirement 12: an entry that no document has is named with its document and the nearest operation, and the rest is written', async () => {
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

test('requirement 14: a hostile fork: nothing is read outside of the checkout, nothing is fetched, nothing of it is shown', async () => {
  const asked: string[] = []
  const origin = await serve((request, response) => {
    asked.push(request.url ?? '')
    response.end('{}')
  })
  const remote = makeExampleRemote('petstore')
  const secret = join(remote.folder, 'secret.yaml')
  writeFileSync(secret, 'a: a word that nobody may see\n')
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
  // The address is not asked for, which is only told.
  expect(run.outputs).toMatchObject({ 'error-count': String(references.length - 1), 'warning-count': '1' })
  expect(run.code).toBe(1)
  expect(asked).toEqual([])
  expect(run.stdout + run.stderr + run.summary + run.report).not.toMatch(/a word that nobody may see|root:x:0/)
  expect(git(remote.path, 'for-each-ref')).toBe(tips)
})
