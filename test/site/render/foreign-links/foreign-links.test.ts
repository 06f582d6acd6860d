import { expect, test } from 'vitest'
import { openDiskFiles } from '../../../../src/files/disk-files.ts'
import { hashContent } from '../../../../src/files/output-folder.ts'
import { buildSite } from '../../../../src/site/build/build-site.ts'
import { createSingleDocumentDocs } from '../../../../src/site/build/single-document.ts'
import { findNamedPart, type NamedParts, suggestNamedPart } from '../../../../src/site/render/foreign-links/foreign-links.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { siteAssets } from '../../build/site-assets.ts'
import { siteOf } from '../../build/site-of.ts'

/** An OpenAPI document with the given descriptions. */
function documentOf({ info = '', tag = '', list = '', get = '' }: { info?: string; tag?: string; list?: string; get?: string }) {
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1', description: info },
    tags: [{ name: 'Pet store', description: tag }],
    paths: {
      '/pets': {
        get: {
          tags: ['Pet store'],
          operationId: 'listPets',
          summary: 'List pets',
          description: list,
          responses: { 200: { description: 'ok' } },
        },
      },
      '/pets/{id}': {
        get: {
          tags: ['Pet store'],
          operationId: 'getPet',
          summary: 'Get a pet',
          parameters: [{ name: 'id', in: 'path', required: true, description: get, schema: { type: 'string' } }],
          responses: {
            200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
          },
        },
      },
    },
    components: { schemas: { Pet: { type: 'object', properties: { name: { type: 'string' } } } } },
  })
}

const hrefs = (html = '') => Array.from(html.matchAll(/<a href="([^"]*)">([A-Z])<\/a>/g), ([, href, name]) => `${name} ${href}`)

test('replaces links that were written for other OpenAPI tools, in HTML and Markdown', async () => {
  const list = [
    '[A](#operation/getPet) [B](#tag/Pet-store) [C](#tag/pet-store/GET/pets/{id}) [D](#schema/Pet) [E](#/Pet%20store/getPet)',
    '<a href="#operation/getPet">F</a> [G][g] [H](#responses) [I](#operation/none)',
    '[g]: #operation/getPet',
  ].join('\n\n')
  const { files, diagnostics } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      navigation: {
        groups: [
          { group: 'Guides', pages: ['index'] },
          { group: 'API', openapi: 'openapi.json' },
        ],
      },
    }),
    'openapi-pages.config.yaml': 'schemas: true\noverviews: true\n',
    'index.mdx': '## operation\n\n[A](#operation/getPet) [B](#operation) <Card title="Pets" href="#tag/pet-store" />\n',
    'openapi.json': documentOf({ list, get: '[A](#operation/listPets)', tag: '[A](#operation/listPets)' }),
  })
  const pet = '/api-reference/pet-store/get-a-pet/'
  expect(hrefs(files['api-reference/pet-store/list-pets/index.html'])).toEqual([
    `A ${pet}`,
    'B /api-reference/pet-store/overview/',
    `C ${pet}`,
    'D /api-reference/schemas/pet/',
    `E ${pet}`,
    `F ${pet}`,
    `G ${pet}`,
    'H #responses',
    'I #operation/none',
  ])
  expect(hrefs(files['api-reference/pet-store/get-a-pet/index.html'])).toEqual(['A /api-reference/pet-store/list-pets/'])
  expect(hrefs(files['api-reference/pet-store/overview/index.html'])).toContain('A /api-reference/pet-store/list-pets/')
  expect(hrefs(files['index.html'])).toEqual([`A ${pet}`, 'B #operation'])
  expect(files['index.html']).toContain('href="/api-reference/pet-store/overview/"')
  const markdown = files['api-reference/pet-store/list-pets.md'] ?? ''
  expect(markdown).toContain(`[A](${pet}) [B](/api-reference/pet-store/overview/) [C](${pet})`)
  expect(markdown).toContain(`<a href="${pet}">F</a> [G][g] [H](#responses) [I](#operation/none)\n\n[g]: ${pet}`)
  expect(files['llms-full.txt']).toContain(`[A](${pet})`)
  expect(
    diagnostics.filter(({ code }) => code.endsWith('-unresolved')).map(({ message }) => message.match(/`.*?`/)?.[0]),
  ).toEqual(['`#operation/none`'])
})

