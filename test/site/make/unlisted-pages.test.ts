import { expect, test } from 'vitest'
import { settle } from '../../support/memory-tree.ts'
import { fc, propertyRuns } from '../../support/properties.ts'
import { siteOf, siteOfDocument } from './site-of.ts'

const answer = { 200: { description: 'OK' } }

/** A document with one visible operation and the given ones. */
const toDocument = (paths: object, more: object = {}) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: { '/orders': { get: { summary: 'List orders', tags: ['orders'], responses: answer } }, ...paths },
    ...more,
  })

const refund = { summary: 'Refund an order', tags: ['money'], 'x-hidden': true, responses: answer }
const withRefund = toDocument({ '/refunds': { post: refund } })

const toDocs = (more: object = {}) => JSON.stringify({ name: 'Shop', ...more, navigation: { tabs: [tab] } })
const tab = { tab: 'API', openapi: { source: 'openapi.json', directory: 'api' } }
const route = 'api/money/refund-an-order'

/** Pages with an operation, by route. */
const operationPages = (files: Readonly<Record<string, string>>) =>
  Object.keys(files)
    .filter((path) => path.endsWith('.openapi.json'))
    .map((path) => path.replace('.openapi.json', ''))
    .sort()

test('an operation with x-hidden has a page with its text that nothing lists', async () => {
  const hidden = { ...refund, 'x-mint': { content: 'Ask us first.', metadata: { title: 'Refunds' } } }
  for (const more of [{}, { seo: { indexing: 'all' } }]) {
    const { files, operationCount, diagnostics } = await siteOf(
      { 'docs.json': toDocs(more), 'openapi.json': toDocument({ '/refunds': { post: hidden } }) },
      { url: 'https://example.com/' },
    )
    const page = files[`${route}/index.html`] ?? ''
    expect(page).toContain('<h1 dir="auto">Refunds')
    expect(page).toContain('Ask us first.')
    expect(page).toContain('<meta name="robots" content="noindex"/>')
    expect(files[`${route}.md`]).toContain('POST /refunds')
    expect(operationCount).toBe(1)
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
    const others = Object.entries(files).filter(([path]) => !path.startsWith(route) && !/^openapi\.(?:json|yaml)$/.test(path))
    expect(others.filter(([, text]) => /refund/i.test(text)).map(([path]) => path)).toEqual([])
  }
})

test('an operation with x-hidden has a page where `update` wrote the other pages', async () => {
  const { tree } = await settle({ 'docs.json': toDocs(), 'openapi.json': withRefund })
  expect(Object.keys(tree).filter((path) => path.endsWith('.mdx'))).toEqual(['api/orders/list-orders.mdx'])
  const { files } = await siteOf(tree)
  expect(operationPages(files)).toEqual([route, 'api/orders/list-orders'])
})

test('a site for a single document has a page for an operation with x-hidden', async () => {
  const { files } = await siteOfDocument('openapi.json', withRefund)
  expect(operationPages(files)).toContain('money/refund-an-order')
  expect(files['index.html']).not.toMatch(/refund/i)
})

test('a webhook with x-hidden has a page, and x-mint.href moves it', async () => {
  const paid = { post: { 'x-hidden': true, 'x-mint': { href: '/events/paid' }, responses: answer } }
  const { files } = await siteOf({ 'docs.json': toDocs(), 'openapi.json': toDocument({}, { webhooks: { paid } }) })
  expect(operationPages(files)).toEqual(['api/orders/list-orders', 'events/paid'])
})

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'a page is bound to it',
    { 'docs.json': toDocs(), 'guide.mdx': '---\nopenapi: POST /refunds\n---\n', 'openapi.json': withRefund },
    ['api/orders/list-orders', 'guide'],
  ],
  [
    'the navigation lists the operations',
    {
      'docs.json': JSON.stringify({
        name: 'Shop',
        navigation: { tabs: [{ ...tab, pages: ['GET /orders'] }] },
      }),
      'openapi.json': withRefund,
    },
    ['api/orders/list-orders'],
  ],
  [
    'it has x-excluded',
    { 'docs.json': toDocs(), 'openapi.json': toDocument({ '/refunds': { post: { ...refund, 'x-excluded': true } } }) },
    ['api/orders/list-orders'],
  ],
  [
    'only some readers may see it',
    {
      'docs.json': toDocs(),
      'openapi.json': toDocument({ '/refunds': { post: { ...refund, 'x-mint': { groups: ['staff'] } } } }),
    },
    ['api/orders/list-orders'],
  ],
  [
    'the page that is bound to it is only for some readers',
    {
      'docs.json': toDocs(),
      'guide.mdx': '---\nopenapi: POST /refunds\ngroups: [staff]\n---\n',
      'openapi.json': withRefund,
    },
    ['api/orders/list-orders'],
  ],
])('an operation with x-hidden has no other page if %s', async (_, files, expected) => {
  expect(operationPages((await siteOf(files)).files)).toEqual(expected)
})

test('links to the page of an operation with x-hidden are not broken', async () => {
  const { diagnostics } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', navigation: { tabs: [tab, { tab: 'Guides', pages: ['guide'] }] } }),
    'guide.mdx': `---\ntitle: Guide\n---\n\n[Refunds](/${route})\n`,
    'openapi.json': withRefund,
  })
  expect(diagnostics.map(({ code }) => code)).toEqual([])
})

const names = ['Pets', 'List pets', undefined] as const
const anyOperation = fc.record({
  summary: fc.constantFrom(...names),
  tag: fc.constantFrom(...names),
  mint: fc.constantFrom(undefined, { href: '/en/pets' }, { href: 'a b', content: 'More.', metadata: { title: 'T' } }),
})

test('addresses and content of operations do not depend on how the navigation lists them', async () => {
  const listOf = fc.tuple(fc.array(anyOperation, { minLength: 1, maxLength: 6 }), fc.nat(5), fc.boolean())
  await fc.assert(
    fc.asyncProperty(listOf, async ([operations, turn, hasFile]) => {
      const paths = operations.map(({ summary, tag, mint }, index) => [
        `/p${index}`,
        { get: { summary, ...(tag && { tags: [tag] }), ...(mint && { 'x-mint': mint }), responses: answer } },
      ])
      const entries = paths.map(([path]) => `${hasFile ? 'openapi.json ' : ''}GET ${path}`)
      const pages = [...entries.slice(turn), ...entries.slice(0, turn)]
      const info = { title: 'Shop', version: '1' }
      const document = JSON.stringify({ openapi: '3.1.0', info, paths: Object.fromEntries(paths) })
      const pagesOf = async (...tabs: readonly object[]) => {
        const { files } = await siteOf({
          'docs.json': JSON.stringify({ name: 'S', navigation: { tabs } }),
          'openapi.json': document,
        })
        return operationPages(files).map((path) => [path, files[`${path}.md`]])
      }
      const expected = await pagesOf(tab)
      expect(await pagesOf({ ...tab, pages })).toEqual(expected)
      const [first, ...others] = pages.map((page) => ({ ...tab, tab: page, pages: [page] }))
      if (first && !hasFile) expect(await pagesOf(first, ...others)).toEqual(expected)
    }),
    { numRuns: propertyRuns(8) },
  )
})
