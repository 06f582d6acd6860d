import { describe, expect, test } from 'vitest'
import { escapeMarkdown, toCode } from '../../src/action/escape-markdown.ts'

describe('escapeMarkdown', () => {
  test.each([
    ['Unexpected field `sumary` in an Operation Object', 'Unexpected field `sumary` in an Operation Object'],
    ['a *b* _c_ [d](e) <f> & ~g~ $h$', 'a \\*b\\* \\_c\\_ \\[d\\](e) \\<f\\> \\& \\~g\\~ \\$h\\$'],
    ['a # b', 'a #&#8203; b'],
    ['ask @octocat in #12', 'ask @&#8203;octocat in #&#8203;12'],
    ['mail a@example.com', 'mail a@&#8203;example.com'],
    ['see https://evil.example and www.evil.example', 'see https&#8203;://evil.example and www&#8203;.evil.example'],
    ['a | b', 'a \\| b'],
    ['two\nlines\r\n| here', 'two\\\\nlines\\\\r\\\\n\\| here'],
    ['unpaired ` backtick <b>', 'unpaired \\` backtick \\<b\\>'],
    ['three ` of ` them ` <b>', 'three \\` of \\` them \\` \\<b\\>'],
    ['empty `` code', 'empty  code'],
    ['\u001b[31mred\u001b[0m', '\\\\u001b\\[31mred\\\\u001b\\[0m'],
    ['::error::forged', '\\\\u003a:error::forged'],
    ['##[group]forged', '#&#8203;\\\\u0023\\[group\\]forged'],
  ])('%j', (text, expected) => {
    expect(escapeMarkdown(text, 'paragraph')).toBe(expected)
  })

  test('cuts what is long, and leaves code closed', () => {
    expect(escapeMarkdown('x'.repeat(1000), 'paragraph')).toBe(`${'x'.repeat(300)}…`)
    expect(escapeMarkdown(`name \`${'x'.repeat(1000)}\` unknown`, 'paragraph')).toBe(`name \`${'x'.repeat(294)}…\``)
  })
})

describe('toCode', () => {
  test.each([
    ['openapi.yaml', '`openapi.yaml`', '`openapi.yaml`'],
    ['a|b', '`a|b`', '`a\\|b`'],
    ['a`b', '`` a`b ``', '`` a`b ``'],
    ['``', '``` `` ```', '``` `` ```'],
    [' x ', '`  x  `', '`  x  `'],
    ['a\n| @b', '`a\\n| @b`', '`a\\n\\| @b`'],
    ['', '', ''],
  ])('%j', (text, inParagraph, inCell) => {
    expect(toCode(text, 'paragraph')).toBe(inParagraph)
    expect(toCode(text, 'cell')).toBe(inCell)
  })
})
