import { expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

const docs = (more: object, navigation: object = { groups: [{ group: 'Guides', pages: ['index'] }] }) => ({
  'docs.json': JSON.stringify({ name: 'Shop', navigation, ...more }),
  'index.mdx': '---\ntitle: Start\n---\n\nWords.\n',
})

test('removes control characters from pages, Markdown and llms.txt', async () => {
  const { files } = await siteOf({
    ...docs({}, { tabs: [{ tab: 'API', openapi: 'openapi.json', pages: ['index'] }] }),
    'openapi.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'a\0b', version: '1' },
      paths: {
        '/a': {
          get: { summary: 'nul \0 bell \x07', description: 'esc \x1b[31m del \x7f', responses: { 200: { description: '\0' } } },
        },
      },
    }),
  })
  for (const [path, content] of Object.entries(files)) {
    if (/\.(?:html|md|txt)$/.test(path)) expect([path, content.match(/[\0-\x08\x0b\x0e-\x1f\x7f]/)]).toEqual([path, null])
  }
})

test('a language can have a separate banner, navbar and footer', async () => {
  const { files } = await siteOf({
    ...docs(
      { banner: { content: 'For all' }, navbar: { links: [{ label: 'Help', href: 'https://example.com/help' }] } },
      {
        languages: [
          { language: 'en', groups: [{ group: 'Guides', pages: ['index'] }] },
          {
            language: 'de',
            banner: { content: 'Für Deutsche' },
            navbar: { links: [{ label: 'Hilfe', href: 'https://example.com/hilfe' }] },
            footer: { links: [{ header: 'Mehr', items: [{ label: 'Impressum', href: '/de' }] }] },
            groups: [{ group: 'Anfang', pages: ['de/index'] }],
          },
        ],
      },
    ),
    'de/index.mdx': '---\ntitle: Anfang\n---\n',
  })
  const english = files['index.html'] ?? ''
  const german = files['de/index.html'] ?? ''
  for (const words of ['For all', 'https://example.com/help']) expect(english).toContain(words)
  for (const words of ['Für Deutsche', 'Hilfe', 'Impressum']) {
    expect(german).toContain(words)
    expect(english).not.toContain(words)
  }
  expect(german).not.toContain('For all')
})

test('reports settings without effect once', async () => {
  const { diagnostics } = await siteOf(
    docs({
      api: { examples: { languages: ['curl', 'C#', 'cobol', 'constructor'] } },
      interaction: { drilldown: true },
      styling: { latex: true },
    }),
  )
  expect(diagnostics.map(({ code, severity, pointer }) => [code, severity, pointer])).toEqual([
    ['setting-not-used', 'info', '/api/examples/languages/2'],
    ['setting-not-used', 'info', '/api/examples/languages/3'],
    ['setting-not-used', 'info', '/interaction/drilldown'],
  ])
})

test.each<[description: string, hasScripts: boolean]>([
  ['An emoji: mermaid', false],
  ['A chart:\n\n```mermaid\ngraph TD\n```\n', true],
  ['A chart:\n\n~~~ Mermaid\nmermaid\n~~~\n', true],
])('a site has the scripts of diagrams only if it may have a diagram: %j', async (description, hasScripts) => {
  const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1', description }, paths: {} })
  for (const text of [document, document.replaceAll('`', '\\u0060')]) {
    const { files } = await siteOf(
      { ...docs({ api: { openapi: 'openapi.json' } }), 'openapi.json': text },
      { readDiagrams: () => [{ path: '_assets/diagrams/d.js', content: '' }] },
    )
    expect([text, '_assets/diagrams/d.js' in files]).toEqual([text, hasScripts])
  }
})
