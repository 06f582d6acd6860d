import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
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
  /shops:
    get: {summary: List shops, tags: [Shops], responses: {'200': {description: ok}}}
`
const files = {
  'docs.json': JSON.stringify(
    {
      navigation: { tabs: [{ tab: 'API', groups: [{ group: 'Pets', pages: ['api/list-pets', 'api/add-a-pet', 'api/typo'] }] }] },
    },
    undefined,
    2,
  ),
  'openapi.yaml': document,
  'api/list-pets.mdx': '---\ntitle: "List pets"\nopenapi: "GET /pets"\n---\n',
  'api/add-a-pet.mdx': '---\ntitle: "Add a pet"\nopenapi: "POST /pets"\n---\n\nMine.\n',
  'api/typo.mdx': '---\nopenapi: "GET /pest"\n---\n',
}
const lockFile = 'openapi-pages.lock.json'

describe('adopt', () => {
  test('writes only the lock file and reports the adopted pages', async () => {
    const folder = makeTemporaryFolder(files)
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['adopt'])
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toContain(
      'API   2 pages of openapi.yaml, 1 with hand-written text\n  files     api/….mdx, named after the summary\n',
    )
    expect(run.stdout).toContain('  fields    title, openapi (title from summary)\n  binding   openapi: "POST /pets"\n')
    expect(run.stdout).toContain('1 operation without a page: GET /shops\n')
    expect(run.stdout).toContain('1 page skipped (no document defines the operation): api/typo.mdx')
    expect(run.stdout).toContain('✔ 2 pages adopted, the next update changes nothing\n')
    const { [lockFile]: _, ...after } = snapshotOf(folder)
    expect(after).toEqual(before)
    const update = await runInFolder(folder, ['update', '--check'])
    expect(update.exitCode).toBe(0)
    expect((await runInFolder(folder, ['adopt'])).stdout).toContain('Nothing to adopt: 2 pages already recorded')
  })

  test('`--dry-run` and `--check` do not write, and `--check` fails', async () => {
    const folder = makeTemporaryFolder(files)
    const before = snapshotOf(folder)
    const dry = await runInFolder(folder, ['adopt', '--dry-run'])
    expect(dry.exitCode).toBe(0)
    expect(dry.stdout).toContain('Dry run: 2 pages to adopt')
    const check = await runInFolder(folder, ['adopt', '--check'])
    expect(check.exitCode).toBe(1)
    expect(check.stdout).toContain('✖ 2 pages not adopted (run `openapi-pages adopt`)')
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('`--format json` prints the complete report', async () => {
    const folder = makeTemporaryFolder(files)
    const { stdout } = await runInFolder(folder, ['adopt', '--format', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      changed: true,
      divisions: [
        {
          division: '/navigation/tabs/API',
          label: 'API',
          document: 'openapi.yaml',
          adopted: 'growing',
          pages: [
            { path: 'api/add-a-pet.mdx', operation: 'POST /pets', isKept: true },
            { path: 'api/list-pets.mdx', operation: 'GET /pets', isKept: false },
          ],
          withoutPage: ['GET /shops'],
          pattern: { folder: 'api', name: 'summary', title: 'summary', keys: ['title', 'openapi'] },
        },
      ],
      unbound: [{ path: 'api/typo.mdx', reason: 'unresolved' }],
      remaining: [],
    })
  })

  test('reports that there is nothing to adopt or no docs.json', async () => {
    const empty = makeTemporaryFolder({ 'docs.json': '{"navigation": {"pages": ["index"]}}', 'index.mdx': '# Hi\n' })
    const run = await runInFolder(empty, ['adopt'])
    expect(run).toMatchObject({ exitCode: 0 })
    expect(run.stdout).toContain('Nothing to adopt: no page is bound to an operation, webhook or schema')
    expect(Object.keys(snapshotOf(empty))).toEqual(['docs.json', 'index.mdx'])
    expect((await runInFolder(makeTemporaryFolder({ 'a.mdx': 'x' }), ['adopt'])).exitCode).not.toBe(0)
    expect((await runInFolder(empty, ['adopt', 'nowhere'])).stderr).toContain('cannot read nowhere: no such directory')
  })

  test('writes nothing without API pages, so that an update still generates them', async () => {
    const folder = makeTemporaryFolder({
      'docs.json': '{"navigation": {"tabs": [{"tab": "API", "openapi": "openapi.yaml"}]}}',
      'openapi.yaml': document,
    })
    for (const options of [[], ['--check'], ['--dry-run']]) {
      const run = await runInFolder(folder, ['adopt', ...options])
      expect(run).toMatchObject({ exitCode: 0 })
      expect(run.stdout).toContain('Nothing to adopt: no page is bound to an operation, webhook or schema')
    }
    expect(Object.keys(snapshotOf(folder))).toEqual(['docs.json', 'openapi.yaml'])
    expect((await runInFolder(folder, ['update'])).stdout).toContain('✔ 3 pages added')
  })

  test.each([
    ['docs.json', '{'],
    ['docs.json', '[]'],
    ['openapi-pages.lock.json/a.txt', ''],
    ['openapi-pages.lock.json', '{"version": 99}'],
  ])('adopts nothing if it cannot read %s with %j', async (name, text) => {
    const folder = makeTemporaryFolder({ ...files, [name]: text })
    const run = await runInFolder(folder, ['adopt'])
    expect(run.exitCode).not.toBe(0)
    expect(run.stdout).toContain('✖ No pages adopted. Fix the errors above and run `openapi-pages adopt` again\n')
    expect(run.stdout).not.toContain('✔')
  })

  test('`--check --quiet` prints one line for exit code 1', async () => {
    const folder = makeTemporaryFolder(files)
    const run = await runInFolder(folder, ['adopt', '--check', '--quiet'])
    expect(run.exitCode).toBe(1)
    expect(run.stdout.split('\n').at(-2)).toBe('✖ 2 pages not adopted (run `openapi-pages adopt`)')
    await runInFolder(folder, ['adopt', '--quiet'])
    const again = await runInFolder(folder, ['adopt', '--check', '--quiet'])
    expect([again.exitCode, again.stdout.includes('adopted')]).toEqual([0, false])
  })

  test('reports pages with ambiguous or unknown bindings', async () => {
    const folder = makeTemporaryFolder({ ...files, 'old.yaml': document, 'api/typo.mdx': '' })
    const run = await runInFolder(folder, ['adopt'])
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toContain(
      '2 pages skipped (ambiguous binding: several documents define the operation): api/add-a-pet.mdx, api/list-pets.mdx\n',
    )
    expect(run.stdout).toContain(
      '✖ No pages adopted, 2 bound pages skipped. Fix the errors above and run `openapi-pages adopt` again\n',
    )
    expect(run.stdout).not.toContain('✔')
  })

  test.each([
    ['in another operation', '/shops:\n    get: {sumary: x, ', '/shops:\n    get: {'],
    ['in the whole document', 'security: [{gone: []}, {lost: []}]\npaths:', 'paths:'],
    [
      'in the operation of a page',
      'get: {operationId: 5, summary: List pets, tags: [Pets],',
      'get: {summary: List pets, tags: [Pets],',
    ],
  ])('records every page despite errors %s', async (_, broken, whole) => {
    const faulty = document.replace(whole, broken)
    expect(faulty).not.toBe(document)
    const folder = makeTemporaryFolder({ ...files, 'openapi.yaml': faulty })
    const run = await runInFolder(folder, ['adopt'])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toMatch(/^openapi\.yaml:\d+:\d+ error /m)
    expect(run.stdout).toContain('✔ 2 pages adopted, the next update changes nothing\n')
    const { pages } = JSON.parse(readFileSync(join(folder, lockFile), 'utf8')) as { pages: object }
    expect(Object.keys(pages)).toEqual(['api/add-a-pet.mdx', 'api/list-pets.mdx'])
    const before = snapshotOf(folder)
    expect((await runInFolder(folder, ['update'])).exitCode).toBe(1)
    expect(snapshotOf(folder)).toEqual(before)
    writeFileSync(join(folder, 'openapi.yaml'), document)
    const fixed = await runInFolder(folder, ['update', '--format', 'json'])
    expect(fixed.exitCode).toBe(0)
    expect(JSON.parse(fixed.stdout)).toMatchObject({ added: [], removed: [], modified: [] })
  })

  test('skips a page whose operation an error hides, and records the others', async () => {
    const faulty = document.replace('    post:', '    psot:')
    const folder = makeTemporaryFolder({ ...files, 'openapi.yaml': faulty })
    const run = await runInFolder(folder, ['adopt'])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toContain('2 pages skipped (the document has errors): api/add-a-pet.mdx, api/typo.mdx')
    expect(run.stdout).toContain('✔ 1 page adopted')
  })

  test('adopts pages that were unreadable in an earlier run', async () => {
    const withKey = files['docs.json'].replace('"tab": "API",', '"tab": "API", "openapi": "openapi.yaml",')
    const whole = makeTemporaryFolder({ ...files, 'docs.json': withKey })
    await runInFolder(whole, ['adopt'])
    const { 'openapi.yaml': _, ...withoutDocument } = files
    const folder = makeTemporaryFolder({ ...withoutDocument, 'docs.json': withKey })
    const first = await runInFolder(folder, ['adopt'])
    expect(first.exitCode).toBe(1)
    expect(first.stdout).toContain('✖ No pages adopted, 3 bound pages skipped')
    writeFileSync(join(folder, 'openapi.yaml'), document)
    // It is no time yet to write pages beside those that are there.
    expect(JSON.parse((await runInFolder(folder, ['update', '--format', 'json'])).stdout)).toMatchObject({ changed: false })
    await runInFolder(folder, ['adopt'])
    expect(readFileSync(join(folder, lockFile), 'utf8')).toBe(readFileSync(join(whole, lockFile), 'utf8'))
  })

  test('binds a restored operation to its kept page', async () => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['adopt'])
    const path = join(folder, 'openapi.yaml')
    writeFileSync(path, document.replace(/ {4}post.*\n/, ''))
    const gone = await runInFolder(folder, ['update'])
    expect(gone.stdout).toContain('operation removed, has its own content, kept')
    expect(gone.stdout).toContain('Cannot find `POST /pets`')
    writeFileSync(path, document)
    const back = await runInFolder(folder, ['update'])
    expect(back.stdout).not.toContain('Cannot find `POST /pets`')
    expect((await runInFolder(folder, ['status'])).stdout).toContain('2 pages: 2 unchanged')
  })
})

test('prints warnings of OpenAPI documents only with --all', async () => {
  const warned = document.replace(
    'version: 1.0.0}',
    "version: 1.0.0}\ncomponents: {schemas: {Pet: {type: string, pattern: '['}}}",
  )
  const folder = makeTemporaryFolder({ ...files, 'openapi.yaml': warned })
  expect((await runInFolder(folder, ['check', '.', '--quiet'])).stdout).toContain('openapi.yaml:3')
  const run = await runInFolder(folder, ['adopt', '--dry-run'])
  expect(run.stdout).not.toContain('openapi.yaml:3')
  // The binding of this page is wrong.
  expect(run.stdout).toContain('api/typo.mdx')
  expect((await runInFolder(folder, ['adopt', '--dry-run', '--all'])).stdout).toContain('openapi.yaml:3')
})

describe('an unusable lock file', () => {
  const changed = document.replace('List pets', 'List all pets')

  test.each([
    ['damaged', (text: string) => text.slice(0, 80)],
    ['empty', () => ''],
    ['something else', () => '[]'],
  ])('is rebuilt from the existing pages: %s', async (_, damage) => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['adopt'])
    const lock = join(folder, lockFile)
    const before = readFileSync(lock, 'utf8')
    const pages = snapshotOf(folder)
    writeFileSync(lock, damage(before))
    const run = await runInFolder(folder, ['update'])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toContain('warning')
    expect(readFileSync(lock, 'utf8')).toBe(before)
    expect({ ...snapshotOf(folder), [lockFile]: '' }).toEqual({ ...pages, [lockFile]: '' })
  })

  test('if deleted: `adopt` takes over the pages again without changing them', async () => {
    const folder = makeTemporaryFolder({ ...files, 'openapi.yaml': changed })
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['update'])
    expect(run.stdout).toContain(
      '✔ Nothing to update: 2 existing API pages not adopted (run `openapi-pages adopt` to keep them up to date)\n',
    )
    expect(run.exitCode).toBe(0)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('with wrong hashes: pages that differ from their record are not overwritten', async () => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['adopt'])
    const lock = join(folder, lockFile)
    writeFileSync(lock, readFileSync(lock, 'utf8').replaceAll(/"hash":"[0-9a-f]+"/g, '"hash":"0000000000000000"'))
    writeFileSync(join(folder, 'openapi.yaml'), changed.replace(/ {4}post.*\n/, ''))
    const pages = ['api/list-pets.mdx', 'api/add-a-pet.mdx'].map((path) => readFileSync(join(folder, path), 'utf8'))
    await runInFolder(folder, ['update'])
    expect(['api/list-pets.mdx', 'api/add-a-pet.mdx'].map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual(pages)
  })

  test('with wrong bindings: a file with no binding or another one is not changed', async () => {
    const folder = makeTemporaryFolder({ ...files, 'README.md': '# Read me\n' })
    await runInFolder(folder, ['adopt'])
    const lock = join(folder, lockFile)
    const text = readFileSync(lock, 'utf8')
    const hash = createHash('sha256').update('# Read me\n').digest('hex').slice(0, 16)
    const line = `"README.md": {"division":"/navigation/tabs/API","document":"openapi.yaml","operation":"GET /gone","hash":"${hash}","adopted":{}}`
    const swapped = text.replace('"operation":"GET /pets"', '"operation":"GET /shops"')
    writeFileSync(lock, swapped.replace('"pages": {\n', `"pages": {\n    ${line},\n`))
    const before = snapshotOf(folder)
    await runInFolder(folder, ['update'])
    const after = snapshotOf(folder)
    const pages = ['README.md', 'api/add-a-pet.mdx', 'api/list-pets.mdx', 'api/typo.mdx']
    expect(pages.map((path) => after[path])).toEqual(pages.map((path) => before[path]))
  })

  test('of a newer release: nothing is changed, not even by `adopt`', async () => {
    const folder = makeTemporaryFolder({ ...files, [lockFile]: '{"version": 99}' })
    const before = snapshotOf(folder)
    for (const command of ['update', 'adopt']) {
      const run = await runInFolder(folder, [command])
      expect(run.exitCode).toBe(1)
      expect(run.stdout).toContain('Unexpected lock file `version` 99')
    }
    expect(snapshotOf(folder)).toEqual(before)
  })
})
