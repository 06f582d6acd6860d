import { expect, test } from 'vitest'
import { filterDocuments, findDocs, findUpdateTargets, listChecked } from '../../../src/docs/read/find-docs.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'

test.each<[string, string, boolean]>([
  ['JSON', '{"openapi": "3.1.0", "info": {}}', true],
  ['JSON after a byte order mark', '\uFEFF{"openapi": "3.1.0"}', true],
  ['JSON with the field at the end', '{"info": {"title": "x"}, "openapi" : "3.0.3"}', true],
  ['JSON with an error', '{"openapi": "3.0.3", "info": {', true],
  ['YAML', '# Pets\nopenapi: 3.1.0\n', true],
  ['YAML with the field at the end', 'info:\n  title: x\nopenapi: "3.0.3"\n', true],
  ['YAML with indentation', '# Pets\r\n\r\n  info: {}\r\n  openapi: 3.1.0\r\n', true],
  ['YAML after directives', '%YAML 1.2\n--- !!map\nopenapi: 3.1.0\n', true],
  ['YAML with quotes', '"openapi": \'3.2.0\'\n', true],
  ['YAML in flow style', '{openapi: 3.1.0, info: {}}', true],
  ...[
    '# Pets\n{openapi: 3.1.0}',
    '# Pets\r\n%YAML 1.2\r\n---\r\n{openapi: 3.1.0}',
    '--- {"openapi": 3.1.0,}',
    '!!map {a: 1, openapi: 3.1.0}',
    '&a {\n  # A\n  openapi: "3.1.0"}',
  ].map((text): [string, string, boolean] => ['YAML in flow style', text, true]),
  ['YAML with an error', '# Pets\n{openapi: 3.1.0, info: {', true],
  ['a nested field in flow style', '{spec: {openapi: 3.1.0}}', false],
  ['a nested field after a comment', '# Pets\n{spec: {openapi: 3.1.0}}', false],
  ['a package', '{"dependencies": {"openapi": "3.0.0"}}', false],
  ['a docs.json of other tools', '{"openapi": "api/openapi.yaml"}', false],
  ['values of a chart', 'openapi:\n  enabled: true\n', false],
  ['a nested field', 'spec:\n  openapi: 3.1.0\n', false],
  ['a nested field of another depth', 'spec:\n  a: 1\n  openapi: 3.1.0\n', false],
  ['a merged field, which only parsing of the whole file would find', '<<: {openapi: 3.1.0}\n', false],
  ['Swagger 2.0', 'swagger: "2.0"\n', false],
  ['an Overlay document', 'overlay: 1.0.0\nextends: openapi.yaml\n', false],
])('%s is a document: %j', async (_, text, expected) => {
  const found = await filterDocuments('docs', ['any.name'], createMemoryFiles({ 'docs/any.name': text }))
  expect(found).toEqual(expected ? ['any.name'] : [])
})

const document = 'openapi: 3.1.0\n'
const docs = '{"navigation": {"tabs": [{"tab": "API", "openapi": "openapi.yaml"}]}}'
const guides = '{"navigation": {"pages": ["index"]}}'

test.each<[string, { [path: string]: string }, { checked: string[]; roots: string[]; bare?: string[] }]>([
  ['a bare document', { 'openapi.yaml': document }, { checked: ['openapi.yaml'], roots: [''], bare: ['openapi.yaml'] }],
  [
    'documents of any name, the nearest first',
    { 'a/b/c.json': '{"openapi": "3.0.0"}', 'z.yml': document, 'a/x.YAML': document },
    { checked: ['z.yml', 'a/x.YAML', 'a/b/c.json'], roots: [''], bare: ['z.yml', 'a/x.YAML', 'a/b/c.json'] },
  ],
  ['a docs.json', { 'docs.json': docs, 'a/docs.json': docs, 'openapi.yaml': document }, { checked: [''], roots: [''] }],
  ['a docs.json without documents', { 'docs.json': guides, 'openapi.yaml': document }, { checked: [''], roots: [''] }],
  [
    'docs directories below',
    { 'b/docs.json': docs, 'a/c/docs.json': docs, 'd/docs.json': guides, 'e/mint.json': docs, 'openapi.yaml': document },
    { checked: ['b', 'e', 'a/c'], roots: ['b', 'e', 'a/c'] },
  ],
  [
    'guides and a document that they do not name',
    { 'docs/docs.json': guides, 'openapi.yaml': document },
    { checked: ['openapi.yaml'], roots: [''], bare: ['openapi.yaml'] },
  ],
  ['guides only', { 'docs/docs.json': guides }, { checked: ['docs'], roots: [''] }],
  ['a docs.json of another tool', { 'docs/docs.json': '{"pages": []}' }, { checked: [], roots: [''] }],
  [
    'pages generated without a docs.json',
    { 'openapi-pages.lock.json': '{}', 'openapi.yaml': document },
    { checked: ['openapi.yaml'], roots: [''] },
  ],
  ['hidden directories', { '.cache/openapi.yaml': document, '.x/docs.json': docs }, { checked: [], roots: [''] }],
])('finds %s', async (_, contents, { checked, roots, bare = [] }) => {
  const files = createMemoryFiles(contents)
  expect(await listChecked('', await findDocs('', { files }), files)).toEqual(checked)
  const targets = await findUpdateTargets('', { files })
  expect([[...targets.roots].sort(), targets.checkedDocuments]).toEqual([[...roots].sort(), bare])
})

test('uses documents that Git ignores only if there are no others', async () => {
  const files = createMemoryFiles({ 'openapi.yaml': document, 'dist/openapi.yaml': document })
  const findAmong = async (ignored: readonly string[]) => {
    const findIgnored = async (paths: readonly string[]) =>
      ({ kind: 'known', value: paths.filter((path) => ignored.includes(path)) }) as const
    return (await findDocs('', { files, git: { findIgnored } })).documents
  }
  expect(await findAmong(['dist/openapi.yaml'])).toEqual(['openapi.yaml'])
  expect(await findAmong(['dist/openapi.yaml', 'openapi.yaml'])).toEqual(['openapi.yaml', 'dist/openapi.yaml'])
})

test('finds what is below a hidden directory that is named', async () => {
  const files = createMemoryFiles({ '.api/openapi.yaml': document, '.api/.x/openapi.yaml': document, '.apis.yaml': document })
  expect((await findDocs('.api', { files })).documents).toEqual(['.api/openapi.yaml'])
})
