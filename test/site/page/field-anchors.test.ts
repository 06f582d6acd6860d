import { describe, expect, test } from 'vitest'
import { listIds } from '../../../src/site/page/element-ids.ts'
import { toForeignFieldId, toKebabCase } from '../../../src/site/page/field-anchors.ts'
import { siteOf } from '../make/site-of.ts'

test.each([
  ['baseUrl', 'base-url'],
  ['base_url', 'base-url'],
  ['filter[baseUrl]', 'filter-base-url'],
  ['X-API-Key', 'x-api-key'],
  ['HTMLElement', 'html-element'],
  ['thumbnails.background', 'thumbnails-background'],
  ['größe', 'größe'],
  ['[]', ''],
])('%s in kebab case', (name, kebab) => {
  expect(toKebabCase(name)).toBe(kebab)
})

test.each([
  ['path-userId', 'parameter-user-id'],
  ['query-filter-state', 'parameter-filter-state'],
  ['body-user_name', 'body-user-name'],
  ['body-user', undefined],
  ['r200-user-externalId', 'response-user-external-id'],
  ['rdefault-message', 'response-message'],
  ['callback-a-1-body-b', undefined],
  ['pathology', undefined],
])('%s has the additional ID %s', (id, foreign) => {
  expect(toForeignFieldId(id)).toBe(foreign)
})

const docs = JSON.stringify({
  name: 'Shop',
  navigation: {
    groups: [
      { group: 'Guides', pages: ['index', 'sdk'] },
      { group: 'API', openapi: 'openapi.json' },
    ],
  },
})
const shop = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders/{order_id}': {
      get: {
        summary: 'Get an order',
        parameters: [{ name: 'order_id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: { properties: { shippedTo: { properties: { zip_code: {} } } } } } },
          },
          404: { description: 'gone', content: { 'application/json': { schema: { properties: { errorCode: {} } } } } },
        },
      },
    },
    '/orders': {
      post: {
        summary: 'Create an order',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                properties: {
                  externalId: { type: 'string' },
                  meta_data: { oneOf: [{ type: 'string' }, { type: 'object', properties: { a: {} } }] },
                },
              },
            },
          },
        },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
}
const fields = `<ParamField body="baseUrl" type="string">x</ParamField>

<ResponseField name="expire_after" type="string">x</ResponseField>

## Param base url
`

describe('pages', () => {
  const site = (index: string) =>
    siteOf({ 'docs.json': docs, 'openapi.json': JSON.stringify(shop), 'index.mdx': index, 'sdk.mdx': fields })
  const idsOf = (files: Readonly<Record<string, string>>, path: string) => listIds(files[`${path}/index.html`] ?? '')

  test('have the element IDs of Mintlify, unless another element has them', async () => {
    const { files } = await site('## Jupyter / IDE *access*\n')
    expect(listIds(files['index.html'] ?? '')).toContain('jupyter-/-ide-access')
    const order = idsOf(files, 'api-reference/get-an-order')
    expect(order).toEqual(expect.arrayContaining(['parameter-order-id', 'response-shipped-to', 'response-shipped-to-zip-code']))
    expect(order).not.toContain('response-error-code')
    expect(idsOf(files, 'api-reference/create-an-order')).toEqual(
      expect.arrayContaining(['body-external-id', 'body-meta-data', 'body-meta-data-one-of-0', 'body-meta-data-one-of-1']),
    )
    const sdk = idsOf(files, 'sdk')
    expect(sdk).toEqual(
      expect.arrayContaining(['param-base-url', 'body-base-url', 'param-expire-after', 'response-expire-after']),
    )
    for (const ids of [order, sdk]) expect(new Set(ids).size).toBe(ids.length)
    expect(Object.values(files).join('')).not.toMatch(/[\uFDD2\uFDD3]/)
  })

  test('can be linked with them', async () => {
    const order = '/api-reference/get-an-order'
    const links = [
      `${order}#parameter-order-id`,
      `${order}#response-shipped-to-zip-code`,
      '/api-reference/create-an-order#body-external-id',
      '/sdk#param-base-url',
      '/sdk#param-expire-after',
    ]
    const { diagnostics } = await site(links.map((link) => `[a](${link})`).join('\n\n'))
    expect(diagnostics.map(({ message }) => message)).toEqual([])
    const broken = await site(`[a](${order}#parameter-user-id)`)
    expect(broken.diagnostics.map(({ code }) => code)).toEqual(['fragment-unresolved'])
  })
})

test('links to a page whose OpenAPI document cannot be read are not reported', async () => {
  const { diagnostics } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      navigation: { pages: ['index', 'order'] },
      api: { openapi: 'https://example.com/openapi.json' },
    }),
    'index.mdx': '[a](/order#body-id)\n',
    'order.mdx': '---\ntitle: Order\nopenapi: POST /orders\n---\n',
  })
  expect(diagnostics.map(({ code }) => code)).not.toContain('fragment-unresolved')
  expect(diagnostics.map(({ code }) => code)).toContain('url-unreachable')
})
