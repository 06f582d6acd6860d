import { expect, test } from 'vitest'
import { siteOf } from '../../build/site-of.ts'

/** The text of the code samples of a page. */
async function samplesOf(body: string, more = ''): Promise<string> {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      api: { mdx: { server: 'https://api.example.com', auth: { method: 'bearer' } } },
      navigation: { groups: [{ group: 'API', pages: ['order'] }] },
    }),
    'order.mdx': `---\ntitle: Order\napi: POST /v1/{shop}/orders\n${more}---\n\n${body}\n`,
  })
  const page = files['order/index.html'] ?? ''
  const aside = page.slice(page.indexOf('id="samples"'), page.lastIndexOf('</aside>'))
  return aside
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
}

test('creates code samples from the fields of a page without a document', async () => {
  const samples = await samplesOf(`
<ParamField path="shop" type="string" default="my shop" />
<ParamField query="dry" type="boolean" required placeholder="true">Words</ParamField>
<ParamField query="page" type="integer" />
<ParamField header="X-Trace" type="string" required />
<ParamField body="item" type="object" required>
  <Expandable title="item">
    <ParamField body="name" type="string" placeholder="Tea" />
    <ParamField body="count" type="integer" default={3} />
  </Expandable>
</ParamField>
<ParamField body="tags" type="string[]" />

## Answer

<ResponseField name="orders" type="Order[]"><ResponseField name="id" type="string" default="o_1" /></ResponseField>
`)
  expect(samples).toContain('https://api.example.com/v1/my%20shop/orders?dry=true')
  expect(samples).not.toContain('page=')
  expect(samples).toContain("-H 'X-Trace: <X-Trace>'")
  expect(samples).toContain("-H 'Authorization: Bearer <token>'")
  expect(samples.replace(/\s/g, '')).toContain('{"item":{"name":"Tea","count":3},"tags":[]}')
  expect(samples.replace(/\s/g, '')).toContain('{"orders":[{"id":"o_1"}]}')
})

test('shows examples of parameters and headers, and a heading between headers and body', async () => {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', api: { openapi: 'openapi.json' }, navigation: { pages: ['order'] } }),
    'order.mdx': '---\nopenapi: GET /orders\n---\n',
    'openapi.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      paths: {
        '/orders': {
          get: {
            parameters: [
              { name: 'after', in: 'query', schema: { type: 'string', default: 'x', example: 'no' }, example: 'o_<1>' },
              {
                name: 'sort',
                in: 'query',
                schema: { type: 'array', items: { type: 'string' } },
                examples: { one: { value: ['name'] }, two: { value: 'b' }, far: { externalValue: 'https://example.com/x' } },
              },
              { name: 'own', in: 'query', schema: { type: 'string', example: 'of the schema' } },
            ],
            responses: {
              200: {
                description: 'OK',
                headers: { 'X-Rate': { schema: { type: 'integer' }, example: 60 } },
                content: { 'application/json': { schema: { type: 'object' } }, 'text/csv': { schema: { type: 'string' } } },
              },
              204: { description: 'None', headers: { 'X-Rate': { schema: { type: 'integer' } } } },
            },
          },
        },
      },
    }),
  })
  const text = (files['order/index.html'] ?? '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  expect(text).toContain('after string Default x Example no Example o_&lt;1> sort')
  expect(text).toContain('Example [&quot;name&quot;] Example b https://example.com/x own')
  expect(text).toContain('Example of the schema')
  expect(text).toMatch(/Headers X-Rate integer Example 60 Body Media type application\/json/)
  expect(text.match(/ Body /g)).toHaveLength(1)
})

test('uses the content type of the frontmatter, and sends no body without fields', async () => {
  const form = await samplesOf(
    '<ParamField body="a" type="string" default="b c" />',
    'contentType: application/x-www-form-urlencoded\n',
  )
  expect(form).toContain('a=b+c')
  const nothing = await samplesOf('Text.')
  expect(nothing).toContain('curl -X POST')
  expect(nothing).not.toContain('Content-Type')
})

test.each([
  ['/orders', '`/orders`'],
  ['POST', '`POST`'],
  ['[POST, /orders]', 'list'],
])('reports `api: %s`, which names no operation', async (api, found) => {
  const { diagnostics } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', navigation: { pages: ['order'] } }),
    'order.mdx': `---\ntitle: Order\napi: ${api}\n---\n`,
  })
  expect(diagnostics).toMatchObject([
    {
      code: 'binding-syntax',
      file: 'order.mdx',
      range: { start: { line: 3 } },
      message: `Unexpected ${found} for \`api\`, expected a method and a path or URL`,
    },
  ])
})

test('has the description, the servers and the authorization in the Markdown of a page without a document', async () => {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      api: { mdx: { server: ['https://api.example.com', 'https://test.example.com'], auth: { method: 'key', name: 'X-Key' } } },
      navigation: { pages: ['order'] },
    }),
    'order.mdx': '---\ntitle: Order\ndescription: Places an order.\ndeprecated: true\napi: POST /orders\n---\n\nWords.\n',
  })
  const markdown = files['order.md'] ?? ''
  const order = [
    'POST https://api.example.com/orders',
    '**Deprecated**',
    'Places an order.',
    'Words.',
    'https://test.example.com',
    'X-Key',
  ]
  expect(order.filter((text) => !markdown.includes(text))).toEqual([])
  const places = order.map((text) => markdown.indexOf(text))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test.each([
  [
    'POST https://shop.example.com/v2/orders',
    'https://shop.example.com/v2/orders',
    "connect-src 'self' https://shop.example.com",
  ],
  ['post orders', 'https://api.example.com/orders', "connect-src 'self' https://api.example.com"],
])('`api: %s` has code samples and a playground for its URL', async (api, url, policy) => {
  const { files, diagnostics } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      api: { mdx: { server: 'https://api.example.com' } },
      navigation: { pages: ['order'] },
    }),
    'order.mdx': `---\ntitle: Order\napi: ${api}\n---\n\n<ParamField body="name" type="string" required />\n`,
  })
  expect(diagnostics).toEqual([])
  const page = files['order/index.html'] ?? ''
  expect(page).toContain(policy)
  expect(page).toContain('data-slice="/order.openapi.json"')
  expect(page.replace(/<[^>]*>/g, '')).toContain(`curl -X POST ${url}`)
  expect(files['order.md']).toContain(url)
})
