import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mdxFromMarkdown } from 'mdast-util-mdx'
import { gfm } from 'micromark-extension-gfm'
import { mdxjs } from 'micromark-extension-mdxjs'
import { expect, test } from 'vitest'
import { parseMarkdown, parseMdx } from '../../../src/site/content/parse-markdown.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

// The fast path for plain texts must give the same result as the parser.
test.each([
  'The id of the issue',
  'Über alles; 100% (of it), "quoted" and it\'s fine.',
  'a',
  'Ends with a space ',
  'Two  blanks inside',
  'see www.example.com',
  'see https://example.com',
  'mail a@example.com',
  'a *b* c_d_e',
  'a_b',
  '1. One',
  'A\n\nB',
  'A & B',
  'x &amp; y',
  '- item',
  'Title\n===',
  'a | b',
  '~~gone~~',
  'a\\b',
  'no-break\u00a0space',
  'A tab\there',
  // URLs in links are skipped, but those in text are found.
  'see [the `docs`](https://example.com/a), **then**\n- a\n- b',
  '[a](https://example.com and [b](https://example.com)',
  '![a](https://example.com/a.png) [https://a.test](https://example.com)',
  '`](https://example.com` [a](<https://example.com>)',
  '> [a](https://example.com)\n\n<b>](https://example.com</b>',
  '[a](https://example.com)\n\na\n:-',
  '[a](https://example.com) | b\n- | -\nc | d',
  'Either/or = yes $5 + 3',
])('%j', (text) => {
  const withoutPlaces = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (key, inner) => (key === 'position' ? undefined : inner)))
  expect(withoutPlaces(parseMarkdown(text))).toEqual(
    withoutPlaces(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })),
  )
})

/** Parts of pages that begin or end addresses and tables, and that an address can contain in MDX. */
const parts = [
  ...['http', 's://', 'example.com', '/a', '{b}', 'www.', 'WWW.a.test', 'me', '@', 'mailto:', 'xmpp:', '{1 + 1}', '`@`'],
  ...[
    '<b>',
    '</b>',
    '**',
    '_',
    '[a](https://a.test)',
    '](',
    '<Card href="https://a.test" />',
    ' ',
    ' ',
    '\n',
    '\n\n',
    '> ',
    '- ',
  ],
  ...['a | b', '| - | - |', '--', ':-', '|', 'c | d', '~~', '```\nhttps://a.test\n```\n'],
]

test('a page is the same with all of the grammar', () => {
  const withAll = { extensions: [gfm(), mdxjs()], mdastExtensions: [gfmFromMarkdown(), mdxFromMarkdown()] }
  const parseAll = (text: string) => {
    try {
      return fromMarkdown(text, withAll).children
    } catch {
      return 'fault'
    }
  }
  const texts = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 14 }).map((all) => all.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      const { root, fault } = parseMdx(text)
      expect(fault ? 'fault' : root.children).toEqual(parseAll(text))
    }),
    { numRuns: propertyRuns(1_000) },
  )
})
