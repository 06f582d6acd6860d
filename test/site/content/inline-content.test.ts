import { expect, test } from 'vitest'
import { readMdx } from './read-mdx.ts'

test.each([
  ['<p>\n  text\n</p>', '<p>text</p>'],
  ['<p>\n  one\n\n  two\n</p>', '<div><p>one</p><p>two</p></div>'],
  ['<p>\n  <div>a</div>\n</p>', '<div><div>a</div></div>'],
  ['<p>\n  a <img src="b" />\n</p>', '<p>a <img src="b"></img></p>'],
  ['<h1>\n  title\n</h1>', '<h1>title</h1>'],
  ['<h2>\n  one\n\n  two\n</h2>', '<h2>one<br></br>two</h2>'],
  ['<code>\n  a\n</code>', '<code>a</code>'],
  ['<span>\n  a **b**\n</span>', '<span>a <strong>b</strong></span>'],
  ['<ul>\n  <li>\n    a\n  </li>\n  <li>\n    b\n\n    c\n  </li>\n</ul>', '<ul><li>a</li><li><p>b</p><p>c</p></li></ul>'],
  ['<table>\n  <tr>\n    <td>\n      a\n    </td>\n  </tr>\n</table>', '<table><tr><td>a</td></tr></table>'],
  ['<a href="/b">\n  a\n</a>', '<a href="/b">a</a>'],
  ['<div>\n  a\n</div>', '<div><p>a</p></div>'],
  ['<td>\n  a\n\n  - b\n</td>', '<td><p>a</p><ul><li>b</li></ul></td>'],
])('reads %j without a paragraph in a paragraph', (text, markup) => {
  expect(readMdx(text).markup).toBe(markup)
})

test('reads a frame URL without a scheme as https', () => {
  expect(readMdx('<iframe src="//www.youtube.com/embed/a" />').markup).toBe(
    '<iframe src="https://www.youtube.com/embed/a"></iframe>',
  )
  expect(readMdx('<iframe src="//evil.example" />').markup).toBe('')
})

test.each([
  ['https://www.tella.tv/video/a/embed', true],
  ['https://supercut.ai/embed/a', true],
  ['https://evil.supercut.ai/embed/a', false],
  ['https://www.tella.tv.evil.example/', false],
])('allows a frame of %s: %s', (url, isAllowed) => {
  expect(readMdx(`<iframe src="${url}" />`).markup).toBe(isAllowed ? `<iframe src="${url}"></iframe>` : '')
})
