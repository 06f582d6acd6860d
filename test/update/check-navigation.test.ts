import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDiskFiles } from '../../src/files/disk-files.ts'
import { runCheck } from '../../src/update/run-check.ts'
import { type Tree, toEnvironment, updateTree } from '../support/memory-tree.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const page = '---\ntitle: Page\n---\n'

function toSite(navigation: unknown, paths: readonly string[], more: Tree = {}): Tree {
  return { 'docs.json': JSON.stringify({ navigation }), ...Object.fromEntries(paths.map((path) => [path, page])), ...more }
}

/** `place code message [hint]` of what a check says. */
async function findingsOf(tree: Tree, environment = toEnvironment(tree)): Promise<string[]> {
  const { diagnostics } = await runCheck({ entries: [''] }, environment)
  return diagnostics.map(({ file, pointer, code, message, hint }) =>
    [`${file}${pointer}`, code, message, ...(hint === undefined ? [] : [`[${hint}]`])].join(' '),
  )
}

describe('entries', () => {
  test.each([
    ['guides/overveiw', 'did you mean `guides/overview`?'],
    ['Guides/Overview', 'did you mean `guides/overview`?'],
    ['old/guides/overview', 'did you mean `guides/overview`?'],
    ['elsewhere/overview', 'write the page, or remove the entry'],
    ['guides/indexx', 'write the page, or remove the entry'],
  ])('%s without a page: %s', async (path, hint) => {
    const site = toSite({ pages: ['guides/index', path] }, ['guides/index.mdx', 'guides/overview.md'])
    const finding = (await findingsOf(site)).find((line) => line.includes('page-missing'))
    expect(finding).toBe(`docs.json/navigation/pages/1 page-missing Cannot find the page \`${path}\` [${hint}]`)
  })

  test('without pages, many in one list, are one finding', async () => {
    const site = toSite({ pages: ['index', 'a', 'b', 'c', 'd'] }, ['index.mdx'])
    expect(await findingsOf(site)).toEqual([
      'docs.json/navigation/pages/1 page-missing Cannot find 4 pages of this list: `a`, `b`, `c` and 1 more [write the pages, or remove the entries]',
    ])
  })

  test('for pages that the host makes of a document have them', async () => {
    const site = toSite(
      { groups: [{ group: 'API', openapi: 'a.yaml', pages: ['index', 'api-reference/pets/list-pets'] }] },
      ['index.mdx'],
      {
        'a.yaml': `openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/pets: {get: {tags: [Pets], summary: List pets, responses: {'200': {description: ok}}}}}\n`,
        'openapi-pages.config.yaml': 'materialise: false\n',
      },
    )
    expect((await findingsOf(site)).filter((line) => line.includes('page-'))).toEqual([])
    expect((await updateTree(site)).diagnostics.filter(({ code }) => code === 'page-missing')).toEqual([])
  })

  test('that an update takes away are not told twice', async () => {
    const document = (paths: string) => `openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {${paths}}\n`
    const get = "get: {summary: List, responses: {'200': {description: ok}}}"
    const site = toSite({ tabs: [{ tab: 'API', openapi: 'a.yaml' }] }, [], { 'a.yaml': document(`/pets: {${get}}`) })
    const { changes } = await updateTree(site)
    const tree = Object.fromEntries([
      ...Object.entries(site),
      ...changes.map((change) => [change.path, 'content' in change ? change.content : '']),
    ])
    const { 'api-reference/list.mdx': deleted, ...without } = tree
    expect(deleted).toContain('openapi: a.yaml GET /pets')
    expect((await updateTree(without)).diagnostics).toEqual([])
  })

  test('that list a page twice in one list are a finding, in two lists not', async () => {
    const site = toSite(
      {
        groups: [
          { group: 'A', pages: ['a', 'b', '/a.mdx'] },
          { group: 'B', pages: ['a'] },
        ],
      },
      ['a.mdx', 'b.mdx'],
    )
    expect(await findingsOf(site)).toEqual([
      'docs.json/navigation/groups/0/pages/2 page-listed-twice Unexpected second entry for the page `a` in one list [remove one of the two]',
    ])
  })

  test('the `root` of a group is one', async () => {
    const site = toSite({ groups: [{ group: 'A', root: 'a/index', pages: ['a/gone'] }] }, ['a/index.mdx'])
    expect(await findingsOf(site)).toEqual([expect.stringContaining('/navigation/groups/0/pages/0 page-missing')])
  })

  test('for a page behind a link: inside the boundary it is there, outside it cannot be read', async () => {
    const outside = makeTemporaryFolder({ 'secret.mdx': page })
    const folder = makeTemporaryFolder({
      'docs.json': JSON.stringify({ navigation: { pages: ['linked/a', 'secret', 'index'] } }),
      'index.mdx': page,
      'elsewhere/a.mdx': '---\nhidden: true\n---\n',
    })
    mkdirSync(join(folder, '.git'))
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'linked'))
    symlinkSync(join(outside, 'secret.mdx'), join(folder, 'secret.mdx'))
    expect(await findingsOf({}, { ...toEnvironment({}), files: openDiskFiles(folder) })).toEqual([
      'docs.json/navigation/pages/1 page-missing Cannot read the page `secret.mdx`: it is outside the folder that may be read [move it into the repository, or widen the boundary]',
    ])
  })
})

