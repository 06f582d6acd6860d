import { expect, test } from 'vitest'
import { siteOf } from './site-of.ts'

test.each([
  ['Markdown', 'index.mdx', '[a](/gone)'],
  ['quotes', 'index.mdx', '<a href="/gone">a</a>'],
  ['an expression', 'index.mdx', "<a href={'/gone'}>a</a>"],
  ['no quotes', 'index.md', '<a href=/gone>a</a>'],
  ['no quotes, and words before it that are longer', 'index.md', 'Not /gone/further\n\n<a href=/gone>a</a>'],
])('a broken link is told where it is written: %s', async (_name, file, text) => {
  const { diagnostics } = await siteOf({
    'docs.json': '{"name": "Shop", "navigation": {"pages": ["index"]}}',
    [file]: `---\ntitle: Start\n---\n\n${text}\n`,
  })
  const told = diagnostics.filter(({ code }) => code === 'link-unresolved')
  const line = 5 + text.split('\n').length - 1
  expect(told.map((one) => [one.file, one.range.start.line, one.range.start.column])).toEqual([
    [file, line, (text.split('\n').at(-1) ?? '').indexOf('/gone') + 1],
  ])
})
