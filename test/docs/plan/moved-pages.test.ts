import { expect, test } from 'vitest'
import { editJson } from '../../../src/docs/navigation/edit-json.ts'
import { parseDocsConfig } from '../../../src/docs/navigation/parse-docs-config.ts'
import { type PageMove, planRedirects, toUrlPath } from '../../../src/docs/plan/moved-pages.ts'

async function redirect(redirects: unknown, moves: readonly PageMove[]): Promise<unknown> {
  const text = JSON.stringify({ navigation: {}, ...(redirects === undefined ? {} : { redirects }) }, undefined, 2)
  const { docsConfig } = await parseDocsConfig({ path: 'docs.json', text })
  return JSON.parse(editJson(text, planRedirects(docsConfig, moves))).redirects
}

const move = { from: '/a', to: '/b' }
const to = (source: string, destination: string) => ({ source, destination })

test.each<[string, unknown, readonly PageMove[], unknown]>([
  ['no redirects yet', undefined, [move], [to('/a', '/b')]],
  ['one is added after those of others', [to('/x', '/y')], [move], [to('/x', '/y'), to('/a', '/b')]],
  ['one that leads to the old address leads to the new one', [to('/x', '/a')], [move], [to('/x', '/b'), to('/a', '/b')]],
  [
    'keeps unrelated keys',
    [{ ...to('/x', '/a'), permanent: false }],
    [move],
    [{ ...to('/x', '/b'), permanent: false }, to('/a', '/b')],
  ],
  ['back again: no loop', [to('/b', '/a')], [move], [to('/a', '/b')]],
  ['back again over two: no loop and no chain', [to('/b', '/a'), to('/c', '/a')], [move], [to('/c', '/b'), to('/a', '/b')]],
  ['the old address has one already', [to('/a', '/z')], [move], [to('/a', '/z')]],
  ['without leading slash', [to('a', 'z'), to('b', 'a')], [move], [to('a', 'z')]],
  ['several', undefined, [move, { from: '/c', to: '/d' }], [to('/a', '/b'), to('/c', '/d')]],
  ['nothing to do', [to('/a', '/b')], [], [to('/a', '/b')]],
  ['what is no list is left alone', 'x', [move], 'x'],
])('%s', async (_, before, moves, after) => {
  expect(await redirect(before, moves)).toEqual(after)
})

test.each([
  ['a/b.mdx', '/a/b'],
  ['a/b.md', '/a/b'],
  ['a/b.MD', '/a/b'],
])('the URL path of %s is %s', (path, address) => {
  expect(toUrlPath(path)).toBe(address)
})
