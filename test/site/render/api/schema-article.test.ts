import { expect, test } from 'vitest'
import { siteOf } from '../../build/site-of.ts'

const document = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {},
  components: {
    schemas: {
      Stamped: { properties: { made_at: { type: 'string' } }, required: ['made_at'] },
      Named: { allOf: [{ $ref: '#/components/schemas/Stamped' }, { properties: { name: { type: 'string' } } }] },
      Order: {
        allOf: [{ $ref: '#/components/schemas/Named' }, { properties: { total: { type: 'number' } } }],
        properties: { id: { type: 'string' } },
        unevaluatedProperties: false,
      },
    },
  },
}

test('separates own and inherited properties, and shows that no others are allowed', async () => {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json' }] } }),
    'openapi-pages.config.yaml': 'schemas: true\n',
    'openapi.json': JSON.stringify(document),
  })
  const page = files['api-reference/schemas/order/index.html'] ?? ''
  const order = [
    'id="properties"',
    'id="id"',
    'id="total"',
    'No additional properties',
    'id="from-Named"',
    'id="made_at"',
    'id="name"',
  ]
  const at = order.map((text) => page.indexOf(text))
  expect(at).not.toContain(-1)
  expect(at).toEqual([...at].sort((a, b) => a - b))
  expect(page).toContain('<a href="/api-reference/schemas/named/">allOf<span class="vh"> Named</span></a>')
  expect(files['api-reference/schemas/stamped/index.html']).not.toContain('id="from-')
})

test('shows the example of a schema once, next to its properties', async () => {
  const Order = { type: 'object', properties: { id: { type: 'string' } }, example: { id: 'o-1' } }
  const { files } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json' }] } }),
    'openapi-pages.config.yaml': 'schemas: true\n',
    'openapi.json': JSON.stringify({ ...document, components: { schemas: { Order } } }),
  })
  expect(files['api-reference/schemas/order/index.html']?.match(/o-1/g)).toHaveLength(1)
})
