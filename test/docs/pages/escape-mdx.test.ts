import { describe, expect, test } from 'vitest'
import { escapeMdx, renderMdxCode, renderMdxText, toSafeLink } from '../../../src/docs/pages/generated-page.ts'
import { linkSchemes } from '../../../src/text/plain/paths.ts'
import { fc } from '../../support/properties.ts'

describe('Markdown', () => {
  test.each([
    ['# A\n\n- *b* **c** [d](https://e.com) `f`\n\n| a | b |\n| - | - |\n| 1 | 2 |', undefined],
    ['```js {1}\nconst a = { b: 1 }\n```', '```js\nconst a = { b: 1 }\n```'],
    ['~~~\n{a}\n```\n~~~~\n{b}', '~~~\n{a}\n```\n~~~~\n&#123;b&#125;'],
    ['```\n{never closed}', '```\n{never closed}\n```'],
    ['[a](/b) [c](../d.md#e) [f](#g) [h](mailto:i@j.k) [k](tel:+1) ![l](m.png)', undefined],
    ['a & b &copy; &lt;', 'a &#38; b &copy; &lt;'],
  ])('keeps %j', (text, expected = text) => {
    expect(escapeMdx(text)).toBe(expected)
  })

  test.each(linkSchemes)('keeps links with the scheme %s', (scheme) => {
    expect(escapeMdx(`[a](${scheme}://b)`)).toBe(`[a](${scheme}://b)`)
  })

  test.each([
    ['{process.env}', '&#123;process.env&#125;'],
    ['<script>x</script>', '&#60;script>x&#60;/script>'],
    ['a\nimport x from "y"', 'a\n&#8203;import x from "y"'],
    ['export const a = 1', '&#8203;export const a = 1'],
    ['`{a}`', '<code>&#123;a&#125;</code>'],
    ['\\`{a}`', '\\&#96;&#123;a&#125;&#96;'],
    ['``{a}``', '<code>&#123;a&#125;</code>'],
    ['``a`{b}``', '&#96;&#96;a&#96;&#123;b&#125;&#96;&#96;'],
    ['x\n\n  ~~~\n~~~\n{a}', 'x\n\n  &#126;&#126;&#126;\n~~~\n{a}\n~~~'],
    ['~~~```\n~~~\n{a}', '~~~\n~~~\n&#123;a&#125;'],
    ['x\n  ~~~\ny', 'x\n  &#126;&#126;&#126;\ny'],
    ['- ```js\n  ```\n{a}', '- &#96;&#96;&#96;js\n  &#96;&#96;&#96;\n&#123;a&#125;'],
    ['$$\n```\n$$\n{a}\n```', '&#36;&#36;\n```\n$$\n{a}\n```'],
    ['[a](javascript:b)', '[a&#93;(javascript:b)'],
    ['[a](JaVa\\script:b) [a](data:b)', '[a&#93;(JaVa\\script:b) [a&#93;(data:b)'],
    ['[a](javascript&colon;b) [a](&#106;avascript:b)', '[a&#93;(javascript&colon;b) [a&#93;(&#38;#106;avascript:b)'],
    ['[a]\n\n[a]: javascript:b', '[a]\n\n[a&#93;: javascript:b'],
    ['a\u2028{b}', 'a\n&#123;b&#125;'],
  ])('escapes %j to plain text', (text, expected) => {
    expect(escapeMdx(text)).toBe(expected)
  })

  test('allows MDX syntax only inside closed fences, for any text', () => {
    const piece = fc.constantFrom(
      '```',
      '~~~',
      '`',
      '``',
      '{a}',
      '<b>',
      'import x',
      '\n',
      '\n\n',
      ' ',
      '- ',
      '> ',
      '$$',
      '   ',
      'x',
      '```js {a}',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        let fence: string | undefined
        for (const line of escapeMdx(pieces.join('')).split('\n')) {
          const [, marks = ''] = /^(`{3,}|~{3,})/.exec(line) ?? []
          if (fence === undefined && marks !== '') {
            fence = marks
            expect(line).toMatch(/^(`+|~+)[\w+#.-]*$/)
          } else if (fence !== undefined) {
            if (new RegExp(`^ {0,3}${fence}${fence[0]}*[ \\t]*$`).test(line)) fence = undefined
          } else {
            expect(line).not.toMatch(/[{}$]|```|~~~|<(?!\/?code>)|^[ \t]*(import|export)\b/)
            expect(line.split('<code>').length).toBe(line.split('</code>').length)
          }
        }
        expect(fence).toBeUndefined()
      }),
    )
  })
})

test.each([
  ['List *all* [pets](x) {a} <b>', 'List &#42;all&#42; &#91;pets&#93;&#40;x&#41; &#123;a&#125; &#60;b&#62;'],
  ['# a\nb', '&#35; a b'],
  ['1. a', '&#49;. a'],
  ['- a', '&#45; a'],
])('renders %j as plain text', (text, expected) => {
  expect(renderMdxText(text)).toBe(expected)
})

test.each([
  ['GET /pets', '`GET /pets`'],
  ['GET /pets/{id}', '<code>GET /pets/&#123;id&#125;</code>'],
])('renders %j as code', (text, expected) => {
  expect(renderMdxCode(text)).toBe(expected)
})

test.each([
  ['https://example.com/a?b=1&c=(2)', 'https://example.com/a?b=1&amp;c=%282%29'],
  ['/ref/über-{a}', '/ref/%C3%BCber-%7Ba%7D'],
  ['https://example.com/%20', 'https://example.com/%20'],
  ['//example.com', undefined],
  ['javascript:a', undefined],
  ['/a\ud800b', '/ab'],
])('turns the link %j into %j', (target, expected) => {
  expect(toSafeLink(target)).toBe(expected)
})
