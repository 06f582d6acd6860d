import { describe, expect, test } from 'vitest'
import type { CheckedDocument } from '../../../../src/docs/types.ts'
import { planDocuments } from '../../../../src/site/make/documents/publish-documents.ts'
import type { SitePage } from '../../../../src/site/plan/types.ts'
import { checkFiles } from '../../reference/reference-of.ts'
import { siteOf, siteOfDocument } from '../site-of.ts'

const openapi = (more: object = {}) => ({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {}, ...more })
/** A document that refers to a file. */
const referring = (file: string) => openapi({ components: { schemas: { Pet: { $ref: file } } } })
const pet = { type: 'object' }

type Description = Readonly<Record<string, unknown>>

interface Case {
  readonly descriptions: readonly Description[]
  readonly prefix?: string
  readonly listed?: readonly string[]
  readonly routes?: readonly string[]
}

/** The output paths of the entry documents, and of all files. The first file of a description is its entry document. */
async function pathsOf({ descriptions, prefix = '', listed, routes = [] }: Case) {
  const documents = await Promise.all(descriptions.map(async (files) => ({ check: await checkFiles(files) }) as CheckedDocument))
  const plan = { pages: routes.map((route) => ({ route }) as SitePage) }
  const inRepository = descriptions
    .flatMap((files) => Object.keys(files))
    .filter((path) => path.startsWith(prefix) && !path.includes('://'))
  const { entries, files } = planDocuments(documents, { prefix, listed: listed ?? inRepository, plan })
  return { entries: [...entries.values()].map(({ path }) => path), files: files.map(({ path }) => path).toSorted() }
}

describe('a document is published', () => {
  test.each<[string, Case, string[], string[]?]>([
    [
      'at its path in the docs directory',
      { descriptions: [{ 'docs/api/openapi.yaml': openapi() }], prefix: 'docs/' },
      ['api/openapi.yaml'],
    ],
    [
      'with the files that it references',
      { descriptions: [{ 'api/openapi.yaml': referring('../schemas/pet.yaml'), 'schemas/pet.yaml': pet }] },
      ['api/openapi.yaml'],
      ['api/openapi.yaml', 'schemas/pet.yaml'],
    ],
    [
      'at the top if it is outside of the docs directory',
      { descriptions: [{ 'api/openapi.yaml': openapi() }], prefix: 'docs/' },
      ['openapi.yaml'],
    ],
    [
      'relative to the nearest folder that has all of its files',
      {
        descriptions: [{ 'spec/api/openapi.yaml': referring('../schemas/pet.yaml'), 'spec/schemas/pet.yaml': pet }],
        prefix: 'docs/',
      },
      ['api/openapi.yaml'],
      ['api/openapi.yaml', 'schemas/pet.yaml'],
    ],
    [
      'at the last part of its URL',
      { descriptions: [{ 'https://api.example.com/v1/openapi.json?x=1': openapi() }] },
      ['openapi.json'],
    ],
    [
      'with an extension if its URL has none',
      { descriptions: [{ 'https://api.example.com/v1/api-docs': openapi() }] },
      ['api-docs.json'],
    ],
    ['with a name if its URL has none', { descriptions: [{ 'https://api.example.com/': openapi() }] }, ['openapi.json']],
    ['with a valid name', { descriptions: [{ 'https://a.example/v1/a%3Cc%3E%00.json': openapi() }] }, ['ac.json']],
    [
      'with the extension of its format, so that it is no page',
      { descriptions: [{ 'spec/api.html': openapi() }] },
      ['spec/api.html.json'],
    ],
    ['once, if two divisions name it', { descriptions: [{ 'a.json': openapi() }, { 'a.json': openapi() }] }, ['a.json']],
    [
      'once, if two documents share it',
      {
        descriptions: [
          { 'a.json': referring('pet.json'), 'pet.json': pet },
          { 'b.json': referring('pet.json'), 'pet.json': pet },
        ],
      },
      ['a.json', 'b.json'],
      ['a.json', 'b.json', 'pet.json'],
    ],
  ])('%s', async (_, given, entries, files = entries) => expect(await pathsOf(given)).toEqual({ entries, files }))

  test.each<[string, Case, string[], string[]?]>([
    [
      'another file of the docs directory',
      { descriptions: [{ 'https://a.example/openapi.json': openapi() }], listed: ['OpenAPI.json'] },
      ['_openapi/openapi.json'],
    ],
    ['a page', { descriptions: [{ 'openapi.json': openapi() }], routes: ['openapi.json/more'] }, ['_openapi/openapi.json']],
    [
      'the slice of a page',
      { descriptions: [{ 'pets.openapi.json': openapi() }], routes: ['pets'] },
      ['_openapi/pets.openapi.json'],
    ],
    ['a file of every site', { descriptions: [{ '404.json': openapi() }] }, ['_openapi/404.json']],
    ['a hidden folder', { descriptions: [{ '.api/openapi.json': openapi() }] }, ['_openapi/.api/openapi.json']],
    ['a folder of the site', { descriptions: [{ '_assets/openapi.json': openapi() }] }, ['_openapi/_assets/openapi.json']],
    [
      'another document',
      {
        descriptions: ['a', 'b', 'c'].map((host) => ({
          [`https://${host}.example/openapi.json`]: openapi({ info: { title: host, version: '1' } }),
        })),
      },
      ['openapi.json', '_openapi/openapi.json', '_openapi/openapi-2.json'],
      ['_openapi/openapi-2.json', '_openapi/openapi.json', 'openapi.json'],
    ],
    [
      'a page that has the path of one of its files',
      { descriptions: [{ 'openapi.json': referring('pets.openapi.json'), 'pets.openapi.json': pet }], routes: ['pets'] },
      ['_openapi/openapi.json'],
      ['_openapi/openapi.json', '_openapi/pets.openapi.json'],
    ],
  ])('below _openapi if its path is that of %s', async (_, given, entries, files = entries) =>
    expect(await pathsOf(given)).toEqual({ entries, files }),
  )
})

