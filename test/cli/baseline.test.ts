import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const head = `openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\npaths:\n`
const operation = (path: string, field = 'summary') =>
  `  ${path}:\n    get: {${field}: Get, responses: {'200': {description: ok}}}\n`
const faulty = `${head}${operation('/a', 'sumary')}${operation('/b', 'sumary')}${operation('/c')}`
const flags = ['--baseline', 'known.json']

async function withBaseline(more: { readonly [path: string]: string } = {}): Promise<string> {
  const folder = makeTemporaryFolder({ 'openapi.yaml': faulty, ...more })
  const written = await runInFolder(folder, ['check', 'openapi.yaml', ...flags, '--write-baseline'])
  expect([written.exitCode, written.stderr]).toEqual([0, ''])
  return folder
}

test('summarizes known problems and fails only for new ones', async () => {
  const folder = await withBaseline()
  expect(JSON.parse(readFileSync(join(folder, 'known.json'), 'utf8'))).toMatchObject({ version: 1, problems: { length: 3 } })
  const before = await runInFolder(folder, ['check', 'openapi.yaml'])
  expect(before.exitCode).toBe(1)
  const known = await runInFolder(folder, ['check', 'openapi.yaml', ...flags])
  expect(known.exitCode).toBe(0)
  expect(known.stdout).toContain('known.json:1:1 info baseline-known\n  2 known problems in the baseline\n')
  expect(known.stdout).not.toContain('sumary')
  expect(known.stdout).toContain('✔ openapi.yaml has no new errors, 2 known problems')
  writeFileSync(join(folder, 'openapi.yaml'), `# moved\n\n${faulty}${operation('/d', 'sumary')}`)
  const added = await runInFolder(folder, ['check', 'openapi.yaml', ...flags, '--format', 'json'])
  expect(added.exitCode).toBe(1)
  expect(JSON.parse(added.stdout)).toMatchObject({
    valid: false,
    errors: 1,
    diagnostics: [{ code: 'baseline-known' }, { code: 'unknown-field', pointer: '/paths/~1d/get/sumary', line: 13 }],
  })
})

test('reports fixed problems, and --write-baseline removes them', async () => {
  const folder = await withBaseline()
  writeFileSync(join(folder, 'openapi.yaml'), faulty.replace('sumary', 'summary'))
  const run = await runInFolder(folder, ['check', 'openapi.yaml', ...flags])
  expect(run.exitCode).toBe(0)
  expect(run.stdout).toContain('1 problem in the baseline no longer occurs: `unknown-field` in `openapi.yaml`')
  await runInFolder(folder, ['check', 'openapi.yaml', ...flags, '--write-baseline'])
  expect((await runInFolder(folder, ['check', 'openapi.yaml', ...flags])).stdout).not.toContain('no longer')
  writeFileSync(join(folder, 'openapi.yaml'), faulty)
  expect((await runInFolder(folder, ['check', 'openapi.yaml', ...flags])).exitCode).toBe(1)
})

test('a known missing document is no error in the summary', async () => {
  const docs = JSON.stringify({ name: 'X', navigation: { tabs: [{ tab: 'API', openapi: 'nope.yaml' }] } })
  const folder = makeTemporaryFolder({ 'docs.json': docs })
  await runInFolder(folder, ['check', '.', ...flags, '--write-baseline'])
  const { exitCode, stdout } = await runInFolder(folder, ['check', '.', ...flags])
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('✔ nope.yaml has no new errors, 1 known problem\n')])
  expect((await runInFolder(folder, ['check', '.'])).stdout).toContain('✖ nope.yaml has 1 error\n')
})

test('a document on the command line that cannot be read is never known', async () => {
  const folder = makeTemporaryFolder({})
  const flagged = ['check', 'missing.yaml', ...flags]
  await runInFolder(folder, [...flagged, '--write-baseline'])
  const { exitCode, stderr } = await runInFolder(folder, flagged)
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('cannot read missing.yaml: no such file')])
})

test('keeps known problems of a renamed path', async () => {
  const folder = await withBaseline()
  writeFileSync(
    join(folder, 'openapi.yaml'),
    `${head}${operation('/b', 'sumary')}${operation('/renamed', 'sumary')}${operation('/c')}`,
  )
  expect((await runInFolder(folder, ['check', 'openapi.yaml', ...flags])).exitCode).toBe(0)
})

