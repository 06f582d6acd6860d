import { expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

const docs = JSON.stringify({
  name: 'Shop',
  navigation: {
    tabs: [
      { tab: 'Guides', pages: ['index'] },
      { tab: 'API', openapi: 'openapi.yaml' },
    ],
  },
})
const files = { 'docs.json': docs, 'index.mdx': '---\ntitle: Start\n---\n\nWords.\n' }

const reported = (diagnostics: Awaited<ReturnType<typeof siteOf>>['diagnostics']) =>
  diagnostics.map(({ severity, code, file, range, pointer }) => [severity, code, file, range.start.line, pointer])

test('creates pages for webhooks in a 3.0 extension', async () => {
  const paragraph = 'This event occurs when a branch is made.\\nTo subscribe to this event you need `read`.'
  const {
    files: built,
    operationCount,
    diagnostics,
  } = await siteOf({
    ...files,
    'openapi.yaml': `openapi: 3.0.3
info: { title: Shop, version: '1' }
paths:
  /orders:
    get: { summary: List orders, responses: { '200': { description: ok } } }
x-webhooks:
  branch-created:
    post:
      summary: "${paragraph}"
      description: A branch was made.
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Branch' } } } }
      responses: { '200': { description: ok } }
  hidden:
    post: { x-hidden: true, responses: { '200': { description: ok } } }
components:
  schemas:
    Branch: { type: object, properties: { ref: { type: string, description: Its own name } } }
`,
  })
  expect(reported(diagnostics).filter(([severity]) => severity !== 'info')).toEqual([])
  expect(operationCount).toBe(2)
  const page = built['api-reference/webhooks/branch-created/index.html'] ?? ''
  expect(page).toMatch(/<h1[^>]*>Branch created/)
  expect(page).toContain('This event occurs when')
  expect(page).toContain('Payload')
  expect(page).toContain('Its own name')
  expect(page).toContain('id="samples"')
  expect(JSON.parse(built['api-reference/webhooks/branch-created.openapi.json'] ?? '')).toHaveProperty('x-webhooks')
})

test('shows the readable parts of an invalid document, and fails with its errors', async () => {
  const {
    files: built,
    operationCount,
    diagnostics,
  } = await siteOf({
    ...files,
    'bound.mdx': '---\ntitle: Mine\nopenapi: DELETE /orders/{id}\n---\n',
    'openapi.yaml': `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    get: { summary: List orders, responses: { '200': { description: ok } } }
    post: { summary: Order, responses: 5 }
  /orders/{id}:
    delete: { summary: Cancel an order, responses: { '200': { description: ok } } }
`,
  })
  expect(reported(diagnostics).filter(([severity]) => severity === 'error')).toEqual([
    ['error', 'wrong-type', 'openapi.yaml', 6, '/paths/~1orders/post/responses'],
    ['error', 'path-parameter', 'openapi.yaml', 7, '/paths/~1orders~1{id}'],
  ])
  expect(operationCount).toBe(4)
  for (const path of ['api-reference/list-orders', 'api-reference/order', 'bound']) {
    expect(built[`${path}/index.html`]).toContain('class="endpoint')
  }
})

test('shows an error page for an unreadable document', async () => {
  const { files: built, diagnostics } = await siteOf({
    ...files,
    'bound.mdx': '---\ntitle: Mine\nopenapi: openapi.yaml GET /orders\n---\n\nText of mine.\n',
    'openapi.yaml': 'openapi: 3.1.0\ninfo: { title: Shop\npaths: {}\n',
  })
  expect(reported(diagnostics).map(([severity, code]) => [severity, code])).toContainEqual(['error', 'yaml-syntax'])
  const page = built['api-reference/index.html'] ?? ''
  expect(page).toContain('This reference is not available')
  expect(page).toMatch(/openapi\.yaml, line \d/)
  expect(built['index.html']).toContain('href="/api-reference/"')
  expect(built['bound/index.html']).toContain('This reference is not available')
  expect(built['bound/index.html']).toContain('Text of mine.')
})

test('reports problems of generated pages in the OpenAPI document', async () => {
  const { diagnostics } = await siteOf({
    ...files,
    'openapi.yaml': `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    get:
      summary: List orders
      description: |
        All of them. See [the guide](/gone).
      parameters:
        - { name: q, in: query, schema: { type: string }, description: 'As in [here](/gone-too)' }
      x-mint:
        content: |
          <Foo>Text</Foo>
      responses: { '200': { $ref: '#/components/responses/Ok' } }
components:
  responses:
    Ok:
      description: "[Far](/far-gone)"
`,
  })
  expect(reported(diagnostics).filter(([, code]) => code === 'link-unresolved' || code === 'unknown-component')).toEqual([
    ['warning', 'link-unresolved', 'openapi.yaml', 8, '/paths/~1orders/get/description'],
    ['warning', 'link-unresolved', 'openapi.yaml', 10, '/paths/~1orders/get/parameters/0/description'],
    ['warning', 'unknown-component', 'openapi.yaml', 13, '/paths/~1orders/get/x-mint/content'],
    ['warning', 'link-unresolved', 'openapi.yaml', 18, '/components/responses/Ok/description'],
  ])
})

test('shows the nearest of several matching documents, and reports the ambiguity', async () => {
  const api = (summary: string) =>
    `openapi: 3.1.0\ninfo: { title: Shop, version: '1' }\npaths: { /a: { get: { summary: ${summary}, responses: { '200': { description: ok } } } } }\n`
  const { files: built, diagnostics } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', navigation: { pages: ['v1/pages/a', 'v2/a', 'other/a'] } }),
    'v1/openapi.yaml': api('First'),
    'v2/openapi.yaml': api('Second'),
    'v1/pages/a.mdx': '---\nopenapi: GET /a\n---\n',
    'v2/a.mdx': '---\nopenapi: GET /a\n---\n',
    'other/a.mdx': '---\nopenapi: GET /a\n---\n',
  })
  expect(diagnostics.map(({ code, file }) => [code, file])).toEqual(
    ['other/a.mdx', 'v1/pages/a.mdx', 'v2/a.mdx'].map((file) => ['binding-ambiguous', file]),
  )
  expect(built['v1/pages/a/index.html']).toMatch(/<h1[^>]*>First/)
  expect(built['v2/a/index.html']).toMatch(/<h1[^>]*>Second/)
  expect(built['other/a/index.html']).not.toContain('class="endpoint')
})
