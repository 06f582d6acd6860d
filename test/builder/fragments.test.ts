import { expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

test('links to parts that a page does not have are told, whatever the page is about', async () => {
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
  const told = diagnostics.filter(({ code }) => /unresolved/.test(code))
  expect(
    told.map(({ code, file, range, message, hint }) => [code, file, range.start.line, message.match(/`.*?`/)?.[0], hint]),
  ).toEqual([
    ['fragment-unresolved', 'index.mdx', 8, '`#groesse`', undefined],
    ['fragment-unresolved', 'index.mdx', 10, '`/api-reference/list-orders#respons`', 'did you mean `#responses`?'],
    ['link-unresolved', 'index.mdx', 12, '`/nowhere#x`', undefined],
    ['fragment-unresolved', 'openapi.yaml', 5, '`#nothing`', undefined],
  ])
})