test('reports broken links with a suggestion', async () => {
  const { diagnostics } = await siteOf({
    'docs.json': JSON.stringify({ name: 'Shop', navigation: { groups: [{ group: 'API', openapi: 'openapi.json' }] } }),
    'openapi.json': documentOf({ list: '[A](#operation/getPte) [B](#tag/Pet-stor)' }),
  })
  expect(diagnostics.filter(({ code }) => code === 'fragment-unresolved').map(({ hint }) => hint)).toEqual([
    'Did you mean `#operation/getPet`?',
    'Did you mean `#tag/Pet-store`?',
  ])
})

test('section links lead to the page that shows `info.description`', async () => {
  const info = '## Status codes\n\n[A](#section/Status-codes) [B](#operation/getPet)\n\n#### Deep {x}\n'
  const folder = makeTemporaryFolder({
    'openapi.json': documentOf({
      info,
      list: '[A](#section/Start/Status-codes) [B](#deep-x) [C](#section/None) [D](#status-codes)',
    }),
  })
  const files = openDiskFiles(folder)
  const read = await files.read('openapi.json')
  const lone = await createSingleDocumentDocs('openapi.json', read.kind === 'file' ? read.bytes : undefined, files, '')
  const emitted: Record<string, string> = {}
  const options = { root: '', base: '/docs/', url: 'https://example.com/docs/', assets: siteAssets, isPreview: false }
  const { diagnostics } = await buildSite(
    { ...options, madeFiles: lone.madeFiles },
    { files: lone.files, fetchDocument: (url) => Promise.resolve({ kind: 'failed', code: 'url-unreachable', reason: url }) },
    ({ path, content }) => {
      emitted[path] = String(content)
      return hashContent(content)
    },
  )
  expect(hrefs(emitted['index.html'])).toEqual(['A /docs/#status-codes', 'B /docs/pet-store/get-a-pet/'])
  expect(hrefs(emitted['pet-store/list-pets/index.html'])).toEqual([
    'A /docs/#status-codes',
    'B /docs/#deep-x',
    'C #section/None',
    'D /docs/#status-codes',
  ])
  expect(emitted['pet-store/list-pets.md']).toContain('[A](https://example.com/docs/#status-codes)')
  expect(
    diagnostics.filter(({ code }) => code.endsWith('-unresolved')).map(({ message }) => message.match(/`.*?`/)?.[0]),
  ).toEqual(['`#section/None`'])
})

test('does not replace links that are ambiguous between two documents', async () => {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      navigation: {
        groups: [
          { group: 'Guides', pages: ['index'] },
          { group: 'One', openapi: { source: 'one.json', directory: 'one' } },
          { group: 'Two', openapi: { source: 'two.json', directory: 'two' } },
        ],
      },
    }),
    'index.mdx': '[A](#operation/getPet)\n',
    'one.json': documentOf({ list: '[A](#operation/getPet)' }),
    'two.json': documentOf({ list: '[A](#operation/getPet)' }),
  })
  expect(hrefs(files['index.html'])).toEqual(['A #operation/getPet'])
  expect(hrefs(files['two/pet-store/list-pets/index.html'])).toEqual(['A /two/pet-store/get-a-pet/'])
})

const parts: NamedParts = {
  operations: [
    { target: 'GET /pets', operationId: 'listPets', route: 'list-pets' },
    { target: 'GET /pets/{id}', operationId: 'pets_get', route: 'get-pet' },
    { target: 'POST /pets/{id}/photos', operationId: undefined, route: 'add-photo' },
    { target: 'GET /a', operationId: 'getPet', route: 'a' },
    { target: 'GET /b', operationId: 'get_pet', route: 'b' },
  ],
  tags: [
    { name: 'Pet store', route: 'pet-store/overview' },
    { name: 'a/b', route: 'slash' },
    { name: 'Größen', route: 'sizes' },
  ],
  schemas: [
    { name: 'Pet', route: 'schemas/pet' },
    { name: 'pet', route: 'schemas/pet-2' },
  ],
  introduction: { route: '', ids: ['getting-started', 'status-codes', 'größe--more'] },
}

