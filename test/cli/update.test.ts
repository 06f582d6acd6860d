import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
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
  test('writes pages and navigation and says what it did', async () => {
    const folder = makeTemporaryFolder(files)
    const run = await runInFolder(folder, ['update'])
    expect([run.exitCode, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toMatchInlineSnapshot(`
      "openapi.yaml   OpenAPI 3.1.0, 2 operations → API Reference (api-reference/)

        + api-reference/pets/add-a-pet.mdx   POST /pets
        + api-reference/pets/list-pets.mdx   GET /pets
        ~ docs.json                          2 entries added

      new: the 2 pages of "API Reference" are now files in api-reference/
           To leave them to the host instead, undo this with git and write \`materialise: false\` into openapi-pages.config.yaml.

      ✔ 2 pages added
      "
    `)
    expect(readFileSync(join(folder, 'api-reference/pets/list-pets.mdx'), 'utf8')).toContain('openapi: openapi.yaml GET /pets\n')
  })

  test('writes the navigation of a mint.json in its own shape', async () => {
    const mint = '{"tabs": [{"name": "API", "url": "api", "openapi": "openapi.yaml"}], "navigation": []}'
    const folder = makeTemporaryFolder({ 'mint.json': mint, 'openapi.yaml': document })
    const run = await runInFolder(folder, ['update', 'mint.json'])
    expect([run.exitCode, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toContain('  ~ mint.json                2 entries added\n')
    const written: unknown = JSON.parse(readFileSync(join(folder, 'mint.json'), 'utf8'))
    expect(written).toEqual({
      tabs: [{ name: 'API', url: 'api' }],
      navigation: [{ group: 'Pets', pages: ['api/pets/list-pets', 'api/pets/add-a-pet'] }],
      openapi: 'openapi.yaml',
    })
    expect((await runInFolder(folder, ['check', '.'])).stdout).toContain('openapi.yaml is valid')
    expect((await runInFolder(folder, ['update', '--check'])).exitCode).toBe(0)
  })

  test('a second run changes nothing and touches no file', async () => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['update'])
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update'])
    expect([run.exitCode, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toMatch(/\n✔ 2 pages are up to date\n$/)
    expect(snapshotOf(folder)).toEqual(before)
    expect((await runInFolder(folder, ['update', '--check'])).exitCode).toBe(0)
  })

  test('says what is added, changed and removed', async () => {
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
    expect(again.stdout).toContain('openapi.yaml   1 error: 1 of 2 operations skipped, the others are updated\n')
    expect(again.stdout).toContain('Skipped 1 of 2 operations that errors affect: `GET /stores`')
  })

  test('works on another folder, named from the working directory', async () => {
    const folder = makeTemporaryFolder(Object.fromEntries(Object.entries(files).map(([path, text]) => [`docs/${path}`, text])))
    const run = await runInFolder(folder, ['update', 'docs'])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toContain('  + docs/api-reference/pets/list-pets.mdx')
    const again = await runInFolder(join(folder, 'docs'), ['update', 'docs.json', '--check'])
    expect(again.exitCode).toBe(0)
  })

  test('--check exits 1 on drift and changes nothing', async () => {
    const folder = await changedFolder()
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update', '--check'])
    expect([run.exitCode, run.stderr]).toEqual([1, ''])
    expect(run.stdout).toMatch(/\n✖ \d files are out of date \(run `openapi-pages update`\)\n$/)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('--dry-run shows a tree and a diff, exits 0 and changes nothing', async () => {
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

      dry run: 5 files would change, nothing is written (run \`openapi-pages update\` to write)
      "
    `)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('as JSON', async () => {
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

  test('as JSON with --check', async () => {
    const folder = await changedFolder()
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update', '--format', 'json', '--check'])
    expect([run.exitCode, JSON.parse(run.stdout).changed]).toEqual([1, true])
    expect(snapshotOf(folder)).toEqual(before)
  })

  test.each([
    ['update --check --quiet', '✖ 4 files are out of date (run `openapi-pages update`)\n'],
    ['status --quiet', '~ an update would change 4 files (run `openapi-pages update`)\n'],
  ])('%s says in one line why it ends with 1', async (line, stdout) => {
    const run = await runInFolder(makeTemporaryFolder(files), line.split(' '))
    expect(run).toEqual({ exitCode: 1, stdout, stderr: '' })
  })

  test('quiet says nothing when all is well', async () => {
    expect(await runInFolder(makeTemporaryFolder(files), ['update', '--quiet'])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })

  test('a page edited by hand is kept', async () => {
    const folder = await changedFolder()
    const page = join(folder, 'api-reference/pets/add-a-pet.mdx')
    writeFileSync(page, `${readFileSync(page, 'utf8')}\nMy words.\n`)
    const run = await runInFolder(folder, ['update'])
    expect(run.stdout).toContain('  = api-reference/pets/add-a-pet.mdx')
    expect(readFileSync(page, 'utf8')).toContain('My words.')
  })

  test('an invalid document leaves its pages as they are and exits 1', async () => {
    const folder = await changedFolder()
    writeFileSync(join(folder, 'openapi.yaml'), document.replace('summary', 'sumary'))
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update'])
    expect([run.exitCode, run.stderr]).toEqual([1, ''])
    expect(run.stdout).toMatch(/^openapi\.yaml:5:11 error unknown-field\n/)
    expect(run.stdout).toContain('openapi.yaml   1 error: its pages are left as they are\n')
    expect(run.stdout).toMatch(/\n✖ 1 error in 1 file, nothing is changed\n$/)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('without a docs.json, but with one near, names that', async () => {
    const folder = makeTemporaryFolder({ 'docs/docs.json': '{"navigation": {}}', 'openapi.yaml': document })
    expect(await runInFolder(folder, ['update'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'openapi-pages: cannot find docs.json\n  Did you mean the folder of `docs/docs.json`?\n',
    })
  })

  test('without a docs.json prints the smallest one to paste', async () => {
    const folder = makeTemporaryFolder({ 'openapi.yaml': document })
    const run = await runInFolder(folder, ['update'])
    expect([run.exitCode, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toMatch(/^openapi-pages: cannot find docs\.json\n {2}The smallest one is:\n\{/)
    writeFileSync(join(folder, 'docs.json'), run.stderr.slice(run.stderr.indexOf('{')))
    expect((await runInFolder(folder, ['update'])).stdout).toContain('✔ 2 pages added\n')
  })

  test.each([
    [['nope'], 'cannot read nope: no such folder\n'],
    [
      ['openapi.yaml'],
      'cannot update openapi.yaml: it is a file\n  Name the folder with the docs.json; to write the pages of one document without one, run `openapi-pages openapi-file`.\n',
    ],
  ])('%j exits 2', async (words, message) => {
    expect(await runInFolder(makeTemporaryFolder(files), ['update', ...words])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `openapi-pages: ${message}`,
    })
  })

  test('a malformed docs.json is a finding and nothing is written', async () => {
    const folder = makeTemporaryFolder({ ...files, 'docs.json': docsConfig.replace('"name": "Pets",', '"name": "Pets"') })
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update'])
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toMatch(/^docs\.json:2:17 error json-syntax\n/)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('a division that names a missing document is a finding at its place', async () => {
    const folder = makeTemporaryFolder({ ...files, 'docs.json': docsConfig.replace('openapi.yaml', 'opnapi.yaml') })
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update'])
    expect(run.stdout).toMatch(/^docs\.json:6:\d+ error file-missing\n/)
    expect(run.exitCode).toBe(1)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('a docs.json that names an address that cannot be read exits 2', async () => {
    const folder = makeTemporaryFolder({
      ...files,
      'docs.json': docsConfig.replace('openapi.yaml', 'http://example.invalid/a.yaml'),
    })
    const run = await runInFolder(folder, ['update'])
    expect(run.exitCode).toBe(2)
    expect(`${run.stdout}${run.stderr}`).toContain('http://example.invalid/a.yaml')
  })

  test('hostile text of documents stays text in the report, the tree and the diff', async () => {
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

test('the second run after a removed page does not bring it back', async () => {
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
