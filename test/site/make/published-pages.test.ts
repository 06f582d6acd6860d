import { expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

const page = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\n\nWords.\n`

const files = {
  'docs.json': JSON.stringify({
    name: 'Shop',
    navigation: {
      groups: [
        { group: 'Guides', root: 'guides/index', pages: ['guides/index', 'guides/start', 'guides/secret', 'guides/quiet'] },
        { group: 'Old', hidden: true, pages: ['old/plain', 'old/shown'] },
        { group: 'Extra', hidden: true, searchable: true, pages: ['extra/listed'] },
      ],
    },
  }),
  'index.mdx': page('Home'),
  'guides/index.mdx': page('All guides'),
  'guides/start.mdx': page('Start'),
  'guides/secret.mdx': page('Secret', 'hidden: true\n'),
  'guides/quiet.mdx': page('Quiet', 'searchable: false\n'),
  'old/plain.mdx': page('Plain'),
  'old/shown.mdx': page('Shown', 'hidden: false\n'),
  'extra/listed.mdx': page('Listed'),
  'loose.mdx': page('Loose'),
  'CLAUDE.md': '# Instructions',
  'guides/AGENTS.md': '# Instructions',
  'README.md': '# Repository',
  'drafts/a.mdx': page('Draft'),
  'drafts/keep.mdx': page('Kept draft'),
  '.mintignore': 'drafts/*\n!drafts/keep.mdx\n',
}

async function listPages(settings: object = {}) {
  const docs = { ...JSON.parse(files['docs.json']), ...settings }
  const { files: built } = await siteOf({ ...files, 'docs.json': JSON.stringify(docs) }, { url: 'https://shop.test/' })
  const names: { routes: string } = JSON.parse(built['_search/names.json'] ?? '')
  const list = (text = '', pattern: RegExp) => Array.from(text.matchAll(pattern), ([, route = '']) => route).sort()
  return {
    built,
    pages: Object.entries(built).flatMap(([path, html]) =>
      html.includes('http-equiv="refresh"') ? [] : (/^(?!404|search)(.*?)\/?index\.html$/.exec(path)?.[1] ?? []),
    ),
    llms: list(built['llms.txt'], /\]\([^)]*test\/((?!_llms\/).*?)\.md\)/g),
    sitemap: list(built['sitemap.xml'], /test\/(.*?)\/?<\/loc>/g),
    search: names.routes.split('\n').sort(),
  }
}

test('publishes no files for tools and no files that `.mintignore` excludes', async () => {
  const { pages } = await listPages()
  expect(pages.sort()).toEqual([
    ...['', 'drafts/keep', 'extra/listed', 'guides', 'guides/quiet', 'guides/secret', 'guides/start'],
    ...['loose', 'old/plain', 'old/shown'],
  ])
})

test('lists no hidden pages in `llms.txt`, the sitemap and the search', async () => {
  const { llms, sitemap, search, built } = await listPages()
  const listed = ['extra/listed', 'guides', 'guides/quiet', 'guides/start', 'old/shown']
  expect(llms).toEqual([...listed, 'index'].sort())
  expect(sitemap).toEqual(['', ...listed])
  expect(search).toEqual(['', ...listed.filter((route) => route !== 'guides/quiet')])
  const isIndexed = (route: string) => !built[`${route}/index.html`]?.includes('<meta name="robots"')
  expect(['guides/secret', 'old/plain', 'loose', 'old/shown'].map(isIndexed)).toEqual([false, false, true, true])
})

test('lists hidden pages with `seo.indexing: all`', async () => {
  const { sitemap, search } = await listPages({ seo: { indexing: 'all' } })
  expect(sitemap).toEqual(expect.arrayContaining(['guides/secret', 'old/plain', 'loose']))
  expect(search).toEqual(expect.arrayContaining(['guides/secret', 'old/plain', 'loose']))
  expect(sitemap).not.toContain('404')
})

test('lists the root page of a group once and hidden pages never in the sidebar', async () => {
  const { built } = await listPages()
  const [, sidebar = ''] = /<nav aria-label="Pages">(.*?)<\/nav>/s.exec(built['guides/start/index.html'] ?? '') ?? []
  expect(Array.from(sidebar.matchAll(/href="([^"]*)"/g), ([, href]) => href)).toEqual([
    '/guides/',
    '/guides/start/',
    '/guides/quiet/',
  ])
})

test('accepts links to generated files and reports links to ignored pages', async () => {
  const generated = ['/llms.txt', '/llms-full.txt', '/sitemap.xml', '/robots.txt', '/print.html', '/print.html#part-pets']
  const targets = [...generated, '/guides/start.md', '/CLAUDE', '/llms-other.txt']
  const text = targets.map((target) => `[link](${target})`).join('\n\n')
  const { diagnostics } = await siteOf({ ...files, 'guides/start.mdx': `${page('Start')}\n${text}\n` })
  const found = diagnostics.filter(({ file }) => file === 'guides/start.mdx').map(({ code, message }) => `${code} ${message}`)
  expect(found).toEqual([
    expect.stringMatching(/^link-unresolved .*\/CLAUDE/),
    expect.stringMatching(/^asset-missing .*llms-other/),
  ])
})

test('reports a `.mintignore` over the limit', async () => {
  const { diagnostics } = await siteOf({ ...files, '.mintignore': 'a\n'.repeat(40_000) })
  expect(diagnostics.filter(({ file }) => file === '.mintignore').map(({ code, severity }) => [code, severity])).toEqual([
    ['file-too-large', 'warning'],
  ])
})
