import { expect, test } from 'vitest'
import { settle, updateTree } from '../support/memory-tree.ts'

const paths = Object.fromEntries(
  ['b', 'a', 'c'].map((name) => [
    `/${name}`,
    { get: { summary: name, tags: [`${name}s`], responses: { 200: { description: 'Fine' } } } },
  ]),
)
const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths })
const mint = {
  openapi: 'api.json',
  tabs: [{ name: 'API', url: 'api', openapi: 'api.json' }],
  navigation: [{ group: 'Guides', pages: ['index'] }],
}
const order = (setting: string) => ({ 'openapi-pages.config.yaml': `order: ${setting}\n` })

test('applies a new order and a moved page in a `mint.json`', async () => {
  const { tree } = await settle({ 'mint.json': JSON.stringify(mint), 'api.json': document, 'index.mdx': '# A\n' })
  const groups = (text = '') => JSON.parse(text).navigation.map(({ group }: { group: string }) => group)
  expect(groups(tree['mint.json'])).toEqual(['Guides', 'bs', 'as', 'cs'])
  const { tree: sorted } = await settle({ ...tree, ...order('alphabetical') })
  expect(groups(sorted['mint.json'])).toEqual(['Guides', 'as', 'bs', 'cs'])
  expect((await updateTree(sorted)).changes).toEqual([])
  const moved = document.replace('"summary":"a"', '"summary":"a","x-mint":{"href":"/api/first"}')
  const { tree: after } = await settle({ ...sorted, 'api.json': moved })
  const written = JSON.parse(after['mint.json'] ?? '')
  expect(written.redirects).toEqual([{ source: '/api/as/a', destination: '/api/first' }])
  expect(written.navigation[1]).toEqual({ group: 'as', pages: ['api/first'] })
  expect((await updateTree(after)).changes).toEqual([])
})
