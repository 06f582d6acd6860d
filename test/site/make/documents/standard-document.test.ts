import { expect, test } from 'vitest'
import { siteOf } from '../site-of.ts'

const document = (title: string) => ({
  openapi: '3.1.0',
  info: { title, version: '1' },
  paths: { '/orders': { get: { summary: 'List orders', responses: { 200: { description: 'ok' } } } } },
})
const yaml = (title: string) =>
  `openapi: 3.1.0\ninfo: { title: ${title}, version: "1" }\npaths:\n  /orders:\n    get: { summary: List orders, responses: { "200": { description: ok } } }\n`
const docs = (...openapi: string[]) =>
  JSON.stringify({ name: 'Shop', navigation: { groups: openapi.map((one) => ({ group: one, openapi: one })) } })

test.each([
  ['a JSON document', 'api/shop.json', JSON.stringify(document('Shop'))],
  ['a YAML document', 'api/shop.yaml', yaml('Shop')],
])('serves %s in a folder also at /openapi.json', async (_, path, text) => {
  const { files } = await siteOf({ 'docs.json': docs(path), [path]: text })
  expect(files[path]).toBe(text)
  expect(JSON.parse(files['openapi.json'] ?? '')).toEqual(document('Shop'))
})

test('a document at that path is served unchanged', async () => {
  const text = JSON.stringify(document('Shop'))
  const { files } = await siteOf({ 'docs.json': docs('openapi.json'), 'openapi.json': text })
  expect(files['openapi.json']).toBe(text)
})

test('a site with several documents has none of them there', async () => {
  const { files } = await siteOf({
    'docs.json': docs('api/one.json', 'api/two.json'),
    'api/one.json': JSON.stringify(document('One')),
    'api/two.json': JSON.stringify(document('Two')),
  })
  expect(files['openapi.json']).toBeUndefined()
})

test('a document in a folder with references to other files stays there', async () => {
  const { paths, ...rest } = document('Shop')
  const { files } = await siteOf({
    'docs.json': docs('api/shop.json'),
    'api/shop.json': JSON.stringify({ ...rest, paths: { '/orders': { $ref: './orders.json' } } }),
    'api/orders.json': JSON.stringify(paths['/orders']),
  })
  expect(files['api/orders.json']).toBeDefined()
  expect(files['openapi.json']).toBeUndefined()
})

test('restricted parts are left out there too', async () => {
  const text = {
    ...document('Shop'),
    paths: {
      ...document('Shop').paths,
      '/secret': { get: { summary: 'Secret', 'x-mint': { groups: ['admin'] }, responses: { 200: { description: 'ok' } } } },
    },
  }
  const { files } = await siteOf({ 'docs.json': docs('api/shop.json'), 'api/shop.json': JSON.stringify(text) })
  expect(Object.keys(JSON.parse(files['openapi.json'] ?? '').paths)).toEqual(['/orders'])
})
