import { describe, expect, test } from 'vitest'
import { readPath, readSiteRules, resolvePath } from '../../../src/app/publish/site-rules.ts'
import { parseRedirectTarget, readRedirects } from '../../../src/docs/navigation/docs-config.ts'
import { english } from '../../../src/site/messages/messages.ts'
import { listRedirects } from '../../../src/site/page/output/hosting-files.tsx'
import type { SiteContext } from '../../../src/site/page/site-context.ts'
import { readSettings } from '../../../src/site/plan/read-settings.ts'
import { fc, runsOr, seed } from '../../support/properties.ts'

describe('the target of a redirect', () => {
  test.each([
    ['/guide', '/guide'],
    ['guide', 'guide'],
    ['/a/:slug*', '/a/:slug*'],
    ['/a?b=c#d', '/a?b=c#d'],
    [' /a\n', '/a'],
    ['https://example.com/:path', 'https://example.com/:path'],
    ['HTTPS://Example.com', 'https://example.com/'],
    ['https:\\\\example.com', 'https://example.com/'],
    ['https:///example.com', 'https://example.com/'],
    ['HTTPS:/\\example.com', 'https://example.com/'],
  ])('can be %j', (written, parsed) => {
    const target = parseRedirectTarget(written)
    expect(target?.kind === 'url' ? target.url : target?.path).toBe(parsed)
  })

  test.each([
    '//evil.test',
    '///evil.test',
    '\\\\evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '\u0001//evil.test',
    'http://evil.test',
    'http:/evil.test',
    'https:evil.test',
    'https:/evil.test',
    'https://user:pass@evil.test',
    'https://:tenant.evil.test:x',
    'mailto:a@evil.test',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:https://evil.test/1',
    'https://',
  ])('cannot be %j', (written) => {
    expect(parseRedirectTarget(written)).toBeUndefined()
  })
})

const part = fc.constantFrom(
  ...'/\\:@?#.\t\n\r \0*。',
  '..',
  'http',
  'https',
  'HTTPS',
  'mailto',
  'javascript',
  'evil.test',
  'old',
  '%2f',
  '%5C',
  ':splat',
  '//',
  'ⓔvil.test',
)
const written = fc
  .tuple(fc.array(part, { maxLength: 7 }), fc.string({ maxLength: 4 }))
  .map(([parts, end]) => parts.join('') + end)

/** The generated files of a site with one redirect and a page with the same target as its `url`. */
function filesOf(destination: string, appliesRedirects: boolean): ReadonlyMap<string, string> {
  const page = { route: 'away', path: 'away.mdx', trail: [], hidden: false, externalUrl: destination }
  const pages = [{ route: '', path: 'index.mdx', trail: [], hidden: false, externalUrl: undefined }, page]
  const pageByRoute = new Map(pages.map((one) => [one.route, one]))
  const redirects = readRedirects({ value: { redirects: [{ source: '/old', destination }] } })
  const plan = { settings: { ...readSettings({}), redirects }, pages, pageByRoute }
  // Only the fields that redirects need.
  const context = { plan, hosting: { base: '/', appliesRedirects }, messages: english } as unknown as SiteContext
  return new Map(listRedirects(context).map(({ path, content }) => [path, String(content)]))
}

function readRefresh(html: string): string | undefined {
  const found = /<meta http-equiv="refresh" content="0; url=([^"]*)"/.exec(html)?.[1]
  return found?.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}

test.each(['https://preview.sites.test', 'http://preview.localhost:3000'])(
  'on %s, a redirect with any target stays on the site, or is one that the server knows to leave it',
  async (site) => {
    const stays = (to: string) => URL.canParse(to, `${site}/old/`) && new URL(to, `${site}/old/`).origin === site
    const check = async (destination: string) => {
      const files = filesOf(destination, true)
      for (const [path, content] of files) {
        if (path === '_redirects') continue
        const refresh = readRefresh(content)
        if (refresh !== undefined && !stays(refresh)) return false
      }
      const rules = readSiteRules('', files.get('_redirects') ?? '')
      for (const path of ['old', 'old/', 'away', 'away/']) {
        const found = await resolvePath({ path, query: '' }, rules, async () => undefined)
        if (found.kind === 'redirect' && !stays(found.to) && !/^https:\/\/[^/\\]/.test(found.to)) return false
      }
      // Static hosts serve the pages: they may only lead to the site or to an `https` URL.
      for (const [path, content] of filesOf(destination, false)) {
        const refresh = path === '_redirects' ? undefined : readRefresh(content)
        if (refresh !== undefined && !stays(refresh) && !/^https:\/\/[^/\\]/.test(refresh)) return false
      }
      return true
    }
    const known = [
      '\\\\evil.test',
      'https:///evil.test',
      'http:/evil.test',
      'https:\\\\evil.test',
      '///evil.test',
      'HTTPS:/\\evil.test',
      'mailto:a@b',
    ]
    for (const destination of known) expect([destination, await check(destination)]).toEqual([destination, true])
    await fc.assert(fc.asyncProperty(written, check), { seed, numRuns: runsOr(2_000, 100_000) })
  },
)

