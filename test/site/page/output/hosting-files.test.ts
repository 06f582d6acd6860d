import { expect, test } from 'vitest'
import { readRedirects } from '../../../../src/docs/navigation/docs-config.ts'
import { english } from '../../../../src/site/messages/messages.ts'
import { listRedirects } from '../../../../src/site/page/output/hosting-files.tsx'
import type { SiteContext } from '../../../../src/site/page/site-context.ts'
import { readSettings } from '../../../../src/site/plan/read-settings.ts'

function redirectsOf(redirects: unknown, routes: readonly string[] = ['', 'new'], base?: string): Record<string, string> {
  const pages = routes.map((route) => ({
    route,
    path: `${route || 'index'}.mdx`,
    trail: [],
    hidden: false,
    externalUrl: undefined,
  }))
  const pageByRoute = new Map(pages.map((page) => [page.route, page]))
  const settings = { ...readSettings({}), redirects: readRedirects({ value: { redirects }, base }) }
  const plan = { settings, pages, pageByRoute }
  // Only the fields that redirects need.
  const context = { plan, hosting: { base: '/docs/' }, messages: english } as unknown as SiteContext
  return Object.fromEntries(listRedirects(context).map(({ path, content }) => [path, String(content)]))
}

test('writes a redirect page and a `_redirects` line for a redirect without a pattern', () => {
  const files = redirectsOf([{ source: '/old', destination: '/new' }])
  expect(files['old/index.html']).toContain('<meta http-equiv="refresh" content="0; url=/docs/new/"')
  expect(files['old/index.html']).toContain('<a href="/docs/new/">')
  expect(files['_redirects']).toBe('/docs/old /docs/new/ 301\n')
  // A source and destination with the path of the site are the same redirect.
  expect(redirectsOf([{ source: '/docs/old', destination: '/docs/new' }], ['', 'new'], '/docs/')).toEqual(files)
})

test.each([
  [{ source: '/a/:slug*', destination: '/b/:slug*' }, '/docs/a/* /docs/b/:splat 301\n'],
  [{ source: '/a/*', destination: 'https://example.com/*', permanent: false }, '/docs/a/* https://example.com/:splat 302\n'],
  [{ source: '/a/:id/x', destination: '/b/:id' }, '/docs/a/:id/x /docs/b/:id 301\n'],
])('writes only a `_redirects` line for %j', (redirect, line) => {
  expect(redirectsOf([redirect])).toEqual({ _redirects: line })
})

test.each([
  ['from an existing page', { source: '/new', destination: '/' }],
  ['to a script URL', { source: '/x', destination: 'javascript:alert(1)' }],
])('ignores redirects %s', (_name, redirect) => {
  expect(redirectsOf([redirect])).toEqual({})
})

test('ignores a redirect of a fragment, which must not replace that of the path', () => {
  const redirects = [
    { source: '/old#part', destination: '/events' },
    { source: '/old', destination: '/new' },
  ]
  expect(redirectsOf(redirects)['_redirects']).toBe('/docs/old /docs/new/ 301\n')
})

test('ignores a redirect of a query, which must not replace that of the path', () => {
  const redirects = [
    { source: '/old?a=b', destination: '/events' },
    { source: '/old/:slug?', destination: '/events' },
    { source: '/old', destination: '/new' },
  ]
  const files = redirectsOf(redirects)
  expect(files['_redirects']).toBe('/docs/old /docs/new/ 301\n')
  expect(files['old/index.html']).toContain('url=/docs/new/')
})

test.each(['/../x', '/_assets/x', '/a/./b', '/CON', '/a/aux.txt', '/a:b', '/a.', `/${'a'.repeat(300)}`])(
  'writes no page for a path that file systems do not allow: %s',
  (source) => {
    expect(Object.keys(redirectsOf([{ source, destination: '/new' }]))).toEqual(['_redirects'])
  },
)

test('escapes redirects in HTML and in `_redirects`', () => {
  const files = redirectsOf([{ source: '/old\n/evil /x', destination: '/"><script>alert(1)</script>' }])
  expect(Object.values(files).join('')).not.toContain('<script')
  expect(files['_redirects']?.trim().split(/[\n ]/).length).toBe(3)
})

test('redirects to the first page if there is no start page', () => {
  expect(redirectsOf([], ['new'])['index.html']).toContain('url=/docs/new/')
})

test('redirects from a generated file work only in `_redirects`', () => {
  expect(Object.keys(redirectsOf([{ source: '/llms.txt', destination: '/new' }]))).toEqual(['_redirects'])
})
