import { expect, test } from 'vitest'
import { findLinks } from '../../../src/docs/pages/generated-page.ts'

test.each<[string, readonly string[]]>([
  ['[a](/x/y)', ['/x/y']],
  ['[a]( </x> "title")', ['/x']],
  ['![a](../x.png) and [b](./y#z)', ['../x.png', './y#z']],
  ['[a]: /x\n  [b]: <y>\n', ['/x', 'y']],
  ['<Card title="A" href="/x" />', ['/x']],
  ["<a href='/x'>", ['/x']],
  ["<Card href={'/x'} /> <Card href={ `/y` } />", ['/x', '/y']],
  ["export const card = { href: '/x' }", ['/x']],
  ['[a](/x?b=c) [d](mailto:e)', ['/x?b=c', 'mailto:e']],
  ['not a link: [a] (/x), href, /y', []],
  ['', []],
])('%j', (text, targets) => {
  const links = findLinks(text)
  expect(links.map(({ target }) => target)).toEqual(targets)
  for (const { target, offsets } of links) expect(text.slice(offsets.start, offsets.end)).toBe(target)
})

test('searches text that resembles links in linear time', () => {
  // In quadratic time, each piece would take longer than the time limit of tests.
  const found = ['](', '[', '[a]: ', 'href="', ']( <', 'href = {  '].map((piece) => findLinks(piece.repeat(300_000)).length)
  expect(found).toHaveLength(6)
})
