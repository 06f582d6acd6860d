import { expect, test } from 'vitest'
import { listIds } from '../../../src/site/page/element-ids.ts'
import { siteOf } from '../make/site-of.ts'

const errors = '## Errors\n\nSee [errors](#errors).'

/** A site for an OpenAPI document in which every description has the same heading. */
async function siteOfErrors(operation: object = {}) {
  const { files, diagnostics } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', navigation: { groups: [{ group: 'API', openapi: 'openapi.json' }] } }),
    'openapi-pages.config.yaml': 'schemas: true\noverviews: true\n',
    'openapi.json': JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'Shop', version: '1', description: errors },
      tags: [{ name: 'pets', description: errors }],
      paths: {
        '/pets': {
          get: {
            tags: ['pets'],
            operationId: 'listPets',
            summary: 'List pets',
            description: errors,
            responses: {
              200: {
                description: errors,
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
              },
              400: { description: errors },
            },
            ...operation,
          },
        },
      },
      webhooks: { petLost: { post: { description: errors, responses: { 200: { description: errors } } } } },
      components: {
        schemas: {
          Pet: {
            type: 'object',
            description: errors,
            properties: {
              name: { type: 'string', description: errors },
              kind: { type: 'string', description: errors, oneOf: [{ const: 'cat', description: errors }] },
              errors: { type: 'string', description: 'What is wrong' },
            },
          },
        },
      },
    }),
  })
  const pages = Object.entries(files).filter(([path]) => path.endsWith('.html'))
  return { files, pages, diagnostics }
}

test('element IDs are unique even if all descriptions have the same heading', async () => {
  const { pages, diagnostics } = await siteOfErrors()
  const withParts = pages.filter(([, html]) => html.includes('id="errors'))
  expect(withParts.length).toBeGreaterThan(3)
  for (const [path, html] of pages) {
    const ids = listIds(html)
    expect([path, ids.filter((id, at) => ids.indexOf(id) !== at)]).toEqual([path, []])
    expect(html).not.toMatch(/[\uFDD0-\uFDEF]/)
  }
  expect(diagnostics.filter(({ code }) => code === 'fragment-unresolved')).toEqual([])
})

test('links of a description to its own heading stay correct on every page', async () => {
  const { files } = await siteOfErrors()
  const html = files['api-reference/pets/list-pets/index.html'] ?? ''
  const pairs = Array.from(
    html.matchAll(/<h2 id="(errors[^"]*)"><a class="h" href="#([^"]*)">Errors<\/a><\/h2><p>See <a href="#([^"]*)">/g),
    ([, ...ids]) => ids,
  )
  expect(pairs.length).toBeGreaterThan(3)
  for (const [id, permalink, link] of pairs) expect([permalink, link]).toEqual([id, id])
  expect(new Set(pairs.map(([id]) => id)).size).toBe(pairs.length)
})

test('elements of the page keep their ID if a description has a heading with the same ID', async () => {
  const parameters = [{ name: 'page', in: 'query', description: '## r200', schema: { type: 'string' } }]
  const { files } = await siteOfErrors({ description: '## Responses\n\n## query-page', parameters })
  const html = files['api-reference/pets/list-pets/index.html'] ?? ''
  expect(html).toContain('<li id="query-page">')
  expect(html).toContain('<h2 id="responses"><a class="h" href="#responses">Responses</a></h2><details')
  expect(html).toContain('<h2 id="responses-2"><a class="h" href="#responses-2">Responses</a></h2>')
  expect(html).toContain('<h2 id="query-page-2">')
  expect(html).toMatch(/<details class="fold" open(?:="")? id="r200"[^>]*>/)
  // The ID of a property is its name.
  expect(files['api-reference/schemas/pet/index.html']).toMatch(/<li id="errors">/)
})

test.each([
  ['an ID in HTML', '<a id="top-part"></a>Text <a href="#top-part">up</a>', ['top-part', 'top-part-2']],
  ['an encoded link', '## Größe\n\n[size](#gr%C3%B6%C3%9Fe)', ['größe', 'größe-2']],
  ['escaped characters', '<p id="a&quot;&lt;b">one</p>\n\n<a href="#a&quot;&lt;b">it</a>', ['a&quot;&lt;b', 'a&quot;&lt;b-2']],
])('renames %s together with its links', async (_what, description, ids) => {
  const { files } = await siteOfErrors({ description, responses: { 200: { description } } })
  const html = files['api-reference/pets/list-pets/index.html'] ?? ''
  for (const id of ids) {
    expect(html.split(` id="${id}"`)).toHaveLength(2)
    expect(html).toContain(` href="#${id}"`)
  }
})

test('placeholder characters in text are not replaced', async () => {
  const description = '## Errors\n\n\uFDD20\uFDD3 \uFDD29\uFDD3 <p title="\uFDD20\uFDD3">x</p>'
  const { files } = await siteOfErrors({ description })
  const html = files['api-reference/pets/list-pets/index.html'] ?? ''
  expect(html).not.toMatch(/title="[^"]*"[^ >]/)
})
