import { expect, test } from 'vitest'
import { siteOf } from '../../build/site-of.ts'

const response = { '200': { description: 'The orders' } }

/** A site with one bound page. */
async function siteOfPage(operation: object, { document = {}, page = '' }: { document?: object; page?: string } = {}) {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', api: { openapi: 'openapi.json' }, navigation: { pages: ['orders'] } }),
    'orders.mdx': `---\nopenapi: GET /orders\n---\n${page}`,
    'openapi.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: 'https://shop.test/v1' }],
      paths: { '/orders': { get: { summary: 'List orders', responses: response, ...operation } } },
      ...document,
    }),
  })
  const html = files['orders/index.html'] ?? ''
  return { html, article: html.slice(html.indexOf('<article>'), html.indexOf('</article>')), markdown: files['orders.md'] ?? '' }
}

/** The positions of texts in the order of their appearance; fails if one is missing. */
function expectOrder(text: string, parts: readonly string[]) {
  const found = parts.map((part) => [text.indexOf(part), part] as const)
  expect(found.filter(([at]) => at === -1)).toEqual([])
  expect(found.toSorted(([a], [b]) => a - b).map(([, part]) => part)).toEqual(parts)
}

test('shows the endpoint under the title, and the text of the page before the reference', async () => {
  const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } }
  const { article, html, markdown } = await siteOfPage(
    {
      description: 'All of them.',
      security: [{ key: [] }],
      parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
    },
    { document: { components }, page: '\n## Deprecated soon\n\nUse another one.\n\n<Panel>Own panel</Panel>\n' },
  )
  expectOrder(article, [
    'List orders',
    'class="endpoint"',
    'All of them.',
    'Deprecated soon',
    '>Authorization<',
    '>Query parameters<',
    '>Responses<',
  ])
  expect(html.slice(html.indexOf('</article>'))).toContain('Own panel')
  expectOrder(markdown, [
    '# List orders',
    'GET https://shop.test/v1/orders',
    'All of them.',
    '## Deprecated soon',
    '## Authorization',
    '## Query parameters',
    '## Responses',
  ])
})

