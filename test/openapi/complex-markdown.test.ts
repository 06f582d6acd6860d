import { expect, test } from 'vitest'
import { diagnosticLines } from '../support/check-text.ts'

const toDocument = (description: string) => `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets:
    get:
      description: ${JSON.stringify(description)}
      responses: { '200': { description: OK } }
`

test('warns about a description that is too complex to parse as Markdown', async () => {
  const [line, ...others] = await diagnosticLines(toDocument(`Some **bold** text.\n\n${'*a'.repeat(2_000)}`))
  expect(line).toMatch(
    /^6:20 warning markdown-too-complex Description is too complex to parse as Markdown: from line 3 on, it is shown as plain text · Split the text into shorter paragraphs/,
  )
  expect(others).toEqual([])
})

test.each([
  ['an image', (url: string) => `![A](${url})`],
  ['an HTML image', (url: string) => `<img alt="A" src="${url}">`],
])('accepts %s with a long data URL', async (_title, toText) => {
  const url = `data:image/png;base64,${'A'.repeat(600_000)}=`
  expect(await diagnosticLines(toDocument(`See below.\n\n${toText(url)}`))).toEqual([])
  const [line] = await diagnosticLines(toDocument(`See below.\n\n${url.slice(10)}`))
  expect(line).toContain('markdown-too-complex')
})

test('accepts a long description of ordinary Markdown', async () => {
  expect(await diagnosticLines(toDocument('See **the** [guide](https://example.com) and `code`.\n\n'.repeat(500)))).toEqual([])
})
