import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { siteOf } from '../site-of.ts'

const packages = join(import.meta.dirname, '../../../../node_modules')
const serif = readFileSync(join(packages, 'katex/dist/fonts/KaTeX_Main-Regular.woff2'))
const docs = (fonts: object) => JSON.stringify({ name: 'Docs', fonts, navigation: { pages: ['a'] } })

/** Builds a site with these fonts. Returns the stylesheet of its brand, the links that load fonts, and the published fonts. */
async function buildWithFonts(fonts: object, files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const site = await siteOf({ 'docs.json': docs(fonts), 'a.mdx': '# A\n', ...files })
  const paths = Object.keys(site.files)
  const html = site.files['a/index.html'] ?? ''
  return {
    style: site.files[paths.find((path) => path.startsWith('_assets/brand-')) ?? ''] ?? '',
    preloads: html.match(/<link rel="preload"[^>]*>/g) ?? [],
    published: paths.filter((path) => /\.(?:woff2?|ttf|otf)$/.test(path)),
    diagnostics: site.diagnostics,
  }
}

test('a font of the repository is loaded with the page, under a name with a hash', async () => {
  const { style, preloads, published } = await buildWithFonts(
    { family: 'Serif', source: '/brand/serif.woff2' },
    {
      'brand/serif.woff2': serif,
    },
  )
  expect(published).toEqual([expect.stringMatching(/^_assets\/font-[0-9a-f]{8}\.woff2$/)])
  expect(preloads).toEqual([`<link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href="/${published[0]}"/>`])
  expect(style).toContain(
    `@font-face{font-family:site-body;src:url("/${published[0]}") format("woff2");font-weight:100 900;font-display:optional}`,
  )
  expect(style).toMatch(
    /@font-face\{font-family:site-body-like;src:local\("Arial"\),[^}]*;size-adjust:[\d.]+%;ascent-override:[\d.]+%;descent-override:[\d.]+%;line-gap-override:[\d.]+%\}/,
  )
  expect(style).toContain(':root{--sans:site-body,site-body-like,system-ui,sans-serif}')
  expect(style).not.toContain('site-heading')
})

test('a second font is for headings', async () => {
  const { style, preloads, published } = await buildWithFonts(
    { body: { family: 'Serif', source: '/fonts/serif.woff2' }, heading: { family: 'Inter' } },
    { 'fonts/serif.woff2': serif },
  )
  expect(published).toHaveLength(3) // `fonts/` is published, too.
  expect(preloads).toHaveLength(2)
  expect(style).toContain(':is(h1,h2,h3){font-family:site-heading,site-heading-like,system-ui,sans-serif}')
})

test('a font that cannot be read keeps its letters, without a replacement of the same size', async () => {
  const { style, preloads, diagnostics } = await buildWithFonts({ source: '/brand/a.ttf' }, { 'brand/a.ttf': 'not a font' })
  expect(style).toContain(':root{--sans:site-body,system-ui,sans-serif}')
  expect(style).not.toContain('-like')
  expect(preloads).toHaveLength(1)
  expect(diagnostics).toEqual([])
})

test.each([
  ['a missing font', '/brand/missing.woff2', undefined],
  ['a font outside of the docs directory', '/../../etc/font.woff2', undefined],
  ['a font from another host', 'https://fonts.example/a.woff2', 'setting-not-used'],
])('%s changes nothing', async (_name, source, code) => {
  const { style, preloads, published, diagnostics } = await buildWithFonts({ family: 'Own', source })
  expect({ style, preloads, published }).toEqual({ style: '', preloads: [], published: [] })
  expect(diagnostics.map((one) => one.code)).toEqual(code === undefined ? [] : [code])
})

test('a font over the limit is reported', async () => {
  const { published, diagnostics } = await buildWithFonts(
    { source: '/brand/a.ttf' },
    { 'brand/a.ttf': new Uint8Array(17 * 2 ** 20) },
  )
  expect(published).toEqual([])
  expect(diagnostics).toMatchObject([
    { code: 'asset-refused', message: 'Cannot publish `brand/a.ttf`: fonts can have at most 16 MB', file: 'brand/a.ttf' },
  ])
})

test('Inter needs no file', async () => {
  const { published, diagnostics, style } = await buildWithFonts({ family: 'Inter' })
  expect(published).toEqual([expect.stringMatching(/^_assets\/font-[0-9a-f]{8}\.woff2$/)])
  expect(style).toContain('site-body-like')
  expect(diagnostics).toEqual([])
})

test('a site without fonts loads none', async () => {
  const { style, preloads, published } = await buildWithFonts({})
  expect({ style, preloads, published }).toEqual({ style: '', preloads: [], published: [] })
})
