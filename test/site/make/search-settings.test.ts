import { describe, expect, test } from 'vitest'
import { findInAll, type NameShard, openIndex } from '../../../src/site/search/find-hits.ts'
import { siteOf, siteOfDocument } from './site-of.ts'

const page = (title: string, more = '', body = 'Words.') => `---\ntitle: ${title}\n${more}---\n\n${body}\n`

async function openSite(files: Readonly<Record<string, string>>, navigation: object, settings: object = {}) {
  const site = await siteOf({ 'docs.json': JSON.stringify({ name: 'Shop', navigation, ...settings }), ...files })
  const names: NameShard = JSON.parse(site.files['_search/names.json'] ?? '')
  return { ...site, names, index: openIndex(names) }
}

describe('boost', () => {
  const files = {
    'a.mdx': page('Install A'),
    'b.mdx': page('Install B'),
    'c.mdx': page('Install C', 'boost: 4\n'),
    'd.mdx': page('Install D'),
    'e.mdx': page('Install E', 'boost: high\n'),
  }

  test('is that of the page, else of the nearest group', async () => {
    const inner = { group: 'Inner', boost: 0.5, pages: ['b', 'c'] }
    const { index, names } = await openSite(files, { groups: [{ group: 'Outer', boost: 2, pages: ['a', inner] }, 'd', 'e'] })
    const pages = ['a', 'b', 'c', 'd', 'e'].map((route) => names.boosts?.[names.routes.split('\n').indexOf(route)])
    expect(pages).toEqual([2, 0.5, 4, undefined, undefined])
    const routes = findInAll([index], 'install', '', 5).map(({ route }) => route)
    expect(routes[0]).toBe('c')
    expect(routes[1]).toBe('a')
    expect(routes.at(-1)).toBe('b')
  })

  test('is reported and changes nothing if it is not a number above 0', async () => {
    const { names, diagnostics } = await openSite(
      { 'a.mdx': page('A', 'boost: -1\n') },
      { groups: [{ group: 'A', boost: '3', pages: ['a'] }] },
    )
    expect(names.boosts).toBeUndefined()
    expect(diagnostics.map(({ file, range, message }) => `${file}:${range.start.line} ${message}`)).toEqual([
      'a.mdx:3 Unexpected `-1` for `boost`, expected a number above 0',
      'docs.json:1 Unexpected `3` for `boost`, expected a number above 0',
    ])
  })
})

test('search.prompt is the text of the empty search field', async () => {
  const files = { 'a.mdx': page('A') }
  const { files: site, diagnostics } = await openSite(files, { pages: ['a'] }, { search: { prompt: 'Ask "us"' } })
  expect(site['a/index.html']).toContain('<meta name="search-prompt" content="Ask &quot;us&quot;"/>')
  expect(site['a/index.html']).toMatch(/data-open="search">.*<span>Ask &quot;us&quot;<\/span>/)
  expect(diagnostics).toEqual([])
  const { diagnostics: wrong } = await openSite(files, { pages: ['a'] }, { search: { prompt: 3 } })
  expect(wrong.map(({ message }) => message)).toEqual(['Unexpected number for `prompt`, expected a string'])
})

test('pages are guides, parts of an API, schemas or changelogs', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: { '/pets': { get: { summary: 'List pets', responses: { 200: { description: 'ok' } } } } },
  }
  const { names } = await openSite(
    {
      'guide.mdx': page('Guide'),
      'news.mdx': page('News', '', '<Update label="May">\n\nNew.\n\n</Update>'),
      'openapi.json': JSON.stringify(document),
    },
    {
      tabs: [
        { tab: 'Guides', pages: ['guide', 'news'] },
        { tab: 'API', openapi: 'openapi.json' },
      ],
    },
  )
  const kinds = names.routes.split('\n').map((route, at) => `${route} ${names.kinds[at]}`)
  expect(kinds).toEqual(expect.arrayContaining(['guide p', 'news c', 'api-reference/overview r', 'api-reference/list-pets o']))
})

test('an operation is found by the names of its rows, also those of options, and by the description of its path', async () => {
  const rows = (properties: object) => ({ type: 'object', properties, additionalProperties: { type: 'string', title: 'Words' } })
  const json = (schema: object) => ({ description: 'A body', content: { 'application/json': { schema } } })
  const post = {
    parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
    requestBody: json({ oneOf: [rows({ bark: rows({ inner: {} }) }), rows({ purr: {} })] }),
    responses: { 200: json(rows({ answer: {} })) },
  }
  const paths = { '/pets': { description: 'Keeps animals. In a house.', post } }
  const document = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths }
  const { files } = await siteOfDocument('openapi.json', JSON.stringify(document))
  const names: NameShard = JSON.parse(files['_search/names.json'] ?? '')
  const { names: parameters } = JSON.parse(files['_search/parameters.json'] ?? '') as { names: string }
  expect(parameters.trim()).toBe('limit bark purr')
  expect(findInAll([openIndex(names)], 'animals', '', 5).map(({ method }) => method)).toEqual(['POST'])
})
