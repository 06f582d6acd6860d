import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { runInFolder, snapshotOf } from '../run-in-folder.ts'

const files = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/info/packs': '',
  '.git/refs/heads/.keep': '',
  'docs/docs.json': '{"navigation": {"tabs": [{"tab": "API", "openapi": "openapi.yaml"}]}}',
  'docs/openapi.yaml':
    'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {/pets: {get: {summary: List pets, responses: {"200": {description: ok}}}}}\n',
}
const cases: readonly [string, (docs: string) => void, string, string][] = [
  [
    'a file where a folder is needed',
    (docs) => writeFileSync(join(docs, 'api-reference'), ''),
    'a file exists where a directory is needed',
    'Move that file, or write to another directory',
  ],
  [
    'a link that leads out',
    (docs) => symlinkSync(makeTemporaryFolder(), join(docs, 'api-reference')),
    'it is outside the writable directory',
    'Remove the symbolic link on this path',
  ],
  [
    'a folder where a page should go',
    (docs) => mkdirSync(join(docs, 'api-reference/list-pets.mdx'), { recursive: true }),
    'a directory with this name already exists',
    'Move that directory, or write to another one',
  ],
]

describe('shows the path of a file that an update cannot write', () => {
  test.each(cases)('%s', async (_, block, reason, hint) => {
    const folder = makeTemporaryFolder(files)
    block(join(folder, 'docs'))
    const before = snapshotOf(folder)
    for (const [start, argv, path] of [
      ['docs', ['update'], 'api-reference/list-pets.mdx'],
      ['.', ['update', 'docs'], 'docs/api-reference/list-pets.mdx'],
    ] as const) {
      const run = await runInFolder(join(folder, start), argv)
      expect([run.exitCode, run.stdout]).toEqual([2, ''])
      // Git does not tell whether it ignores a path beyond a link.
      const stderr = run.stderr.replace(/^Cannot read the repository: .* beyond a symbolic link.*\n/, '')
      expect(stderr).toMatch(/^openapi-pages: cannot (add|write) /)
      expect(stderr.replace(/cannot (add|write)/, 'cannot write').replace(/ \(E[A-Z]+\)/, '')).toBe(
        `openapi-pages: cannot write \`${path}\`: ${reason}\n  ${hint}. No files were changed\n`,
      )
    }
    expect(snapshotOf(folder)).toEqual(before)
  })
})

test('shows the path of a page that openapi-file cannot write', async () => {
  const folder = makeTemporaryFolder({ ...files, taken: '' })
  const run = await runInFolder(join(folder, 'docs'), ['openapi-file', 'openapi.yaml', '-o', '../taken'])
  expect(run.exitCode).toBe(2)
  expect(run.stderr).toContain('openapi-pages: cannot write `../taken/list-pets.mdx`: a file exists where a directory is needed')
})

test.each([
  ['without operations', '{}'],
  ['whose operations are all hidden', '{/a: {get: {x-hidden: true, responses: {"200": {description: ok}}}}}'],
])('reports that a document %s has no pages', async (_, paths) => {
  const folder = makeTemporaryFolder({ 'a.yaml': `openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: ${paths}\n` })
  const run = await runInFolder(folder, ['openapi-file', 'a.yaml'])
  expect([run.exitCode, run.stderr]).toEqual([
    0,
    '✔ Nothing to write: the document has no operations, webhooks or schemas to generate pages for\n',
  ])
})
