import { expect, test } from 'vitest'
import type { Changelog, ChangelogChange } from '../../../src/openapi/changes/changelog.ts'
import { siteOf } from './site-of.ts'

const operation = (operationId: string, tag = 'pets') => ({
  summary: operationId,
  operationId,
  tags: [tag],
  responses: { 200: { description: 'OK' } },
})
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '2' },
  paths: {
    '/pets': { get: operation('list'), post: operation('add') },
    '/pets/{petId}': { parameters: [{ name: 'petId', in: 'path', required: true, schema: {} }], get: operation('read') },
    '/owners': { get: operation('owners', 'owners') },
  },
  components: { schemas: { Pet: { type: 'object' } } },
})

const change = (message: string, more: Partial<ChangelogChange> = {}): ChangelogChange => ({
  code: 'enum-value-removed',
  level: 'breaking',
  operation: null,
  operations: [],
  schemas: [],
  subject: 'request',
  message,
  fingerprint: '0123456789abcdef',
  ...more,
})
const read = { method: 'get', path: '/pets/{id}' }
const removed = { method: 'delete', path: '/pets' }
const changelog: Changelog = {
  isCut: true,
  entries: [
    { name: 'Unreleased', isFirst: false, changes: [change('`x` was <removed>', { operations: [read], operation: read })] },
    {
      name: '2.0.0',
      date: '2026-03-02T10:00:00.000Z',
      sha: 'a'.repeat(40),
      url: 'https://github.com/acme/pets/commit/a',
      isFirst: false,
      changes: [
        change('Operation `DELETE /pets` was removed', { code: 'operation-removed', operation: removed, operations: [removed] }),
        change('`a` & `]]>` \u0007<b>', { operations: [read], schemas: ['Pet'] }),
        change('Operation `POST /pets` was added', {
          code: 'operation-added',
          level: 'compatible',
          operation: { method: 'post', path: '/pets' },
          operations: [{ method: 'post', path: '/pets' }],
        }),
      ],
    },
    { name: '1.0.0', date: '2026-02-01T10:00:00.000Z', sha: 'b'.repeat(40), isFirst: true, changes: [] },
  ],
}

const tabs = JSON.stringify({
  name: 'Acme',
  navigation: {
    tabs: [
      { tab: 'Guides', pages: ['index'] },
      { tab: 'API', openapi: 'openapi.json' },
    ],
  },
})
const files = {
  'docs.json': tabs,
  'index.mdx': 'Hello\n',
  'openapi.json': document,
  'openapi-pages.config.yaml': 'schemas: true\n',
}
const build = (given: Changelog = changelog, more: Record<string, string> = {}, url: string | undefined = 'https://acme.test/') =>
  siteOf(
    { ...files, ...more },
    { url, readChangelogs: async (documents) => new Map(documents.map(({ source }) => [source, given])) },
  )
const routes = (site: Awaited<ReturnType<typeof build>>) => site.pages.map(({ route }) => route)

test('adds a changelog after the start page of the API, with links to operations and codes', async () => {
  const site = await build()
  expect(routes(site).slice(0, 3)).toEqual(['', 'api-reference/overview', 'api-reference/changelog'])
  const html = site.files['api-reference/changelog/index.html'] ?? ''
  expect(html).toContain('<a href="/api-reference/pets/read/"><code>GET /pets/{id}</code></a>')
  expect(html).toContain('change-codes.md#operation-removed')
  expect(html).toContain('href="https://github.com/acme/pets/commit/a"')
  expect(html).toContain('<code>x</code> was &lt;removed>')
  expect(html).toContain('Older versions are not listed.')
  expect(site.files['api-reference/overview/index.html']).toContain('href="/api-reference/changelog/"')
  expect(site.files['llms.txt']).toContain('changelog')
  expect(JSON.stringify(Object.entries(site.files).filter(([path]) => path.startsWith('_search')))).toContain('version-2.0.0')
})

