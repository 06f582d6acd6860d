import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { ReadSiteOptions } from '../../../src/site/make/read-site.ts'
import { siteOf } from './site-of.ts'

const integrations = {
  ga4: { measurementId: 'G-ABC123' },
  gtm: { tagId: 'GTM-ABC123' },
  intercom: { appId: 'abc123' },
  plausible: { domain: 'docs.example.com', server: 'stats.example.com' },
  posthog: { apiKey: 'phc_abc' },
  mixpanel: { projectToken: 'abc' },
}

const siteWith = async (setting: string, used: object = integrations, options: Partial<ReadSiteOptions> = {}) => {
  const docs = JSON.stringify({ name: 'Docs', navigation: { pages: ['a'] }, ...(used && { integrations: used }) })
  const site = await siteOf({ 'docs.json': docs, 'a.mdx': 'Text', 'openapi-pages.config.yaml': setting }, options)
  const [path = '', script = ''] = Object.entries(site.files).find(([name]) => name.includes('integrations-')) ?? []
  const reported = site.diagnostics.flatMap(({ message }) => /`integrations\.(\w+)`/.exec(message)?.[1] ?? [])
  return { ...site, path, script, reported, html: site.files['a/index.html'] ?? '' }
}

/** Runs a script as a page does. Returns the scripts that it adds, and the names that it sets. */
function run(script: string) {
  const added: { src: string; dataset: Record<string, string>; onload?: () => void }[] = []
  const window: Record<string, unknown> = {}
  const document = {
    createElement: () => ({ src: '', dataset: {} }),
    head: {
      appendChild: (element: (typeof added)[number]) => {
        added.push(element)
        return element
      },
    },
  }
  runInNewContext(script, { window, document })
  return { added, window }
}

const policyOf = (html: string) => {
  const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? []
  return Object.fromEntries(
    policy
      .replaceAll('&#39;', "'")
      .split('; ')
      .map((one) => [one.split(' ')[0], one.split(' ').slice(1)]),
  )
}

describe('integrations', () => {
  test('are loaded by one script, and the policy has exactly their hosts', async () => {
    const { html, path, script, files, reported } = await siteWith('site: { integrations: true }')
    expect(html).toContain(`<script defer src="/${path}"></script>`)
    expect(reported).toEqual(['gtm', 'mixpanel'])
    const { added, window } = run(script)
    expect(added.map(({ src }) => src)).toEqual([
      'https://www.googletagmanager.com/gtag/js?id=G-ABC123',
      'https://widget.intercom.io/widget/abc123',
      'https://stats.example.com/js/script.js',
      'https://us-assets.i.posthog.com/static/array.js',
    ])
    expect(added[2]?.dataset).toEqual({ domain: 'docs.example.com' })
    const started: unknown[] = []
    window['posthog'] = { init: (...given: unknown[]) => started.push(...given) }
    added[3]?.onload?.()
    expect(JSON.parse(JSON.stringify(started))).toEqual([
      'phc_abc',
      { api_host: 'https://us.i.posthog.com', disable_session_recording: true },
    ])
    const policy = policyOf(html)
    expect(policy).toMatchObject({
      'script-src': [
        "'self'",
        'https://www.googletagmanager.com',
        'https://widget.intercom.io',
        'https://js.intercomcdn.com',
        'https://stats.example.com',
        'https://us.i.posthog.com',
        'https://us-assets.i.posthog.com',
      ],
      'default-src': ["'none'"],
      'img-src': ["'self'", 'https:', 'data:', 'blob:'],
    })
    for (const { src } of added) expect(policy['script-src']).toContain(new URL(src).origin)
    expect(JSON.stringify(policy)).not.toContain('*')
    expect(files['_headers']).toContain(`script-src ${policy['script-src']?.join(' ')};`)
    expect(files['404.html']).toContain(path)
  })

  test('a tag manager is loaded only together with scripts', async () => {
    const only = { gtm: integrations.gtm }
    expect((await siteWith('site: { integrations: true }', only)).script).toBe('')
    const { script, reported } = await siteWith('site: { integrations: true, scripts: true }', only)
    expect(run(script).added.map(({ src }) => src)).toEqual(['https://www.googletagmanager.com/gtm.js?id=GTM-ABC123'])
    expect(reported).toEqual([])
  })

  test('without the setting, the site is the same as without integrations', async () => {
    const { files, reported } = await siteWith('site: {}')
    const none = await siteWith('site: {}', {})
    const same = ({ 'docs.json': _, ...rest }: typeof files) => rest
    expect(same(files)).toEqual(same(none.files))
    expect(reported).toEqual(Object.keys(integrations))
  })

  test.each([
    ['a preview', 'site: { integrations: true }', { isPreview: true }],
    ['a commit of a fork', 'site: { integrations: true, scripts: true }', { refusesScripts: true }],
    ['a site for some readers', 'site: { integrations: true, restricted: publish }', {}],
  ])('are not loaded on %s', async (_, setting, options) => {
    const { html, script } = await siteWith(setting, integrations, options)
    expect([script, policyOf(html)['script-src']]).toEqual(['', ["'self'"]])
  })

  test.each([
    { ga4: { measurementId: "G-1');alert(1)//" } },
    { intercom: { appId: '../x?' } },
    { plausible: { domain: 'a.example', server: 'b.example; script-src *' } },
    { plausible: { domain: ['a.example'] } },
    { posthog: { apiKey: 'phc_a', apiHost: 'https://a.example/ https://b.example' } },
    { posthog: 'phc_a' },
  ])('values of another shape are reported: %j', async (used) => {
    const { script, html, reported } = await siteWith('site: { integrations: true }', used)
    expect([script, policyOf(html)['script-src']]).toEqual(['', ["'self'"]])
    expect(reported).toEqual(Object.keys(used))
  })
})
