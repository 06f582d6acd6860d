import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const toDocument = (path: string, title = 'Pets') =>
  `openapi: 3.1.0\ninfo: {title: ${title}, version: '1'}\npaths: {${path}: {get: {responses: {'200': {description: A}}}}}\n`
const page = '---\ntitle: List\nopenapi: GET /pets\n---\n'
const docsJson = (name: string) => JSON.stringify({ name: 'Docs', navigation: { pages: [name] } })

test.each([
  [
    'means the document above it, not its copy',
    'ref/list',
    { 'openapi.yaml': toDocument('/pets'), 'archive/openapi.yaml': toDocument('/pets') },
    [],
  ],
  [
    'is reported if only a copy has its operation',
    'ref/list',
    { 'openapi.yaml': toDocument('/animals'), 'archive/openapi.yaml': toDocument('/pets') },
    ['binding-unresolved'],
  ],
  [
    'in the directory of a copy means the copy',
    'v1/list',
    { 'openapi.yaml': toDocument('/animals'), 'v1/openapi.yaml': toDocument('/pets') },
    [],
  ],
  [
    'can mean a document with another title below',
    'ref/list',
    { 'openapi.yaml': toDocument('/animals'), 'api/openapi.yaml': toDocument('/pets', 'Shop') },
    [],
  ],
])('a binding without a file %s', async (_, name, documents, codes) => {
  const folder = makeTemporaryFolder({ 'docs.json': docsJson(name), [`${name}.mdx`]: page, ...documents })
  const { stdout } = await runInFolder(folder, ['check', '.', '--no-ruleset', '--format', 'json'])
  const found: { code: string; severity: string }[] = JSON.parse(stdout).diagnostics
  expect(found.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(codes)
})
