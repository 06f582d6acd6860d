import { expect, test } from 'vitest'
import { siteOf } from '../../build/site-of.ts'

/** Builds a site of two pages with this value of `markdown.instructions`. */
async function build(instructions: unknown, url?: string) {
  const { files, diagnostics } = await siteOf(
    {
      'docs.json': JSON.stringify({
        name: 'Shop',
        description: 'Sell things',
        navigation: { pages: ['index', 'orders'] },
        ...(instructions === undefined ? {} : { markdown: { instructions } }),
      }),
      'index.mdx': '---\ntitle: Start\n---\n\nWelcome.\n',
      'orders.mdx': '---\ntitle: Orders\n---\n\nOrder things.\n',
    },
    { url },
  )
  return { files, messages: diagnostics.map(({ message }) => message) }
}

test('the Markdown of each page starts with the URL of the index', async () => {
  const { files } = await build(undefined, 'https://docs.example.com/')
  expect(files['orders.md']).toBe(
    '> ## Documentation Index\n> All pages of this documentation are listed at https://docs.example.com/llms.txt\n\n# Orders\n\nOrder things.\n',
  )
  expect((await build(undefined)).files['index.md']).toContain('listed at /llms.txt\n')
})

test.each([
  ['a text', 'Cite the version.\nBe brief.'],
  ['a list', ['Cite the version.', 'Be brief.', ' ']],
])('instructions as %s are on each page, and once in the files about all pages', async (_, instructions) => {
  const { files, messages } = await build(instructions)
  const block = '> ## Agent Instructions\n> Cite the version.\n> Be brief.\n'
  expect(messages).toEqual([])
  expect(files['orders.md']).toContain(`llms.txt\n>\n${block}\n# Orders\n`)
  expect(files['llms.txt']).toMatch(
    /^# Shop\n\n> Sell things\n\n> ## Agent Instructions\n> Cite the version\.\n> Be brief\.\n\n## /,
  )
  expect(files['llms-full.txt']).toBe(`${block}\n# Start\n\nWelcome.\n\n---\n\n# Orders\n\nOrder things.\n`)
  expect(files['skill.md']).toContain(block)
  expect(files['orders/index.html']).not.toContain('Cite the version')
})

test('reports instructions that are neither a text nor a list', async () => {
  const { files, messages } = await build(5)
  expect(messages).toEqual(['Unexpected number for `instructions`, expected a string or a list'])
  expect(files['orders.md']).not.toContain('Agent Instructions')
})
