import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const toDocument = (...operations: readonly string[]) =>
  `openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\npaths:\n${operations
    .map((name) => `  /${name}: {get: {summary: List ${name}, responses: {'200': {description: ok}}}}\n`)
    .join('')}`
const files = {
  'docs.json': JSON.stringify({
    navigation: {
      tabs: [
        { tab: 'Guides', pages: ['index', 'bound', 'lost'] },
        { tab: 'API', openapi: 'openapi.yaml' },
        { tab: 'Others', openapi: { source: 'others.yaml', directory: 'others' } },
      ],
    },
  }),
  'openapi-pages.config.yaml': 'materialise:\n  Others: false\n',
  'openapi.yaml': toDocument('pets', 'shops', 'orders', 'stores'),
  'others.yaml': toDocument('others'),
  'index.mdx': '# Pets\n',
  'bound.mdx': '---\nopenapi: others.yaml GET /others\n---\n',
  'lost.mdx': '---\nopenapi: openapi.yaml GET /lost\n---\n',
}

describe('status', () => {
  test('shows each division with the pages that are not as they were written, and writes nothing', async () => {
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['update'])
    const settled = await runInFolder(folder, ['status'])
    expect(settled.stdout).toContain('API   pages are written here   openapi.yaml\n  4 pages: 4 untouched\n')
    expect(settled.stdout).toContain('✔ up to date: an update would change nothing\n')
    writeFileSync(join(folder, 'api-reference/list-pets.mdx'), '---\ntitle: Mine\nopenapi: openapi.yaml GET /pets\n---\n')
    rmSync(join(folder, 'api-reference/list-shops.mdx'))
    writeFileSync(join(folder, 'openapi.yaml'), toDocument('pets', 'shops', 'stores', 'new'))
    const before = snapshotOf(folder)
    const run = await runInFolder(folder, ['status'])
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toContain(`API   pages are written here   openapi.yaml
  5 pages: 1 untouched, 1 edited by hand, 1 deleted by hand, 1 not yet written, 1 whose operation is gone
  + api-reference/list-new.mdx      GET /new, not yet written
  − api-reference/list-orders.mdx   GET /orders, whose operation is gone, next: operation removed
  = api-reference/list-pets.mdx     GET /pets, edited by hand
  × api-reference/list-shops.mdx    GET /shops, deleted by hand, next: deleted by hand, stays deleted

Others   virtual: the host makes the pages   others.yaml

1 page by hand, bound to an operation and recorded nowhere
  bound.mdx

1 page bound to nothing
  ? lost.mdx   openapi.yaml GET /lost

~ an update would change 4 files (run \`openapi-pages update\`)
`)
    expect(snapshotOf(folder)).toEqual(before)
  })

  test('`--format json` has the same as data', async () => {
    const folder = makeTemporaryFolder(files)
    const { exitCode, stdout } = await runInFolder(folder, ['status', '--format', 'json'])
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      upToDate: false,
      divisions: [
        { id: '/navigation/tabs/API', label: 'API', mode: 'materialised', documents: ['openapi.yaml'], withoutPage: [] },
        { label: 'Others', mode: 'virtual', pages: [] },
      ],
      byHand: ['bound.mdx'],
      unbound: [{ path: 'lost.mdx', binding: 'openapi.yaml GET /lost' }],
    })
  })

  test('an adopted division says so, with what has no page', async () => {
    const { 'openapi-pages.config.yaml': _, ...tree } = files
    const folder = makeTemporaryFolder({
      ...tree,
      'docs.json': JSON.stringify({ navigation: { tabs: [{ tab: 'API', pages: ['a'] }] } }),
      'bound.mdx': '',
      'lost.mdx': '',
      'a.mdx': '---\nopenapi: openapi.yaml GET /pets\n---\n',
    })
    const before = await runInFolder(folder, ['status'])
    expect(before.stdout).toContain('nothing is recorded yet: run `openapi-pages adopt`')
    await runInFolder(folder, ['adopt'])
    const run = await runInFolder(folder, ['status'])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toContain('API   adopted: others made the pages   openapi.yaml\n  1 page: 1 untouched\n')
    expect(run.stdout).toContain('3 operations without a page: GET /orders, GET /shops, GET /stores')
  })

  test('an empty docs.json says what to do first; a division that is gone is named', async () => {
    const empty = makeTemporaryFolder({ 'docs.json': '{"navigation": {"pages": ["index"]}}', 'index.mdx': '# Hi\n' })
    const run = await runInFolder(empty, ['status'])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toBe(
      '✔ nothing here yet: put `"openapi": "openapi.yaml"` on a tab of docs.json and run `openapi-pages update`\n',
    )
    const folder = makeTemporaryFolder(files)
    await runInFolder(folder, ['update'])
    writeFileSync(join(folder, 'docs.json'), '{"navigation": {"pages": ["index"]}}')
    expect((await runInFolder(folder, ['status'])).stdout).toContain('API   not in docs.json any more   openapi.yaml\n  4 pages')
  })

  test.each([
    ['a docs.json that cannot be read', { 'docs.json': '{' }],
    ['a configuration file that cannot be read', { 'openapi-pages.config.yaml': 'materialise: [\n' }],
    ['a document with an error', { 'openapi.yaml': toDocument('pets').replace('summary', 'sumary'), 'others.yaml': '' }],
  ])('after %s nothing is said to be well', async (_, broken) => {
    const { 'lost.mdx': lost, ...rest } = files
    const run = await runInFolder(makeTemporaryFolder({ ...rest, ...broken }), ['status'])
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toMatch(/\n✖ \d errors?(, \d warnings?)?: an update would change nothing\n$/)
    expect(run.stdout).not.toContain('✔')
  })

  test.each(['docs.json', 'openapi-pages.config.yaml', 'openapi-pages.lock.json'])(
    'a folder %s is to be moved away',
    async (name) => {
      const tree = { ...files, [name]: undefined, [`${name}/a.txt`]: '' }
      const folder = makeTemporaryFolder(Object.fromEntries(Object.entries(tree).filter((entry) => entry[1] !== undefined)))
      const run = await runInFolder(folder, ['status'])
      expect(run.stderr).toBe(
        `openapi-pages: cannot read ${name}: it is a folder\n  Move it away: a file of this name is looked for here.\n`,
      )
      expect([run.exitCode, run.stdout.includes('✔')]).toEqual([2, false])
    },
  )
})
