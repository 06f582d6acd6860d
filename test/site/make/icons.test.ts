import { describe, expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

const docs = (more: object = {}, pages: readonly string[] = ['a', 'b']) =>
  JSON.stringify({ name: 'Docs', navigation: { groups: [{ group: 'G', pages }] }, ...more })
const unknownIcons = (
  diagnostics: readonly { code: string; message: string; file: string; hint?: string; range: { start: { line: number } } }[],
) => diagnostics.filter(({ code }) => code === 'icon-unknown')

describe('icons of a site', () => {
  test('puts only the used icons on a page, with the notice that Font Awesome requires', async () => {
    const { files } = await siteOf({
      'docs.json': docs(),
      'a.mdx': '<Card title="A" icon="rocket">x</Card>\n\n<Icon icon="bell" iconType="regular" />',
      'b.mdx': '<Card title="B" icon="circle-alert">x</Card>',
    })
    const html = files['a/index.html'] ?? ''
    expect(Array.from(html.matchAll(/<symbol id="((?!i-)[^"]+)"/g), ([, id]) => id)).toEqual(['far-bell', 'fas-rocket'])
    expect(html).toContain('<!-- Font Awesome Free')
    expect(files['b/index.html']).toContain('<symbol id="l-circle-alert"')
    expect(files['b/index.html']).not.toContain('Font Awesome')
  })

  test('uses the library of docs.json', async () => {
    const files = { 'a.mdx': '<Icon icon="rocket" />', 'b.mdx': '' }
    const used = async (library: string) =>
      /<symbol id="((?!i-)[^"]+)"/.exec(
        (await siteOf({ ...files, 'docs.json': docs({ icons: { library } }) })).files['a/index.html'] ?? '',
      )?.[1]
    expect([await used('fontawesome'), await used('lucide'), await used('tabler')]).toEqual([
      'fas-rocket',
      'l-rocket',
      'tb-rocket',
    ])
    const { diagnostics } = await siteOf({ ...files, 'docs.json': docs({ icons: { library: 'feather' } }) })
    expect(diagnostics.map(({ message }) => message)).toContain(
      'Unexpected `feather` for `library`, expected `fontawesome`, `lucide` or `tabler`',
    )
  })

  test('reports each unknown icon once, with the nearest names', async () => {
    const navigation = { groups: [{ group: 'G', icon: 'rockt', pages: ['a', 'b'] }] }
    const { diagnostics } = await siteOf({
      'docs.json': docs({ navigation }),
      'a.mdx': '---\nicon: gearz\n---\n\nrockt\n\n<Card title="A" icon="rockt">x</Card>\n<Icon icon="githib" />',
      'b.mdx': '<Icon icon="githib" />\n\n```bash Run icon="terminall"\nls\n```',
    })
    expect(
      unknownIcons(diagnostics).map(({ message, file, hint, range }) => [message.split('`')[1], file, range.start.line, hint]),
    ).toEqual([
      ['gearz', 'a.mdx', 2, 'Did you mean `gear`?'],
      ['rockt', 'docs.json', 1, 'Did you mean `rocket`?'],
      ['githib', 'a.mdx', 8, 'Did you mean `github`?'],
      ['terminall', 'b.mdx', 3, 'Did you mean `terminal`?'],
    ])
  })

  test('leaves out the boxes of unknown icons', async () => {
    const { files } = await siteOf({
      'docs.json': docs(),
      'a.mdx': [
        '<Steps><Step title="A" icon="rockt">x</Step><Step title="B" icon="rocket">x</Step></Steps>',
        '<Card title="C" icon="rockt" color="#ff0000">x</Card>',
        '<div className="p-4 bg-red-500"><Icon icon="rockt" className="p-2" /></div>',
        '<Tile href="/b" title="D" />',
      ].join('\n\n'),
      'b.mdx': '<div className="p-4"></div>',
    })
    const main = (path: string) => /<main.*<\/main>/s.exec(files[`${path}/index.html`] ?? '')?.[0] ?? ''
    expect(main('a').match(/class="ball"/g)).toHaveLength(1)
    expect(main('a')).not.toMatch(/class="tinted|class="picture|class="s-/)
    expect(main('b')).toMatch(/class="s-/)
  })

  test('shows and publishes image files as icons', async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    const { files, diagnostics } = await siteOf({
      'docs.json': docs({ navigation: { groups: [{ group: 'G', icon: '/logos/group.svg', pages: ['a', 'b'] }] } }),
      'a.mdx': '---\nicon: /logos/a.svg\n---\n\n<Icon src="/logos/b.svg" size={32} />',
      'b.mdx': '<Icon icon="https://example.com/c.png" /><Icon icon="javascript:alert(1)/x" />',
      ...Object.fromEntries(['group', 'a', 'b'].map((name) => [`logos/${name}.svg`, drawing])),
    })
    expect(['logos/group.svg', 'logos/a.svg', 'logos/b.svg'].map((path) => files[path])).toEqual([drawing, drawing, drawing])
    expect(files['a/index.html']).toContain('<img class="i" src="/logos/b.svg" alt width="32" height="32"')
    expect(files['a/index.html']).toContain('<img class="i" src="/logos/group.svg"')
    expect(files['b/index.html']).toContain('src="https://example.com/c.png"')
    expect(files['b/index.html']).not.toContain('javascript:')
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
  })

  test('reports missing image files', async () => {
    const { diagnostics } = await siteOf({
      'docs.json': docs({ navigation: { groups: [{ group: 'G', icon: '/logos/group.svg', pages: ['a', 'b'] }] } }),
      'a.mdx': '---\nicon: /logos/a.svg\n---\n\n<Icon src="/logos/b.svg" />',
      'b.mdx': '<Icon icon="https://example.com/c.png" />',
    })
    const missing = diagnostics.filter(({ code }) => code === 'asset-missing')
    expect(missing.map(({ message, file, range }) => [message, file, range.start.line]).sort()).toEqual([
      ['Cannot find the file `/logos/a.svg`', 'a.mdx', 2],
      ['Cannot find the file `/logos/b.svg`', 'a.mdx', 5],
      ['Cannot find the file `/logos/group.svg`', 'docs.json', 1],
    ])
  })

  test('reports at most 100 unknown icons of a page', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `zq${index}`)
    const { diagnostics } = await siteOf({
      'docs.json': docs(),
      'a.mdx': names.map((name) => `<Icon icon="${name}" />`).join('\n\n'),
      'b.mdx': '',
    })
    expect(unknownIcons(diagnostics)).toHaveLength(100)
  })
})
