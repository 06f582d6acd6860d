import { expect, test } from 'vitest'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import { hashContent } from '../../../src/files/output-folder.ts'
import { buildSite } from '../../../src/site/build/build-site.ts'
import { createSiteScore } from '../../../src/site/build/score-site.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { siteAssets } from './site-assets.ts'

const operation = { summary: 'List orders', operationId: 'listOrders', responses: { 200: { description: 'ok' } } }
const openapi = (get: object = operation) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1', summary: 'Of a shop' },
    paths: { '/orders': { get } },
  })
const config = (more: object = {}) => ({
  name: 'Shop',
  description: 'Sell things',
  navigation: {
    groups: [
      { group: 'Guides', pages: ['index', 'orders'] },
      { group: 'API', openapi: 'openapi.json' },
    ],
  },
  ...more,
})
const good = {
  'docs.json': JSON.stringify(config()),
  'index.mdx': '---\ntitle: Start\ndescription: Where to begin\n---\n\nWelcome.\n\n```sh\nls\n```\n',
  'orders.mdx': '---\ntitle: Orders\ndescription: How to order\n---\n\nOrder [here](/index).\n',
  'openapi.json': openapi({ ...operation, description: 'All orders' }),
}

/** Scores a site, and returns the checks that lost points: points, fix and examples by ID. */
async function score(files: Readonly<Record<string, string>>) {
  const scored = createSiteScore()
  const built = await buildSite(
    { root: '', base: '/', url: 'https://site.invalid/', assets: siteAssets, isPreview: false },
    {
      files: openDiskFiles(makeTemporaryFolder(files)),
      fetchDocument: (url) => Promise.resolve({ kind: 'failed', code: 'url-unreachable', reason: `no network for ${url}` }),
    },
    (file) => {
      scored.add(file)
      return hashContent(file.content)
    },
  )
  const result = scored.finish(built)
  const lost = result.checks.filter(({ points, maxPoints }) => points < maxPoints)
  return { ...result, lost: Object.fromEntries(lost.map(({ id, points, fix, examples }) => [id, [points, fix, examples]])) }
}

test('a good site has 100 points', async () => {
  const { score: total, checks, lost } = await score(good)
  expect(lost).toEqual({})
  expect(total).toBe(100)
  expect(checks.reduce((sum, { maxPoints }) => sum + maxPoints, 0)).toBe(100)
})

const long = 'Words of a long page.\n\n'.repeat(3_000)

test.each<[string, Readonly<Record<string, string>>, string, number, string[]]>([
  ['no summary', { 'docs.json': JSON.stringify(config({ description: undefined })) }, 'llmsTxtValid', 2, []],
  ['no description of a page', { 'orders.mdx': '---\ntitle: Orders\n---\n\nText\n' }, 'pageDescriptions', 6, ['orders.md']],
  ['a page without text', { 'orders.mdx': '---\ntitle: Orders\n---\n' }, 'markdownPages', 6, ['orders.md']],
  [
    'equal titles',
    { 'orders.mdx': '---\ntitle: Start\ndescription: A\n---\n\nText\n' },
    'pageTitles',
    2,
    ['index.md', 'orders.md'],
  ],
  [
    'a long page without headings',
    { 'orders.mdx': `---\ntitle: Orders\ndescription: A\n---\n\n${long}` },
    'pageHeadings',
    0,
    ['orders.md'],
  ],
  [
    'a code block without a language',
    { 'index.mdx': good['index.mdx'].replace('```sh', '```') },
    'codeLanguages',
    2,
    ['index.md'],
  ],
  [
    'a broken link',
    { 'orders.mdx': good['orders.mdx'].replace('/index', '/none') },
    'noErrors',
    4,
    ['orders.mdx:6: Unexpected link to `/none`: the site has no page with this path'],
  ],
  ['an unreadable document', { 'openapi.json': '{' }, 'noErrors', 0, []],
  [
    'an operation without words',
    { 'openapi.json': openapi({ responses: operation.responses }) },
    'operationIds',
    0,
    ['GET /orders'],
  ],
  ['an invalid skill', { 'skill.md': 'Text\n' }, 'skillMd', 2, []],
  [
    'a site that must not be listed',
    { 'docs.json': JSON.stringify(config({ seo: { metatags: { robots: 'noindex' } } })) },
    'robotsTxtAllowsAI',
    0,
    [],
  ],
])('%s loses points', async (_, change, id, points, examples) => {
  const { lost, score: total } = await score({ ...good, ...change })
  expect(total).toBeLessThan(100)
  expect(lost[id]?.[0]).toBe(points)
  expect(lost[id]?.[1]).toMatch(/^[A-Z].{10}/)
  expect(lost[id]?.[2]).toEqual(id === 'noErrors' && points === 0 ? expect.any(Array) : examples)
})

test('a long page is named with its length', async () => {
  const { lost } = await score({ ...good, 'orders.mdx': `---\ntitle: Orders\ndescription: A\n---\n\n## Part\n\n${long}` })
  expect(lost['pageSize']).toEqual([6, 'Split these pages', [expect.stringMatching(/^orders\.md \(\d{5} characters\)$/)]])
})

test('a document in a folder is at a standard path, several are not', async () => {
  const { 'openapi.json': document, ...rest } = good
  const at = (...paths: string[]) => ({
    ...rest,
    'docs.json': JSON.stringify(
      config({
        navigation: {
          groups: [{ group: 'Guides', pages: ['index', 'orders'] }, ...paths.map((path) => ({ group: path, openapi: path }))],
        },
      }),
    ),
    ...Object.fromEntries(paths.map((path) => [path, document])),
  })
  expect((await score(at('api/one.json'))).lost['openApiSpec']).toBeUndefined()
  expect((await score(at('api/one.json', 'api/two.json'))).lost['openApiSpec']?.[0]).toBe(0)
})

test('checks of APIs do not count for a site without one', async () => {
  const navigation = { pages: ['index', 'orders'] }
  const { 'openapi.json': _, ...files } = { ...good, 'docs.json': JSON.stringify(config({ navigation })) }
  const { score: total, checks } = await score(files)
  expect(total).toBe(100)
  expect(checks.map(({ id }) => id)).not.toContain('operationIds')
})
