import { describe, expect, test } from 'vitest'
import { readSiteRules, resolvePath } from '../../src/app/sites/site-rules.ts'
import { parseRedirectTarget } from '../../src/docs-config/redirects.ts'
import { listRedirects } from '../../src/site/render/files/hosting-files.tsx'
import { readSettings } from '../../src/site/render/read-settings.ts'
import type { SiteContext } from '../../src/site/render/site-context.ts'
import { fc, runsOr, seed } from '../support/properties.ts'

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
  '/',
  '\\',
  ':',
  '@',
  '?',
  '#',
  '.',
  '..',
  'http',
  'https',
  'HTTPS',
  'mailto',
  'javascript',
  'evil.test',
  'old',
  '\t',
  '\n',
  '\r',
  ' ',
  '\0',
  '%2f',
  '%5C',
  '*',
  ':splat',
  '//',
  'ⓔvil.test',
  '。',
)
const written = fc
  .tuple(fc.array(part, { maxLength: 7 }), fc.string({ maxLength: 4 }))
  .map(([parts, end]) => parts.join('') + end)

/** The generated files of a site with one redirect and a page with the same target as its `url`. */
function filesOf(destination: string, appliesRedirects: boolean): ReadonlyMap<string, string> {
  const page = { route: 'away', path: 'away.mdx', trail: [], hidden: false, externalUrl: destination }
  const pages = [{ route: '', path: 'index.mdx', trail: [], hidden: false, externalUrl: undefined }, page]
  const plan = { settings: readSettings({ redirects: [{ source: '/old', destination }] }), pages }
  const pageByRoute = new Map(pages.map((one) => [one.route, one]))
  // Only the fields that redirects need.
  const context = { plan, pageByRoute, base: '/', appliesRedirects } as unknown as SiteContext
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
