import { expect, test } from 'vitest'
import { siteOf } from '../../make/site-of.ts'

/** Two operation pages in different directories that show the same parameter description. `texts` is additional page text by route. */
async function showTwice(description: string, texts: { readonly [route: string]: string } = {}) {
  const get = (summary: string) => ({
    get: { summary, parameters: [{ $ref: '#/components/parameters/Page' }], responses: { 200: { description: 'ok' } } },
  })
  const { files, diagnostics } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      navigation: { pages: ['index', 'one/cats', 'two/more/dogs', 'one/help', 'two/more/help'] },
    }),
    'index.mdx': 'Hello\n',
    'one/cats.mdx': `---\nopenapi: openapi.json GET /cats\n---\n${texts['one/cats'] ?? ''}`,
    'two/more/dogs.mdx': `---\nopenapi: openapi.json GET /dogs\n---\n${texts['two/more/dogs'] ?? ''}`,
    'one/help.mdx': '## Part\n',
    'two/more/help.mdx': '## Part\n',
    'one/pet.png': '',
    'two/more/pet.png': '',
    'openapi.json': JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'Shop', version: '1' },
      paths: { '/cats': get('List cats'), '/dogs': get('List dogs') },
      components: { parameters: { Page: { name: 'page', in: 'query', description, schema: { type: 'string' } } } },
    }),
  })
  const pages = ['one/cats', 'two/more/dogs'].map((route) => files[`${route}/index.html`] ?? '')
  return { pages, reported: diagnostics.filter(({ code }) => code.endsWith('-unresolved')) }
}

test.each([
  ['an image', '![Pet](pet.png)', ['<img src="/one/pet.png"', '<img src="/two/more/pet.png"']],
  ['a link', '[Help](help#part)', ['<a href="/one/help/#part"', '<a href="/two/more/help/#part"']],
  ['a link in HTML', '<a href="./help#part">Help</a>', ['<a href="/one/help/#part"', '<a href="/two/more/help/#part"']],
  [
    'an image with two sizes in HTML',
    '<img src="https://example.com/pet.png" srcset="pet.png 1x, https://example.com/pet.png 2x">',
    ['srcset="/one/pet.png 1x, https://', 'srcset="/two/more/pet.png 1x, https://'],
  ],
  [
    'an image next to an external link',
    '[Site](https://example.com/) ![Pet](pet.png)',
    ['<img src="/one/pet.png"', '<img src="/two/more/pet.png"'],
  ],
  [
    'a video in HTML',
    '<video poster="pet.png" src="https://example.com/a.mp4"></video>',
    ['poster="/one/pet.png"', 'poster="/two/more/pet.png"'],
  ],
])('resolves %s in a shared description against the directory of each page', async (_what, description, addresses) => {
  const { pages, reported } = await showTwice(description)
  for (const [index, address] of addresses.entries()) expect(pages[index]).toContain(address)
  expect(reported).toEqual([])
})

test.each(['one/cats', 'two/more/dogs'])(
  'checks a fragment link of a shared description on each page: only %s has the target',
  async (route) => {
    const { pages, reported } = await showTwice('See [the part](#part)', { [route]: '\n## Part\n' })
    for (const page of pages) expect(page).toContain('See <a href="#part">the part</a>')
    expect(reported.map(({ code, file, message }) => [code, file, message.match(/`.*?`/)?.[0]])).toEqual([
      ['fragment-unresolved', 'openapi.json', '`#part`'],
    ])
  },
)

test('accepts a fragment link of a shared description if all pages have the target', async () => {
  const { reported } = await showTwice('See [the part](#part)', { 'one/cats': '\n## Part\n', 'two/more/dogs': '\n## Part\n' })
  expect(reported).toEqual([])
})
