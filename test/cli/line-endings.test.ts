import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { git } from '../support/git-remote.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const toDocument = (...titles: string[]) =>
  `openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\npaths:\n${titles
    .map((title, index) => `  /p${index}:\n    get: {summary: ${title}, responses: {'200': {description: ok}}}\n`)
    .join('')}`
const docsConfig = '{\n  "navigation": {\n    "tabs": [{ "tab": "API", "openapi": "openapi.yaml" }]\n  }\n}\n'
const crlf = (text: string) => text.replaceAll('\n', '\r\n')

/** The line endings of every file below a folder but those of git: `lf`, `crlf` or `mixed`. */
function endingsIn(folder: string): { [path: string]: string } {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => !path.startsWith('.git/'))
  return Object.fromEntries(
    paths.sort().map((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      const [all, returns] = [text.split('\n').length, text.split('\r\n').length]
      return [path, returns === 1 ? 'lf' : returns === all ? 'crlf' : 'mixed']
    }),
  )
}

/** A repository with a clean checkout of these files, whose git converts line endings as asked for. */
function checkOut(files: { [path: string]: string }, ...settings: string[]): string {
  const folder = makeTemporaryFolder(files)
  git(folder, 'init', '--quiet', '--initial-branch=main')
  for (const setting of settings) git(folder, 'config', ...(setting.split('=') as [string, string]))
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=Files')
  for (const path of Object.keys(endingsIn(folder))) git(folder, 'rm', '--quiet', '-r', path)
  git(folder, 'reset', '--quiet', '--hard')
  return folder
}

const newFiles = ['api-reference/list-pets.mdx', 'openapi-pages.lock.json']

describe('update', () => {
  test('with `core.autocrlf`, writes the line endings that git checks out, and a later run changes nothing', async () => {
    const folder = checkOut({ 'docs.json': docsConfig, 'openapi.yaml': toDocument('List pets') }, 'core.autocrlf=true')
    expect(await runInFolder(folder, ['update'])).toMatchObject({ exitCode: 0 })
    expect(endingsIn(folder)).toEqual({
      'api-reference/list-pets.mdx': 'crlf',
      'docs.json': 'crlf',
      'openapi-pages.lock.json': 'crlf',
      'openapi.yaml': 'crlf',
    })
    git(folder, 'add', '--all')
    git(folder, 'commit', '--quiet', '--message=Pages')
    expect(git(folder, 'show', 'HEAD:api-reference/list-pets.mdx')).not.toContain('\r')
    git(folder, 'rm', '--quiet', '-r', 'api-reference', 'openapi-pages.lock.json')
    git(folder, 'reset', '--quiet', '--hard')
    const again = await runInFolder(folder, ['update', '--check', '--format', 'json'])
    expect([again.exitCode, JSON.parse(again.stdout)]).toMatchObject([0, { changed: false, kept: [] }])
    writeFileSync(join(folder, 'openapi.yaml'), crlf(toDocument('List all pets', 'Add a pet')))
    const changed = await runInFolder(folder, ['update', '--format', 'json'])
    expect(JSON.parse(changed.stdout)).toMatchObject({ changed: true, kept: [] })
    expect(new Set(Object.values(endingsIn(folder)))).toEqual(new Set(['crlf']))
    expect(git(folder, 'diff', '--numstat', '--', 'docs.json')).toBe('2\t1\tdocs.json')
  })

  test('a regenerated page and the lock file keep their line endings', async () => {
    const folder = checkOut({ 'docs.json': docsConfig, 'openapi.yaml': toDocument('List pets') })
    await runInFolder(folder, ['update'])
    for (const path of newFiles) writeFileSync(join(folder, path), crlf(readFileSync(join(folder, path), 'utf8')))
    writeFileSync(
      join(folder, 'openapi.yaml'),
      toDocument('List pets').replace('summary: List pets', 'summary: List pets, deprecated: true'),
    )
    const run = await runInFolder(folder, ['update', '--format', 'json'])
    expect(JSON.parse(run.stdout)).toMatchObject({ modified: ['api-reference/list-pets.mdx'] })
    expect(endingsIn(folder)).toMatchObject({
      'api-reference/list-pets.mdx': 'crlf',
      'docs.json': 'lf',
      'openapi-pages.lock.json': 'crlf',
    })
  })

  test.each([
    ['`.gitattributes` with `eol=crlf`', { '.gitattributes': '*.mdx eol=crlf\n*.lock.json eol=lf\n' }, ['crlf', 'lf']],
    [
      '`.gitattributes` with `eol=lf`, among files with CRLF',
      { '.gitattributes': '*.mdx eol=lf\n', 'a.mdx': 'x\n', 'b.md': crlf('x\n'.repeat(9)) },
      ['lf', 'crlf'],
    ],
    ['most files of the docs directory', { 'guide.mdx': crlf('# Guide\n\nA\nB\nC\nD\nE\nF\nG\n') }, ['crlf', 'crlf']],
    ['LF where nothing else decides', {}, ['lf', 'lf']],
  ])('uses %s for new files', async (_, more: { [path: string]: string }, expected) => {
    const folder = checkOut({ 'docs.json': docsConfig, 'openapi.yaml': toDocument('List pets'), ...more })
    expect(await runInFolder(folder, ['update'])).toMatchObject({ exitCode: 0 })
    expect(newFiles.map((path) => endingsIn(folder)[path])).toEqual(expected)
    expect((await runInFolder(folder, ['update', '--check'])).exitCode).toBe(0)
  })

  test('an edited page with CRLF is still recognized as edited', async () => {
    const folder = checkOut({ 'docs.json': docsConfig, 'openapi.yaml': toDocument('List pets') })
    await runInFolder(folder, ['update'])
    const page = join(folder, 'api-reference/list-pets.mdx')
    writeFileSync(page, crlf(`${readFileSync(page, 'utf8')}\nMore about pets.\n`))
    const run = await runInFolder(folder, ['update', '--format', 'json'])
    expect(JSON.parse(run.stdout)).toMatchObject({ changed: false, kept: ['api-reference/list-pets.mdx'] })
  })
})

test('`adopt` follows the line endings of the docs directory', async () => {
  const page = crlf('---\ntitle: Pets\nopenapi: openapi.yaml GET /p0\n---\n')
  const docs = crlf('{\n  "navigation": {\n    "tabs": [{ "tab": "API", "pages": ["pets"] }]\n  }\n}\n')
  const adopted = checkOut({ 'docs.json': docs, 'openapi.yaml': toDocument('List pets'), 'pets.mdx': page })
  expect(await runInFolder(adopted, ['adopt'])).toMatchObject({ exitCode: 0 })
  expect(endingsIn(adopted)['openapi-pages.lock.json']).toBe('crlf')
})