describe('pages in no navigation', () => {
  test('are one finding that names whole folders', async () => {
    const lost = ['lost/a.mdx', 'lost/b/c.mdx', 'guides/d.mdx', 'e.md']
    const site = toSite({ pages: ['index', 'guides/start'] }, ['index.mdx', 'guides/start.mdx', ...lost])
    expect(await findingsOf(site)).toEqual([
      'docs.json/navigation page-unlisted 4 pages are in no navigation: `e.md`, `guides/d.mdx`, `lost/` (2) [list them, or write `hidden: true` into pages that are meant to be found by their address only]',
    ])
  })

  test.each<[string, Tree]>([
    ['hidden ones', { 'x.mdx': '---\nhidden: true\n---\n' }],
    ['snippets', { 'snippets/x.mdx': page, 'es/_snippets/y.mdx': page }],
    [
      'imported ones',
      {
        'parts/x.mdx': page,
        'y/z.mdx': page,
        'index.mdx': `${page}import X from "/parts/x.mdx"\nimport { Z } from './y/z.mdx';\n`,
      },
    ],
    ['files about the repository', { 'README.md': page, 'docs/AGENTS.md': page, 'docs/CONTRIBUTING.md': page }],
    [
      'those that `.mintignore` names',
      { 'drafts/x.mdx': page, 'a/b.draft.mdx': page, '.mintignore': '# ours\ndrafts/\n*.draft.mdx\n' },
    ],
    ['those of another project', { 'other/x.mdx': page, 'other/docs.json': '{"navigation": {}}' }],
    ['those of another project of old', { 'other/x.mdx': page, 'other/mint.json': '{"navigation": []}' }],
  ])('do not count %s', async (_, more) => {
    expect(await findingsOf(toSite({ pages: ['index'] }, ['index.mdx'], more))).toEqual([])
  })

  test('`!` takes a page back from `.mintignore`', async () => {
    const more = { 'drafts/x.mdx': page, 'drafts/y.mdx': page, '.mintignore': 'drafts/*\n!drafts/y.mdx\n' }
    expect(await findingsOf(toSite({ pages: ['index'] }, ['index.mdx'], more))).toEqual([
      expect.stringContaining('1 page is in no navigation: `drafts/y.mdx`'),
    ])
  })

  test('do not count those that something else leads to', async () => {
    const site = {
      'docs.json': JSON.stringify({
        navigation: { global: { anchors: [{ anchor: 'News', href: '/news?new#top' }] }, pages: ['index'] },
        navbar: { primary: { href: '/start/index' } },
        redirects: [{ source: '/old', destination: '/landing' }],
      }),
      ...Object.fromEntries(['index', 'news', 'start/index', 'landing'].map((path) => [`${path}.mdx`, page])),
    }
    expect(await findingsOf(site)).toEqual([])
  })

  test('are no finding where nothing is listed at all, or the rule is off', async () => {
    expect(await findingsOf(toSite({}, ['index.mdx']))).toEqual([])
    const site = toSite({ pages: ['index'] }, ['index.mdx', 'x.mdx'], {
      'openapi-pages.config.yaml': 'rules: {page-unlisted: off}\n',
    })
    expect(await findingsOf(site)).toEqual([])
  })
})

