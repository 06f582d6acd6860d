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
const toDocs = (division: unknown, extra: object = {}) =>
  `${JSON.stringify({ name: 'Pets', ...extra, navigation: { tabs: [{ tab: 'Guides', pages: ['index'] }, division] } }, undefined, 2)}\n`
const files = {
  'docs.json': toDocs({ tab: 'API Reference', openapi: 'openapi.yaml' }),
  'openapi.yaml': document,
  'index.mdx': '# Pets\n',
}

/** The texts of all files, without the times of their changes. */
function textsOf(folder: string): { [path: string]: string } {
  return Object.fromEntries(Object.entries(snapshotOf(folder)).map(([path, row]) => [path, row.slice(row.indexOf(' ') + 1)]))
}

describe('virtual', () => {
  test.each([
    ['a path', files],
    [
      'a folder of its own',
      { ...files, 'docs.json': toDocs({ tab: 'API Reference', openapi: { source: 'openapi.yaml', directory: 'ref' } }) },
    ],
    [
      'groups beside',
      {
        ...files,
        'docs.json': toDocs({ tab: 'API Reference', groups: [{ group: 'A', pages: ['index'] }], openapi: 'openapi.yaml' }),
      },
    ],
    [
      'a document that `api` named before',
      { ...files, 'docs.json': toDocs({ tab: 'API Reference', openapi: 'openapi.yaml' }, { api: { openapi: 'openapi.yaml' } }) },
    ],
    [
      'other documents in `api`',
      {
        ...files,
        'o.yaml': document,
        'docs.json': toDocs({ tab: 'API Reference', openapi: 'openapi.yaml' }, { api: { openapi: 'o.yaml' } }),
      },
    ],
    [
      'two documents',
      {
        ...files,
        'o.yaml': document,
        'docs.json': toDocs({ tab: 'API Reference', openapi: ['openapi.yaml', { source: 'o.yaml', directory: 'o' }] }),
      },
    ],
  ])('restores everything: %s', async (_, tree) => {
    const folder = makeTemporaryFolder(tree)
    const before = textsOf(folder)
    await runInFolder(folder, ['update'])
    const written = textsOf(folder)
    expect(written).not.toEqual(before)
    const run = await runInFolder(folder, ['virtual', 'API Reference'])
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(textsOf(folder)).toEqual({ ...before, 'openapi-pages.config.yaml': 'materialize:\n  API Reference: false\n' })
    const after = snapshotOf(folder)
    expect((await runInFolder(folder, ['update'])).exitCode).toBe(0)
    expect((await runInFolder(folder, ['virtual', 'API Reference'])).stdout).toContain('is already virtual')
    expect(snapshotOf(folder)).toEqual(after)
    rmSync(join(folder, 'openapi-pages.config.yaml'))
    await runInFolder(folder, ['update'])
    expect(textsOf(folder)).toEqual(written)
  })

  test('keeps a hand-edited page with its entry and reports it', async () => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['update'])
    const page = join(folder, 'api-reference/pets/list-pets.mdx')
    writeFileSync(page, `${readFileSync(page, 'utf8')}\nMine.\n`)
    const run = await runInFolder(folder, ['virtual', 'API Reference'])
    expect(run.stdout).toContain('hand-edited, kept')
    expect(run.stdout).toContain('1 page removed, 1 kept')
    expect(readFileSync(page, 'utf8')).toContain('Mine.')
    expect(readFileSync(join(folder, 'docs.json'), 'utf8')).toContain('"api-reference/pets/list-pets"')
    const after = snapshotOf(folder)
    expect((await runInFolder(folder, ['update'])).exitCode).toBe(0)
    expect(snapshotOf(folder)).toEqual(after)
  })

  test('keeps hand-edited pages up to date, and generates the others again without the setting', async () => {
    const folder = makeTemporaryFolder(files)
    const read = (path: string) => readFileSync(join(folder, path), 'utf8')
    const edit = (path: string, change: (text: string) => string) => writeFileSync(join(folder, path), change(read(path)))
    const page = 'api-reference/pets/list-pets.mdx'
    await runInFolder(folder, ['update'])
    const written = textsOf(folder)
    edit(page, (text) => `${text}\nMine.\n`)
    await runInFolder(folder, ['virtual', 'API Reference'])
    expect(read('openapi-pages.lock.json')).toContain(`"${page}"`)
    const after = snapshotOf(folder)
    expect((await runInFolder(folder, ['virtual', 'API Reference'])).stdout).toContain('is already virtual')
    expect((await runInFolder(folder, ['update'])).stdout).not.toContain('is now virtual')
    expect(snapshotOf(folder)).toEqual(after)
    expect((await runInFolder(folder, ['status'])).stdout).toMatch(/list-pets\.mdx +GET \/pets, edited\n/)

    edit('openapi.yaml', (text) => text.replace('/pets:', '/animals:'))
    expect((await runInFolder(folder, ['update'])).stdout).toContain('renamed: GET /pets → GET /animals, hand edits kept')
    expect(read(page)).toMatch(/openapi: openapi\.yaml GET \/animals\n[\s\S]*Mine\.\n$/)
    expect(Object.keys(textsOf(folder)).filter((path) => path.startsWith('api-reference/'))).toEqual([page])

    edit('openapi.yaml', (text) => text.replace('/animals:', '/pets:'))
    rmSync(join(folder, 'openapi-pages.config.yaml'))
    await runInFolder(folder, ['update'])
    expect(textsOf(folder)).toEqual({ ...written, [page]: `${written[page]}\nMine.\n` })
  })

  test('reports a hand-edited page without its operation', async () => {
    const folder = makeTemporaryFolder(files)
    const page = join(folder, 'api-reference/pets/list-pets.mdx')
    await runInFolder(folder, ['update'])
    writeFileSync(page, `${readFileSync(page, 'utf8')}\nMine.\n`)
    await runInFolder(folder, ['virtual', 'API Reference'])
    writeFileSync(join(folder, 'openapi.yaml'), document.replace(/ {4}get.*\n/, ''))
    const before = readFileSync(page, 'utf8')
    expect((await runInFolder(folder, ['update'])).stdout).toContain('operation removed, hand-edited, kept')
    expect(readFileSync(page, 'utf8')).toBe(before)
  })

  test('leaves a page to the host that is deleted afterwards', async () => {
    const folder = makeTemporaryFolder(files)
    const page = join(folder, 'api-reference/pets/list-pets.mdx')
    await runInFolder(folder, ['update'])
    writeFileSync(page, `${readFileSync(page, 'utf8')}\nMine.\n`)
    await runInFolder(folder, ['virtual', 'API Reference'])
    rmSync(page)
    await runInFolder(folder, ['update'])
    const { 'docs.json': docsJson, ...others } = textsOf(folder)
    expect(Object.keys(others)).toEqual(['index.mdx', 'openapi-pages.config.yaml', 'openapi.yaml'])
    expect(docsJson).not.toContain('list-pets')
  })

  test('keeps other settings and comments of the configuration file', async () => {
    const config = '# ours\nunlisted: ignore # quiet\nmaterialize:\n  Guides: true\n'
    const folder = makeTemporaryFolder({ ...files, 'openapi-pages.config.yaml': config })
    await runInFolder(folder, ['update'])
    await runInFolder(folder, ['virtual', 'API Reference'])
    expect(textsOf(folder)['openapi-pages.config.yaml']).toBe(`${config}  API Reference: false\n`)
  })

  test('`--dry-run` prints the plan without writing, also as JSON', async () => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['update'])
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['virtual', 'API Reference', '--dry-run'])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toContain('+        "openapi": "openapi.yaml"')
    expect(run.stdout).toContain('Dry run: 5 files to change')
    const json = await runInFolder(folder, ['virtual', 'API Reference', '--dry-run', '--format', 'json'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      changed: true,
      removed: ['api-reference/pets/add-a-pet.mdx', 'api-reference/pets/list-pets.mdx'],
      kept: [],
    })
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('suggests the nearest division for an unknown name', async () => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['update'])
    const run = await runInFolder(folder, ['virtual', 'API Referense'])
    expect(run).toMatchObject({ exitCode: 2, stdout: '' })
    expect(run.stderr).toBe('openapi-pages: cannot find the division `API Referense`\n  Did you mean `API Reference`?\n')
  })

  test('lists the divisions for an unknown name', async () => {
    const run = await runInFolder(makeTemporaryFolder(files), ['virtual', 'Guides'])
    expect(run.stderr).toBe('openapi-pages: cannot find the division `Guides`\n  Available: `API Reference`.\n')
  })

  test('distinguishes divisions with the same label by ID', async () => {
    const languages = ['en', 'ja'].map((language) => ({
      language,
      tabs: [{ tab: 'API', openapi: { source: 'openapi.yaml', directory: language } }],
    }))
    const folder = makeTemporaryFolder({ ...files, 'docs.json': JSON.stringify({ navigation: { languages } }) })
    await runInFolder(folder, ['update'])
    const run = await runInFolder(folder, ['virtual', 'API'])
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toContain('"/navigation/languages/en/tabs/API" or "/navigation/languages/ja/tabs/API"')
    expect((await runInFolder(folder, ['virtual', '/navigation/languages/ja/tabs/API'])).exitCode).toBe(0)
    // By its label the setting would be for both.
    expect(textsOf(folder)['openapi-pages.config.yaml']).toBe('materialize:\n  /navigation/languages/ja/tabs/API: false\n')
    const after = snapshotOf(folder)
    expect((await runInFolder(folder, ['update'])).stdout).not.toContain('unknown-division')
    expect(snapshotOf(folder)).toEqual(after)
    expect(Object.keys(after).filter((path) => path.endsWith('.mdx'))).toEqual([
      'en/pets/add-a-pet.mdx',
      'en/pets/list-pets.mdx',
      'index.mdx',
    ])
  })

  test('changes nothing if the configuration file has errors', async () => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['update'])
    writeFileSync(join(folder, 'openapi-pages.config.yaml'), 'order: [\n')
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['virtual', 'API Reference'])
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toContain(
      'openapi-pages: cannot set `materialize` for `API Reference`: `openapi-pages.config.yaml` has errors\n  Fix the errors and run the command again\n',
    )
    expect(snapshotOf(folder)).toEqual(before)
  })
})
