import { expect, test } from 'vitest'
import { siteOf } from '../make/site-of.ts'

test.each(['search/index.html', 'print.html'])('%s shows the names of languages', async (path) => {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      navigation: {
        languages: [
          { language: 'en', versions: [{ version: 'v2', groups: [{ group: 'Guides', pages: ['guides/start'] }] }] },
          { language: 'es', pages: ['es/start'] },
        ],
      },
    }),
    'guides/start.mdx': '---\ntitle: Start\n---\n',
    'es/start.mdx': '---\ntitle: Empezar\n---\n',
  })
  const article = /<article.*<\/article>/s.exec(files[path] ?? '')?.[0] ?? ''
  const headings = Array.from(article.matchAll(/<h[23][^>]*>([^<]*)</g), ([, text]) => text)
  expect(headings).toEqual(
    path === 'print.html' ? ['All pages', 'English', 'v2 / Guides', 'Español'] : ['English / v2 / Guides', 'Español'],
  )
})
