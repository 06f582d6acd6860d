import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMdxReader } from '../../../../src/site/content/mdx-reader.ts'
import { componentNames } from '../../../../src/site/page/components/components.tsx'
import { nodesToMarkdown } from '../../../../src/site/page/markdown/nodes-to-markdown.ts'
import { renderMdx } from '../render-mdx.ts'

const componentSupport: readonly { readonly properties: readonly { readonly page: string }[] }[] = parse(
  readFileSync(join(import.meta.dirname, '../components/supported-properties.yaml'), 'utf8'),
)
const folder = join(import.meta.dirname, '../../../fixtures/site/content')

const addresses = (url: string) => (url === '' ? undefined : url)

// `vitest -u` updates `expected.md`. Review the changes.
test.each(readdirSync(folder))('%s as Markdown', async (name) => {
  const reader = createMdxReader({ root: '', readFile: () => undefined, components: componentNames, variables: new Map() })
  const { nodes } = reader.readPage('page.mdx', readFileSync(join(folder, name, 'input.mdx'), 'utf8'))
  const text = nodesToMarkdown(nodes, addresses)
  await expect(text).toMatchFileSnapshot(join(folder, name, 'expected.md'))
})

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))

/** The text that readers see on a page, without that of buttons. */
const toVisibleText = (html: string) =>
  html.replace(/<(script|style|svg)\b.*?<\/\1>|<(\w+) class="(?:vh|btn quiet)".*?<\/\2>/gs, ' ').replace(/<[^<>]*>/g, ' ')

test('the page shows every word between the tags of all components', () => {
  const pages = componentSupport.flatMap(({ properties }) => properties.map(({ page }) => page.replace(/[‹›]/g, '')))
  const lost = pages.flatMap((page) => {
    const shown = wordsOf(toVisibleText(renderMdx(`${page}\n`).html))
    const written = page.replace(/<Visibility for="agents">.*?<\/Visibility>|\[!code [^\]]*\]|^```[^\n]*|<[^<>]*>/gms, ' ')
    const words = [...wordsOf(written)].filter((word) => !shown.has(word))
    return words.length === 0 ? [] : [`${words.join(' ')}: ${page}`]
  })
  expect(lost).toEqual([])
})

test('has every word of the author that the page shows, for all properties of all components', async () => {
  const pages = componentSupport.flatMap(({ properties }) => properties.map(({ page }) => page.replace(/[‹›]/g, '')))
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name, 'input.mdx'), 'utf8'))
  const lost = [...pages, ...files, ...more].flatMap((page) => {
    const { html, nodes } = renderMdx(`${page.replace(/<Visibility for="humans">.*?<\/Visibility>/gs, '')}\n`)
    const [shown, printed] = [wordsOf(toVisibleText(html)), wordsOf(nodesToMarkdown(nodes, addresses))]
    const words = [...wordsOf(page)].filter((word) => shown.has(word) && !printed.has(word))
    return words.length === 0 ? [] : [`${words.join(' ')}: ${page}`]
  })
  expect(lost).toEqual([])
})

/** What the table has no rows for. */
const more = [
  '<Fields><ParamField path="a" /><p>stray</p></Fields>',
  '<CodeGroup>\n\n```js title=First\na\n```\n\n```js second.js\nb\n```\n\nafter\n\n</CodeGroup>',
  '<Steps>before<Step title={<b>bold</b>}>x</Step>after</Steps>',
  'import Gone from "/gone.jsx"\n\n<Gone title="lost" href="/other" />',
  '<Columns>text<Card title="one" /></Columns>',
  '<Tabs>outside<Tab label="labelled">x</Tab></Tabs>',
  '<details><summary>folded</summary>x</details>',
  '<dl><dt>term</dt><dd>meaning</dd></dl>',
  '<table><tr><td><Accordion title="in a cell">one</Accordion><ul><li>two</li><li>three</li></ul></td></tr></table>',
  '<table><caption>about</caption><tr><td>x</td></tr></table>',
  '<figure><figcaption>below</figcaption></figure>',
  '<div>loose <p>block</p> tail</div>',
  '- item\n\n  <Note>inside</Note>\n\ntext[^1]\n\n[^1]: footnote',
]
