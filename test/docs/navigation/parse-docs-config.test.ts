import { expect, test } from 'vitest'
import { parseDocsConfig } from '../../../src/docs/navigation/parse-docs-config.ts'

async function parse(value: unknown) {
  return parseDocsConfig({ path: 'docs.json', text: typeof value === 'string' ? value : JSON.stringify(value) })
}

test('reads divisions of every kind with inherited values', async () => {
  const lists = [
    ['languages', { language: 'en' }],
    ['versions', { version: 'v2', openapi: '/two.yaml' }],
    ['products', { product: 'P' }],
    ['anchors', { anchor: 'A' }],
    ['dropdowns', { dropdown: 'D' }],
    ['tabs', { tab: 'T' }],
    ['menu', { item: 'I' }],
    ['groups', { group: 'G' }],
  ] as const
  let navigation: object = { pages: ['./GET /x', { group: 'N/1', openapi: { source: './own.json', directory: '/own/' } }] }
  for (const [list, division] of lists.toReversed()) navigation = { [list]: [{ ...division, ...navigation }] }
  const { docsConfig, findings } = await parse({ navigation })
  expect(findings).toEqual([])
  expect(
    docsConfig?.divisions.map(({ kind, label, version, inherited }) => [kind, label, version, inherited?.sources[0]?.source]),
  ).toEqual([
    ['navigation', '', undefined, undefined],
    ['language', 'en', undefined, undefined],
    ['version', 'v2', 'v2', 'two.yaml'],
    ['product', 'P', 'v2', 'two.yaml'],
    ['anchor', 'A', 'v2', 'two.yaml'],
    ['dropdown', 'D', 'v2', 'two.yaml'],
    ['tab', 'T', 'v2', 'two.yaml'],
    ['item', 'I', 'v2', 'two.yaml'],
    ['group', 'G', 'v2', 'two.yaml'],
    ['group', 'N/1', 'v2', 'own.json'],
  ])
  expect(docsConfig?.divisions.at(-1)).toMatchObject({
    id: '/navigation/languages/en/versions/v2/products/P/anchors/A/dropdowns/D/tabs/T/menu/I/groups/G/pages/N~11',
    sources: [{ source: 'own.json', directory: 'own' }],
  })
})

test('reads entries for pages, operations and webhooks', async () => {
  const pages = ['index', '/lead/page.mdx', 'GET /pets/', '/api.yaml POST /pets', 'hooks webhook shipped', 'guides/get started']
  const { docsConfig } = await parse({ navigation: { pages } })
  expect(docsConfig?.divisions[0]?.entries).toMatchObject([
    { kind: 'page', path: 'index', pointer: '/navigation/pages/0' },
    { kind: 'page', path: 'lead/page' },
    { kind: 'explicit', binding: { kind: 'operation', file: undefined, method: 'get', pathTemplate: '/pets/' } },
    { kind: 'explicit', binding: { file: 'api.yaml', method: 'post', pathTemplate: '/pets' } },
    { kind: 'explicit', binding: { kind: 'webhook', file: 'hooks', name: 'shipped' } },
    { kind: 'page', path: 'guides/get started' },
  ])
})

test('gives unique IDs to divisions with the same label or no label', async () => {
  const { docsConfig } = await parse({ navigation: { tabs: [{ tab: 'A' }, { tab: 'A' }, {}, { tab: 'A#2' }] } })
  const ids = docsConfig?.divisions.map(({ id }) => id) ?? []
  expect(new Set(ids).size).toBe(5)
  expect(ids.slice(1, 4)).toEqual(['/navigation/tabs/A', '/navigation/tabs/A#2', '/navigation/tabs/#3'])
})

