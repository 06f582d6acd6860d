import { expect, test } from 'vitest'
import { markdownToNodes } from '../../../src/site/content/mdx-reader.ts'
import { readMdx, toMarkup } from './read-mdx.ts'

const markupOf = (text: string) => markdownToNodes(text).map(toMarkup).join('').replaceAll('\n', '')

test.each([
  ['an alert of GitHub', '> [!NOTE]\n> a *b*'],
  ['an alert of several paragraphs', '> [!caution]\n>\n> a\n>\n> - b'],
  ['a quote', '> a [!NOTE]'],
  ['tasks', '- [ ] a\n- [x] b **c**'],
  ['tasks in a loose list', '- [ ] a\n\n- [x] b\n\n  c'],
  ['an item with an item that is a task', '- a\n  - [x] b'],
  ['a block of code with a title', '```js a.js {1,3}\nx\n```'],
])('renders Markdown next to HTML unchanged: %s', (_name, text) => {
  expect(markupOf(`<br>\n\n${text}`)).toBe(`<br></br>${markupOf(text)}`)
})

test('does not create an alert from other HTML', () => {
  expect(markupOf('<blockquote data-callout="Card" title="x">a</blockquote>')).toBe('<blockquote title="x">a</blockquote>')
})

test('keeps alerts and code titles on a page with invalid MDX', () => {
  const { markup } = readMdx('> [!TIP]\n> a\n\n```js a.js\nx\n```\n\n<Card title="b">\n\nc')
  expect(markup).toContain('<Tip>')
  expect(markup).toContain('<pre js|a.js>x</pre>')
})
