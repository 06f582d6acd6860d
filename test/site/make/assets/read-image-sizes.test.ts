import { expect, test } from 'vitest'
import { siteOf } from '../site-of.ts'

const svg = (attributes: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><path d="M0 0h1"/></svg>`

test('sets the size of images in the docs directory, and leaves others unchanged', async () => {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', navigation: { pages: ['index', 'guides/start'] } }),
    'index.mdx': `---
title: Start
---
![a](/images/wide.svg) ![b](images/box.svg "t") ![c](https://example.com/wide.svg) ![d](/images/broken.svg) ![e](/images/none.png)

<img src="/images/wide.svg" width="200" /> <img src="/images/wide.svg" height={30} /> <img src="/images/my%20own.svg" alt="own" />
`,
    'guides/start.mdx': '---\ntitle: Go\n---\n<Frame>![f](../images/wide.svg?raw#x)</Frame>\n',
    'images/wide.svg': svg('width="400" height="100"'),
    'images/box.svg': svg('viewBox="0 0 24 12"'),
    'images/my own.svg': svg('width="7" height="9"'),
    'images/broken.svg': '<svg',
  })
  const sidesOf = (path: string) =>
    Array.from(files[path]?.matchAll(/<img [^>]*>/g) ?? [], ([tag]) =>
      ['src', 'width', 'height'].map((name) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]).join(' '),
    )
  expect(sidesOf('index.html')).toEqual([
    '/images/wide.svg 400 100',
    '/images/box.svg 24 12',
    'https://example.com/wide.svg  ',
    '/images/broken.svg  ',
    '/images/none.png  ',
    '/images/wide.svg 200 50',
    '/images/wide.svg  30',
    '/images/my%20own.svg 7 9',
  ])
  expect(sidesOf('guides/start/index.html')).toEqual(['/images/wide.svg?raw#x 400 100'])
})
