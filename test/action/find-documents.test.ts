import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findDocuments } from '../../src/action/find-documents.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

function makeRepository(): string {
  return makeTemporaryFolder({
    'docs/a.yaml': '',
    'docs/b/c.json': '',
    'docs/b/d.yaml': '',
    'docs/node_modules/x/e.yaml': '',
    'docs/.hidden/f.yaml': '',
    'other/g.yaml': '',
  })
}

test.each([
  [['a.yaml'], ['docs/a.yaml']],
  [['./a.yaml', 'a.yaml'], ['docs/a.yaml']],
  [['missing.yaml'], ['docs/missing.yaml']],
  [['../other/g.yaml'], ['other/g.yaml']],
  [['**/*.yaml'], ['docs/a.yaml', 'docs/b/d.yaml']],
  [
    ['b/*', 'a.yaml'],
    ['docs/a.yaml', 'docs/b/c.json', 'docs/b/d.yaml'],
  ],
  [
    ['**/*.{json,yaml}', '!b/d.yaml'],
    ['docs/a.yaml', 'docs/b/c.json'],
  ],
  [['../other/*.yaml'], ['other/g.yaml']],
  [['https://example.com/*.yaml'], ['https://example.com/*.yaml']],
])('%j', async (patterns, expected) => {
  expect(await findDocuments(patterns, makeRepository(), 'docs')).toEqual(expected)
})

test('a glob that matches nothing is said', async () => {
  await expect(findDocuments(['a.yaml', 'specs/*.yaml'], makeRepository(), 'docs')).rejects.toMatchObject({
    name: 'ConfigError',
    message: 'No file matches `specs/*.yaml` of the input `openapi`',
    hint: 'globs are relative to the working directory, `docs`',
  })
})

test('a glob follows no link to a folder, so that none leads out or round in a circle', async () => {
  const boundary = makeRepository()
  symlinkSync('..', join(boundary, 'docs/round'))
  expect(await findDocuments(['**/a.yaml'], boundary, 'docs')).toEqual(['docs/a.yaml'])
})
