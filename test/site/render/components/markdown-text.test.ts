import { expect, test } from 'vitest'
import { siteOf } from '../../build/site-of.ts'

/** The pages of two operations, in folders of their own, that show one parameter with this description; `texts` stand on them besides. */
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
  return { pages, told: diagnostics.filter(({ code }) => code.endsWith('-unresolved')) }
}

test.each([
  ['an image', '![Pet](pet.png)', ['<img src="/one/pet.png"', '<img src="/two/more/pet.png"']],
  ['a link', '[Help](help#part)', ['<a href="/one/help/#part"', '<a href="/two/more/help/#part"']],
  ['a link in HTML', '<a href="./help#part">Help</a>', ['<a href="/one/help/#part"', '<a href="/two/more/help/#part"']],
  [
    'an image of two sizes in HTML',
    '<img src="https://example.com/pet.png" srcset="pet.png 1x, https://example.com/pet.png 2x">',
    ['srcset="/one/pet.png 1x, https://', 'srcset="/two/more/pet.png 1x, https://'],
  ],
  [
    'an image beside a link to another site',
    '[Site](https://example.com/) ![Pet](pet.png)',
    ['<img src="/one/pet.png"', '<img src="/two/more/pet.png"'],
  ],
  [
    'a film in HTML',
    '<video poster="pet.png" src="https://example.com/a.mp4"></video>',
    ['poster="/one/pet.png"', 'poster="/two/more/pet.png"'],
  ],
])('%s of a description that two pages show counts from the folder of each', async (_what, description, addresses) => {
  const { pages, told } = await showTwice(description)
  for (const [index, address] of addresses.entries()) expect(pages[index]).toContain(address)
  expect(told).toEqual([])
})

test.each(['one/cats', 'two/more/dogs'])(
  'a part that a description of two pages links to is looked for on each of them, and only %s has it',
  async (route) => {
    const { pages, told } = await showTwice('See [the part](#part)', { [route]: '\n## Part\n' })
    for (const page of pages) expect(page).toContain('See <a href="#part">the part</a>')
    expect(told.map(({ code, file, message }) => [code, file, message.match(/`.*?`/)?.[0]])).toEqual([
      ['fragment-unresolved', 'openapi.json', '`#part`'],
    ])
  },
)

test('a part that both pages of a description have is told of neither', async () => {
  const { told } = await showTwice('See [the part](#part)', { 'one/cats': '\n## Part\n', 'two/more/dogs': '\n## Part\n' })
  expect(told).toEqual([])
})