test('shows the last version that changed an operation, a webhook or a schema', async () => {
  const { files: pages } = await build()
  const badge = (path: string) =>
    /<button[^>]*popovertarget[^>]*>([^<]*)</.exec(pages[`api-reference/${path}/index.html`] ?? '')?.[1]
  expect([badge('pets/read'), badge('pets/add'), badge('pets/list'), badge('schemas/pet')]).toEqual([
    'Changed, not released yet',
    'Added in 2.0.0',
    undefined,
    'Changed in 2.0.0',
  ])
  expect(pages['api-reference/pets/add/index.html']).toContain('href="/api-reference/changelog/#version-2.0.0"')
})

test('writes feeds of the released versions', async () => {
  const { files: pages } = await build()
  const feed = JSON.parse(pages['api-reference/changelog/feed.json'] ?? '')
  expect(feed.items.map(({ url, date_published }: Record<string, string>) => [url, date_published])).toEqual([
    ['https://acme.test/api-reference/changelog/#version-2.0.0', '2026-03-02T10:00:00.000Z'],
    ['https://acme.test/api-reference/changelog/#version-1.0.0', '2026-02-01T10:00:00.000Z'],
  ])
  const rss = pages['api-reference/changelog/rss.xml'] ?? ''
  expect(rss).toContain('<pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate>')
  expect(rss).not.toMatch(/\]\]>|<b>|\u0007/)
  expect(pages['api-reference/changelog/index.html']).toContain('type="application/rss+xml"')
})

test('writes no feeds without the URL of the site', async () => {
  const site = await siteOf(files, { readChangelogs: async () => new Map([['openapi.json', changelog]]) })
  expect(Object.keys(site.files).filter((path) => /rss\.xml|feed\.json/.test(path))).toEqual([])
  expect(site.files['api-reference/changelog/index.html']).not.toContain('rss')
})

test('writes the changelog as Markdown', async () => {
  const { files: pages } = await build()
  expect(pages['api-reference/changelog.md']).toContain(
    '## 2.0.0 (2026-03-02)\n\n2 breaking, 1 compatible\n\n- **breaking** (operation-removed): Operation `DELETE /pets` was removed\n',
  )
  expect(pages['api-reference/changelog.md']).toContain('`x` was \\<removed\\>')
})

