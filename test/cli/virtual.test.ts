import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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

  test('keeps the pages of each division if divisions with the same label change places', async () => {
    const first = { tab: 'API', openapi: 'openapi.yaml' }
    const second = { tab: 'API', openapi: { source: 'o.yaml', directory: 'o' } }
    const toTabs = (...tabs: readonly unknown[]) => `${JSON.stringify({ navigation: { tabs } }, undefined, 2)}\n`
    const folder = makeTemporaryFolder({ 'openapi.yaml': document, 'o.yaml': document, 'docs.json': toTabs(first) })
    const tabsOf = (): unknown[] => JSON.parse(readFileSync(join(folder, 'docs.json'), 'utf8')).navigation.tabs
    await runInFolder(folder, ['update'])
    const pages = Object.entries(textsOf(folder)).filter(([path]) => path.endsWith('.mdx'))
    writeFileSync(join(folder, 'docs.json'), toTabs(second, ...tabsOf()))
    expect((await runInFolder(folder, ['update'])).stdout).toMatch(
      /\+ o\/pets\/add-a-pet\.mdx[\s\S]*✔ 2 pages added, 2 unchanged\n$/,
    )
    expect(textsOf(folder)).toMatchObject(Object.fromEntries(pages))
    const [added, existing] = tabsOf()
    writeFileSync(join(folder, 'docs.json'), toTabs(existing, added))
    expect((await runInFolder(folder, ['update'])).stdout).toMatch(/✔ 4 pages unchanged\n$/)
    expect((await runInFolder(folder, ['update'])).stdout).toMatch(/✔ 4 pages up to date\n$/)
    expect((await runInFolder(folder, ['virtual', '/navigation/tabs/API#2'])).exitCode).toBe(0)
    expect(tabsOf()).toEqual([existing, second])
  })

  test('shows that a new division with the label of a virtual one is virtual', async () => {
    const folder = makeTemporaryFolder({ ...files, 'o.yaml': document })
    await runInFolder(folder, ['update'])
    await runInFolder(folder, ['virtual', 'API Reference'])
    const docs = JSON.parse(readFileSync(join(folder, 'docs.json'), 'utf8'))
    docs.navigation.tabs.push({ tab: 'API Reference', openapi: { source: 'o.yaml', directory: 'o' } })
    writeFileSync(join(folder, 'docs.json'), JSON.stringify(docs))
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update'])
    expect(run.stdout).toContain('o.yaml         OpenAPI 3.1.0, 2 operations → API Reference (virtual)\n')
    const again = await runInFolder(folder, ['virtual', '/navigation/tabs/API Reference'])
    expect(again.stdout).toContain('is already virtual')
    expect((await runInFolder(folder, ['virtual', 'Nothing'])).stderr).toContain(
      'Available: `/navigation/tabs/API Reference`, `/navigation/tabs/API Reference#2`.',
    )
    expect(snapshotOf(folder)).toEqual(before)
  })

  test.each([['materialize: false\n'], ['materialize:\n  API Reference: false\n']])(
    'is the advice for a division with generated pages and `%j`',
    async (config) => {
      const folder = makeTemporaryFolder(files)
      await runInFolder(folder, ['update'])
      writeFileSync(join(folder, 'openapi-pages.config.yaml'), config)
      const before = snapshotOf(folder)
      const run = await runInFolder(folder, ['update'])
      expect(run).toMatchObject({ exitCode: 0, stderr: '' })
      expect(run.stdout).toContain('warning materialize-ignored')
      expect(run.stdout).toContain('hint: Run `openapi-pages virtual "API Reference"`')
      expect(snapshotOf(folder)).toEqual(before)
      expect((await runInFolder(folder, ['virtual', 'API Reference'])).exitCode).toBe(0)
      expect(textsOf(folder)).toEqual({ ...files, 'openapi-pages.config.yaml': config })
      expect((await runInFolder(folder, ['update'])).stdout).not.toContain('materialize-ignored')
    },
  )

  test('keeps pages if only some documents of a division have their key', async () => {
    const docs = toDocs({ tab: 'API Reference', openapi: ['openapi.yaml', { source: 'o.yaml', directory: 'o' }] })
    const folder = makeTemporaryFolder({ ...files, 'o.yaml': 'openapi: 3.1.0\n', 'docs.json': docs })
    await runInFolder(folder, ['update'])
    writeFileSync(join(folder, 'openapi-pages.config.yaml'), 'materialize: false\n')
    const before = snapshotOf(folder)
    expect((await runInFolder(folder, ['update'])).stdout).toContain('warning materialize-ignored')
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('follows a renamed document with the pages that it kept', async () => {
    const folder = makeTemporaryFolder(files)
    const page = join(folder, 'api-reference/pets/list-pets.mdx')
    await runInFolder(folder, ['update'])
    writeFileSync(page, `${readFileSync(page, 'utf8')}\nMine.\n`)
    await runInFolder(folder, ['virtual', 'API Reference'])
    renameSync(join(folder, 'openapi.yaml'), join(folder, 'api.yaml'))
    const docs = readFileSync(join(folder, 'docs.json'), 'utf8').replace('openapi.yaml', 'api.yaml')
    writeFileSync(join(folder, 'docs.json'), docs)
    expect((await runInFolder(folder, ['update'])).stdout).toContain('document changed: openapi.yaml → api.yaml')
    expect(readFileSync(page, 'utf8')).toContain('openapi: api.yaml GET /pets\n')
    expect(textsOf(folder)['openapi-pages.lock.json']).not.toContain('openapi.yaml')
    expect((await runInFolder(folder, ['update'])).stdout).toContain('✔ 1 page up to date\n')
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
