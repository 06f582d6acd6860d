import { expect, test } from 'vitest'
import { markdownToNodes } from '../../src/mdx/mdx-reader.ts'
import { readMdx, toMarkup } from './read-mdx.ts'

test('a page of elements in each other is shown as plain text, with one warning', () => {
  const { markup, found } = readMdx(`${'<Card>\n'.repeat(300)}deep\n${'</Card>\n'.repeat(300)}`)
  expect(markup).toContain('deep')
  expect(found).toEqual([
    '1:1 markdown-too-complex The page is shown as plain text from here on: it takes too much work to read as Markdown',
  ])
})

test.each([
  ['quotes', `${'> '.repeat(2_000)}deep`],
  ['very many quotes', `${'> '.repeat(20_000)}deep`],
  ['lists', Array.from({ length: 205 }, (_, level) => `${'  '.repeat(level)}- deep`).join('\n')],
])('a page of %s in each other is shown as plain text, with one warning', (_, text) => {
  const { markup, found } = readMdx(text)
  expect(markup).toContain('deep')
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(/markdown-too-complex/)
})

test('a page that would take minutes to parse is shown as plain text, with one finding', () => {
  const { markup, found } = readMdx('## A part\n\nText.\n\n'.repeat(30_000))
  expect(markup).toMatch(/^<pre \|>## A part/)
  expect(found).toEqual(['1:1 too-complex The page has more than 500,000 characters; it is shown as plain text'])
})

// These took a minute and more, with the square of their length.
test.each([
  ['comments that never end', `<b>\n${'<!--'.repeat(100_000)}`],
  ['a formula that never ends', `<b>\n$a${'^'.repeat(300_000)}`],
  ['backticks that never end', `<b>\n<!-- -->\n${'`'.repeat(200_000)}${'x'.repeat(200_000)}`],
])('a page of %s is read at once', { timeout: 10_000 }, (_, text) => {
  expect(readMdx(text).found).toHaveLength(1)
})

test('so is a description, without one', () => {
  expect(
    markdownToNodes(`${'> '.repeat(2_000)}deep`)
      .map(toMarkup)
      .join(''),
  ).toMatch(/^<p>(?:> )+deep<\/p>$/)
  expect(markdownToNodes('**b** '.repeat(100_000)).map(toMarkup).join('')).toMatch(/^<p>\*\*b/)
})
