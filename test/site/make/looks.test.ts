import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

const folder = join(import.meta.dirname, '../../../src/site/page/theme/looks')
const listTokens = (look: string) =>
  [...readFileSync(join(folder, look, 'tokens.css'), 'utf8').matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name]) => name)

async function buildWithLook(theme: string | undefined, setting: string | undefined, fonts?: object) {
  const { files, diagnostics } = await siteOf({
    'docs.json': JSON.stringify({ theme, name: 'Docs', fonts, navigation: { pages: ['a'] } }),
    'a.mdx': '# A\n',
    'openapi-pages.config.yaml': setting === undefined ? '' : `site: {theme: ${setting}}\n`,
  })
  const paths = Object.keys(files)
  return {
    style: files[paths.find((path) => path.startsWith('_assets/brand-')) ?? ''] ?? '',
    fonts: paths.filter((path) => path.startsWith('_assets/font-')),
    diagnostics,
  }
}

test.each([
  [undefined, undefined, undefined],
  ['mint', undefined, undefined],
  ['unknown', undefined, undefined],
  ['constructor', undefined, undefined],
  ['almond', undefined, '--r1:10px'],
  ['linden', undefined, '--r1:4px'],
  ['linden', 'soft', '--r1:10px'],
  ['almond', 'clear', undefined],
])('with `theme` %s and `site.theme` %s, the corners are %s', async (theme, setting, expected) => {
  const { style } = await buildWithLook(theme, setting)
  if (expected === undefined) expect(style).toBe('')
  else expect(style).toContain(expected)
})

test('only `compact` brings a font, unless `docs.json` sets another', async () => {
  expect((await buildWithLook(undefined, 'compact')).fonts).toHaveLength(1)
  expect((await buildWithLook(undefined, 'soft')).fonts).toEqual([])
  expect((await buildWithLook(undefined, 'compact', { source: '/missing.woff2' })).fonts).toEqual([])
})

test('reports an unknown look', async () => {
  const { diagnostics, style } = await buildWithLook(undefined, 'sharp')
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'Unexpected value for `theme`, expected `clear`, `compact` or `soft`',
  ])
  expect(style).toBe('')
})

test('the looks have the same tokens, so that each can be copied', () => {
  const [clear, compact, soft] = ['clear', 'compact', 'soft'].map(listTokens)
  expect(compact).toEqual(soft)
  expect(compact?.slice(0, clear?.length).sort()).toEqual(clear?.toSorted())
})