test('keeps entries of files that were not checked or cannot be parsed', async () => {
  const folder = await withBaseline({ 'other.yaml': faulty })
  await runInFolder(folder, ['check', 'other.yaml', ...flags, '--write-baseline'])
  const both = readFileSync(join(folder, 'known.json'), 'utf8')
  expect((await runInFolder(folder, ['check', 'openapi.yaml', 'other.yaml', ...flags])).exitCode).toBe(0)
  const one = await runInFolder(folder, ['check', 'openapi.yaml', ...flags])
  expect(one.stdout).not.toContain('baseline-fixed')
  writeFileSync(join(folder, 'other.yaml'), 'openapi: [')
  const broken = await runInFolder(folder, ['check', 'openapi.yaml', 'other.yaml', ...flags])
  expect(broken.exitCode).toBe(1)
  expect(broken.stdout).not.toContain('baseline-fixed')
  expect(both.match(/sumary/g)).toHaveLength(8)
})

test('reads the baseline named in the configuration file', async () => {
  const folder = makeTemporaryFolder({
    'docs/api/openapi.yaml': faulty,
    'docs/openapi-pages.config.yaml': 'baseline: baseline/known.json\n',
    'docs/baseline/.keep': '',
    'docs/docs.json': JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'api/openapi.yaml' }] } }),
  })
  const missing = await runInFolder(folder, ['check', 'docs'])
  expect(missing.exitCode).toBe(1)
  expect(missing.stdout).toContain('Cannot use the baseline `docs/baseline/known.json`: no such file')
  expect((await runInFolder(folder, ['check', 'docs', '--write-baseline'])).exitCode).toBe(0)
  expect(existsSync(join(folder, 'docs/baseline/known.json'))).toBe(true)
  expect((await runInFolder(folder, ['check', 'docs'])).exitCode).toBe(0)
  expect((await runInFolder(folder, ['check', 'docs/api/openapi.yaml'])).exitCode).toBe(0)
})

test('update: known errors do not fail, but their pages are updated only with --keep-going', async () => {
  const folder = await withBaseline({
    'docs.json': JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } }, undefined, 2),
    'openapi-pages.config.yaml': 'baseline: known.json\n',
  })
  const before = snapshotOf(folder)
  const strict = await runInFolder(folder, ['update'])
  expect(strict.exitCode).toBe(0)
  expect(strict.stdout).toContain('openapi.yaml   2 known problems, pages not updated\n')
  expect(strict.stdout).toContain('set `update.onError: operation`')
  expect(snapshotOf(folder)).toEqual(before)
  const going = await runInFolder(folder, ['update', '--keep-going', '--format', 'json'])
  expect(going.exitCode).toBe(0)
  expect(JSON.parse(going.stdout)).toMatchObject({
    added: ['api-reference/get.mdx'],
    skipped: [{ operation: 'GET /a' }, { operation: 'GET /b' }],
  })
})

test('build: known errors do not fail', async () => {
  const folder = await withBaseline({ 'openapi-pages.config.yaml': 'baseline: known.json\n' })
  const known = await runInFolder(folder, ['build'])
  expect(known).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^✔ .*, 2 known problems\n$/) })
  writeFileSync(join(folder, 'openapi.yaml'), `${faulty}${operation('/d', 'sumary')}`)
  const added = await runInFolder(folder, ['build'])
  expect(added).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/\n✖ .*, 1 error, 2 known problems\n$/) })
  expect(added.stdout).toMatch(/^openapi\.yaml:\d+:\d+ error unknown-field\n/)
})

test.each([
  [['--write-baseline'], 'cannot write the baseline: missing file name'],
  [['--baseline', '../known.json'], 'outside'],
])('rejects %s', async (args, words) => {
  const folder = makeTemporaryFolder({ 'openapi.yaml': faulty })
  const run = await runInFolder(folder, ['check', 'openapi.yaml', ...args])
  expect(run.exitCode).toBe(2)
  expect(run.stderr).toContain(words)
})

test('a damaged baseline is an error', async () => {
  const folder = await withBaseline()
  writeFileSync(join(folder, 'known.json'), '{"version": 2}')
  const run = await runInFolder(folder, ['check', 'openapi.yaml', ...flags])
  expect(run.exitCode).toBe(1)
  expect(run.stdout).toContain('Cannot use the baseline `known.json`: it is not a version 1 baseline file')
})