test('shows why a change is accepted, in its own group', async () => {
  const accepted = { reason: 'No <client>\nsends it' }
  const changes = [change('`a` was removed', { operations: [read], operation: read, accepted }), change('`b` was removed')]
  const entries = [{ name: '3.0.0', date: '2026-04-01T10:00:00.000Z', sha: 'c'.repeat(40), isFirst: false, changes }]
  const { files: pages } = await build({ entries, isCut: false })
  const html = pages['api-reference/changelog/index.html'] ?? ''
  expect(html).toContain('<p class="muted">1 breaking, 1 accepted</p>')
  expect(html).toContain('<span class="tag level-accepted">breaking, accepted</span> <code>a</code> was removed')
  expect(html).toContain('Accepted: No &lt;client> sends it')
  expect(html.match(/<li class="change [a-z]+/g)).toEqual(['<li class="change accepted', '<li class="change breaking'])
  expect(html.match(/name="level" value="\w+"/g)).toEqual(
    ['all', 'breaking', 'accepted'].map((name) => `name="level" value="${name}"`),
  )
  expect(pages['api-reference/pets/read/index.html']).toContain('<span class="tag level-accepted">breaking, accepted</span>')
  expect(pages['api-reference/changelog.md']).toContain(
    '1 breaking, 1 accepted\n\n- **breaking, accepted** (enum-value-removed): `a` was removed (`GET /pets/{id}`). Accepted: No \\<client\\> sends it\n',
  )
  expect(JSON.parse(pages['api-reference/changelog/feed.json'] ?? '').items[0]).toMatchObject({
    summary: '1 breaking, 1 accepted',
    content_html: expect.stringMatching(/<b>breaking, accepted<\/b>: .*<br>Accepted: No &lt;client/),
  })
})

test('lists the changelog with pages of the repository', async () => {
  const navigation = {
    tabs: [
      {
        tab: 'API',
        groups: [
          { group: 'Pets', pages: ['GET /pets'] },
          { group: 'Owners', pages: ['GET /owners'] },
        ],
      },
    ],
  }
  const site = await build(changelog, {
    'docs.json': JSON.stringify({ name: 'Acme', api: { openapi: 'openapi.json' }, navigation }),
  })
  const listed = site.files['404.json'] ?? ''
  expect(listed).toContain('changelog')
  expect(site.files[Object.keys(site.files).find((path) => path.endsWith('changelog/index.html')) ?? '']).toContain('>API<')
})

test('shows an empty changelog', async () => {
  const { files: pages } = await build({ entries: [], isCut: false })
  expect(pages['api-reference/changelog/index.html']).toContain('There are no versions to compare yet.')
})

test('limits the changes of a version', async () => {
  const changes = Array.from({ length: 150 }, (_, index) => change(`Change ${index}`))
  const { files: pages } = await build({ entries: [{ name: '1', isFirst: false, changes }], isCut: false })
  const html = pages['api-reference/changelog/index.html'] ?? ''
  expect(html.match(/<li class="change/g)).toHaveLength(100)
  expect(html).toContain('50 more changes are not listed.')
})

test('lists the same change of several operations once, with the rule behind a detail', async () => {
  const paths = ['/pets', '/owners', ...Array.from({ length: 60 }, (_, index) => `/more/${index}`)]
  const touching = (count: number, message: string) =>
    paths.slice(0, count).map((path) => {
      const operation = { method: 'get', path }
      return change(message, { operation, operations: [operation] })
    })
  const changes = [...touching(2, '`limit` was removed'), ...touching(62, '`offset` was removed')]
  const { files: pages } = await build({ entries: [{ name: '1', isFirst: false, changes }], isCut: false })
  const html = pages['api-reference/changelog/index.html'] ?? ''
  const [few = '', many = ''] = html.split('<li class="change').slice(1)
  expect(html).toContain('<p class="muted">2 breaking</p>')
  expect(few).toMatch(/GET \/pets<.*GET \/owners<.*<details><summary>Details<.*enum-value-removed/)
  expect(many).toMatch(/<details><summary>62 operations<.*GET \/pets<.*GET \/more\/47<.*and 12 more/)
})

test('lists a change of a shared schema once, with its levels in requests and responses', async () => {
  const shared = { operations: [read, { method: 'get', path: '/pets' }], schemas: ['Pet'] }
  const changes = [
    change('`a` became required', shared),
    change('`a` became required', { ...shared, level: 'compatible', subject: 'response' }),
    change('`b` became required', { ...shared, level: 'compatible' }),
    change('`b` became required', { ...shared, level: 'compatible', subject: 'response' }),
  ]
  const { files: pages } = await build({ entries: [{ name: '1', isFirst: false, changes }], isCut: false })
  const html = pages['api-reference/changelog/index.html'] ?? ''
  expect(html.match(/<li class="change [a-z ]+/g)).toEqual([
    '<li class="change breaking compatible',
    '<li class="change compatible',
  ])
  const text = html.slice(html.indexOf('<ul class="changes">')).replace(/<[^<>]*>/g, '')
  expect(text).toMatch(/^breaking in requests compatible in responses a became required/)
  expect(text).toContain('compatible b became required')
  expect(html.match(/<label>.*?<\/label>/g)?.map((label) => label.replace(/<[^<>]*>/g, '').trim())).toEqual([
    'All 2',
    'Breaking 1',
    'Compatible 2',
  ])
})

test('tells a change in requests from the same change in responses', async () => {
  const changes = [
    change('`a` became required'),
    change('`a` became required', { level: 'compatible', subject: 'response' }),
    change('Other'),
  ]
  const { files: pages } = await build({ entries: [{ name: '1', isFirst: false, changes }], isCut: false })
  const lines = (pages['api-reference/changelog.md'] ?? '').split('\n').filter((line) => line.startsWith('- '))
  expect(lines.map((line) => line.replace(/^.*: /, ''))).toEqual([
    '`a` became required in requests',
    '`a` became required in responses',
    'Other',
  ])
})
