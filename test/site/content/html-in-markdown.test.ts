import { describe, expect, test } from 'vitest'
import { textOf } from '../../../src/script/values/values.ts'
import { replaceTags } from '../../../src/site/content/allowed/allowed-html.ts'
import { listRefusedParts, markdownToNodes } from '../../../src/site/content/mdx-reader.ts'
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

test.each([
  [
    '{% admonition type="warning" name="A `b`" %}\n  c\n\n  - d\n{% /admonition %}\ne',
    '> [!WARNING]\n> **A `b`**\n>\n> c\n>\n> - d\n\ne',
  ],
  ['a\n{% callout type="info" %}\n    b\n{% /callout %}', 'a\n\n> [!NOTE]\n> b'],
  ['`{% admonition %}`\n\n```\n{% callout %}\n```', '`{% admonition %}`\n\n```\n{% callout %}\n```'],
])('renders the callouts of Markdoc as alerts of GitHub: %s', (text, same) => expect(markupOf(text)).toBe(markupOf(same)))

test('does not create an alert from other HTML', () => {
  expect(markupOf('<blockquote data-callout="Card" title="x">a</blockquote>')).toBe('<blockquote title="x">a</blockquote>')
})

test('keeps alerts and code titles on a page with invalid MDX', () => {
  const { markup } = readMdx('> [!TIP]\n> a\n\n```js a.js\nx\n```\n\n<Card title="b">\n\nc')
  expect(markup).toContain('<Tip>')
  expect(markup).toContain('<pre js|a.js>x</pre>')
})

describe('what only looks like HTML is text', () => {
  test.each([
    'Send Bearer <token> here',
    'Returns List<String> of names',
    'List<Map<K>>',
    'List<Object> and then more text',
    '<T>',
    '</T>',
    '/users/<id>/files/<path>/<address>',
    '<id>\n<name>',
    '<?xml version="1.0"?>',
    '<!ELEMENT a>',
    '<my-element a="b">x</my-element>',
    '<b>a',
  ])('%j', (text) => {
    expect(textOf(markdownToNodes(text))).toBe(text)
    expect(replaceTags(text, '')).toBe(text)
  })

  test('text without its tags keeps it', () => {
    expect(replaceTags('Send <b>Bearer</b> <token><br> here', ' ')).toBe('Send  Bearer  <token>  here')
  })

  test.each([
    ['<b>a</b> <c>', '<p><b>a</b> &lt;c></p>'],
    ['a</br>b', '<p>a<br></br>b</p>'],
    ['<p>a<br>b <x>', '<p>a<br></br>b &lt;x></p>'],
    ['<div title="<a>">\n\nb\n\n</div>', '<div title="<a>"><p>b</p></div>'],
    ['<center>a</center>', '<center>a</center>'],
  ])('next to HTML: %j', (text, markup) => {
    expect(markupOf(text)).toBe(markup)
  })

  test('shows or reports each tag', () => {
    const names = ['a', 'b', 'br', 'code', 'Code', 'embed', 'form', 'id', 'input', 'Object', 'path', 'svg', 'script', 'T', 'my-x']
    const texts = names.flatMap((name) => [
      `a <${name}> b`,
      `a<${name}>b`,
      `a </${name}> b`,
      `a <${name} c="d"> b`,
      `<${name}>\n\nb`,
    ])
    const lost = texts.filter((text) => {
      const shown = textOf(markdownToNodes(text))
      const isFormatting = /<(?:\/?br|b)\b/.test(text) && !text.includes(' c=')
      return listRefusedParts(text).length === 0 && !isFormatting && !shown.includes(/<[^>]*>/.exec(text)?.[0] ?? '')
    })
    expect(lost).toEqual(['a <br c="d"> b'])
  })
})

test.each([
  ['Before <script>x()</script> after', ['Unsupported `<script>`: it is not shown']],
  ['[a](javascript:b)', ['Unsupported link to `javascript:b`: only its text is shown']],
  ['[a](&#106;avascript:b)', ['Unsupported link to `javascript:b`: only its text is shown']],
  ['[a]\n\n[a]: javascript:b', ['Unsupported link to `javascript:b`: only its text is shown']],
  ['[a](https://a.example) [b](javascript:b)', ['Unsupported link to `javascript:b`: only its text is shown']],
  ['[a](https://a.example\\b)', ['Unsupported link to `https://a.example\\b`: only its text is shown']],
  ['[a](https&#58;b)', ['Unsupported link to `https:b`: only its text is shown']],
  ['[a](https://a.example) [b](#b) [c](/c)', []],
  ['<button>a</button>', ['Unsupported `<button>`: only its content is shown']],
  ['Bearer <token>', []],
  ['{% admonition type="x" %}\na\n{% /admonition %}', []],
  ['{% tabs %}\n`{% tab %}`\n{% /tabs %}', ['Unsupported tag `{% tabs %}` of Markdoc: it is shown as text']],
])('lists what is not shown: %s', (text, messages) => {
  expect(listRefusedParts(text).map(({ message }) => message)).toEqual(messages)
})
