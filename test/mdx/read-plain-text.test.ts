import { describe, expect, test } from 'vitest'
import { readPlainText } from '../../src/mdx/read-plain-text.ts'
import { fc, runsOr } from '../support/properties.ts'
import { parseToMarkup, toMarkup } from './read-mdx.ts'

const runs = runsOr(200)
const markup = (text: string) => readPlainText(text)?.map(toMarkup).join('')

describe('readPlainText', () => {
  test.each([
    ['The name.', '<p>The name.</p>'],
    ['The `id` of (one) pet: 1 - 2, a+b = c!', '<p>The <code>id</code> of (one) pet: 1 - 2, a+b = c!</p>'],
    ['One\ntwo', '<p>One\ntwo</p>'],
  ])('%j', (text, expected) => expect(markup(text)).toBe(expected))

  test.each([
    '',
    '- a',
    '1. a',
    '# a',
    'a *b*',
    'a_b_',
    'a\n\nb',
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
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const plain = markup(text)
        if (plain !== undefined) expect(plain).toBe(parseToMarkup(text))
      }),
      { numRuns: runs },
    )
  })
})
