import { expect, test } from 'vitest'
import { siteOf } from '../../build/site-of.ts'

const openapi = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/orders': { get: { summary: 'List orders', responses: { 200: { description: 'ok' } } } } },
})

async function build({ docs = {}, title = 'Start', url }: { docs?: object; title?: string; url?: string } = {}) {
  const groups = [
    { group: 'Guides', pages: ['index', 'guides/start'] },
    { group: 'API', openapi: 'openapi.json' },
  ]
  const { files, diagnostics } = await siteOf(
    {
      'docs.json': JSON.stringify({ name: 'Shop', navigation: { groups }, ...docs }),
      'index.mdx': '---\ntitle: Home\n---\n',
      'guides/start.mdx': `---\ntitle: ${JSON.stringify(title)}\ndescription: How to *begin*\nlastUpdatedDate: "2026-08-13"\n---\n\nText.\n`,
      'draft.mdx': '---\ntitle: Draft\nnoindex: true\n---\n',
      'openapi.json': openapi,
    },
    { url },
  )
  return { files, messages: diagnostics.map(({ message }) => message) }
}

/** The structured data of a page, by type. */
function read(html = ''): Record<string, Record<string, unknown>> {
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? []
  if (json === undefined) return {}
  const { '@graph': graph } = JSON.parse(json) as { '@graph': Record<string, unknown>[] }
  return Object.fromEntries(graph.map((one) => [String(one['@type']), one]))
}

test('describes a page, its place in the navigation, the site and its publisher', async () => {
  const { files } = await build({ url: 'https://docs.example.com/' })
  const page = 'https://docs.example.com/guides/start/'
  const publisher = { '@id': 'https://docs.example.com/#organization' }
  const site = { '@id': 'https://docs.example.com/#website' }
  expect(read(files['guides/start/index.html'])).toEqual({
    Organization: { '@type': 'Organization', ...publisher, name: 'Shop', url: 'https://docs.example.com/' },
    WebSite: { '@type': 'WebSite', ...site, name: 'Shop', url: 'https://docs.example.com/', publisher },
    TechArticle: {
      '@type': 'TechArticle',
      '@id': `${page}#article`,
      headline: 'Start',
      description: 'How to begin',
      url: page,
      inLanguage: 'en',
      dateModified: '2026-08-13',
      isPartOf: site,
      publisher,
      breadcrumb: { '@id': `${page}#breadcrumb` },
    },
    BreadcrumbList: {
      '@type': 'BreadcrumbList',
      '@id': `${page}#breadcrumb`,
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Guides', item: 'https://docs.example.com/' },
        { '@type': 'ListItem', position: 2, name: 'Start', item: page },
      ],
    },
  })
  const operation = Object.keys(files).find((path) => path.endsWith('list-orders/index.html')) ?? ''
  expect(Object.keys(read(files[operation]))).toContain('APIReference')
})

test('has relative URLs without the URL of the site', async () => {
  const { TechArticle, Organization } = read((await build()).files['guides/start/index.html'])
  expect(TechArticle).toMatchObject({ url: '/guides/start/', publisher: { '@id': '/#organization' } })
  expect(Organization).toMatchObject({ url: '/' })
})

test('`seo.organization` describes the publisher', async () => {
  const organization = {
    id: 'https://example.com/#us',
    name: 'Example',
    legalName: 'Example Inc.',
    url: 'https://example.com',
    logo: 'https://example.com/logo.png',
    sameAs: ['https://github.com/example'],
  }
  const { files, messages } = await build({ docs: { seo: { organization } } })
  const { id, ...others } = organization
  expect(messages).toEqual([])
  const { Organization, WebSite } = read(files['index.html'])
  expect(Organization).toEqual({ '@type': 'Organization', '@id': id, ...others })
  expect(WebSite).toMatchObject({ publisher: { '@id': id } })
})

test('reports and ignores values of `seo.organization` that are not URLs', async () => {
  const organization = { id: 'us', url: 'javascript:alert(1)', logo: 'javascript:alert(1)', sameAs: ['here'] }
  const { files, messages } = await build({ docs: { seo: { organization } } })
  expect(messages).toHaveLength(4)
  expect(JSON.stringify(read(files['index.html']))).not.toMatch(/javascript|"us"|here/)
})

test('pages that search engines must not list have none', async () => {
  const { files } = await build()
  for (const path of ['draft/index.html', '404.html', 'search/index.html']) {
    expect(files[path]).toBeDefined()
    expect(files[path]).not.toContain('ld+json')
  }
  const hidden = await build({ docs: { seo: { metatags: { robots: 'noindex' } } } })
  expect(hidden.files['index.html']).not.toContain('ld+json')
})

test('no text can end the script element', async () => {
  const title = '</script><script>alert(1)</script><!--<script>'
  const html = (await build({ title })).files['guides/start/index.html'] ?? ''
  expect(html).not.toContain('<script>alert')
  expect(html.match(/<!--/g)).toBeNull()
  expect(read(html)['TechArticle']).toMatchObject({ headline: title })
})
