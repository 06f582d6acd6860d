import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { packageVersion } from '../../src/docs/config/config-files.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const entries = {
  source: join(root, 'src/cli/main.ts'),
  /** The published program; `npm test` builds its bundle first. */
  program: join(root, 'bin/openapi-pages.cjs'),
}
/** Checks of pages know the components of the site. */
const withComponents = ['--import', pathToFileURL(join(root, 'scripts/jsx-loader.ts')).href]

const paths = Array.from(
  { length: 3_000 },
  (_, index) => `  /p${index}: {get: {sumary: x, responses: {'200': {description: ok}}}}`,
)
const faulty = `openapi: 3.1.1\ninfo: {title: A, version: '1'}\npaths:\n${paths.join('\n')}\n`
const docs = '{"navigation": {"pages": ["index"]}, "api": {"openapi": "a.json"}}'
const valid = `{"openapi": "3.1.1", "info": {"title": "A", "version": "1"}, "paths": {}}`

describe.each(Object.entries(entries))('the process, from its %s', (_, entry) => {
  const run = (folder: string, ...words: string[]) =>
    spawnSync(process.execPath, [...(entry === entries.source ? withComponents : []), entry, ...words], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { PATH: process.env['PATH'] },
    })

  test.each([
    [['--version'], 0, `${packageVersion}\n`, ''],
    [['check', 'a.json'], 0, '✔ a.json is valid (OpenAPI 3.1.1, 0 operations)\n', ''],
    [['check', 'docs'], 0, '✔ docs/a.json is valid (OpenAPI 3.1.1, 0 operations)\n', ''],
    [['check', 'empty'], 0, '✔ Nothing to check: the navigation does not name an OpenAPI document\n', ''],
    [['check', 'docs/docs.json'], 0, '✔ docs/a.json is valid (OpenAPI 3.1.1, 0 operations)\n', ''],
    [
      ['update', 'docs'],
      0,
      'docs/a.json   OpenAPI 3.1.1, 0 operations\n\n✔ Nothing to update: no navigation division has generated pages\n',
      '',
    ],
    [
      ['openapi-file', 'a.json'],
      0,
      '\n[]\n',
      '✔ Nothing to write: the document has no operations, webhooks or schemas to generate pages for\n',
    ],
    [['check', 'nope.json'], 2, '', 'openapi-pages: cannot read nope.json: no such file\n'],
    [['chek'], 2, '', 'openapi-pages: unknown command chek\n  Did you mean `check`? See `openapi-pages --help`.\n'],
  ])('%j', (words, status, stdout, stderr) => {
    const folder = makeTemporaryFolder({
      'a.json': valid,
      'docs/a.json': valid,
      'docs/docs.json': docs,
      'docs/index.mdx': 'A page',
      'empty/docs.json': '{"navigation": {"pages": ["index"]}}',
      'empty/index.mdx': 'A page',
    })
    const answer = run(folder, ...words)
    expect([answer.status, answer.stdout, answer.stderr]).toEqual([status, stdout, stderr])
  })

  test('writes large output completely to a pipe', () => {
    const { status, stdout } = run(makeTemporaryFolder({ 'a.yaml': faulty }), 'check', 'a.yaml', '--format', 'json')
    expect([status, JSON.parse(stdout).errors]).toEqual([1, 3_000])
  })

  test('ignores that the reader closes the pipe', async () => {
    const child = spawn(process.execPath, [entry, 'check', '--all', 'a.yaml'], { cwd: makeTemporaryFolder({ 'a.yaml': faulty }) })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.stdout.once('data', () => child.stdout.destroy())
    const exitCode = await new Promise((resolve) => child.on('close', resolve))
    expect([exitCode, stderr]).toEqual([1, ''])
  })
})

test('writes large output completely to a non-blocking pipe', async () => {
  // Node makes its pipes non-blocking. A process that inherits one gets EAGAIN instead of waiting.
  const parent = `process.stdout.write(''); require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })`
  const words = [entries.source, 'check', 'a.yaml', '--format', 'json']
  const child = spawn(process.execPath, ['-e', parent, ...words], {
    cwd: makeTemporaryFolder({ 'a.yaml': faulty }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stdout = ''
  for await (const chunk of child.stdout) {
    stdout += chunk
    if (stdout.length < 1_000_000) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(JSON.parse(stdout).errors).toBe(3_000)
})

test('reports output that cannot be written', () => {
  const command = `"${process.execPath}" "${entries.source}" check a.json > /dev/full`
  const answer = spawnSync('sh', ['-c', command], { cwd: makeTemporaryFolder({ 'a.json': valid }), encoding: 'utf8' })
  expect([answer.status, answer.stderr]).toEqual([2, 'openapi-pages: cannot write the output: ENOSPC\n'])
})

test.each(['20.11.0', '22.18.0', '23.11.1', '18.0.0'])('prints the required version on Node.js %s', (version) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const answer = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, entries.program, '--version'],
    {
      encoding: 'utf8',
    },
  )
  expect([answer.status, answer.stdout, answer.stderr]).toEqual([
    2,
    '',
    `openapi-pages requires Node.js 22.19 or a later 22.x release, or Node.js 24 or later. This is Node.js ${version}.\n`,
  ])
})

test('reports a deleted working directory', () => {
  const command = `mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" check a.yaml`
  const answer = spawnSync('sh', ['-c', command, process.execPath, entries.source], {
    cwd: makeTemporaryFolder({}),
    encoding: 'utf8',
  })
  expect([answer.status, answer.stdout, answer.stderr]).toEqual([
    2,
    '',
    'openapi-pages: the working directory no longer exists\n  Change to another directory.\n',
  ])
})
