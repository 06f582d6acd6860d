import { describe, expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'
import { type Tree, toAccess, updateTree } from '../../support/memory-tree.ts'

const toDocument = (path: string, more = '') =>
  `openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  ${path}:\n    get: {summary: Get, responses: {'200': {description: ok}}}\n${more}`
const toPage = (...lines: string[]) => `---\n${lines.join('\n')}\n---\n`
const hidden = 'hidden: true'

async function findingsOf(tree: Tree): Promise<string[]> {
  const docs = { 'docs.json': '{"navigation": {}}', ...tree }
  const { diagnostics } = await runCheck({ entries: [''] }, toAccess(docs))
  return diagnostics.map(({ file, code, message, hint }) =>
    [file, code, message, ...(hint === undefined ? [] : [`[${hint}]`])].join(' '),
  )
}

describe('the document of a binding', () => {
  test('is resolved from the docs directory, else from the page, so each language can have its own', async () => {
    const tree = {
      'en/api/openapi.json': JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        paths: { '/en': { get: {} } },
      }),
      'es/api/openapi.json': JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        paths: { '/es': { get: {} } },
      }),
      'en/pages/a.mdx': toPage('openapi: ../api/openapi.json GET /en'),
      'es/pages/a.mdx': toPage('openapi: ../api/openapi GET /es'),
      'es/api/b.mdx': toPage('openapi: ./openapi.json GET /es'),
      'es/api/c.mdx': toPage('openapi: openapi.json GET /gone'),
    }
    expect(await findingsOf(tree)).toEqual(
      ['es/api/c.mdx binding-unresolved Cannot find `GET /gone` in `es/api/openapi.json` [Did you mean `GET /es`?]'].map((line) =>
        expect.stringContaining(line.slice(0, 70)),
      ),
    )
  })

  test('is found if it is the only one, and its errors are reported', async () => {
    expect(await findingsOf({ 'api/x.yaml': toDocument('/pets'), 'a.mdx': toPage('openapi: GET /pets') })).toEqual([])
    const [finding, ...others] = await findingsOf({
      'api/x.yaml': toDocument('/pets', '  nope: 1\n'),
      'a.mdx': toPage('openapi: GET /pets'),
      'b.mdx': toPage('openapi: GET /other'),
    })
    expect(others).toEqual([])
    expect(finding).toContain('api/x.yaml ')
  })

  const inTwo = { 'en/openapi.yaml': toDocument('/pets'), 'es/openapi.yaml': toDocument('/pets') }
  const page = toPage('openapi: GET /pets')
  const inVersions = (...versions: readonly (readonly [string, string])[]) =>
    JSON.stringify({
      navigation: { versions: versions.map(([openapi, path]) => ({ version: path, openapi, pages: [path, 'GET /pets'] })) },
    })

  test.each<[string, Tree, readonly string[]]>([
    ['the nearest around the page', { ...inTwo, 'es/pages/a.mdx': page }, []],
    [
      'one that docs.json names',
      { ...inTwo, 'a.mdx': page, 'docs.json': '{"api":{"openapi":"es/openapi.yaml"},"navigation":{}}' },
      [],
    ],
    [
      'the one of its version',
      { ...inTwo, 'a.mdx': page, 'docs.json': inVersions(['es/openapi.yaml', 'a'], ['en/openapi.yaml', 'b']), 'b.mdx': page },
      [],
    ],
    [
      'none of two that are not around it',
      { ...inTwo, 'pages/a.mdx': page },
      ['pages/a.mdx binding-ambiguous Ambiguous binding to `GET /pets`: found in `en/openapi.yaml` and `es/openapi.yaml`'],
    ],
    [
      'none of two in one directory',
      { 'a.yaml': toDocument('/pets'), 'b.yaml': toDocument('/pets'), 'a.mdx': page },
      ['a.mdx binding-ambiguous Ambiguous binding to `GET /pets`: found in `a.yaml` and `b.yaml`'],
    ],
  ])('is %s, if several have the operation', async (_, tree, expected) => {
    expect((await findingsOf(tree)).map((line) => line.replace(/ \[.*/s, ''))).toEqual(expected)
  })
})

