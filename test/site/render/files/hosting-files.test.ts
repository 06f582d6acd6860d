import { expect, test } from 'vitest'
import { listRedirects } from '../../../../src/site/render/files/hosting-files.ts'
import { readSettings } from '../../../../src/site/render/read-settings.ts'
import type { SiteContext } from '../../../../src/site/render/site-context.ts'

function redirectsOf(redirects: unknown, routes: readonly string[] = ['', 'new']): Record<string, string> {
  const pages = routes.map((route) => ({
    route,
    path: `${route || 'index'}.mdx`,
    trail: [],
    hidden: false,
    externalUrl: undefined,
  }))
  const plan = { settings: readSettings({ redirects }), pages }
  // Only what redirects look at.
  const context = {
    plan,
    pageByRoute: new Map(pages.map((page) => [page.route, page])),
    base: '/docs/',
  } as unknown as SiteContext
  return Object.fromEntries(listRedirects(context).map(({ path, content }) => [path, String(content)]))
}

test('one without a pattern is a page that leads on, and a line for hosts that know redirects', () => {
  const files = redirectsOf([{ source: '/old', destination: '/new' }])
  expect(files['old/index.html']).toContain('<meta http-equiv="refresh" content="0; url=/docs/new/"')
  expect(files['old/index.html']).toContain('<a href="/docs/new/">')
  expect(files['_redirects']).toBe('/docs/old /docs/new/ 301\n')
})

test.each([
  [{ source: '/a/:slug*', destination: '/b/:slug*' }, '/docs/a/* /docs/b/:splat 301\n'],
  [{ source: '/a/*', destination: 'https://example.com/*', permanent: false }, '/docs/a/* https://example.com/:splat 302\n'],
  [{ source: '/a/:id/x', destination: '/b/:id' }, '/docs/a/:id/x /docs/b/:id 301\n'],
])('%j is a line only', (redirect, line) => {
  expect(redirectsOf([redirect])).toEqual({ _redirects: line })
})

test.each([
  ['from a page that is there', { source: '/new', destination: '/' }],
  ['to what could run', { source: '/x', destination: 'javascript:alert(1)' }],
])('none %s', (_name, redirect) => {
  expect(redirectsOf([redirect])).toEqual({})
})

test.each(['/../x', '/_assets/x', '/a/./b', '/CON', '/a/aux.txt', '/a:b', '/a.', `/${'a'.repeat(300)}`])(
  'no page where a disk cannot have one: %s',
  (source) => {
    expect(Object.keys(redirectsOf([{ source, destination: '/new' }]))).toEqual(['_redirects'])
  },
)

test('nothing of it ends its place in HTML or in a line', () => {
  const files = redirectsOf([{ source: '/old\n/evil /x', destination: '/"><script>alert(1)</script>' }])
  expect(Object.values(files).join('')).not.toContain('<script')
  expect(files['_redirects']?.trim().split(/[\n ]/).length).toBe(3)
})

test('a site without a start page begins at its first page', () => {
  expect(redirectsOf([], ['new'])['index.html']).toContain('url=/docs/new/')
})

test('one from a file that every site has is for hosts alone', () => {
  expect(Object.keys(redirectsOf([{ source: '/llms.txt', destination: '/new' }]))).toEqual(['_redirects'])
})
