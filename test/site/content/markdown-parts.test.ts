import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mdxFromMarkdown } from 'mdast-util-mdx'
import { gfm } from 'micromark-extension-gfm'
import { mdxjs } from 'micromark-extension-mdxjs'
import { expect, test } from 'vitest'
import { PartProblem, parseInParts } from '../../../src/site/content/markdown-parts.ts'
import { readMdx } from './read-mdx.ts'

const mdx = { extensions: [gfm(), mdxjs()], mdastExtensions: [gfmFromMarkdown(), mdxFromMarkdown()] }
const markdown = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** A tree without what the parser shares between blocks and the pages do not use. */
const plain = (root: Nodes) =>
  JSON.parse(JSON.stringify(root, (key, value) => (key === 'loc' || key === 'comments' ? undefined : value))).children

const filler = `With *words*${'text '.repeat(2_300)}\n\n`
const blocks = {
  headings: '# One\n\nText.\n\nTwo\n---\n\n',
  'a code block with headings': '```sh\n\n# not a heading\n\n<div>\n```\n\n',
  'a code block in a list': '- a\n\n  ```md\n\n  # not a heading\n  ```\n\n- b\n\n3. c\n\n',
  elements: '<div title=">" data={{ a: "<b>" }}>\n\n## Inside\n\n<br/>\n\n</div>\n\n',
  'a tag of many lines': '<Card\n  title="a"\n\n  href={`<b>`}\n/>\n\n',
  'code spans with tags': 'Text `<div>` and ``<a> ` <b>``.\n\n',
  links: '[one], [two][], [^note]\n\n[one]: /one\n[two]: /two "Two"\n\n[^note]: A note.\n\n    Its end.\n\n',
  expressions: '{"a"} and {[1, 2].length} and <A b={c} />\n\n',
  'an expression of many lines': '{\n  <div>\n\n# x\n\n  </div>\n}\n\n',
  tables: '| a | b |\n| - | - |\n| c | d |\n\n',
  quotes: '> a\n\n> b\nc\n\n',
}

test.each(Object.entries(blocks))('reads %s in parts as in one text', (_name, block) => {
  const parts = [filler, block, filler, filler, block, 'import B from "/b.mdx"\n\n', filler, filler, block]
  const text = `${parts.join('')}export const a = { b: 1 }\n`
  let whole: Nodes | undefined
  try {
    whole = fromMarkdown(text, mdx)
  } catch {
    expect(() => parseInParts(text, 'mdx', mdx)).toThrow(PartProblem)
    return
  }
  expect(plain(parseInParts(text, 'mdx', mdx))).toEqual(plain(whole))
})

test('reads Markdown with HTML in parts as in one text', () => {
  for (const html of ['<div>\n\n# a\n\n<p>\n\n', '<pre>\n\n# a\n\n</pre>\n\n', '<!--\n\n# a\n\n-->\n\n', '{<\n\n']) {
    const text = `${filler}${html}${filler}${filler}Text.\n\n${filler}`
    expect(plain(parseInParts(text, 'markdown', markdown))).toEqual(plain(fromMarkdown(text, markdown)))
  }
})

test('reports an error in a later part at its location', () => {
  const { found, markup } = readMdx(`[a]: /a\n\n${filler.repeat(8)}## Title\n\n<Card>\n\nText`)
  expect(found).toEqual([expect.stringMatching(/^21:1 page-syntax /)])
  expect(markup).toContain('Title')
})

test('shows the rest of a page unchanged if one element is too long', () => {
  const { found, markup } = readMdx(`${filler.repeat(3)}## Title\n\n<div>\n\n${filler.repeat(50)}</div>\n`)
  expect(found).toEqual([expect.stringMatching(/^5:1 markdown-too-complex /)])
  expect(markup).toContain('<em>words</em>')
  expect(markup).toContain('<p>&lt;div></p>')
})