const operation = { get: { summary: 'List pets', responses: { 200: { description: 'Good' } } } }
const text = JSON.stringify(openapi({ paths: { '/pets': operation } }), undefined, 1)
const docs = (source: string) => ({
  'docs.json': JSON.stringify({
    name: 'Pets',
    navigation: {
      groups: [
        { group: 'Guides', pages: ['index'] },
        { group: 'API', openapi: source },
      ],
    },
  }),
  'index.mdx': '---\ntitle: Start\n---\n\n[The document](/openapi.json)\n',
})

describe('a site', () => {
  test('publishes the document as in the repository, and lists it in llms.txt', async () => {
    const { files, diagnostics } = await siteOf(
      { ...docs('openapi.json'), 'openapi.json': text },
      { url: 'https://example.com/' },
    )
    expect(diagnostics).toEqual([])
    expect(files['openapi.json']).toBe(text)
    expect(files['llms.txt']).toContain('\n## OpenAPI documents\n\n- [Pets](https://example.com/openapi.json)\n')
    expect(files['api-reference/list-pets/index.html']).toContain('href="/openapi.json" download')
  })

  test('accepts links to a document outside of the docs directory', async () => {
    const inside = Object.fromEntries(Object.entries(docs('../openapi.json')).map(([name, content]) => [`docs/${name}`, content]))
    const { files, diagnostics } = await siteOf({ ...inside, 'openapi.json': text }, { root: 'docs' })
    expect(diagnostics).toEqual([])
    expect(files['openapi.json']).toBe(text)
  })

  test('publishes what everyone may read, also if a page links to the document', async () => {
    const restricted = openapi({ paths: { '/pets': operation, '/hidden': { ...operation, 'x-mint': { groups: ['admin'] } } } })
    const { files } = await siteOf({ ...docs('openapi.json'), 'openapi.json': JSON.stringify(restricted) })
    expect(files['openapi.json']).toContain('/pets')
    expect(files['openapi.json']).not.toContain('/hidden')
  })

  test('of one document publishes it in both formats, and lists the original', async () => {
    const { files } = await siteOfDocument('openapi.json', text)
    expect(files['openapi.json']).toBe(text)
    expect(files['openapi.yaml']).toContain('title: Pets')
    expect(files['llms.txt']).toContain('- [Pets](/openapi.json)\n')
    expect(files['llms.txt']).not.toContain('openapi.yaml')
  })

  test('does not list a document whose pages are hidden', async () => {
    const hidden = {
      name: 'Pets',
      navigation: {
        groups: [
          { group: 'Guides', pages: ['index'] },
          { group: 'API', hidden: true, openapi: 'openapi.json' },
        ],
      },
    }
    const { files } = await siteOf({ ...docs(''), 'docs.json': JSON.stringify(hidden), 'openapi.json': text })
    expect(files['llms.txt']).not.toContain('OpenAPI documents')
  })
})
