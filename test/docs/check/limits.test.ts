import { describe, expect, test } from 'vitest'
import { runCheck } from '../../../src/docs/check/run-check.ts'
import { defaultLimits } from '../../../src/text/plain/limits.ts'
import { toAccess } from '../../support/memory-tree.ts'

const padding = (bytes: number) => `# ${'x'.repeat(bytes)}\n`
const document = `openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\n`
const large = document + padding(3000)
const page = '---\nopenapi: a.yaml GET /a\n---\n'
const withOperation = document.replace('{}', "{/a: {get: {responses: {'200': {description: ok}}}}}")
const docs = '{ "navigation": { "tabs": [{ "tab": "API", "openapi": "a.yaml" }] } }'
const parts = (names: readonly string[]) =>
  `${document}components:\n  schemas:\n${names.map((name) => `    ${name}: {$ref: ${name}.yaml}\n`).join('')}`
const nested = (count: number) => `${document}components: {schemas: {A: ${'{items: '.repeat(count)}{}${'}'.repeat(count)}}}\n`
const nestedJson = (count: number) =>
  `{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}, "components": {"schemas": {"A": ${'{"items": '.repeat(count)}{}${'}'.repeat(count)}}}}`
const aliases = `${document}x-a: &a [1, 2, 3, 4]\nx-b: [*a, *a, *a]\n`
const merges = `${document}x-a: &a {b: 1, c: 2, d: 3}\nx-b: [{<<: *a}, {<<: *a}, {<<: *a}]\n`

describe('each exceeded limit is reported once with its setting', () => {
  test.each<[string, string, Record<string, string>, string, string, RegExp]>([
    ['document-size', '2 KiB', { 'a.yaml': large }, 'a.yaml', 'file-too-large', /3\d{3} bytes, more than the limit of 2048/],
    [
      'description-files',
      '2',
      { 'a.yaml': parts(['B', 'C']), 'B.yaml': 'type: object', 'C.yaml': 'type: object' },
      'a.yaml',
      'too-complex',
      /at most 2 files/,
    ],
    [
      'description-size',
      '4 KiB',
      { 'a.yaml': parts(['B', 'C']), 'B.yaml': `type: object\n${padding(2000)}`, 'C.yaml': `type: object\n${padding(2000)}` },
      'a.yaml',
      'too-complex',
      /at most 4 KiB/,
    ],
    ['nesting', '20', { 'a.yaml': nested(30) }, 'a.yaml', 'too-complex', /deeper than 20 levels/],
    ['nesting', '20', { 'a.json': nestedJson(30) }, 'a.json', 'too-complex', /more than 20 levels/],
    ['alias-nodes', '10', { 'a.yaml': aliases }, 'a.yaml', 'too-complex', /more than 10 nodes/],
    ['alias-nodes', '8', { 'a.yaml': merges }, 'a.yaml', 'too-complex', /more than 8/],
    [
      'page-size',
      '1 KiB',
      { 'docs.json': docs, 'a.yaml': withOperation, 'p.mdx': page + padding(1000) },
      '',
      'file-too-large',
      /more than the limit of 1024/,
    ],
    [
      'docs-config-size',
      '1 KiB',
      { 'docs.json': docs + ' '.repeat(1000), 'a.yaml': document },
      '',
      'file-too-large',
      /more than the limit of 1024/,
    ],
  ])('%s: %s', async (name, value, files, entry, code, message) => {
    const tree = { ...files, 'openapi-pages.config.yaml': `limits: { ${name}: ${value} }\n` }
    const { diagnostics } = await runCheck({ entries: [entry] }, toAccess(tree))
    const found = diagnostics.filter(({ severity }) => severity !== 'info')
    expect(found.map((diagnostic) => [diagnostic.code, diagnostic.message])).toEqual([[code, expect.stringMatching(message)]])
    expect(found[0]?.hint).toMatch(new RegExp(`[Rr]aise \`limits.${name}\` in the configuration file`))
    // Within the usual limits there is nothing to say.
    const usual = await runCheck({ entries: [entry] }, toAccess(files))
    expect(usual.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  })
})

test('does not raise limits for untrusted documents, and does not suggest it', async () => {
  const limitCeilings = { ...defaultLimits.values, 'document-size': 2048 }
  const tree = { 'a.yaml': large, 'openapi-pages.config.yaml': 'limits: { document-size: 100 MiB }\n' }
  const { diagnostics } = await runCheck({ entries: ['a.yaml'] }, { ...toAccess(tree), limitCeilings })
  expect(diagnostics.map(({ file, code, severity, hint }) => [file, code, severity, hint])).toEqual([
    ['a.yaml', 'file-too-large', 'error', 'Split the document. `limits.document-size` is already at its maximum of 2 KiB'],
    ['openapi-pages.config.yaml', 'wrong-value', 'info', undefined],
  ])
})

test('a raised limit accepts larger input', async () => {
  const tree = {
    'a.yaml': document + padding(65 * 1024 * 1024),
    'openapi-pages.config.yaml': 'limits: { document-size: 66 MiB }\n',
  }
  const { documents, diagnostics } = await runCheck({ entries: ['a.yaml'] }, toAccess(tree))
  expect(diagnostics).toEqual([])
  expect(documents.map(({ valid }) => valid)).toEqual([true])
})