test.each([
  ['a.md', 'a.mdx'],
  ['Guide/A.mdx', 'guide/a.mdx'],
  ['caf\u00e9.mdx', 'cafe\u0301.mdx'],
])('%s and %s have one address', async (first, second) => {
  const site = toSite({ pages: ['index'] }, ['index.mdx', first, second], {
    'openapi-pages.config.yaml': 'rules: {page-unlisted: off}\n',
  })
  const findings = await findingsOf(site)
  expect(findings).toHaveLength(1)
  expect(findings[0]).toContain('page-url-conflict Unexpected page')
})

describe('keys that hosts pass over', () => {
  test.each<[string, unknown, string]>([
    [
      'mistyped',
      { navigation: { pages: ['index'] }, redirect: [] },
      '/redirect docs-config-key Unexpected key `redirect` in `docs.json`: hosts pass over it [did you mean `redirects`?]',
    ],
    [
      'of a division',
      { navigation: { tabs: [{ tab: 'A', opanapi: 'x', pages: ['index'] }] } },
      '/navigation/tabs/0/opanapi docs-config-key Unexpected key `opanapi` in this `tab`: hosts pass over it [did you mean `openapi`?]',
    ],
    [
      'of mint.json',
      { navigation: { pages: ['index'] }, topbarLinks: [] },
      '/topbarLinks docs-config-key Unexpected key `topbarLinks` in `docs.json`: hosts pass over it [write `links` inside `navbar`]',
    ],
    [
      'of another division',
      { navigation: { groups: [{ group: 'A', groups: [{ group: 'B', pages: ['index'] }] }] } },
      '/navigation/groups/0/groups docs-config-key Unexpected key `groups` in this `group`: hosts pass over it [a group lists its groups in `pages`]',
    ],
  ])('%s', async (_, docs, expected) => {
    expect(await findingsOf({ 'docs.json': JSON.stringify(docs), 'index.mdx': page })).toEqual([`docs.json${expected}`])
  })

  test('but not those that begin with `x-`', async () => {
    const docs = { 'x-a': 1, navigation: { 'x-b': 1, groups: [{ group: 'A', 'x-c': 1, pages: ['index'] }] } }
    expect(await findingsOf({ 'docs.json': JSON.stringify(docs), 'index.mdx': page })).toEqual([])
  })
})

test('findings in a part of docs.json stand in that file', async () => {
  const tree = {
    'docs.json': '{ "navigation": { "$ref": "config/navigation.json" } }',
    'config/navigation.json': '{\n  "pages": ["index", "gone"],\n  "opanapi": 1\n}\n',
    'index.mdx': page,
  }
  const { diagnostics } = await runCheck({ entries: [''] }, toEnvironment(tree))
  expect(diagnostics.map(({ file, code, range }) => [file, code, range.start.line, range.start.column])).toEqual([
    ['config/navigation.json', 'page-missing', 2, 22],
    ['config/navigation.json', 'docs-config-key', 3, 3],
  ])
})

test('findings in a mint.json stand where its own shape has them', async () => {
  const mint =
    '{\n  "tabs": [{ "name": "A", "url": "a" }],\n  "navigation": [\n    { "group": "One", "pages": ["index"] },\n    { "group": "Two", "pages": ["a/x"] }\n  ]\n}\n'
  const { diagnostics } = await runCheck({ entries: [''] }, toEnvironment({ 'mint.json': mint, 'index.mdx': page }))
  expect(diagnostics.map(({ file, code, pointer, range }) => [file, code, pointer, range.start.line])).toEqual([
    ['mint.json', 'page-missing', '/navigation/1/pages/0', 5],
  ])
})
