import { expect, test } from 'vitest'
import { siteOfDocument } from '../site-of.ts'

/** A document that has a URL in every field that becomes a link. */
function toDocument(url: string): string {
  const docs = { description: 'Manual', url }
  const content = {
    'application/json': { schema: { type: 'object', properties: { id: { type: 'string', externalDocs: docs } } } },
  }
  const operation = {
    summary: 'List pets',
    tags: ['Pets'],
    externalDocs: docs,
    responses: { 200: { description: 'Pets', content } },
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1', termsOfService: url, contact: { name: 'Team', url }, license: { name: 'MIT', url } },
    tags: [{ name: 'Pets', externalDocs: docs }],
    externalDocs: docs,
    security: [{ login: [] }],
    paths: { '/pets': { get: operation } },
    components: { securitySchemes: { login: { type: 'openIdConnect', openIdConnectUrl: url } } },
  })
}

/** The links of all pages that contain a text, outside of code. */
async function findLinks(url: string, part: string) {
  const { files } = await siteOfDocument('openapi.json', toDocument(url))
  const find = (extension: string, link: RegExp) =>
    Object.entries(files).flatMap(([path, text]) => {
      if (!path.endsWith(extension)) return []
      return Array.from(text.replaceAll(/`[^`]*`/g, '').matchAll(link), ([, target = '']) => target).filter((target) =>
        target.includes(part),
      )
    })
  return { html: find('.html', /href="([^"]*)"/g), markdown: find('.md', /\]\(([^\s)]*)/g) }
}

test('links every URL of a document', async () => {
  const { html, markdown } = await findLinks('https://example.com/manual', 'manual')
  expect(new Set([...html, ...markdown])).toEqual(new Set(['https://example.com/manual']))
  expect(html.length).toBeGreaterThan(7)
  expect(markdown.length).toBeGreaterThan(3)
})

test.each(['javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,alert(1)', 'Manual](javascript:alert(1)'])(
  'links no URL that could run a script: %j',
  async (url) => {
    expect(await findLinks(url, 'alert')).toEqual({ html: [], markdown: [] })
  },
)

test('keeps a URL with parentheses and spaces in one link', async () => {
  const { markdown } = await findLinks('https://example.com/a (b) [x](javascript:alert(1))', 'example')
  expect(new Set(markdown)).toEqual(new Set(['https://example.com/a%20%28b%29%20[x]%28javascript:alert%281%29%29']))
})
