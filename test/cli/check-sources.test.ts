import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const valid = 'openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\npaths: {}\n'
const typo = 'openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\npathz: {}\n'

describe('stdin', () => {
  test('is named <stdin>', async () => {
    const run = await runInFolder(makeTemporaryFolder({}), ['check', '-'], { input: typo })
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toMatch(/^<stdin>:\d+:\d+ error /)
    expect(run.stdout).toContain('pathz')
    expect(run.stdout).toMatch(/✖ <stdin> has \d errors? \(OpenAPI 3\.1\.0/)
  })

  test('behaves like a file', async () => {
    const run = await runInFolder(makeTemporaryFolder({}), ['check', '-'], { input: valid })
    expect(run).toEqual({ exitCode: 0, stdout: '✔ <stdin> is valid (OpenAPI 3.1.0, 0 operations)\n', stderr: '' })
  })

  test.each([
    ['', 'unexpected empty value for --stdin-path, expected a path'],
    ['https://example.invalid/a.yaml', 'unexpected URL https://example.invalid/a.yaml for --stdin-path, expected a path'],
  ])('rejects the name %j', async (name, message) => {
    const run = await runInFolder(makeTemporaryFolder({}), ['check', '-', '--stdin-path', name], { input: valid })
    expect(run).toEqual({ exitCode: 2, stdout: '', stderr: `openapi-pages: ${message}\n` })
  })

  test('uses --stdin-path even if such a file exists', async () => {
    const folder = makeTemporaryFolder({
      'api/openapi.yaml': typo,
      'api/pet.yaml': 'type: strng\n',
      'pet.yaml': 'type: object\n',
    })
    const input = `${valid}components: {schemas: {Pet: {$ref: pet.yaml}}}\n`
    const run = await runInFolder(folder, ['check', '-', '--stdin-path', 'api/openapi.yaml', '--format', 'json'], { input })
    expect(JSON.parse(run.stdout).diagnostics).toMatchObject([{ code: 'wrong-value', file: 'api/pet.yaml', line: 1 }])
  })

  test('resolves references relative to the working directory by default', async () => {
    const input = `${valid}components: {schemas: {Pet: {$ref: pet.yaml}}}\n`
    const run = await runInFolder(makeTemporaryFolder({ 'pet.yaml': 'type: object\n' }), ['check', '-'], { input })
    expect(run.exitCode).toBe(0)
  })

  test('together with files', async () => {
    const run = await runInFolder(makeTemporaryFolder({ 'a.yaml': valid }), ['check', 'a.yaml', '-', '--quiet'], { input: typo })
    expect([run.exitCode, run.stdout.split(':')[0]]).toEqual([1, '<stdin>'])
  })

  test('if empty, is reported', async () => {
    const run = await runInFolder(makeTemporaryFolder({}), ['check', '-', '--format', 'json'])
    expect(JSON.parse(run.stdout).diagnostics).toMatchObject([{ code: 'empty-document', file: '<stdin>' }])
  })
})

describe('without an argument', () => {
  test('checks the documents of docs.json in the working directory', async () => {
    const docs = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'api.yaml' }] } })
    const run = await runInFolder(makeTemporaryFolder({ 'docs.json': docs, 'api.yaml': valid }), ['check'])
    expect(run).toMatchObject({ exitCode: 0, stdout: '✔ api.yaml is valid (OpenAPI 3.1.0, 0 operations)\n' })
  })

  test('checks all documents below it without a docs.json', async () => {
    const folder = makeTemporaryFolder({
      'package.json': '{"name": "openapi"}',
      'api/v2/pets.json': '{"openapi": "3.0.3", "info": {"title": "Pets", "version": "1"}, "paths": {}}',
      'openapi.yaml': valid,
      'old/swagger.json': '{"swagger": "2.0"}',
      'node_modules/x/openapi.yaml': typo,
    })
    expect(await runInFolder(folder, ['check'])).toEqual({
      exitCode: 0,
      stdout:
        '✔ openapi.yaml is valid (OpenAPI 3.1.0, 0 operations)\n' +
        '✔ api/v2/pets.json is valid (OpenAPI 3.0.3, 0 operations)\n' +
        '✔ All 2 documents are valid\n',
      stderr: '',
    })
    expect((await runInFolder(folder, ['check', 'api'])).stdout).toMatch(/^✔ api\/v2\/pets\.json is valid/)
    expect((await runInFolder(folder, ['check', '.', '!api/**'])).stdout).toMatch(/^✔ openapi\.yaml is valid[^\n]*\n$/)
  })

  test('checks the docs directories below it', async () => {
    const docs = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'api.yaml' }] } })
    const folder = makeTemporaryFolder({ 'a/docs.json': docs, 'a/api.yaml': valid, 'other.yaml': typo })
    expect((await runInFolder(folder, ['check'])).stdout).toBe('✔ a/api.yaml is valid (OpenAPI 3.1.0, 0 operations)\n')
  })

  test.each([
    [{}, 'Run the command in the directory of your OpenAPI documents, or name a document'],
    [{ 'a/swagger.json': '{"swagger": "2.0"}' }, 'npx swagger2openapi a/swagger.json --outfile openapi.yaml'],
    [{ "it's $HOME.json": '{"swagger": "2.0"}' }, String.raw`npx swagger2openapi 'it'\''s $HOME.json' --outfile openapi.yaml`],
    [{ '-a.yaml': 'swagger: "2.0"\n' }, 'npx swagger2openapi ./-a.yaml --outfile openapi.yaml'],
  ])('says what to do without documents: %j', async (files, hint) => {
    const { exitCode, stderr } = await runInFolder(makeTemporaryFolder(files), ['check'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('cannot check this directory: it has no docs.json and no OpenAPI 3 document\n')
    expect(stderr).toContain(hint)
  })
})

