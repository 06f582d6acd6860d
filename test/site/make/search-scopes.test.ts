import { expect, test } from 'vitest'
import { findInAll, type NameShard, openIndex } from '../../../src/site/search/find-hits.ts'
import { siteOf } from './site-of.ts'

const page = (title: string) => `---\ntitle: ${title}\n---\n\nWords.\n`

/** Builds a site. Returns the results for a query on a page, as the browser finds them. */
async function searchOf(navigation: object, routes: readonly string[], documents: Readonly<Record<string, string>> = {}) {
  const pages = Object.fromEntries(routes.map((route) => [`${route}.mdx`, page(`Install ${route}`)]))
  const { files } = await siteOf({ 'docs.json': JSON.stringify({ name: 'Shop', navigation }), ...pages, ...documents })
  const search = (route: string) => {
    const scopes = /<meta name="search" content="([^"]*)"/
      .exec(files[`${route}/index.html`] ?? files['404.html'] ?? '')?.[1]
      ?.split(' ')
    const indexes = (scopes ?? ['0']).map((scope) => {
      const shard: NameShard = JSON.parse(files[`_search/${scope === '0' ? '' : `${scope}/`}names.json`] ?? '')
      return openIndex(shard)
    })
    return findInAll(indexes, 'install', route, 10)
      .map((hit) => hit.route)
      .sort()
  }
  return { files, search }
}

test('searches the language and the version of the page, and the defaults elsewhere', async () => {
  const versions = (language: string) => ({
    language,
    tabs: [
      { tab: 'Guides', pages: [`${language}/guide`] },
      {
        tab: 'API',
        versions: [
          { version: 'v1', pages: [`${language}/v1/api`] },
          { version: 'v2', default: true, pages: [`${language}/v2/api`] },
        ],
      },
    ],
  })
  const routes = ['en', 'fr'].flatMap((language) => ['guide', 'v1/api', 'v2/api'].map((name) => `${language}/${name}`))
  const { files, search } = await searchOf({ languages: [versions('en'), versions('fr')] }, routes)
  expect(search('en/v1/api')).toEqual(['en/guide', 'en/v1/api'])
  expect(search('en/guide')).toEqual(['en/guide', 'en/v2/api'])
  expect(search('fr/v2/api')).toEqual(['fr/guide', 'fr/v2/api'])
  expect(search('404')).toEqual(['en/guide', 'en/v2/api'])
  expect(Object.keys(files).filter((path) => path.endsWith('names.json'))).toHaveLength(6)
})

test('has one index without languages and versions', async () => {
  const { files, search } = await searchOf({ groups: [{ group: 'A', pages: ['a', 'b'] }] }, ['a', 'b'])
  expect(search('a')).toEqual(['a', 'b'])
  expect(files['a/index.html']).not.toContain('name="search"')
  expect(
    Object.keys(files)
      .filter((path) => path.startsWith('_search/'))
      .sort(),
  ).toEqual(['_search/names.json', '_search/parameters.json', '_search/text-0.json'])
})

test('finds a page that several versions list in each of them, once', async () => {
  const { search } = await searchOf({ versions: ['v1', 'v2'].map((version) => ({ version, pages: ['shared', version] })) }, [
    'shared',
    'v1',
    'v2',
  ])
  expect(search('shared')).toEqual(['shared', 'v1'])
  expect(search('v2')).toEqual(['shared', 'v2'])
})

test('finds an operation of a document that several versions name once, in the version of the reader', async () => {
  const responses = { 200: { description: 'Fine' } }
  const paths = { '/apps': { post: { summary: 'Install an app', tags: ['Apps'], responses } } }
  const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths })
  const versions = ['v2', 'v1'].map((version) => ({
    version,
    tabs: [
      { tab: 'API', openapi: { source: 'shop.json', directory: 'api' } },
      { tab: 'Guides', pages: [version] },
    ],
  }))
  const { search } = await searchOf({ versions }, ['v2', 'v1'], { 'shop.json': document })
  expect(search('v2')).toEqual(['api/apps/install-an-app', 'v2'])
  expect(search('v1')).toEqual(['v1', 'v1/api/apps/install-an-app'])
  expect(search('404')).toEqual(['api/apps/install-an-app', 'v2'])
})

test('names the versions that readers can search', async () => {
  const navigation = {
    tabs: [
      { tab: 'Guides', pages: ['guide'] },
      {
        tab: 'API',
        versions: [
          { version: 'v1', pages: ['v1/api'] },
          { version: 'v2', default: true, pages: ['v2/api'] },
          { version: 'v3', hidden: true, pages: ['v3/api'] },
        ],
      },
    ],
  }
  const { files } = await searchOf({ ...navigation }, ['guide', 'v1/api', 'v2/api', 'v3/api'])
  const read = (route: string, name: string) =>
    new RegExp(`<meta name="${name}" content="([^"]*)"`).exec(files[`${route}/index.html`] ?? '')?.[1]?.replaceAll('&quot;', '"')
  const versions = JSON.parse(read('guide', 'search-versions') ?? '')
  expect(versions).toEqual([
    ['v1', read('v1/api', 'search')],
    ['v2', read('v2/api', 'search')],
  ])
  expect(read('guide', 'search')).toBe(read('v2/api', 'search'))
  expect(JSON.parse(read('v1/api', 'search-versions') ?? '')).toEqual(versions)
})

test('names no versions of a site without several', async () => {
  const { files } = await searchOf({ versions: [{ version: 'v1', pages: ['a'] }] }, ['a'])
  expect(files['a/index.html']).not.toContain('search-versions')
})
