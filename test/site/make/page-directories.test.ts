import { expect, test } from 'vitest'
import { listPageDirectories } from '../../../src/site/plan/page-directories.ts'
import { siteOf } from './site-of.ts'

test.each([
  ['the first page in the order of the navigation', ['guides/b', 'guides/a'], { guides: 'guides/b' }],
  ['a page below several directories', ['a/b/c'], { a: 'a/b/c', 'a/b': 'a/b/c' }],
  ['no directory with an index page', ['a/b', 'a', ''], {}],
  ['no directory that differs from a page only in case', ['Guides/a', 'guides'], {}],
])('lists %s', (_name, routes, expected) => {
  expect(Object.fromEntries(listPageDirectories(routes))).toEqual(expected)
})

const page = (title: string, text = '') => `---\ntitle: ${title}\n---\n\n${text}\n`
const redirectOf = (html: string | undefined) => html?.match(/http-equiv="refresh" content="0; url=([^"]*)"/)?.[1]

test('a site redirects a directory to its first page, so a link to it is not broken', async () => {
  const { files, diagnostics } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      navigation: { pages: ['index', 'guides/first', 'guides/again', 'moved/new', 'shop/index'] },
      redirects: [
        { source: '/moved', destination: '/guides/again' },
        { source: '/old/*', destination: '/guides/:splat' },
      ],
    }),
    'index.mdx': page('Start', '[guides](/guides) [with a slash](guides/) [moved](/moved) [broken](/guide)'),
    'guides/first.mdx': page('First'),
    'guides/again.mdx': page('Again'),
    'guides/deep/hidden.mdx': page('Hidden').replace('title', 'hidden: true\ntitle'),
    'moved/new.mdx': page('New'),
    'old/kept.mdx': page('Kept'),
    'shop/index.mdx': page('Shop'),
  })
  expect(
    Object.fromEntries(
      ['guides', 'guides/deep', 'moved', 'old', 'shop'].map((at) => [at, redirectOf(files[`${at}/index.html`])]),
    ),
  ).toEqual({
    guides: '/guides/first/',
    'guides/deep': '/guides/deep/hidden/',
    moved: '/guides/again/',
    old: undefined,
    shop: undefined,
  })
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'link-unresolved Unexpected link to `/guide`: the site has no page with this path',
  ])
})