const schemes = {
  token: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  odd: { type: 'http', scheme: 'constructor' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  oauth: { type: 'oauth2', flows: {} },
  more: { type: 'oauth2', flows: {} },
  connect: { type: 'openIdConnect', openIdConnectUrl: 'https://id.test' },
  client: { type: 'mutualTLS' },
}

test.each<[string, object[], string]>([
  ['one scheme', [{ token: [] }], 'Bearer token required'],
  ['two schemes', [{ header: [] }, { oauth: [] }], 'API key or OAuth 2.0 required'],
  ['one API key', [{ header: [] }], 'API key in the X-Key header required'],
  ['keys that are required together', [{ header: [], query: [], oauth: [] }], '2 API keys and OAuth 2.0 required'],
  ['schemes of the same kind', [{ oauth: [] }, { more: [] }], 'OAuth 2.0 required'],
  ['schemes that are required together', [{ basic: [], client: [] }], 'Username and password and Client certificate required'],
  [
    'many schemes',
    [{ token: [] }, { query: [] }, { oauth: [] }, { connect: [] }, { odd: [] }, { unknown: [] }],
    'Bearer token, or 5 others required',
  ],
  ['optional schemes', [{ connect: [] }, {}], 'OpenID Connect optional'],
])('shows authorization as one line that opens: %s', async (_, security, line) => {
  const { article } = await siteOfPage({ security }, { document: { components: { securitySchemes: schemes } } })
  const summary = /<details class="fold auth"><summary>(.*?)<\/summary>/s.exec(article)?.[1] ?? ''
  expect(
    summary
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  ).toBe(`Authorization ${line}`)
  for (const name of security.flatMap(Object.keys)) expect(article).toContain(`id="auth-${name}"`)
})

test.each<[string, object[] | undefined, string, string]>([
  ['no servers', undefined, 'No server is defined. The samples use https://api.example.com.', 'https://api.example.com/orders'],
  ['a relative server', [{ url: '/v2' }], '/v2 · The samples use https://api.example.com', 'https://api.example.com/v2/orders'],
  [
    'a server without a slash',
    [{ url: 'v2/' }],
    'v2 · The samples use https://api.example.com',
    'https://api.example.com/v2/orders',
  ],
  [
    'a variable host',
    [{ url: '{host}/v2', variables: { host: { default: 'https://a.test' } } }],
    '{host}/v2',
    'https://a.test/v2/orders',
  ],
  ['a server without a scheme', [{ url: '//shop.test/' }], 'https://shop.test', 'https://shop.test/orders'],
])('uses a placeholder in samples of a document with %s', async (_, servers, bar, url) => {
  const { html } = await siteOfPage({}, { document: { servers } })
  const strip = /<div class="server">(.*?)<\/div>/s.exec(html)?.[1] ?? ''
  expect(
    strip
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  ).toBe(bar)
  const samples = html.slice(html.indexOf('id="samples"')).replace(/<[^>]*>/g, '')
  expect(samples).toContain(`curl ${url}`)
})

test('shows labels next to the title and to fields, in the navigation, in search and in Markdown', async () => {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } }),
    'openapi.yaml': `
openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    get:
      summary: List orders
      deprecated: true
      x-beta: true
      x-sunset: 2026-12-31
      x-badges: [{ name: 'A <b>long</b> label', position: before }]
      parameters:
        - { name: page, in: query, x-badges: [{ name: Paid, color: red }], schema: { type: string, x-mint: { pre: [PII], post: [indexed] } } }
      responses: { '200': { description: Fine } }
`,
  })
  const html = files['api-reference/list-orders/index.html'] ?? ''
  const textOf = (part = '') =>
    part
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  expect(textOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1])).toBe(
    'A &lt;b>long&lt;/b> label List orders deprecated Beta Sunset 2026-12-31',
  )
  expect(textOf(/<li id="query-page">(.*?)<\/li>/s.exec(html)?.[1])).toBe('PII page string Paid indexed')
  const link = /<a href="\/api-reference\/list-orders\/" aria-current="page">(.*?)<\/a>/s.exec(html)?.[1]
  expect(textOf(link)).toBe('GET List orders deprecated Beta')
  const markdown = files['api-reference/list-orders.md'] ?? ''
  expect(markdown).toContain('**Deprecated**, **A \\<b\\>long\\</b\\> label**, **Beta**, **Sunset 2026-12-31**')
  expect(markdown).toContain('- `page` (string, PII, indexed, Paid)')
  const search = Object.keys(files).filter((path) => path.startsWith('_search/'))
  expect(
    search
      .map((path) => files[path])
      .join('')
      .toLowerCase(),
  ).toContain('beta')
})

test('shows the fields in `api.params.post` as labels of parameters and properties', async () => {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      api: { params: { post: ['nullable', 'x-internal'] } },
      navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] },
    }),
    'openapi.yaml': `
openapi: 3.0.3
info: { title: Shop, version: '1' }
paths:
  /orders:
    get:
      summary: List orders
      x-internal: not a parameter
      parameters:
        - { name: page, in: query, x-internal: admin, schema: { type: string, nullable: true } }
      responses: { '200': { description: Fine, content: { application/json: { schema: { properties: { id: { type: string, x-internal: staff } } } } } } }
`,
  })
  const html = files['api-reference/list-orders/index.html'] ?? ''
  const labelsOf = (id: string) => {
    const row = new RegExp(`<li id="${id}">(.*?)</li>`, 's').exec(html)?.[1] ?? ''
    return [...row.matchAll(/class="tag[^"]*" dir="auto">([^<]*)</g)].map(([, text]) => text)
  }
  expect([labelsOf('query-page'), labelsOf('r200-id')]).toEqual([['admin', 'nullable'], ['staff']])
  expect(html).not.toContain('not a parameter')
  expect(files['api-reference/list-orders.md']).toContain('- `id` (string, staff)')
})