test('accepts files, globs and directories, and checks each document once', async () => {
  const docs = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'api.yaml' }] } })
  const folder = makeTemporaryFolder({
    'a.yaml': valid,
    'b.yaml': typo,
    'docs/docs.json': docs,
    'docs/api.yaml': valid,
    'node_modules/x.yaml': typo,
  })
  const run = await runInFolder(folder, ['check', 'a.yaml', '*.yaml', '**/b.*', 'docs', '--quiet'])
  expect(run.exitCode).toBe(1)
  expect(run.stdout.match(/^\S+: ?\S* error/gm)).toHaveLength((run.stdout.match(/^b\.yaml:/gm) ?? []).length)
  expect((await runInFolder(folder, ['check', 'a.yaml', '*.yaml', 'docs'])).stdout).toContain(', 3 documents checked')
})

describe('--output', () => {
  test.each(['junit', 'gitlab', 'checkstyle', 'json', 'sarif'])('prints the summary of a %s report on stderr', async (format) => {
    const folder = makeTemporaryFolder({ 'a.yaml': valid })
    const run = await runInFolder(folder, ['check', 'a.yaml', '--format', format, '-o', 'report'])
    expect(run).toMatchObject({ stdout: '', exitCode: 0 })
    expect(run.stderr).toContain('✔ a.yaml is valid')
    const quiet = await runInFolder(folder, ['check', 'a.yaml', '--format', format, '-o', 'report', '--quiet'])
    expect(quiet.stderr).toBe('')
  })

  test.each(['text', 'json', 'sarif', 'github'])('contains the output of --format %s', async (format) => {
    const folder = makeTemporaryFolder({ 'a.yaml': typo })
    const printed = await runInFolder(folder, ['check', 'a.yaml', '--format', format])
    const written = await runInFolder(folder, ['check', 'a.yaml', '--format', format, '-o', 'report'])
    const hasSummary = format === 'json' || format === 'sarif'
    expect(written).toEqual({ ...printed, stdout: '', ...(hasSummary ? { stderr: expect.stringContaining('1 error') } : {}) })
    expect(readFileSync(join(folder, 'report'), 'utf8')).toBe(printed.stdout)
    expect(printed.stdout).not.toBe('')
  })

  test('replaces a file unless it is unchanged', async () => {
    const folder = makeTemporaryFolder({ 'a.yaml': valid, report: 'old' })
    await runInFolder(folder, ['check', 'a.yaml', '--output=report'])
    const before = statSync(join(folder, 'report'))
    await runInFolder(folder, ['check', 'a.yaml', '--output=report'])
    expect(statSync(join(folder, 'report')).mtimeMs).toBe(before.mtimeMs)
    expect(readFileSync(join(folder, 'report'), 'utf8')).toBe('✔ a.yaml is valid (OpenAPI 3.1.0, 0 operations)\n')
  })

  test.each([
    ['none/report', 'cannot write none/report: no such directory'],
    ['folder', 'cannot write folder: a directory with this name exists'],
    ['', 'cannot write to an empty file name\n  Name a file with --output'],
  ])('reports that %s cannot be written', async (path, message) => {
    const folder = makeTemporaryFolder({ 'a.yaml': valid })
    mkdirSync(join(folder, 'folder'))
    const run = await runInFolder(folder, ['check', 'a.yaml', '-o', path])
    expect(run).toEqual({ exitCode: 2, stdout: '', stderr: `openapi-pages: ${message}\n` })
    expect(existsSync(join(folder, 'none'))).toBe(false)
  })
})

