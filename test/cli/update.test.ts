import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeGitRemote } from '../support/git-remote.ts'
import { readTree } from '../support/read-tree.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocs } from '../support/tiny-docs.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const document = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths:
  /pets:
    get: {summary: List pets, tags: [Pets], responses: {'200': {description: ok}}}
    post: {summary: Add a pet, tags: [Pets], responses: {'201': {description: ok}}}
`
const docsConfig = `{
  "name": "Pets",
  "navigation": {
    "tabs": [
      { "tab": "Guides", "pages": ["index"] },
      { "tab": "API Reference", "openapi": "openapi.yaml" }
    ]
  }
}
`
const files = { 'docs.json': docsConfig, 'openapi.yaml': document, 'index.mdx': '# Pets\n' }

/** A docs directory that was updated once, and then changed. */
async function changedFolder(): Promise<string> {
  const folder = makeTemporaryFolder(files)
  await runInFolder(folder, ['update'])
  const changed = document.replace('summary: List pets', 'summary: List all pets').replace(/ {4}post.*\n/, '')
  writeFileSync(
    join(folder, 'openapi.yaml'),
    `${changed}  /stores:\n    get: {summary: List stores, tags: [Stores], responses: {'200': {description: ok}}}\n`,
  )
  return folder
}

describe('update', () => {
  test('names the setting that keeps pages virtual, if there is a document', async () => {
    const config = { 'openapi-pages.config.yaml': 'materialize: false\n' }
    const virtual = await runInFolder(makeTemporaryFolder({ ...files, ...config }), ['update'])
    expect(virtual.stdout).toContain('set `materialize: true` in openapi-pages.config.yaml')
    const faulty = { ...files, 'openapi.yaml': document.replace('summary: List pets', 'sumary: List pets') }
    const folder = makeTemporaryFolder({ ...faulty, 'openapi-pages.config.yaml': 'materialize: true\nbaseline: known.json\n' })
    await runInFolder(folder, ['check', '--write-baseline'])
    const known = await runInFolder(folder, ['update'])
    expect([known.exitCode, known.stdout]).toEqual([
      0,
      expect.stringContaining('✔ Nothing to update: documents with known errors get no pages\n'),
    ])
    const guides = { ...files, 'docs.json': '{"name": "Pets", "navigation": {"pages": ["index"]}}' }
    const empty = await runInFolder(makeTemporaryFolder(guides), ['update'])
    expect(empty.stdout).not.toContain('materialize')
  })

  test('writes pages and navigation and reports the changes', async () => {
    const folder = makeTemporaryFolder(files)
    const run = await runInFolder(folder, ['update'])
    expect([run.exitCode, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toMatchInlineSnapshot(`
      "openapi.yaml   OpenAPI 3.1.0, 2 operations → API Reference (api-reference/)

        + api-reference/pets/add-a-pet.mdx   POST /pets
        + api-reference/pets/list-pets.mdx   GET /pets
        ~ docs.json                          2 entries added

      new: the 2 pages of "API Reference" are now files in api-reference/
           To let the docs host generate them instead, revert this change and set \`materialize: false\` in openapi-pages.config.yaml.

      ✔ 2 pages added
      "
    `)
    expect(readFileSync(join(folder, 'api-reference/pets/list-pets.mdx'), 'utf8')).toContain('openapi: openapi.yaml GET /pets\n')
  })

  test('names the converter of Mintlify for a mint.json, and writes nothing', async () => {
    const files = { 'mint.json': '{"tabs": [{"name": "API", "url": "api", "openapi": "openapi.yaml"}], "navigation": []}' }
    const folder = makeTemporaryFolder({ ...files, 'openapi.yaml': document })
    for (const args of [['update'], ['check', '.'], ['build', '.']]) {
      const run = await runInFolder(folder, args)
      expect([args, run.exitCode, run.stdout + run.stderr]).toEqual([
        args,
        expect.not.toSatisfy((code) => code === 0),
        expect.stringMatching(/docs\.json[\s\S]*npx mint upgrade/),
      ])
    }
    expect(readTree(folder)).toEqual({ ...files, 'openapi.yaml': document })
  })

  test('changes nothing in a second run', async () => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['update'])
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update'])
    expect([run.exitCode, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toMatch(/\n✔ 2 pages up to date\n$/)
    expect(snapshotOf(folder)).toEqual(before)
    expect((await runInFolder(folder, ['update', '--check'])).exitCode).toBe(0)
  })

  test('does not count a page that was deleted manually, and reports entries that name it', async () => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['update'])
    const allEntries = readFileSync(join(folder, 'docs.json'), 'utf8')
    rmSync(join(folder, 'api-reference/pets/add-a-pet.mdx'))
    expect((await runInFolder(folder, ['update'])).stdout).toMatch(/✔ 1 page removed, 1 unchanged\n$/)
    expect((await runInFolder(folder, ['update'])).stdout).toMatch(/✔ 1 page up to date\n$/)
    writeFileSync(join(folder, 'docs.json'), allEntries)
    expect((await runInFolder(folder, ['update'])).stdout).toContain('Cannot find page `api-reference/pets/add-a-pet`')
    rmSync(join(folder, 'api-reference/pets/list-pets.mdx'))
    expect((await runInFolder(folder, ['update'])).stdout).toMatch(/✔ 1 page removed\n$/)
    expect((await runInFolder(folder, ['update'])).stdout).toMatch(/✔ Nothing to update: all pages were deleted manually\n$/)
  })

  test('reports added, changed and removed pages', async () => {
    const run = await runInFolder(await changedFolder(), ['update'])
    expect([run.exitCode, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toMatchInlineSnapshot(`
      "openapi.yaml   OpenAPI 3.1.0, 2 operations → API Reference (api-reference/)

        − api-reference/pets/add-a-pet.mdx       operation removed
        ~ api-reference/pets/list-pets.mdx       title changed
        + api-reference/stores/list-stores.mdx   GET /stores
        ~ docs.json                              1 entry added, 1 removed

      ✔ 1 page added, 1 changed, 1 removed
      "
    `)
  })

  test('--keep-going updates the pages of operations that no error affects, and still exits with 1', async () => {
    const folder = await changedFolder()
    const path = join(folder, 'openapi.yaml')
    writeFileSync(path, readFileSync(path, 'utf8').replace('get: {summary: List stores', 'get: {sumary: List stores'))
    const before = snapshotOf(folder)
    const strict = await runInFolder(folder, ['update'])
    expect(strict.exitCode).toBe(1)
    expect(snapshotOf(folder)).toEqual(before)
    const run = await runInFolder(folder, ['update', '--keep-going', '--format', 'json'])
    expect(run.exitCode).toBe(1)
    expect(JSON.parse(run.stdout)).toMatchObject({
      changed: true,
      added: [],
      modified: ['api-reference/pets/list-pets.mdx'],
      removed: ['api-reference/pets/add-a-pet.mdx'],
      skipped: [{ document: 'openapi.yaml', operation: 'GET /stores' }],
    })
    const again = await runInFolder(folder, ['update', '--keep-going'])
    expect(again.stdout).toContain('openapi.yaml   1 error, 1 of 2 operations skipped\n')
    expect(again.stdout).toContain('Skipped 1 of 2 operations because of errors: `GET /stores`')
  })

  test('updates another directory', async () => {
    const folder = makeTemporaryFolder(Object.fromEntries(Object.entries(files).map(([path, text]) => [`docs/${path}`, text])))
    const run = await runInFolder(folder, ['update', 'docs'])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toContain('  + docs/api-reference/pets/list-pets.mdx')
    const again = await runInFolder(join(folder, 'docs'), ['update', 'docs.json', '--check'])
    expect(again.exitCode).toBe(0)
  })

  test('--check exits with 1 if pages are out of date, without writing', async () => {
    const folder = await changedFolder()
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update', '--check'])
    expect([run.exitCode, run.stderr]).toEqual([1, ''])
    expect(run.stdout).toMatch(/\n✖ \d files out of date \(run `openapi-pages update`\)\n$/)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('--dry-run prints a tree and a diff without writing', async () => {
    const folder = await changedFolder()
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update', '--dry-run'])
    expect([run.exitCode, run.stderr]).toEqual([0, ''])
    expect(run.stdout.replaceAll(/[0-9a-f]{16,}/g, '<hash>')).toMatchInlineSnapshot(`
      "openapi.yaml   OpenAPI 3.1.0, 2 operations → API Reference (api-reference/)

        − api-reference/pets/add-a-pet.mdx       operation removed
        ~ api-reference/pets/list-pets.mdx       title changed
        + api-reference/stores/list-stores.mdx   GET /stores
        ~ docs.json                              1 entry added, 1 removed

      ├─ api-reference/
      │  ├─ pets/
      │  │  ├─ − add-a-pet.mdx
      │  │  └─ ~ list-pets.mdx
      │  └─ stores/
      │     └─ + list-stores.mdx
      ├─ ~ docs.json
      └─ ~ openapi-pages.lock.json

      --- a/api-reference/pets/list-pets.mdx
      +++ b/api-reference/pets/list-pets.mdx
      @@ -1,4 +1,4 @@
       ---
      -title: List pets
      +title: List all pets
       openapi: openapi.yaml GET /pets
       ---

      --- a/docs.json
      +++ b/docs.json
      @@ -9,9 +9,14 @@
                 {
                   "group": "Pets",
                   "pages": [
      -              "api-reference/pets/list-pets",
      -              "api-reference/pets/add-a-pet"
      +              "api-reference/pets/list-pets"
                   ]
      +          },
      +          {
      +            "group": "Stores",
      +            "pages": [
      +              "api-reference/stores/list-stores"
      +            ]
                 }
               ]
             }

      --- a/openapi-pages.lock.json
      +++ b/openapi-pages.lock.json
      @@ -4,7 +4,7 @@
           "/navigation/tabs/API Reference": [{"source":"openapi.yaml","directory":"api-reference"}]
         },
         "pages": {
      -    "api-reference/pets/add-a-pet.mdx": {"division":"/navigation/tabs/API Reference","document":"openapi.yaml","operation":"POST /pets","group":"Pets","summary":"Add a pet","hash":"<hash>"},
      -    "api-reference/pets/list-pets.mdx": {"division":"/navigation/tabs/API Reference","document":"openapi.yaml","operation":"GET /pets","group":"Pets","summary":"List pets","hash":"<hash>"}
      +    "api-reference/pets/list-pets.mdx": {"division":"/navigation/tabs/API Reference","document":"openapi.yaml","operation":"GET /pets","group":"Pets","summary":"List all pets","hash":"<hash>"},
      +    "api-reference/stores/list-stores.mdx": {"division":"/navigation/tabs/API Reference","document":"openapi.yaml","operation":"GET /stores","group":"Stores","summary":"List stores","hash":"<hash>"}
         }
       }

      --- a/api-reference/pets/add-a-pet.mdx
      +++ /dev/null
      @@ -1,4 +0,0 @@
      ----
      -title: Add a pet
      -openapi: openapi.yaml POST /pets
      ----

      --- /dev/null
      +++ b/api-reference/stores/list-stores.mdx
      @@ -0,0 +1,4 @@
      +---
      +title: List stores
      +openapi: openapi.yaml GET /stores
      +---

      Dry run: 5 files to change (run \`openapi-pages update\` to write them)
      "
    `)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('prints JSON', async () => {
    const run = await runInFolder(await changedFolder(), ['update', '--format', 'json'])
    expect([run.exitCode, run.stderr]).toEqual([0, ''])
    expect(JSON.parse(run.stdout)).toEqual({
      version: 1,
      changed: true,
      added: ['api-reference/stores/list-stores.mdx'],
      modified: ['api-reference/pets/list-pets.mdx'],
      removed: ['api-reference/pets/add-a-pet.mdx'],
      kept: [],
      moved: [],
      renamed: [],
      skipped: [],
      diagnostics: [],
    })
  })

  test('prints JSON with --check', async () => {
    const folder = await changedFolder()
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update', '--format', 'json', '--check'])
    expect([run.exitCode, JSON.parse(run.stdout).changed]).toEqual([1, true])
    expect(snapshotOf(folder)).toEqual(before)
  })

  test.each([
    ['update --check --quiet', '✖ 4 files out of date (run `openapi-pages update`)\n'],
    ['status --quiet', '~ 4 files out of date (run `openapi-pages update`)\n'],
  ])('%s prints one line for exit code 1', async (line, stdout) => {
    const run = await runInFolder(makeTemporaryFolder(files), line.split(' '))
    expect(run).toEqual({ exitCode: 1, stdout, stderr: '' })
  })

  test('--quiet prints nothing if there are no problems', async () => {
    expect(await runInFolder(makeTemporaryFolder(files), ['update', '--quiet'])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })

  test('keeps a hand-edited page', async () => {
    const folder = await changedFolder()
    const page = join(folder, 'api-reference/pets/add-a-pet.mdx')
    writeFileSync(page, `${readFileSync(page, 'utf8')}\nMy words.\n`)
    const run = await runInFolder(folder, ['update'])
    expect(run.stdout).toContain('  = api-reference/pets/add-a-pet.mdx')
    expect(readFileSync(page, 'utf8')).toContain('My words.')
  })

  test('does not update the pages of an invalid document and exits with 1', async () => {
    const folder = await changedFolder()
    writeFileSync(join(folder, 'openapi.yaml'), document.replace('summary', 'sumary'))
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update'])
    expect([run.exitCode, run.stderr]).toEqual([1, ''])
    expect(run.stdout).toMatch(/^openapi\.yaml:5:11 error unknown-field\n/)
    expect(run.stdout).toContain('openapi.yaml   1 error, pages not updated\n')
    expect(run.stdout).toMatch(/\n✖ 1 error in 1 file, nothing changed\n$/)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('uses the only docs directory below', async () => {
    const docs = Object.fromEntries(Object.entries(files).map(([path, text]) => [`docs/${path}`, text]))
    const run = await runInFolder(makeTemporaryFolder({ ...docs, 'other/docs.json': '{}' }), ['update'])
    expect(run).toMatchObject({ exitCode: 0, stderr: 'Using docs, the only docs directory here\n' })
    expect(run.stdout).toContain('+ docs/api-reference/')
  })

  test('suggests a nearby docs.json', async () => {
    const folder = makeTemporaryFolder({ 'docs/docs.json': '{"navigation": {}}', 'openapi.yaml': document })
    expect(await runInFolder(folder, ['update'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'openapi-pages: cannot find docs.json\n  Did you mean the directory of `docs/docs.json`?\n',
    })
  })

  test.each(['update', 'status', 'adopt'])('%s lists the docs directories if there are several below', async (command) => {
    const folder = makeGitRemote({ ...tinyDocs(['List pets'], 'one/docs/'), ...tinyDocs(['List cats'], 'two/docs/') }).checkOut()
    const run = await runInFolder(folder, [command])
    expect([run.exitCode, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toMatch(/^openapi-pages: cannot .* this directory: it has no docs\.json\n/)
    expect(run.stderr).toContain('\n  Name one of its docs directories: one/docs, two/docs\n')
    expect((await runInFolder(folder, ['update', 'one/docs', '--check'])).stdout).toContain(
      '(run `openapi-pages update one/docs`)',
    )
    expect((await runInFolder(folder, ['status', 'one/docs'])).stdout).toContain('(run `openapi-pages update one/docs`)')
  })

  test('asks for an OpenAPI document if there is none, as `init` does', async () => {
    const run = await runInFolder(makeTemporaryFolder({ 'README.md': '' }), ['update'])
    expect(run.stderr).toBe(
      'openapi-pages: cannot find docs.json\n  Add an OpenAPI document, such as `openapi.yaml`, and run `openapi-pages init`.\n',
    )
  })

  test('prints a minimal docs.json if there is none', async () => {
    const folder = makeTemporaryFolder({ 'openapi.yaml': document })
    const run = await runInFolder(folder, ['update'])
    expect([run.exitCode, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toMatch(
      /^openapi-pages: cannot find docs\.json\n {2}Run `openapi-pages init` to write one, or create it:\n\{/,
    )
    writeFileSync(join(folder, 'docs.json'), run.stderr.slice(run.stderr.indexOf('{')))
    expect((await runInFolder(folder, ['update'])).stdout).toContain('✔ 2 pages added\n')
  })

  test.each([
    [['nope'], 'cannot read nope: no such directory\n'],
    [
      ['openapi.yaml'],
      'cannot update openapi.yaml: it is a file\n  Name the directory with the docs.json. To generate pages without a docs.json, run `openapi-pages openapi-file`.\n',
    ],
  ])('exits with 2 for %j', async (words, message) => {
    expect(await runInFolder(makeTemporaryFolder(files), ['update', ...words])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `openapi-pages: ${message}`,
    })
  })

  test('reports a malformed docs.json and writes nothing', async () => {
    const folder = makeTemporaryFolder({ ...files, 'docs.json': docsConfig.replace('"name": "Pets",', '"name": "Pets"') })
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update'])
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toMatch(/^docs\.json:2:17 error json-syntax\n/)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('reports a missing document at the division that names it', async () => {
    const folder = makeTemporaryFolder({ ...files, 'docs.json': docsConfig.replace('openapi.yaml', 'opnapi.yaml') })
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update'])
    expect(run.stdout).toMatch(/^docs\.json:6:\d+ error file-missing\n/)
    expect(run.exitCode).toBe(1)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test.each(['http', 'https'])('exits with 2 if an %s URL in docs.json is refused or unreachable', async (scheme) => {
    const folder = makeTemporaryFolder({
      ...files,
      'docs.json': docsConfig.replace('openapi.yaml', `${scheme}://example.invalid/a.yaml`),
    })
    const run = await runInFolder(folder, ['update'])
    expect(run.exitCode).toBe(2)
    expect(`${run.stdout}${run.stderr}`).toContain(`${scheme}://example.invalid/a.yaml`)
  })

  test('escapes untrusted text in the report, the tree and the diff', async () => {
    const hostile = '\x1b[31mred\n::error::pwned ##[add-mask]x \u009b'
    const operation = {
      tags: ['::error::tag'],
      summary: hostile,
      description: `${hostile}\n::error::again`,
      responses: { 200: { description: 'ok' } },
    }
    const text = JSON.stringify({
      openapi: '3.1.0',
      info: { title: hostile, version: '1' },
      paths: { '/::error::x': { get: operation } },
    })
    const folder = makeTemporaryFolder({ ...files, 'openapi.yaml': text })
    for (const words of [['--dry-run'], ['--check'], ['--format', 'json'], []]) {
      const run = await runInFolder(folder, ['update', ...words])
      for (const line of `${run.stdout}${run.stderr}`.split('\n')) {
        expect(line.replace(/^[+ -]/, '')).not.toMatch(/[\x00-\x1f\x7f-\x9f]|^\s*::|##\w*\[/)
      }
    }
  })
})

test('does not restore a removed page in the next run', async () => {
  const folder = makeTemporaryFolder(files)
  await runInFolder(folder, ['update'])
  rmSync(join(folder, 'api-reference/pets/list-pets.mdx'))
  await runInFolder(folder, ['update'])
  const before = snapshotOf(folder)
  const run = await runInFolder(folder, ['update'])
  expect(run.exitCode).toBe(0)
  expect(Object.keys(before)).not.toContain('api-reference/pets/list-pets.mdx')
  expect(snapshotOf(folder)).toEqual(before)
})
