import { expect, test } from 'vitest'
import { resolveLink } from '../../../src/site/plan/site-links.ts'

const pages = new Set(['', 'guides/start', 'guides/deep/other', 'reference', 'guides', 'a page', 'v1.2'])
const from = { path: 'guides/start.mdx', route: 'guides/start' }
const index = { path: 'guides/index.mdx', route: 'guides' }
const resolve = (href: string, page: typeof from | undefined = from) =>
  resolveLink(href, page, { hasPage: (route) => pages.has(route), base: '/docs/' })

test.each([
  ['/', 'page', ''],
  ['/guides/start', 'page', 'guides/start'],
  ['/guides/start/', 'page', 'guides/start'],
  ['/guides/start.mdx', 'page', 'guides/start'],
  ['/index', 'page', ''],
  ['/guides/index.md', 'page', 'guides'],
  ['deep/other', 'page', 'guides/deep/other'],
  ['./deep/other', 'page', 'guides/deep/other'],
  ['../reference', 'page', 'reference'],
  ['../../../reference', 'page', 'reference'],
  ['/a%20page', 'page', 'a page'],
  ['/v1.2', 'page', 'v1.2'],
  ['/docs/guides/start', 'page', 'guides/start'],
])('%s resolves to a page', (href, kind, route) => {
  expect(resolve(href)).toEqual({ kind, route, rest: '' })
})

test('keeps query and fragment', () => {
  expect(resolve('/guides/start?a=1#b')).toEqual({ kind: 'page', route: 'guides/start', rest: '?a=1#b' })
})

test('relative links of an index page are relative to its directory', () => {
  expect(resolve('start', index)).toEqual({ kind: 'page', route: 'guides/start', rest: '' })
})

test.each(['https://example.com', 'mailto:a@example.com', '//example.com/x', '\\\\example.com', '#part', '?q=1', '', 'tel:1'])(
  '%j is not a link within the site',
  (href) => {
    expect(resolve(href)).toEqual({ kind: 'elsewhere' })
  },
)

test('distinguishes files and unknown paths', () => {
  expect(resolve('/images/a.png')).toEqual({ kind: 'file', path: 'images/a.png', rest: '' })
  expect(resolve('../images/a.png#x')).toEqual({ kind: 'file', path: 'images/a.png', rest: '#x' })
  expect(resolve('/nowhere')).toEqual({ kind: 'unknown', path: 'nowhere', rest: '' })
  expect(resolve('/nowhere.mdx')).toEqual({ kind: 'unknown', path: 'nowhere.mdx', rest: '' })
  expect(resolve('/100%')).toEqual({ kind: 'unknown', path: '100%', rest: '' })
})
