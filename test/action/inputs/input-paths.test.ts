import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findDocsDirectories, findDocuments } from '../../../src/action/inputs/input-paths.ts'
import { type DocsInputs, readInputs } from '../../../src/action/inputs/inputs.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { ConfigError } from '../../../src/text/errors.ts'
import { git } from '../../support/git-remote.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const docsJson = '{"navigation": {"tabs": [{"tab": "API", "openapi": "openapi.yaml"}]}}'

function makeWorkspace(files: readonly string[]): string {
  const workspace = makeTemporaryFolder()
  git(workspace, 'init', '--quiet')
  for (const file of files) {
    mkdirSync(dirname(join(workspace, file)), { recursive: true })
    writeFileSync(join(workspace, file), /(docs|mint)\.json$/.test(file) ? docsJson : '')
  }
  return workspace
}

function inputsWith(inputs: Partial<DocsInputs>): DocsInputs {
  const read = readInputs()
  if (read.kind === 'refused') throw new Error('Expected the defaults')
  return { ...read.inputs.docs, ...inputs }
}

const monorepo = ['a/docs/docs.json', 'b/docs/docs.json', 'old/docs/docs.json', 'b/node_modules/x/docs.json', 'b/src/x.ts']

describe('finds', () => {
  test.each<[string, readonly string[], Partial<DocsInputs>, readonly string[]]>([
    ['the working directory that has one', ['docs.json', 'b/docs.json'], {}, ['']],
    ['the working directory below the top', monorepo, { workingDirectory: 'a/docs' }, ['a/docs']],
    ['all that are below, where the working directory has none', monorepo, {}, ['a/docs', 'b/docs', 'old/docs']],
    ['all that are below a folder', monorepo, { workingDirectory: './b' }, ['b/docs']],
    ['the working directory where there is none anywhere', ['openapi.yaml'], {}, ['']],
    ['those with a mint.json', ['a/mint.json', 'b/docs/mint.json', 'b/docs/docs.json'], {}, ['a', 'b/docs']],
    ['those with a mint.json that globs match', ['a/mint.json', 'b/mint.json'], { roots: ['*', '!b'] }, ['a']],
    ['the working directory for documents without one', monorepo, { documents: ['x.yaml'] }, ['']],
    ['those that are named', monorepo, { roots: ['b/docs', 'a/docs/', 'b/docs'] }, ['a/docs', 'b/docs']],
    ['those that globs match, less what is taken out', monorepo, { roots: ['*/docs', '!old/docs'] }, ['a/docs', 'b/docs']],
    [
      'those named from the working directory, also above it',
      monorepo,
      { workingDirectory: 'a', roots: ['docs', '../b/docs'] },
      ['a/docs', 'b/docs'],
    ],
    ['a folder without one that is named', ['a/x.yaml'], { roots: ['a'] }, ['a']],
  ])('%s', async (_, files, inputs, expected) => {
    expect((await findDocsDirectories(toOwnPath(makeWorkspace(files)), inputsWith(inputs))).roots).toEqual(expected)
  })

  test('no directory with a `docs.json` unrelated to OpenAPI', async () => {
    const workspace = makeWorkspace(['a/docs.json', 'b/docs.json'])
    writeFileSync(join(workspace, 'b/docs.json'), '{"pages": []}')
    expect((await findDocsDirectories(toOwnPath(workspace), inputsWith({}))).roots).toEqual(['a'])
  })
})

describe('rejects', () => {
  test.each<[string, Partial<DocsInputs>, string]>([
    ['a missing directory', { roots: ['a/docs', 'c'] }, 'Unexpected `c` for the input `root`: no such directory'],
    ['a file', { roots: ['b/src/x.ts'] }, 'Unexpected `b/src/x.ts` for the input `root`, expected a directory'],
    [
      'a directory outside the workspace',
      { roots: ['../x'] },
      'Unexpected `../x` for the input `root`, expected a directory in the workspace',
    ],
    [
      'a symbolic link out of the workspace',
      { roots: ['out'] },
      'Unexpected `out` for the input `root`, expected a directory in the workspace',
    ],
    ['a glob that matches nothing', { roots: ['x/*'] }, 'No directory with a `docs.json` matches `x/*` in the input `root`'],
    [
      'another work tree',
      { roots: ['a/docs', 'other'] },
      'Cannot update `other`: it is not in the same Git work tree as the working directory',
    ],
    [
      '`openapi` with several directories',
      { roots: ['*/docs'], documents: ['x.yaml'] },
      'Unexpected input `openapi` with 3 docs directories, expected one docs directory',
    ],
  ])('%s', async (_, inputs, message) => {
    const workspace = makeWorkspace([...monorepo, 'other/x'])
    git(join(workspace, 'other'), 'init', '--quiet')
    symlinkSync(makeTemporaryFolder(), join(workspace, 'out'))
    const failure = await findDocsDirectories(toOwnPath(workspace), inputsWith(inputs)).catch((error: unknown) => error)
    if (!(failure instanceof ConfigError)) throw new Error(`Expected a ConfigError, got ${String(failure)}`)
    expect(failure.message).toBe(message)
  })
})

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

test('reports a glob without matches', async () => {
  await expect(findDocuments(['a.yaml', 'specs/*.yaml'], makeRepository(), 'docs')).rejects.toMatchObject({
    name: 'ConfigError',
    message: 'No file matches `specs/*.yaml` in the input `openapi`',
    hint: 'Use a glob relative to the working directory, `docs`',
  })
})

test('does not follow links to directories in globs', async () => {
  const boundary = makeRepository()
  symlinkSync('..', join(boundary, 'docs/round'))
  expect(await findDocuments(['**/a.yaml'], boundary, 'docs')).toEqual(['docs/a.yaml'])
})
