import { describe, expect, test } from 'vitest'
import { checkDocsDirectory } from '../../../src/docs/check/check-docs-directory.ts'
import { settle, type Tree, toAccess, updateTree } from '../../support/memory-tree.ts'

const toDocument = (...paths: readonly string[]) =>
  `openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n${paths
    .map((path) => `  ${path}: {get: {summary: ${path.slice(1)}, responses: {'200': {description: ok}}}}\n`)
    .join('')}`
const docsJson = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'a.yaml' }] } }, undefined, 2)
const fresh: Tree = { 'docs.json': docsJson, 'a.yaml': toDocument('/a') }

describe('reports an error in the configuration file and writes nothing until it is fixed', () => {
  const cases: readonly [string, string, string][] = [
    ['with a typo in the name of a setting', 'materialise: false\n', 'unknown-field'],
    ['whose value is a typo', 'materialize: flase\n', 'wrong-type'],
    ['with a value in quotes', 'materialize: "false"\n', 'wrong-type'],
    ['with a line too far to the right', 'materialize: false\n order: tags\n', 'yaml-syntax'],
    ['that is cut off', 'materialize: [\n', 'yaml-syntax'],
    ['that is a list', '- materialize: false\n', 'wrong-type'],
    ['with a merge conflict', '<<<<<<< ours\nmaterialize: false\n=======\n>>>>>>> theirs\n', 'yaml-syntax'],
    ['larger than 16 MiB', `materialize: false\n#${' '.repeat(2 ** 24)}\n`, 'file-too-large'],
  ]

  test.each(cases)('%s, without generated pages', async (_, text, code) => {
    const { changes, pages, materialized, diagnostics } = await updateTree({ ...fresh, 'openapi-pages.config.yaml': text })
    expect({ changes, pages, materialized }).toEqual({ changes: [], pages: [], materialized: [] })
    expect(diagnostics.map((each) => [each.file, each.code])).toEqual([['openapi-pages.config.yaml', code]])
  })

  test.each(cases)('%s, with generated pages and changed operations', async (_, text, code) => {
    const { tree } = await settle(fresh)
    const broken = { ...tree, 'a.yaml': toDocument('/b'), 'openapi-pages.config.yaml': text }
    const { changes, diagnostics } = await updateTree(broken)
    expect(changes).toEqual([])
    expect(diagnostics.filter(({ severity }) => severity !== 'info').map((each) => [each.file, each.code])).toEqual([
      ['openapi-pages.config.yaml', code],
    ])
  })
})

test('writes the pages if a limit is capped', async () => {
  const tree = { ...fresh, 'openapi-pages.config.yaml': 'limits: { nesting: 10 }\n' }
  expect((await updateTree(tree)).changes.map(({ path }) => path)).toContain('api-reference/a.mdx')
})

test('reports a misnamed configuration file once, but not in other directories', async () => {
  const tree = { ...fresh, 'openapi-pages.config.yml': 'materialize: false\n', 'guides/openapi-pages.config.yml': '' }
  const expected = [
    {
      file: 'openapi-pages.config.yml',
      code: 'config-not-read',
      severity: 'warning',
      message: 'Unexpected configuration file `openapi-pages.config.yml`: it is not read',
      hint: 'Rename it to `openapi-pages.config.yaml`',
    },
  ]
  expect((await updateTree(tree)).diagnostics.filter(({ code }) => code === 'config-not-read')).toMatchObject(expected)
  // The levels of the codes are given later.
  const [{ severity: _, ...finding } = {}] = expected
  const { findings } = await checkDocsDirectory('', toAccess(tree))
  expect(findings.filter(({ code }) => code === 'config-not-read')).toMatchObject([finding])
})
