import { describe, expect, test } from 'vitest'
import { escapeMarkdown, renderCode, renderLink, renderMessage, toBlobUrl } from '../../../src/github/report/markdown.ts'

const gap = '\u200B'

describe('escapeMarkdown', () => {
  test.each([
    ['plain words stay', 'plain words stay'],
    ['@octocat', `@${gap}octocat`],
    ['@acme/owners', `@${gap}acme/owners`],
    ['see #42 and acme/api#7', `see #${gap}42 and acme/api#${gap}7`],
    ['GH-12', `GH${gap}-12`],
    ['https://evil.example/x', `https:${gap}//evil.example/x`],
    ['www.evil.example', `www${gap}.evil.example`],
    ['a | b', 'a &#124; b'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert\\(1\\)&gt;'],
    ['&lt;b&gt;', '&amp;lt;b&amp;gt;'],
    ['<!-- openapi-pages:v1 key=a digest=b -->', '&lt;\\!-- openapi-pages:v1 key=a digest=b --&gt;'],
    ['![x](y)', '\\!\\[x\\]\\(y\\)'],
    ['**bold** _it_ ~~no~~ $x$', '\\*\\*bold\\*\\* \\_it\\_ \\~\\~no\\~\\~ \\$x\\$'],
    ['`code`', '\\`code\\`'],
    ['one\n\n# two', `one\\\\n\\\\n#${gap} two`],
    ['# heading', `#${gap} heading`],
    ['- list', `${gap}- list`],
    ['12. list', `${gap}12. list`],
    ['\\', '\\\\'],
    ['a\u202Egnp.exe', 'a\\\\u202egnp.exe'],
    ['a\u0000b\u001B[31mc', 'a\\\\u0000b\\\\u001b\\[31mc'],
    ['half \uD800 pair', 'half \\\\ud800 pair'],
    ['0123456789abcdef', `012345${gap}6789ab${gap}cdef`],
    ['a :tada: b', `a :${gap}tada: b`],
    ['mailto:x', `mailto:${gap}x`],
    ['_www.evil.example', `\\_www${gap}.evil.example`],
    ['    indented', ' indented'],
  ])('%j', (text, expected) => expect(escapeMarkdown(text)).toBe(expected))
})

describe('renderCode', () => {
  test.each([
    ['pets.yaml', '`pets.yaml`'],
    ['a`b', '`` a`b ``'],
    ['`a', '`` `a ``'],
    ['```', '```` ``` ````'],
    ['a|b', '<code>a&#124;b</code>'],
    ['a\nb', '`a\\nb`'],
    ['', ''],
    ['@octocat', '`@octocat`'],
  ])('%j', (text, expected) => expect(renderCode(text)).toBe(expected))
})

describe('renderMessage', () => {
  test.each([
    ['Unexpected field `sumary` in an Operation Object', 'Unexpected field `sumary` in an Operation Object'],
    ['Unexpected `a` @octocat `b`', `Unexpected \`a\` @${gap}octocat \`b\``],
    ['Unexpected `a', 'Unexpected \\`a'],
    ['Unexpected `a|b` here', 'Unexpected <code>a&#124;b</code> here'],
    ['Cannot read <https://x.example>: `</details>`', `Cannot read &lt;https:${gap}//x.example&gt;: \`</details>\``],
  ])('%j', (text, expected) => expect(renderMessage(text)).toBe(expected))
})

test('cuts long text and closes its code', () => {
  expect(escapeMarkdown('x'.repeat(1000))).toBe(`${'x'.repeat(300)}…`)
  expect(renderMessage(`name \`${'x'.repeat(1000)}\` unknown`)).toBe(`name \`${'x'.repeat(294)}…\``)
})

describe('renderLink', () => {
  test('renders a path with special characters as one link', () => {
    const url = toBlobUrl('https://github.com/acme/api', 'a'.repeat(40), 'docs/a (b)?#|<c>.yaml', 3)
    expect(renderLink('docs/a (b).yaml:3', url)).toBe(
      `[\`docs/a (b).yaml:3\`](https://github.com/acme/api/blob/${'a'.repeat(40)}/docs/a%20%28b%29%3F%23%7C%3Cc%3E.yaml?plain=1#L3)`,
    )
  })

  test('does not link anything but web URLs', () => expect(renderLink('a', 'javascript:alert(1)')).toBe('`a`'))
})