test('a site of an older version with a page for an unsupported target does not serve this page', async () => {
  for (const to of ['\\\\evil.test', 'https:evil.test', '///evil.test', 'mailto:a@b', 'http://evil.test/']) {
    const rules = readSiteRules('', `/old ${to} 301\n/all/* ${to} 301\n`)
    expect(await resolvePath({ path: 'old/', query: '' }, rules, async () => 'a page')).toEqual({ kind: 'refused' })
    expect(await resolvePath({ path: 'all/x', query: '' }, rules, async () => undefined)).toEqual({ kind: 'refused' })
  }
})

/** The redirect of a path by a pattern of `_redirects`. */
async function locate(from: string, to: string, target: string): Promise<string> {
  const path = readPath(target)
  if (!path) return 'no path'
  const found = await resolvePath(path, readSiteRules('', `${from} ${to} 302\n`), async () => undefined)
  return found.kind === 'redirect' ? found.to : found.kind
}

test.each([
  // An empty value takes its slash along, so the next segment does not become a host.
  ['/old/*', '/:splat/evil.test', '/old/', '/evil.test'],
  ['/old/*', '/:splat/evil.test', '/old', '/evil.test'],
  ['/*', '/:splat/evil.test', '/', '/evil.test'],
  ['/old/*', '/:splat/:splat/evil.test', '/old', '/evil.test'],
  ['/old/*', '/new/:splat', '/old/', '/new/'],
  ['/old/*', '/:splat', '/old/', '/'],
  ['/old/*', 'https://example.com/:splat/x', '/old', 'https://example.com/x'],
  // `:name` is one segment, and the start page has none.
  ['/:name', '/:name/evil.test', '/', 'missing'],
  ['/a/:name', '/:name/x', '/a/b', '/b/x'],
  ['/a/:name', '/:name/x', '/a/https:', '/https%3A/x'],
  ['/a/:name', '/:name', '/a/%09', 'no path'],
  ['/a/*', '/:splat', '/a//evil.test', 'no path'],
  ['/a/*', '/:splat', '/a/%5Cevil.test', 'no path'],
  ['/a/*', '/:splat', '/a/%2Fevil.test', 'no path'],
  ['/a/*', '/:splat', '/a/ⓔvil.test?a=\tb\u00ff', '/%E2%93%94vil.test?a=b%C3%BF'],
])('%s to %s redirects %j to %j', async (from, to, target, expected) => {
  expect(await locate(from, to, target)).toBe(expected)
})

test('no request makes a redirect with parameters leave the host of its target', async () => {
  const step = fc.constantFrom(':name', ':splat', 'evil.test', '', 'x', '.', '..', ':unknown', '%2F', '\\', '@', ':name.test')
  const value = fc.constantFrom(
    '',
    'evil.test',
    'https:',
    '%09',
    '%0d%0a',
    '@evil.test',
    ':8080',
    '%2e%2e',
    '?a=//b',
    '#',
    ' ',
    'é',
  )
  const host = fc.constantFrom('', 'https://example.com', 'https:', 'https:/')
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(host, fc.array(step, { maxLength: 4 })).map(([start, steps]) => `${start}/${steps.join('/')}`),
      fc.array(value, { maxLength: 3 }).map((values) => `/old/${values.join('/')}`),
      fc.constantFrom('/old/*', '/old/:name', '/old/:name/*', '/:x/:name/*', '/*'),
      async (to, target, from) => {
        const location = await locate(from, to, target)
        if (!/^[/h]/.test(location)) return true
        const { origin } = new URL(location, 'http://site.test/old/')
        const written = parseRedirectTarget(to)
        const leaves = written?.kind === 'url' ? new URL(written.url).origin : undefined
        return /^[\x21-\x7e]*$/.test(location) && (origin === 'http://site.test' || origin === leaves)
      },
    ),
    { seed, numRuns: runsOr(2_000, 100_000) },
  )
})