test.each([
  ['api.yaml', [['api.yaml', 'api-reference']]],
  ['./docs/../api.yaml', [['api.yaml', 'api-reference']]],
  ['../api.yaml', [['../api.yaml', 'api-reference']]],
  ['https://example.com/a.json', [['https://example.com/a.json', 'api-reference']]],
  [{ source: 'a.yaml', directory: '' }, [['a.yaml', '']]],
  [
    ['a.yaml', { source: '/b.yaml', directory: 'b/' }],
    [
      ['a.yaml', 'api-reference'],
      ['b.yaml', 'b'],
    ],
  ],
])('`openapi` %j', async (openapi, expected) => {
  const { docsConfig, findings } = await parse({ navigation: {}, api: { openapi } })
  expect(docsConfig?.apiSources.map(({ source, directory }) => [source, directory])).toEqual(expected)
  expect(findings).toEqual([])
})

test.each([
  ['[]', 'wrong-type', ''],
  ['name: x', 'wrong-type', ''],
  ['', 'empty-document', ''],
  ['{"navigation": {},}', 'json-syntax', ''],
  ['{}', 'missing-field', ''],
  ['{"navigation": {}, "navigation": {"tabs": []}}', 'duplicate-key', '/navigation'],
  ['{"navigation": {"tabs": [{"tab": "A", "openapi": "a", "openapi": "b"}]}}', 'duplicate-key', '/navigation/tabs/0/openapi'],
  ['{"navigation": {}, "api": {"openapi": "a", "openapi": "b"}}', 'duplicate-key', '/api/openapi'],
  ['{"navigation": []}', 'wrong-type', '/navigation'],
  ['{"navigation": {"tabs": {}}}', 'wrong-type', '/navigation/tabs'],
  ['{"navigation": {"tabs": [{"pages": [null]}]}}', 'wrong-type', '/navigation/tabs/0/pages/0'],
  ['{"navigation": {"openapi": " "}}', 'wrong-value', '/navigation/openapi'],
  ['{"navigation": {}, "api": "openapi.yaml"}', 'wrong-type', '/api'],
  ['{"navigation": {}, "api": {"openapi": [{"source": "a", "directory": "../x"}]}}', 'wrong-value', '/api/openapi/0/directory'],
])('reports %s', async (text, code, pointer) => {
  const { findings } = await parse(text)
  expect(findings).toMatchObject([{ code, pointer, file: 'docs.json' }])
})

test('reports the last duplicate key and relates it to the first', async () => {
  const text = '{\n  "navigation": {\n    "tabs": [],\n    "tabs": []\n  }\n}\n'
  const { docsConfig, findings } = await parse(text)
  expect(docsConfig).toBeUndefined()
  const [finding] = findings
  const slice = (offsets: { start: number; end: number } | undefined) => text.slice(offsets?.start, offsets?.end)
  expect([slice(finding?.offsets), slice(finding?.related?.[0]?.offsets)]).toEqual(['"tabs"', '"tabs"'])
  expect(finding?.offsets?.start).toBeGreaterThan(finding?.related?.[0]?.offsets?.start ?? 0)
})

test('reports an unused value that is nested too deep to edit', async () => {
  const { docsConfig, findings } = await parse(`{"navigation": {}, "x": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`)
  expect(docsConfig).toBeUndefined()
  expect(findings).toMatchObject([{ code: 'too-complex', pointer: '' }])
})

test('allows duplicate keys in unused values', async () => {
  expect((await parse('{"navigation": {}, "footer": 1, "footer": {"a": 1, "a": 2}}')).findings).toEqual([])
})

test('describes errors in docs.json without terms of OpenAPI or YAML', async () => {
  for (const text of ['', '{\n// x\n}']) {
    const { findings } = await parse(text)
    expect(`${findings[0]?.message} ${findings[0]?.hint}`).not.toMatch(/OpenAPI document|YAML/)
  }
})

test.each([200, 50_000])('reports navigation nested %d levels deep', async (depth) => {
  const groups = `${'{"group": "x", "pages": ['.repeat(depth)}${']}'.repeat(depth)}`
  const { findings } = await parse(`{"navigation": {"groups": [${groups}]}}`)
  expect(findings.map(({ code }) => code)).toEqual(['too-complex'])
})

