import { expect, test } from 'vitest'
import { listWrittenUrls } from '../../../src/text/plain/scan-markdown.ts'

test.each<[string, readonly string[]]>([
  ['[a](/x/y)', ['/x/y']],
  ['[a]( </x> "title")', ['/x']],
  ['![a](../x.png) and [b](./y#z)', ['../x.png', './y#z']],
  ['[a]: /x\n  [b]: <y>\n', ['/x', 'y']],
  ['<Card title="A" href="/x" />', ['/x']],
  ["<a href='/x'>", ['/x']],
  ["<Card href={'/x'} /> <Card href={ '/y' } />", ['/x', '/y']],
  ["export const card = { href: '/x' }", ['/x']],
  ['[a](/x?b=c) [d](mailto:e)', ['/x?b=c', 'mailto:e']],
  ['not a link: [a] (/x), href, /y', []],
  ['code: `[a](/x)`\n\n```md\n[b](/y)\n```\n', []],
  ['', []],
])('%j', (text, urls) => {
  const found = listWrittenUrls(text)
  expect(found.map(({ href }) => href)).toEqual(urls)
  for (const { href, start } of found) expect(text.slice(start, start + href.length)).toBe(href)
})

test('searches text that resembles links in linear time', () => {
  // In quadratic time, each piece would take longer than the time limit of tests.
  const found = ['](', '[', '[a]: ', 'href="', ']( <', 'href = {  '].map((piece) => listWrittenUrls(piece.repeat(300_000)).length)
  expect(found).toHaveLength(6)
})