describe('a page with an unknown operation', () => {
  const moved = toDocument('/v2/animals').replace('summary: Get', 'summary: List all pets, tags: [Pets]')

  test('suggests the operation with its title', async () => {
    const tree = { 'a.yaml': moved, 'pets/x.mdx': toPage('title: List all pets', 'openapi: a.yaml GET /pets') }
    expect(await findingsOf(tree)).toEqual([
      'pets/x.mdx binding-unresolved Cannot find `GET /pets` in `a.yaml` [Use `GET /v2/animals`, which has the title of this page]',
    ])
  })

  test('suggests the operation with its file name', async () => {
    const tree = { 'a.yaml': moved, 'pets/list-all-pets.mdx': toPage('openapi: a.yaml GET /pets') }
    expect(await findingsOf(tree)).toEqual([
      'pets/list-all-pets.mdx binding-unresolved Cannot find `GET /pets` in `a.yaml` [Did you mean `GET /v2/animals`?]',
    ])
  })

  const id = (name: string) => `parameters: [{name: ${name}, in: path, required: true, schema: {type: string}}]`
  const animals = `openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /animals:
    get: {responses: {'200': {description: ok}}}
  /animals/{animalId}:
    ${id('animalId')}
    get: {responses: {'200': {description: ok}}}
    delete: {responses: {'200': {description: ok}}}
`

  test.each<[string, string, Tree]>([
    ['of the file that the page names', 'openapi: a.yaml GET /animals/{id}', {}],
    ['of the only file, which nothing names', 'openapi: GET /animals/{id}', {}],
    [
      'of a document of the navigation',
      'openapi: GET /animals/{id}',
      { 'docs.json': '{"api": {"openapi": "a.yaml"}, "navigation": {}}' },
    ],
    ['with a slash at the end and another typo', 'openapi: get /animal/{animal_identifier}/', {}],
  ])('suggests the operation whose path differs only in parameter names, %s', async (_, binding, more) => {
    const findings = await findingsOf({ 'a.yaml': animals, 'x.mdx': toPage(binding), ...more })
    expect(findings).toEqual([
      expect.stringMatching(
        /^x\.mdx binding-unresolved Cannot find `GET .*` in `a\.yaml` \[Did you mean `GET \/animals\/\{animalId\}`\?\]$/,
      ),
    ])
  })

  test('searches the nearest operation in all detected documents', async () => {
    const tree = { 'a.yaml': animals, 'b.yaml': toDocument('/pets'), 'x.mdx': toPage('openapi: DELETE /animal/{x}') }
    expect(await findingsOf(tree)).toEqual([
      'x.mdx binding-unresolved Cannot find `DELETE /animal/{x}` in any of 2 documents [Did you mean `DELETE /animals/{animalId}`?]',
    ])
  })

  test('is not changed by an update', async () => {
    const tree = {
      'docs.json': '{"navigation": {"tabs": [{"tab": "API", "openapi": "a.yaml"}]}}',
      'a.yaml': moved,
      'x.mdx': toPage('# why', 'openapi:   "a.yaml GET /pets"   # bound', hidden),
    }
    const { changes, diagnostics } = await updateTree(tree)
    expect(changes.map(({ path }) => path)).not.toContain('x.mdx')
    expect(diagnostics.map(({ file, severity, code }) => [file, severity, code])).toEqual([
      ['x.mdx', 'warning', 'binding-unresolved'],
    ])
  })
})

test.each<[string, Tree]>([
  ['snippets', { 'snippets/x.mdx': toPage('openapi: GET /gone') }],
  ['pages with `api`', { 'x.mdx': toPage('api: GET https://api.example.com/pets') }],
  ['pages that `.mintignore` names', { 'drafts/x.mdx': toPage('openapi: GET /gone'), '.mintignore': 'drafts/' }],
])('%s are not bound', async (_, tree) => {
  expect(await findingsOf({ 'a.yaml': toDocument('/pets'), ...tree })).toEqual([])
})