test.each([
  // Redoc.
  ['operation/listPets', 'list-pets'],
  ['operation/listPets!in=query&path=limit', 'list-pets'],
  ['tag/Pet-store', 'pet-store/overview'],
  ['tag/Pet-store/operation/listPets', 'list-pets'],
  ['tag/Pet-store/paths/~1pets~1{id}/get', 'get-pet'],
  ['tag/Pet-store/paths/~1pets~1%7Bid%7D/get', 'get-pet'],
  ['/paths/~1pets~1{id}~1photos/post', 'add-photo'],
  ['tag/Pet-store/Food', 'pet-store/overview'],
  ['section/Status-Codes', '#status-codes'],
  ['section/Getting-Started/Status-Codes', '#status-codes'],
  ['section/Gr%C3%B6%C3%9Fe-and-more', undefined],
  ['section/Gr%C3%B6%C3%9Fe-and-more'.replace('-and', ''), '#größe--more'],
  ['schema/Pet', 'schemas/pet'],
  // Scalar.
  ['tag/pet-store', 'pet-store/overview'],
  ['tag/pet-store/GET/pets/{id}', 'get-pet'],
  ['tag/pet-store/get/pets/{id}', 'get-pet'],
  ['tag/pet-store/POST/pets/{id}/photos', 'add-photo'],
  ['model/pet', 'schemas/pet-2'],
  ['models/PET', 'schemas/pet'],
  ['description/status-codes', '#status-codes'],
  // Swagger UI.
  ['/Pet store/listPets', 'list-pets'],
  ['/Pet%20store/listPets', 'list-pets'],
  ['!/Pet_store/listPets', 'list-pets'],
  ['/Pet_store/post_pets__id__photos', 'add-photo'],
  ['/Pet_store', 'pet-store/overview'],
  ['/schemas/Pet', 'schemas/pet'],
  ['/components/schemas/Pet', 'schemas/pet'],
  ['/definitions/Pet', 'schemas/pet'],
  // RapiDoc, Stoplight Elements.
  ['get-/pets/{id}', 'get-pet'],
  ['get-/pets/-id-', 'get-pet'],
  ['/operations/listPets', 'list-pets'],
  // Names.
  ['operation/getPet', 'a'],
  ['operation/get_pet', 'b'],
  ['operation/get-pet', 'a'],
  ['operation/LISTPETS', 'list-pets'],
  ['tag/Gr%C3%B6%C3%9Fen', 'sizes'],
  ['tag/a%2Fb', 'slash'],
  // Headings of the introduction.
  ['status-codes', '#status-codes'],
  ['Status Codes', '#status-codes'],
  // No match.
  ['operation/none', undefined],
  ['operation/', undefined],
  ['operation/--', undefined],
  ['tag/none', undefined],
  ['section/none', undefined],
  ['schema/none', undefined],
  ['get-/none', undefined],
  ['/', undefined],
  ['', undefined],
  ['%', undefined],
  ['pets', undefined],
])('%s leads to %s', (fragment, expected) => {
  const found = findNamedPart(fragment, parts)
  expect(found && found.route + (found.id === undefined ? '' : `#${found.id}`)).toBe(expected)
})

test.each([
  ['operation/listPet', 'operation/listPets'],
  ['tag/Pet-stor', 'tag/Pet-store'],
  ['tag/x/operation/lstPets', 'tag/x/operation/listPets'],
  ['/x/lstPets', '/x/listPets'],
  ['section/A/status-code', 'section/A/status-codes'],
  ['model/Pett', 'model/Pet'],
  ['operation/somethingElse', undefined],
  ['plain', undefined],
])('suggests for %s: %s', (fragment, expected) => {
  expect(suggestNamedPart(fragment, parts)).toBe(expected)
})
