import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const responses = { 200: { description: 'Fine' } }
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: { '/pets': { get: { summary: 'List pets', responses }, post: { summary: 'Add a pet', responses } } },
})

const group = { group: 'Pets', openapi: 'openapi.json', pages: ['GET /pets'] }

const treeOf = (more: object) => ({
  'docs.json': JSON.stringify({
    $schema: 'https://mintlify.com/docs.json',
    theme: 'mint',
    name: 'Pets',
    colors: { primary: '#000000' },
    navigation: { groups: [{ ...group, ...more }] },
  }),
  'openapi.json': document,
})

const verdict = '! 1 operation needs a decision: `POST /pets` (no entry, set `unlisted` to `add` or `ignore`).'

test.each([['check', '.'], ['build', '.'], ['update'], ['update', '--check'], ['status'], ['adopt'], ['adopt', '--check']])(
  '%s %s ends with the operations that need a decision',
  async (...args) => {
    const { stdout } = await runInFolder(makeTemporaryFolder(treeOf({})), args)
    expect(stdout.trimEnd().split('\n').at(-1)).toContain(verdict)
    expect(stdout).not.toMatch(/^✔ (?:\d+ page|Nothing)/m)
  },
)

test.each([['check', '.'], ['build', '.'], ['update'], ['status'], ['adopt']])(
  '%s %s ends without a warning if each operation has a page',
  async (...args) => {
    const tree = treeOf({ pages: ['GET /pets', 'POST /pets'] })
    const { stdout } = await runInFolder(makeTemporaryFolder(tree), args)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^✔/)
  },
)