test('reports a page without the trailing slash that its path has in the document', async () => {
  const findings = await findingsOf({ 'a.yaml': toDocument('/pets/'), 'x.mdx': toPage('openapi: GET /pets') })
  expect(findings).toEqual([expect.stringMatching(/^x\.mdx binding-syntax .*the document has `GET \/pets\/`/)])
})

describe('frontmatter', () => {
  test.each<[string, string, string | undefined]>([
    ['none', '# Title\n\nopenapi: GET /pets\n', undefined],
    ['empty', '---\n---\n', undefined],
    ['that is no YAML', '---\ntitle: a: b\nopenapi: GET /pets\n---\n', 'page-frontmatter'],
    ['without an end', '---\ntitle: a\nopenapi: GET /pets\n\n# Title\n', 'page-frontmatter'],
    ['a rule of Markdown', '---\n\n# Title\n\nSpeaks of openapi: GET /pets\n', undefined],
    ['with a list for a binding', '---\nopenapi: [GET /pets]\n---\n', 'binding-syntax'],
    ['with a key twice', '---\nopenapi: GET /pets\nopenapi: GET /pets\n---\n', 'page-frontmatter'],
  ])('%s', async (_, text, code) => {
    const findings = await findingsOf({ 'a.yaml': toDocument('/pets'), 'x.mdx': text })
    expect(findings.map((line) => line.split(' ').slice(0, 2))).toEqual(code === undefined ? [] : [['x.mdx', code]])
  })

  test.each<[string, Uint8Array, string]>([
    ['is no text', new Uint8Array([0xff, 0xfe, 0x00, 0x41]), 'encoding'],
    ['is larger than pages are read', new Uint8Array(8 * 1024 * 1024 + 1).fill(0x20), 'file-too-large'],
  ])('of a page that %s is reported once', async (_, bytes, code) => {
    const files = createMemoryFiles({ 'docs.json': '{"navigation": {}}', 'x.mdx': bytes })
    const access = { ...toAccess({}), files }
    const { diagnostics } = await runCheck({ entries: [''] }, access)
    expect(diagnostics.map((diagnostic) => [diagnostic.file, diagnostic.code, diagnostic.severity])).toEqual([
      ['x.mdx', code, 'warning'],
    ])
  })

  test.each([
    ['NUL', 0, 'Unexpected byte 0x00 in line 4 of the page: it is shown as \ufffd'],
    ['invalid byte', 0xe9, 'Unexpected byte that is not UTF-8 in line 4 of the page: it is shown as \ufffd'],
  ])('is read from a page with one %s', async (_, byte, message) => {
    const text = `${toPage('openapi: GET /gone')}caf_ and text\n`
    const bytes = new TextEncoder().encode(text)
    bytes[text.indexOf('_')] = byte
    const files = createMemoryFiles({ 'docs.json': '{"navigation": {}}', 'a.yaml': toDocument('/pets'), 'x.mdx': bytes })
    const { diagnostics } = await runCheck({ entries: [''] }, { ...toAccess({}), files })
    expect(diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.message]).toSorted()).toEqual([
      ['binding-unresolved', expect.any(String)],
      ['encoding', message],
    ])
  })

  test('is read from all pages, also without a document', async () => {
    const tree = { 'docs.json': '{"navigation": {"pages": ["x"]}}', 'x.mdx': '---\ntitle: a: b\n---\n' }
    const { diagnostics } = await runCheck({ entries: [''] }, toAccess(tree))
    expect(diagnostics.map(({ file, code, range }) => [file, code, range.start.line])).toEqual([['x.mdx', 'page-frontmatter', 2]])
  })

  test('is read from a page of 5 MB', async () => {
    const tree = { 'a.yaml': toDocument('/pets'), 'x.mdx': `${toPage('openapi: GET /gone')}${'text\n'.repeat(1_000_000)}` }
    expect(await findingsOf(tree)).toEqual([expect.stringContaining('x.mdx binding-unresolved')])
  })
})
