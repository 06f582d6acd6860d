import { expect, test } from 'vitest'
import { siteOf } from '../../make/site-of.ts'

test('a page with `rss: true` has feeds of its updates, with absolute links', async () => {
  const updates = `---
title: News
rss: true
---

<Update label="January 5, 2026" description="v2">
  Text of [v2](/other). <Icon icon="star" />
</Update>

<div>
  <Update label="v1" rss={{ title: "First", description: "The <first> one" }}>long text</Update>
</div>
`
  const docsConfig = JSON.stringify({ name: 'Shop', navigation: { pages: ['index', 'news', 'other'] } })
  const files = {
    'docs.json': docsConfig,
    'index.mdx': '# A',
    'other.mdx': updates.replace('rss: true\n', ''),
    'news.mdx': updates,
  }
  const { files: made, diagnostics } = await siteOf(files, { url: 'https://acme.example/docs/', base: '/docs/' })
  expect(diagnostics).toEqual([])
  expect(Object.keys(made).filter((path) => /rss|feed/.test(path) && !path.startsWith('_'))).toEqual([
    'news/rss.xml',
    'news/feed.json',
  ])
  expect(JSON.parse(made['news/feed.json'] ?? '')).toMatchObject({
    title: 'News – Shop',
    home_page_url: 'https://acme.example/docs/news/',
    items: [
      {
        url: 'https://acme.example/docs/news/#january-5-2026',
        title: 'January 5, 2026',
        summary: 'Text of v2.',
        content_html: '<p>Text of <a href="https://acme.example/docs/other/">v2</a>. </p>',
        date_published: '2026-01-05T00:00:00.000Z',
      },
      { url: 'https://acme.example/docs/news/#v1', title: 'First', content_html: '<p>The &lt;first> one</p>' },
    ],
  })
  expect(made['news/rss.xml']).toContain('<pubDate>Mon, 05 Jan 2026 00:00:00 GMT</pubDate>')
  expect(made['news/index.html']).toContain('type="application/rss+xml" title="News · Shop" href="/docs/news/rss.xml"')
  const withoutUrl = await siteOf(files)
  expect(Object.keys(withoutUrl.files).filter((path) => path.endsWith('rss.xml'))).toEqual([])
})