const referring = (reference: string) =>
  `{ "navigation": { "tabs": [{ "$ref": "${reference}" }] }, "api": { "$ref": "api.json" } }`

function parseInParts(text: string, parts: { readonly [path: string]: string }) {
  return parseDocsConfig({ path: 'site/docs.json', text }, async (path) => {
    const part = parts[path]
    return part === undefined ? { reason: 'no such file' } : { path, text: part }
  })
}

test('resolves a `$ref` relative to its file, and prefers keys next to it', async () => {
  const { docsConfig, findings } = await parseInParts(
    '{ "navigation": { "$ref": "./config/navigation.json", "openapi": "own.yaml" }, "api": { "openapi": "a.yaml", "$ref": "config/api.json" } }',
    {
      'site/config/navigation.json': '{ "openapi": "theirs.yaml", "pages": ["index", { "$ref": "../groups/one.json" }] }',
      'site/groups/one.json': '{ "group": "One", "pages": { "$ref": "list.json" } }',
      'site/groups/list.json': '["one/a"]',
      'site/config/api.json': '{ "openapi": "b.yaml", "playground": {} }',
    },
  )
  expect(findings).toEqual([])
  expect(docsConfig?.divisions.map(({ label, sources, entries }) => [label, sources[0]?.source, entries.length])).toEqual([
    ['', 'own.yaml', 1],
    ['One', undefined, 1],
  ])
  expect(docsConfig?.apiSources.map(({ source }) => source)).toEqual(['a.yaml'])
  const places = docsConfig?.sourceMap
  expect(places?.locate('/navigation/openapi', 'value')).toEqual({ file: 'site/docs.json', pointer: '/navigation/openapi' })
  expect(places?.locate('/navigation/pages/1/pages/0', 'value')).toEqual({ file: 'site/groups/list.json', pointer: '/0' })
  expect(places?.locate('/navigation/pages/1/pages', 'key')).toEqual({ file: 'site/groups/one.json', pointer: '/pages' })
  expect(places?.locate('/api/playground', 'key')).toEqual({ file: 'site/config/api.json', pointer: '/playground' })
  expect(places?.sources.map(({ path }) => path)).toHaveLength(5)
})

test.each([
  ['missing.json', 'docs-reference', 'no such file'],
  ['../outside.json', 'docs-reference', 'outside the docs directory'],
  ['/etc/passwd', 'docs-reference', 'outside the docs directory'],
  ['https://example.com/a.json', 'docs-reference', 'a URL'],
  ['docs.json', 'docs-reference', 'circular'],
  ['loop.json', 'docs-reference', 'circular'],
  ['broken.json', 'json-syntax', 'before `}`'],
  ['double.json', 'duplicate-key', 'duplicate key `tab`'],
])('reports a `$ref` to %s once and does not read the file', async (reference, code, words) => {
  const { docsConfig, findings } = await parseInParts(referring(reference), {
    'site/api.json': '{}',
    'site/loop.json': '{ "pages": [{ "$ref": "back.json" }] }',
    'site/back.json': '{ "pages": [{ "$ref": "loop.json" }] }',
    'site/broken.json': '{ "tab": "x", }',
    'site/double.json': '{ "tab": "x", "tab": "y" }',
  })
  expect(docsConfig).toBeUndefined()
  expect(findings).toMatchObject([{ code }])
  expect(findings[0]?.message).toContain(words)
})

test('stops at a maximum number of `$ref`s', async () => {
  const twice = (next: string) => `{ "pages": [${Array.from({ length: 20 }, () => `{ "$ref": "${next}.json" }`).join(', ')}] }`
  const parts = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`site/${index}.json`, twice(String(index + 1))]))
  const { findings } = await parseInParts('{ "navigation": { "$ref": "0.json" } }', { ...parts, 'site/10.json': '{}' })
  expect(findings[0]).toMatchObject({ code: 'docs-reference', message: expect.stringContaining('more than 1,000') })
  expect(findings).toHaveLength(1)
})
