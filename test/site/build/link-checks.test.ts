import { expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

test('reports links to missing fragments on pages of every kind', async () => {
  const { diagnostics } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      navigation: {
        groups: [
          { group: 'Guides', pages: ['index'] },
          { group: 'API', openapi: 'openapi.yaml' },
        ],
      },
    }),
    'index.mdx': `---
title: Start
---

## Größe & more

[own](#größe--more) [encoded](#gr%C3%B6%C3%9Fe--more) [top](#top) [empty](#) [text](#:~:text=a) [as others write it](#Größe-more) [of a program](/#/)
[gone](#groesse) [elsewhere](https://example.com/#x)

[response](/api-reference/list-orders#responses) [gone too](/api-reference/list-orders#respons)

[no page](/nowhere#x)
`,
    'openapi.yaml': `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    get: { summary: List orders, description: 'See [this](#responses) and [that](#nothing)', responses: { '200': { description: ok } } }
`,
  })
  const reported = diagnostics.filter(({ code }) => /unresolved/.test(code))
  expect(
    reported.map(({ code, file, range, message, hint }) => [code, file, range.start.line, message.match(/`.*?`/)?.[0], hint]),
  ).toEqual([
    ['fragment-unresolved', 'index.mdx', 8, '`#groesse`', undefined],
    ['fragment-unresolved', 'index.mdx', 10, '`/api-reference/list-orders#respons`', 'Did you mean `#responses`?'],
    ['link-unresolved', 'index.mdx', 12, '`/nowhere#x`', undefined],
    ['fragment-unresolved', 'openapi.yaml', 5, '`#nothing`', undefined],
  ])
})

test.each([
  ['Markdown', 'index.mdx', '[a](/gone)'],
  ['quotes', 'index.mdx', '<a href="/gone">a</a>'],
  ['an expression', 'index.mdx', "<a href={'/gone'}>a</a>"],
  ['no quotes', 'index.md', '<a href=/gone>a</a>'],
  ['no quotes, and words before it that are longer', 'index.md', 'Not /gone/further\n\n<a href=/gone>a</a>'],
])('reports a broken link where it is written: %s', async (_name, file, text) => {
  const { diagnostics } = await siteOf({
    'docs.json': '{"name": "Shop", "navigation": {"pages": ["index"]}}',
    [file]: `---\ntitle: Start\n---\n\n${text}\n`,
  })
  const reported = diagnostics.filter(({ code }) => code === 'link-unresolved')
  const line = 5 + text.split('\n').length - 1
  expect(reported.map((one) => [one.file, one.range.start.line, one.range.start.column])).toEqual([
    [file, line, (text.split('\n').at(-1) ?? '').indexOf('/gone') + 1],
  ])
})
