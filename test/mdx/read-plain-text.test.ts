import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdownToNodes } from '../../src/mdx/mdx-reader.ts'
import { readPlainText } from '../../src/mdx/read-plain-text.ts'
import { toMarkup } from './read-mdx.ts'

const runs = Number(process.env['OPENAPI_PAGES_RUNS'] ?? 2_000)
const markup = (text: string) => readPlainText(text)?.map(toMarkup).join('')

/** The same text behind a line that keeps the parser from its short cut. */
const parsed = (text: string) => {
  const nodes = markdownToNodes(`\\*\n\n${text}`)
  return nodes.slice(1).map(toMarkup).join('')
}

describe('readPlainText', () => {
  test.each([
    ['The name.', '<p>The name.</p>'],
    ['The `id` of (one) pet: 1 - 2, a+b = c!', '<p>The <code>id</code> of (one) pet: 1 - 2, a+b = c!</p>'],
    ['One\ntwo', '<p>One\ntwo</p>'],
    ['One\n\n\ntwo_three\n', '<p>One</p><p>two_three</p>'],
    ['See "[the `id`](https://a.example/b_c#d)".', '<p>See "<a href="https://a.example/b_c#d">the <code>id</code></a>".</p>'],
    ['**Note:** it is **`new`**', '<p><strong>Note:</strong> it is <strong><code>new</code></strong></p>'],
    ['One of:\n- `a`: b\n- c\n\nd', '<p>One of:</p><ul><li><code>a</code>: b</li><li>c</li></ul><p>d</p>'],
    ['> [!NOTE]\n> Be\n> careful\n\na', '<Note><p>Be\ncareful</p></Note><p>a</p>'],
  ])('%j', (text, expected) => expect(markup(text)).toBe(expected))

  test.each([
    '',
    '1. a',
    '# a',
    'a *b*',
    'a_b_',
    'a ![b](/c)',
    '[a](javascript:b)',
    '[a]: https://b.example',
    '[^a](/b)',
    '[x] [a](/b)',
    '[see www.a.example](/b)',
    '**a',
    'a **b **',
    '- a\n\n- b',
    '- a\nb',
    '- a\n* b',
    '- - a',
    '> a',
    '> [!NOTE]\na',
    '> [!OTHER]\n> a',
    'a\n    b',
    'see https://a.example',
    'www.a.example',
    'a@b.example',
    'a &amp; b',
    '`a',
    'a  \nb',
    'a\n---',
    'a ``b`` c',
    '    a',
  ])('leaves %j to the parser', (text) => expect(readPlainText(text)).toBeUndefined())

  test('says what the parser says', () => {
    const piece = fc.constantFrom(
      'a',
      'Bc',
      ' ',
      '\n',
      '`',
      '-',
      '=',
      '+',
      '1.',
      '1)',
      ')',
      '(',
      ':',
      '/',
      '!',
      '.',
      '"',
      "'",
      '*',
      '_',
      '**',
      '[',
      ']',
      '](/a)',
      '](http://a)',
      '\n\n',
      '\n- ',
      '\n* ',
      '> ',
      '> [!NOTE]\n',
      'http',
      '://',
      'www.',
      '\t',
      '^',
      'é',
      '—',
      '%',
      ',',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('')
        const plain = markup(text)
        if (plain !== undefined) expect(plain).toBe(parsed(text))
      }),
      { numRuns: runs },
    )
  })
})
