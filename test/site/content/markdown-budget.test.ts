import { describe, expect, test } from 'vitest'
import { markdownToNodes } from '../../../src/site/content/mdx-reader.ts'
import { parseMdx } from '../../../src/site/content/parse-markdown.ts'
import { findMarkdownCut } from '../../../src/text/plain/scan-markdown.ts'
import { parseToMarkup, readMdx, toMarkup } from './read-mdx.ts'

describe('output', () => {
  const hostile = '*a'.repeat(2_000)

  test('shows a description as plain text from the first block that is too complex', () => {
    const markup = markdownToNodes(`Some **bold** text.\n\n${hostile} <b>\n\nThe *end*.`).map(toMarkup).join('')
    expect(markup).toBe(`<p>Some <strong>bold</strong> text.</p><p>${hostile} &lt;b></p><p>The *end*.</p>`)
  })

  test('shows a page as plain text from there on, with one warning', () => {
    const { markup, found } = readMdx(`<Note>Some **bold** text.</Note>\n\n${hostile}\n\nThe *end*.`)
    expect(markup).toMatch(/^<Note>Some <strong>bold<\/strong> text\.<\/Note><p>(?:\*a)+<\/p><p>The \*end\*\.<\/p>$/)
    expect(found).toEqual([
      '3:1 markdown-too-complex The page is too complex to parse as Markdown and is shown as plain text from here on',
    ])
  })

  test('keeps the text of an element around a complex block', () => {
    const { markup, found } = readMdx(`<Note>\n\nBefore.\n\n${hostile}\n\n</Note>`)
    expect(markup).toContain('Before.')
    expect(markup).toContain(hostile)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^5:1 markdown-too-complex /)
  })

  test('parses large texts of ordinary Markdown completely', () => {
    const table = `| Name | Text |\n| --- | --- |\n${'| **name** | See [the guide](https://example.com/guide) and `code`. |\n'.repeat(600)}`
    const list = '- **name**: see [the guide](https://example.com/guide), `code` and *more*.\n'.repeat(600)
    const text = 'A paragraph with **bold** text, `code`, and [a link](https://example.com).\n\n'.repeat(600)
    const code = `\`\`\`ts\n${'const a: Promise<void> = load({ a: [b[0]], c: `x` })\n'.repeat(600)}\`\`\`\n`
    for (const each of [table, list, text, `${text}${list}\n${table}`]) expect(findMarkdownCut(each)).toBeUndefined()
    expect(findMarkdownCut(code, 'mdx')).toBeUndefined()
    const program = `\`\`\`py\nimport a\n\n${"print('a')\n\n".repeat(120)}\`\`\`\n\n`
    expect(findMarkdownCut(program.repeat(10), 'mdx')).toBeUndefined()
    expect(parseToMarkup(`${list}`)).not.toContain('**')
  })
})

test.each([
  ['an image', (url: string) => `![A](${url})`],
  ['an MDX image', (url: string) => `<img alt="A" src="${url}" />`],
])('parses the text after %s with a data URL of 300 kB', (_title, toText) => {
  const { root, fault } = parseMdx(`# A\n\n${toText(`data:image/png;base64,${'A'.repeat(300_000)}=`)}\n\n**End**\n`)
  expect(fault).toBeUndefined()
  expect(JSON.stringify(root.children.at(-1))).toContain('"strong"')
})

test.each(['._', 'a_.', '__.'])('counts delimiters of emphasis in a data URL that is no link: %s', (text) => {
  expect(findMarkdownCut(`](data:a,${text.repeat(20_000)})`)).toBe(0)
})
