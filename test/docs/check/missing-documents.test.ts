import { describe, expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { type Tree, toAccess, updateTree } from '../../support/memory-tree.ts'

const document = 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}\n'
const pointer =
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n'
const modules = '[submodule "api"]\n\tpath = vendor/api\n\turl = https://example.com/api.git\n'

async function check(tree: Tree, ...entries: string[]) {
  const { diagnostics } = await runCheck({ entries }, toAccess(tree))
  return diagnostics.map(({ code, message, hint }) => ({ code, message, hint }))
}

describe('a missing document', () => {
  test.each([
    ['a.yml', ['a.yaml', 'b.yaml'], 'Did you mean `a.yaml`?'],
    ['docs/opneapi.json', ['docs/openapi.json', 'openapi.json'], 'Did you mean `openapi.json`?'],
    ['nothing.yaml', ['a.yaml'], undefined],
    ['a.yml', ['a.txt', 'deep/a.yaml'], undefined],
  ])('%s among %j', async (entry, paths, hint) => {
    const tree = Object.fromEntries(paths.map((path) => [path, document]))
    expect(await check(tree, entry)).toEqual([{ code: 'file-missing', message: `Cannot read \`${entry}\`: no such file`, hint }])
  })

  test('suggests checking out its submodule, for arguments, docs.json and `$ref`', async () => {
    const hint = expect.stringContaining('`vendor/api` is a Git submodule that is not checked out')
    expect(await check({ '.gitmodules': modules }, 'vendor/api/openapi.yaml')).toMatchObject([{ code: 'file-missing', hint }])
    const docs = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: '/vendor/api/openapi.yaml' }] } })
    const { diagnostics } = await updateTree({ '.gitmodules': modules, 'docs.json': docs })
    expect(diagnostics).toMatchObject([{ code: 'file-missing', file: 'docs.json', hint }])
    expect(diagnostics[0]?.hint).toContain('`submodules: true`')
    const entry = `${document.replace('paths: {}', 'paths: {/a: {$ref: "vendor/api/a.yaml"}}')}`
    expect(await check({ '.gitmodules': modules, 'a.yaml': entry }, 'a.yaml')).toMatchObject([{ hint }])
  })

  test('is reported as missing in a checked-out submodule', async () => {
    const tree = { '.gitmodules': modules, 'vendor/api/readme.md': 'x' }
    expect(await check(tree, 'vendor/api/openapi.yaml')).toMatchObject([{ code: 'file-missing', hint: undefined }])
  })
})

describe('a file without the document', () => {
  test('is recognized as a Git LFS pointer, also behind a `$ref`', async () => {
    const hint = expect.stringContaining('`lfs: true`')
    expect(await check({ 'a.json': pointer }, 'a.json')).toMatchObject([
      {
        code: 'file-unreadable',
        message: 'Cannot read `a.json`: it is a Git LFS pointer, and the content was not downloaded',
        hint,
      },
    ])
    const entry = document.replace('paths: {}', 'paths: {/a: {$ref: "b.yaml"}}')
    expect(await check({ 'a.yaml': entry, 'b.yaml': pointer }, 'a.yaml')).toMatchObject([{ hint }])
  })

  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  test.each<[string, unknown, string]>([
    [
      'a Postman collection',
      { info: { name: 'x', schema }, item: [] },
      'Unexpected Postman collection, expected an OpenAPI document',
    ],
    [
      'an older one',
      { info: { _postman_id: '1', name: 'x' }, item: [] },
      'Unexpected Postman collection, expected an OpenAPI document',
    ],
    [
      'an Insomnia export',
      { _type: 'export', __export_format: 4, resources: [] },
      'Unexpected Insomnia export, expected an OpenAPI document',
    ],
    [
      'an Insomnia collection',
      { type: 'collection.insomnia.rest/5.0', collection: [] },
      'Unexpected Insomnia export, expected an OpenAPI document',
    ],
  ])('%s', async (_, value, message) => {
    expect(await check({ 'a.json': JSON.stringify(value) }, 'a.json')).toEqual([
      { code: 'not-openapi', message, hint: expect.stringContaining('OpenAPI') },
    ])
  })
})
