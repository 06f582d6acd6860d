import { describe, expect, test } from 'vitest'
import { siteOf, siteOfDocument } from '../site-of.ts'

const api = 'openapi: 3.1.0\ninfo: {title: Pets & more, version: "1"}\npaths: {/pets: {get: {summary: List pets}}}\n'

/** Builds a site with its URL. Returns the `og:image` of each page. */
async function imagesOf({ seo = {}, guide = 'title: Guide' }) {
  const { files } = await siteOf(
    {
      'docs.json': JSON.stringify({ name: 'Pets', seo, navigation: { pages: ['index', 'guide'] } }),
      'index.mdx': '# Start\n',
      'guide.mdx': `---\n${guide}\n---\n`,
    },
    { url: 'https://docs.example.com/v1/', base: '/v1/' },
  )
  const imageOf = (route: string) => /og:image" content="([^"]*)"/.exec(files[`${route}index.html`] ?? '')?.[1]
  return { start: imageOf(''), guide: imageOf('guide/') }
}

describe('the image for links', () => {
  test('is missing by default', async () => {
    expect(await imagesOf({})).toEqual({ start: undefined, guide: undefined })
  })

  test('is that of the author, of the site or of a page', async () => {
    const image = 'https://cdn.example/a.png'
    const seo = { metatags: { 'og:image': image } }
    expect(await imagesOf({ seo })).toEqual({ start: image, guide: image })
    expect(await imagesOf({ seo, guide: 'title: Guide\n"og:image": /own.png' })).toEqual({
      start: image,
      guide: 'https://docs.example.com/v1/own.png',
    })
  })
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
