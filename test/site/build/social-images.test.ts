import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createSocialImages } from '../../../src/site/build/draw-social-image.ts'
import { readOutlines } from '../../../src/site/build/glyph-outlines.ts'
import { readSocialFont } from '../../../src/site/build/read-site-assets.ts'
import { siteOf, siteOfDocument } from './site-of.ts'

const api = 'openapi: 3.1.0\ninfo: {title: Pets & more, version: "1"}\npaths: {/pets: {get: {summary: List pets}}}\n'

/** Builds a site with its URL. Returns the `og:image` of each page, and the drawn images. */
async function buildWithUrl({ hasUrl = true, name = 'Pets', seo = {}, guide = 'title: Guide', config = '' }) {
  const { files } = await siteOf(
    {
      'docs.json': JSON.stringify({
        name,
        seo,
        navigation: {
          groups: [
            { group: 'A', pages: ['index', 'guide'] },
            { group: 'API', openapi: 'api.yaml' },
          ],
        },
      }),
      'index.mdx': '# Start\n',
      'guide.mdx': `---\n${guide}\n---\n`,
      'api.yaml': api,
      'openapi-pages.config.yaml': config,
    },
    { url: hasUrl ? 'https://docs.example.com/v1/' : undefined, base: '/v1/' },
  )
  const imageOf = (route: string) => /og:image" content="([^"]*)"/.exec(files[`${route}index.html`] ?? '')?.[1]
  return {
    images: { start: imageOf(''), guide: imageOf('guide/'), operation: imageOf('api-reference/list-pets/') },
    drawn: Object.keys(files)
      .filter((path) => path.endsWith('.png'))
      .map((path) => `https://docs.example.com/v1/${path}`),
  }
}

describe('the image for links', () => {
  test('is one for the site by default, with an absolute URL', async () => {
    const { images, drawn } = await buildWithUrl({})
    expect(drawn).toEqual([expect.stringMatching(/^https:\/\/docs\.example\.com\/v1\/_assets\/social-[0-9a-f]{8}\.png$/)])
    expect(images).toEqual({ start: drawn[0], guide: drawn[0], operation: drawn[0] })
  })

  test('is one for each page with `socialImages: pages`', async () => {
    const { images, drawn } = await buildWithUrl({ config: 'site: {socialImages: pages}\n' })
    // The group of the API has a page, too.
    expect(drawn).toHaveLength(4)
    expect(new Set(Object.values(images)).size).toBe(3)
    expect(drawn).toEqual(expect.arrayContaining(Object.values(images)))
  })

  test.each([
    ['without the URL of the site', { hasUrl: false }],
    ['with `socialImages: off`', { config: 'site: {socialImages: off}\n' }],
    ['with an empty value in `seo`', { seo: { metatags: { 'og:image': '' } } }],
    ['if the name has letters that cannot be drawn', { name: 'ペット' }],
  ])('is missing %s', async (_name, options) => {
    const { images, drawn } = await buildWithUrl(options)
    expect({ ...images, drawn }).toEqual({ start: undefined, guide: undefined, operation: undefined, drawn: [] })
  })

  test('is that of the author, of the site or of a page', async () => {
    const site = await buildWithUrl({ seo: { metatags: { 'og:image': 'https://cdn.example/a.png' } } })
    expect(site).toMatchObject({ images: { guide: 'https://cdn.example/a.png' }, drawn: [] })
    const page = await buildWithUrl({ guide: 'title: Guide\n"og:image": /own.png', config: 'site: {socialImages: pages}\n' })
    expect(page.images.guide).toBe('https://docs.example.com/v1/own.png')
    expect(page.drawn).toHaveLength(3)
  })

  test('of a page whose title cannot be drawn is that of the site', async () => {
    const { images, drawn } = await buildWithUrl({ guide: 'title: ガイド', config: 'site: {socialImages: pages}\n' })
    expect(images.guide).toBe(images.start)
    expect(drawn).toHaveLength(3)
  })
})

/** The rows of a drawn image: 4 bits for each pixel, 0 for the background. */
function readRows(png: Uint8Array): number[][] {
  const bytes = Buffer.from(png)
  const at = bytes.indexOf('IDAT')
  const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))
  return Array.from({ length: 630 }, (_, y) =>
    [...rows.subarray(y * 601 + 1, (y + 1) * 601)].flatMap((two) => [two >> 4, two & 15]),
  )
}

describe('a drawn image', () => {
  const draw = createSocialImages(readSocialFont())
  const image = { path: '', title: 'List pets', label: 'Pets', detail: 'GET /pets', color: '#2548c4' }

  test('has the color of the brand, and white text inside the margins', () => {
    const png = Buffer.from(draw({ ...image, title: 'A very long title that needs more than one line of text '.repeat(5) }))
    const palette = png.indexOf('PLTE') + 4
    expect([...png.subarray(palette, palette + 3)]).toEqual([0x25, 0x48, 0xc4])
    expect([...png.subarray(palette + 45, palette + 48)]).toEqual([255, 255, 255])
    const rows = readRows(png)
    const used = rows.flatMap((row, y) => row.flatMap((shade, x) => (shade > 0 ? [{ x, y }] : [])))
    expect(Math.min(...used.map(({ x }) => x))).toBeGreaterThanOrEqual(78)
    expect(Math.max(...used.map(({ x }) => x))).toBeLessThanOrEqual(1122)
    expect(Math.min(...used.map(({ y }) => y))).toBeGreaterThan(60)
    expect(Math.max(...used.map(({ y }) => y))).toBeLessThan(580)
  })

  test('is the same for the same text, and has less than 20 kB', () => {
    expect(draw(image)).toEqual(draw(image))
    expect(draw(image).length).toBeLessThan(20_000)
  })

  test('fills a letter and not its inside', () => {
    const rows = readRows(draw({ ...image, label: undefined, detail: undefined, title: 'O' }))
    const middle = rows[520]?.slice(80, 145).map((shade) => (shade === 15 ? '#' : shade === 0 ? '.' : '')) ?? []
    expect(middle.join('').replace(/(.)\1+/g, '$1')).toBe('.#.#.')
  })

  test.each(['Übergrößenträger', 'Ελληνικά', 'Русский', 'naïve café — “quoted” … €™', '{id}/~!@#$%^&*()[]<>|\\'])(
    'has the letters of %s',
    (text) => {
      const { hasGlyph } = readOutlines(readSocialFont())
      expect([...text].filter((letter) => !hasGlyph(letter))).toEqual([])
    },
  )
})

describe('the favicon of a site for a single document', () => {
  test('is the first letter of the title in the color of the site', async () => {
    const { files } = await siteOfDocument('api.yaml', api)
    const [path = '', text] = Object.entries(files).find(([name]) => /^_assets\/favicon-[0-9a-f]{8}\.svg$/.test(name)) ?? []
    expect(text).toContain('fill="#2548c4"')
    expect(text).toContain('>P</text>')
    expect(files['index.html']).toContain(`<link rel="icon" href="/${path}"/>`)
  })

  test('is missing without letters in the title, and with docs.json', async () => {
    const { files } = await siteOfDocument('api.yaml', api.replace('Pets & more', '"<>"'))
    expect(files['index.html']).toContain('<link rel="icon" href="data:,"/>')
    const site = await siteOf({ 'docs.json': JSON.stringify({ name: 'A', navigation: { pages: ['a'] } }), 'a.mdx': 'x' })
    expect(site.files['a/index.html']).toContain('<link rel="icon" href="data:,"/>')
  })
})
