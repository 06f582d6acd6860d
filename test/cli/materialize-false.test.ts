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

const setting = 'materialize:\n  API Reference: false\n'

/** Leaves the pages of the division to the docs host: adds the key again, and sets `materialize`. */
async function leaveToHost(folder: string, openapi = 'openapi.yaml'): ReturnType<typeof runInFolder> {
  const { api: _, ...docs } = JSON.parse(readFileSync(join(folder, 'docs.json'), 'utf8'))
  docs.navigation.tabs[1].openapi = openapi
  writeFileSync(join(folder, 'docs.json'), `${JSON.stringify(docs, undefined, 2)}\n`)
  writeFileSync(join(folder, 'openapi-pages.config.yaml'), setting)
  return await runInFolder(folder, ['update'])
}

describe('`materialize: false`', () => {
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
  ])('removes the pages of a division with its key again: %s', async (_, tree) => {
    const folder = makeTemporaryFolder(tree)
    const before = textsOf(folder)
    await runInFolder(folder, ['update'])
    const written = textsOf(folder)
    expect(written).not.toEqual(before)
    writeFileSync(join(folder, 'docs.json'), tree['docs.json'])
    writeFileSync(join(folder, 'openapi-pages.config.yaml'), setting)
    expect(await runInFolder(folder, ['update'])).toMatchObject({ exitCode: 0, stderr: '' })
    expect(textsOf(folder)).toEqual({ ...before, 'openapi-pages.config.yaml': setting })
    const after = snapshotOf(folder)
    expect((await runInFolder(folder, ['update'])).exitCode).toBe(0)
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
    const run = await leaveToHost(folder)
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
    await leaveToHost(folder)
    expect(read('openapi-pages.lock.json')).toContain(`"${page}"`)
    const after = snapshotOf(folder)
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
    await leaveToHost(folder)
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
    await leaveToHost(folder)
    rmSync(page)
    await runInFolder(folder, ['update'])
    const { 'docs.json': docsJson, ...others } = textsOf(folder)
    expect(Object.keys(others)).toEqual(['index.mdx', 'openapi-pages.config.yaml', 'openapi.yaml'])
    expect(docsJson).not.toContain('list-pets')
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
  })

  test('shows that a new division with the label of a virtual one is virtual', async () => {
    const folder = makeTemporaryFolder({ ...files, 'o.yaml': document })
    await runInFolder(folder, ['update'])
    await leaveToHost(folder)
    const docs = JSON.parse(readFileSync(join(folder, 'docs.json'), 'utf8'))
    docs.navigation.tabs.push({ tab: 'API Reference', openapi: { source: 'o.yaml', directory: 'o' } })
    writeFileSync(join(folder, 'docs.json'), JSON.stringify(docs))
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update'])
    expect(run.stdout).toContain('o.yaml         OpenAPI 3.1.0, 2 operations → API Reference (virtual)\n')
    expect(snapshotOf(folder)).toEqual(before)
  })

  test.each([['materialize: false\n'], ['materialize:\n  API Reference: false\n']])(
    '%j has no effect on a division with generated pages until its key is back',
    async (config) => {
      const folder = makeTemporaryFolder(files)
      await runInFolder(folder, ['update'])
      writeFileSync(join(folder, 'openapi-pages.config.yaml'), config)
      const before = snapshotOf(folder)
      const run = await runInFolder(folder, ['update'])
      expect(run).toMatchObject({ exitCode: 0, stderr: '' })
      expect(run.stdout).toContain('warning materialize-ignored')
      expect(run.stdout).toContain('add `openapi` to the division in `docs.json` again')
      expect(snapshotOf(folder)).toEqual(before)
      writeFileSync(join(folder, 'docs.json'), files['docs.json'])
      expect((await runInFolder(folder, ['update'])).stdout).not.toContain('materialize-ignored')
      expect(textsOf(folder)).toEqual({ ...files, 'openapi-pages.config.yaml': config })
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
    await leaveToHost(folder)
    renameSync(join(folder, 'openapi.yaml'), join(folder, 'api.yaml'))
    const docs = readFileSync(join(folder, 'docs.json'), 'utf8').replace('openapi.yaml', 'api.yaml')
    writeFileSync(join(folder, 'docs.json'), docs)
    expect((await runInFolder(folder, ['update'])).stdout).toContain('document changed: openapi.yaml → api.yaml')
    expect(readFileSync(page, 'utf8')).toContain('openapi: api.yaml GET /pets\n')
    expect(textsOf(folder)['openapi-pages.lock.json']).not.toContain('openapi.yaml')
    expect((await runInFolder(folder, ['update'])).stdout).toContain('✔ 1 page up to date\n')
  })
})