test('links to the parts of a callback by its name and number', async () => {
  const schema = { type: 'object', properties: { id: { type: 'string' } } }
  const post = {
    requestBody: { content: { 'application/json': { schema } } },
    responses: { '204': { description: 'Received' } },
    callbacks: { again: { '{$request.body#/url}': { post: { responses: { '200': { description: 'Fine' } } } } } },
  }
  const { article } = await siteOfPage({ callbacks: { done: { '{$request.query.url}': { post } } } })
  const ids = [...article.matchAll(/ id="(callback-[^"]*)"/g)].map(([, id]) => id)
  expect(ids).toEqual([
    'callback-done-1',
    'callback-done-1-body',
    'callback-done-1-body-id',
    'callback-done-1-response',
    'callback-done-1-response-204',
    'callback-done-1-callbacks',
    'callback-again-1',
    'callback-again-1-response',
    'callback-again-1-response-200',
  ])
})

test('says things once: equal examples, the types of a choice, and a short response', async () => {
  const { article } = await siteOfPage({
    parameters: [
      {
        name: 'to',
        in: 'query',
        schema: { anyOf: [{ type: 'string' }, { type: 'integer', description: 'A number.' }] },
        examples: { first: { value: 'x1' }, second: { value: 'x1' }, third: { value: 'x2' } },
      },
    ],
    responses: {
      '200': { description: 'Response of list_orders', content: { 'application/json': { schema: { type: 'string' } } } },
    },
  })
  const row = article.slice(article.indexOf('id="query-to"'), article.indexOf('id="responses"'))
  expect(row.match(/<code>x\d<\/code>/g)).toEqual(['<code>x1</code>', '<code>x2</code>'])
  expect(row.match(/\bstring\b/g)).toEqual(['string'])
  expect(row).toContain('A number.')
  expect(/<details class="fold"[^>]*>\s*<summary>(.*?)<\/summary>/s.exec(article)?.[1]).toContain('Response of list_orders')
})

test('names a response without words by its status', async () => {
  const { article } = await siteOfPage({ responses: { '401': { content: { 'application/json': {} } }, '4XX': {} } })
  expect(article).toMatch(/401<\/span> <span dir="auto">Unauthorized<\/span>/)
  expect(article).toMatch(/4XX<\/span> {2}<span class="muted">/)
})

test('plays the audio examples of responses that are URLs, and shows others as text', async () => {
  const url = 'https://cdn.example.com/a.mp3'
  const examples = {
    first: { summary: 'A voice', value: url },
    second: { externalValue: 'https://cdn.example.com/b.mp3?a=1&b=2' },
    http: { value: 'http://cdn.example.com/c.mp3' },
    script: { value: 'javascript:alert(1)' },
    bytes: { value: 'https:// is not a URL' },
  }
  const audio = { schema: { type: 'string', format: 'binary' } }
  const { files } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json' }] } }),
    'openapi.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      paths: {
        '/speech': {
          get: {
            summary: 'Speak',
            responses: {
              200: {
                description: 'Fine',
                content: {
                  'audio/mpeg': { ...audio, examples },
                  'audio/wav': { ...audio, example: 'https://cdn.example.com/d.wav' },
                },
              },
              404: { description: 'Missing', content: { 'text/plain': { schema: { type: 'string' }, example: url } } },
            },
          },
        },
      },
    }),
  })
  const html = files['api-reference/speak/index.html'] ?? ''
  expect(html.match(/<audio[^>]*>/g)).toEqual([
    '<audio controls preload="none" src="https://cdn.example.com/d.wav" aria-label="Example">',
    '<audio controls preload="none" src="https://cdn.example.com/a.mp3" aria-label="Example response: 200 first">',
    '<audio controls preload="none" src="https://cdn.example.com/b.mp3?a=1&amp;b=2" aria-label="Example response: 200 second">',
  ])
  expect(html).toContain("media-src 'self' https: blob:")
  // The URL can be copied.
  expect(html).toContain(`<code>${url}</code>`)
  expect(files['api-reference/speak.md']).toContain(url)
})
