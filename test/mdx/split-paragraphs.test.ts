import { describe, expect, test } from 'vitest'
import { markdownToNodes } from '../../src/mdx/mdx-reader.ts'
import { splitParagraphs } from '../../src/mdx/split-paragraphs.ts'
import { fc, runsOr } from '../support/properties.ts'
import { parseToMarkup, toMarkup } from './read-mdx.ts'

const runs = runsOr(300)
const markup = (text: string) => markdownToNodes(text).map(toMarkup).join('')

describe('splitParagraphs', () => {
  test.each([
    [
      'Gets a pet.\n\nSee "[Pets](/pets)."\n\n**Note:** `id` counts.\n',
      ['Gets a pet.', 'See "[Pets](/pets)."', '**Note:** `id` counts.'],
    ],
    ['A\nb\n\n\n![c](d.png)', ['A\nb', '![c](d.png)']],
  ])('%j', (text, expected) => expect(splitParagraphs(text)).toEqual(expected))

  test.each([
    'one',
    'a\n\n- b',
    'a\n\n    b',
    'a\n \nb',
    'a\n\n> b',
    '```\na\n\nb\n```',
    'a [b]\n\n[b]: c',
    'a[^b]\n\n[^b]: c',
    '<p>a\n\nb</p>',
    'a\n\nb\n---',
    'a | b\n-- | --\n1 | 2\n\nc',
    'a\r\n\r\nb',
    'a\n\n# b',
    'a\n\n1. b',
    'a\n\n***',
    'a\n***\n\nb',
  ])('keeps %j whole', (text) => expect(splitParagraphs(text)).toBeUndefined())

  test('what its paragraphs say is what the text says', () => {
    const piece = fc.constantFrom(
      ...['a', 'Bc ', ' ', '\n', '\n\n', '\n\nA', '\n\n**', '\n\n`', '\n\n[', '\n\n![', '\n\n"'],
      ...[
        '`',
        '``',
        '*',
        '**',
        '_',
        '~~',
        '[',
        ']',
        '](c)',
        '](d "e")',
        '][f]',
        '[^g]',
        ']:',
        '!',
        '(',
        ')',
        '\\',
        '\\\n',
        '  \n',
      ],
      ...['-', '- ', '+ ', '* ', '1. ', '1', '#', '# ', '> ', '| ', '|-|', ':-', '---', '===', '```', '~~~', '\t', '    '],
      ...['<', '<b>', '<!--', '&amp;', 'www.h.example', 'https://i.example', 'j@k.example', '\r\n', 'é', '\u00a0', '$'],
    )
    let split = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = `A${pieces.join('')}`
        if (splitParagraphs(text) === undefined) return
        split++
        expect(markup(text)).toBe(parseToMarkup(text))
      }),
      { numRuns: runs },
    )
    expect(split).toBeGreaterThan(runs / 50)
  })
})
