import { expect, test } from 'vitest'
import { summarizeSite, toPageUrl } from '../../../src/app/publish/built-site.ts'
import type { BuiltPage } from '../../../src/site/make/build-site.ts'

const page = (route: string, kind: BuiltPage['kind']): BuiltPage => ({ route, title: `Title of ${route}`, kind })
const pages = [page('', 'other'), page('guide', 'other'), page('api/list', 'operation'), page('api/add', 'operation')]

function build(texts: Readonly<Record<string, string>>) {
  const html = Object.keys(texts).map((path) => [path === 'index.md' ? 'index.html' : path.replace(/\.md$/, '/index.html'), 'x'])
  return [...Object.entries(texts), ...html].map(([path = '', hash = '']) => ({ path, hash }))
}

const before = { 'index.md': '1', 'guide.md': '2', 'api/list.md': '3', 'api/gone.md': '4' }
const news = (texts: Readonly<Record<string, string>>, old: Readonly<Record<string, string>> = before) =>
  summarizeSite({ pages, files: build(texts) }, { sha: 'b', files: new Map(build(old).map(({ path, hash }) => [path, hash])) })

test('lists operations before guides, new pages before modified ones, and removed pages last', () => {
  const found = news({ 'index.md': '9', 'guide.md': '2', 'api/list.md': '8', 'api/add.md': '7' })
  expect(found).toEqual({
    mainRoute: 'api/add',
    beforeSha: 'b',
    changedCount: 4,
    changedPages: [
      { kind: 'added', route: 'api/add', title: 'Title of api/add' },
      { kind: 'modified', route: 'api/list', title: 'Title of api/list' },
      { kind: 'modified', route: '', title: 'Title of ' },
      { kind: 'removed', route: 'api/gone' },
    ],
  })
})

test('the main page is the first operation if nothing changed', () => {
  const same = { 'index.md': '1', 'guide.md': '2', 'api/list.md': '3', 'api/add.md': '5' }
  expect(news(same, same)).toEqual({ mainRoute: 'api/list', beforeSha: 'b', changedCount: 0, changedPages: [] })
})

test('a first site has no changed pages, and one without operations shows its start page', () => {
  expect(summarizeSite({ pages, files: build(before) }, undefined)).toMatchObject({ mainRoute: 'api/list', changedCount: 0 })
  expect(summarizeSite({ pages: pages.slice(0, 2), files: [] }, undefined).mainRoute).toBe('')
})

test('lists the changelog pages, also of a site without changed pages', () => {
  const all = [...pages, page('api/changelog', 'changelog')]
  for (const old of [undefined, { sha: 'b', files: new Map<string, string>() }]) {
    const { changelogs } = summarizeSite({ pages: all, files: [] }, old)
    expect(changelogs).toEqual([{ route: 'api/changelog', title: 'Title of api/changelog' }])
  }
})

test.each([
  ['', 'http://a.test/'],
  ['api/list', 'http://a.test/api/list/'],
  ['préface/a b?', 'http://a.test/pr%C3%A9face/a%20b%3F/'],
])('the address of the page %j', (route, url) => expect(toPageUrl('http://a.test/', route)).toBe(url))
