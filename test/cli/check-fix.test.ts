import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { git } from '../support/git-remote.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const head = 'openapi: 3.1.0\ninfo:\n  titel: Pets\npaths:\n'
const operation = (field = 'summary') =>
  `  /pets:\n    get:\n      ${field}: Get\n      responses: {'200': {description: Good}}\n`
const faulty = `${head}${operation('sumary')}`
/** A misspelled field whose value has a problem too, and a missing one. */
const fixed = `openapi: 3.1.0\ninfo:\n  version: 1.0.0\n  title: Pets\npaths:\n${operation()}`

function makeRepository(files: { readonly [path: string]: string }): string {
  const folder = makeTemporaryFolder(files)
  git(folder, 'init', '--quiet')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=First')
  return folder
}

describe('check --fix', () => {
  test('applies the fixes that hints describe, until none is left, and checks the result', async () => {
    const folder = makeRepository({ 'openapi.yaml': faulty })
    const run = await runInFolder(folder, ['check', '--fix'])
    expect(run).toEqual({
      exitCode: 0,
      stdout: '✔ 3 fixes in 1 file\n\n✔ openapi.yaml is valid (OpenAPI 3.1.0, 1 operation)\n',
      stderr: '',
    })
    expect(readFileSync(join(folder, 'openapi.yaml'), 'utf8')).toBe(fixed)
    git(folder, 'commit', '--quiet', '--all', '--message=Fixed')
    const again = await runInFolder(folder, ['check', '--fix'])
    expect(again.stdout).toMatch(/^No problem has a fix that can be applied\n/)
  })

  test('fixes all places of problems that are reported once per file, in all files', async () => {
    const reference = "{$ref: './b.yaml#/Name'}"
    const text = `openapi: 3.1.0
info: {title: A, version: "1"}
paths: {/a: {get: {responses: {200: {description: A}, 404: {description: B}}}}}
components: {schemas: {Pet: {allOf: [${reference}, ${reference}], type: string, nullable: true}}}
`
    const folder = makeRepository({ 'a.yaml': text, 'b.yaml': 'Name: {type: string, nullable: true} # A\n' })
    const run = await runInFolder(folder, ['check', 'a.yaml', '--fix'])
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toContain('✔ 4 fixes in 2 files\n')
    expect(run.stdout).not.toMatch(/nullable-ignored|response-code-quotes/)
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(
      text.replace('200:', "'200':").replace('404:', "'404':").replace('type: string, nullable: true', 'type: [string, "null"]'),
    )
    expect(readFileSync(join(folder, 'b.yaml'), 'utf8')).toBe('Name: {type: [string, "null"]} # A\n')
  })

  test.each<[string, (folder: string) => void, string]>([
    [
      'in a work tree with changes',
      (folder) => writeFileSync(join(folder, 'other.txt'), 'b'),
      'the repository has changes that are not committed',
    ],
    ['of an untracked file', (folder) => void git(folder, 'rm', '--quiet', '--cached', 'openapi.yaml'), 'not committed'],
  ])('%s only shows the changes, unless they are allowed', async (_, change, reason) => {
    const folder = makeRepository({ 'openapi.yaml': faulty, 'other.txt': 'a' })
    change(folder)
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['check', '--fix'])
    expect([run.exitCode, snapshotOf(folder)]).toEqual([1, before])
    expect(run.stdout).toContain('-      sumary: Get\n+      summary: Get\n')
    expect(run.stdout).toMatch(new RegExp(`Dry run: 3 fixes in 1 file not written, because .*${reason}.* add --allow-dirty\n`))
    expect((await runInFolder(folder, ['check', '--fix', '--allow-dirty'])).exitCode).toBe(0)
  })

  test('without Git or with --dry-run, only shows the changes', async () => {
    const plain = makeTemporaryFolder({ 'openapi.yaml': faulty })
    expect((await runInFolder(plain, ['check', '--fix'])).stdout).toContain('because this is not a Git repository')
    const folder = makeRepository({ 'openapi.yaml': faulty })
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['check', '--fix', '--dry-run'])
    expect([run.exitCode, snapshotOf(folder)]).toEqual([1, before])
    expect(run.stdout).toContain('Dry run: 3 fixes in 1 file not written\n')
  })

  test('fixes referenced files, pages and docs.json, and keeps line endings and a byte order mark', async () => {
    const folder = makeRepository({
      '.gitattributes': '* -text\n',
      'docs/docs.json':
        '{"name": "Pets", "navigation": {"tabs": [{"tab": "API", "openapi": "openapi.yaml"}, {"tab": "More", "pages": ["a"]}]}}\n',
      'docs/openapi.yaml': `\uFEFFopenapi: 3.1.0\r\ninfo: {title: A, version: "1"}\r\npaths: {/pets: {$ref: pets.yaml}}\r\n`,
      'docs/pets.yaml': 'get:\r\n  sumary: Get\r\n  responses: {"200": {description: Good}}\r\n',
      'docs/a.mdx': '---\ntitle: A\nopenapi: GET /petz\n---\n',
    })
    const run = await runInFolder(folder, ['check', 'docs', '--fix', '--format', 'json'])
    expect([run.exitCode, run.stderr]).toEqual([0, '✔ 2 fixes in 2 files\n\n'])
    expect(readFileSync(join(folder, 'docs/pets.yaml'), 'utf8')).toContain('get:\r\n  summary: Get\r\n')
    expect(readFileSync(join(folder, 'docs/a.mdx'), 'utf8')).toContain('openapi: GET /pets\n')
    writeFileSync(join(folder, 'docs/openapi.yaml'), '\uFEFFopenapi: 3.1.0\ninfo: {titel: A, version: "1"}\npaths: {}\n')
    await runInFolder(folder, ['check', 'docs', '--fix', '--allow-dirty'])
    expect(readFileSync(join(folder, 'docs/openapi.yaml'), 'utf8')).toBe(
      '\uFEFFopenapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {}\n',
    )
    expect(existsSync(join(folder, 'docs/api-reference'))).toBe(false)
  })

  test.each([
    [['--dry-run'], 'unexpected --dry-run without --fix'],
    [['--allow-dirty'], 'unexpected --allow-dirty without --fix'],
    [['--fix', '--watch'], 'cannot use --fix with --watch'],
    [['--fix', '-'], 'cannot use --fix with a document on stdin'],
  ])('rejects %j', async (args, message) => {
    const run = await runInFolder(makeTemporaryFolder({ 'a.yaml': faulty }), ['check', ...args])
    expect(run).toEqual({ exitCode: 2, stdout: '', stderr: `openapi-pages: ${message}\n` })
  })
})

describe('check --fail-on', () => {
  const warned = `${fixed}components: {schemas: {A: {type: string, enum: [1]}}}\n`
  const wrong = faulty

  test.each([
    [warned, 'error', 0],
    [warned, 'warning', 1],
    [warned, 'never', 0],
    [wrong, 'error', 1],
    [wrong, 'warning', 1],
    [wrong, 'never', 0],
  ])('%# with %s', async (text, level, exitCode) => {
    const folder = makeTemporaryFolder({ 'openapi.yaml': text })
    const run = await runInFolder(folder, ['check', '--fail-on', level])
    expect(run.exitCode, run.stdout).toBe(exitCode)
  })

  test('says that warnings made it fail', async () => {
    const run = await runInFolder(makeTemporaryFolder({ 'openapi.yaml': warned }), ['check', '--fail-on', 'warning'])
    expect(run.stdout).toMatch(
      /\n✔ openapi\.yaml is valid, with 1 warning.*\n✖ Failed because of 1 warning \(--fail-on warning\)\n$/,
    )
  })

  test('an unreadable document fails with 2, whatever the level is', async () => {
    expect((await runInFolder(makeTemporaryFolder(), ['check', 'no.yaml', '--fail-on', 'never'])).exitCode).toBe(2)
  })
})