test.runIf(process.platform === 'linux')('reports that a system directory is not writable', async () => {
  const run = await runInFolder(makeTemporaryFolder({ 'a.yaml': valid }), ['check', 'a.yaml', '-o', '/proc/report'])
  const stderr = 'openapi-pages: cannot write /proc/report: files cannot be created in its directory\n  No files were changed\n'
  expect(run).toEqual({ exitCode: 2, stdout: '', stderr })
})

describe('never overwrites an input with the report', () => {
  const docs = '{"navigation": {"tabs": [{"tab": "API", "openapi": "v1/b.yaml"}]}}'
  test.each([
    ['the document', ['check', 'a.yaml'], 'a.yaml'],
    ['the document, by a link', ['check', 'a.yaml', '--format', 'json'], 'link.yaml'],
    ['one of several', ['check', '*.yaml'], './a.yaml'],
    ['the docs.json', ['check', 'docs'], 'docs/docs.json'],
    ['a document that docs.json names', ['check', 'docs', '--format', 'github'], 'docs/v1/b.yaml'],
    ['the entry of a bundle', ['bundle', 'a.yaml'], 'a.yaml'],
    ['a part of a bundle', ['bundle', 'a.yaml'], 'parts/pets.yaml'],
  ])('%s', async (_, words, output) => {
    const folder = makeTemporaryFolder({
      'a.yaml': `${valid.replace('paths: {}', "paths: {/pets: {$ref: 'parts/pets.yaml'}}")}`,
      'parts/pets.yaml': 'get: {responses: {"200": {description: OK}}}\n',
      'docs/docs.json': docs,
      'docs/v1/b.yaml': valid,
    })
    symlinkSync('a.yaml', join(folder, 'link.yaml'))
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, [...words, '-o', output], { env: { GITHUB_WORKSPACE: join(folder, 'docs') } })
    expect(run).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `openapi-pages: cannot write ${output}: it is an input of this command\n  Name another file with --output\n`,
    })
    expect(snapshotOf(folder)).toEqual(before)
  })
})

test('--format sarif uses paths relative to the checkout in a workflow', async () => {
  const folder = makeTemporaryFolder({ 'api/a.yaml': typo })
  const run = await runInFolder(join(folder, 'api'), ['check', 'a.yaml', '--format', 'sarif'], {
    env: { GITHUB_WORKSPACE: folder },
  })
  expect(JSON.parse(run.stdout).runs[0].artifacts).toEqual([{ location: { uri: 'api/a.yaml', uriBaseId: '%SRCROOT%' } }])
  const missing = await runInFolder(folder, ['check', 'none.yaml', '--format', 'sarif'])
  expect(JSON.parse(missing.stdout).runs[0].invocations[0].executionSuccessful).toBe(false)
})
