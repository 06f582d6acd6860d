import { expect, test } from 'vitest'
import { parseDocsConfig } from '../../src/docs/parse-docs-config.ts'

async function parse(value: unknown) {
  return parseDocsConfig({ path: 'docs.json', text: typeof value === 'string' ? value : JSON.stringify(value) })
}

test('divisions of every kind, with what they inherit', async () => {
  const { docsConfig, findings } = await parse({
    navigation: {
      languages: [
        {
          language: 'en',
          versions: [
            {
              version: 'v2',
              openapi: '/two.yaml',
              products: [
                {
                  product: 'P',
                  anchors: [
                    {
                      anchor: 'A',
                      dropdowns: [
                        {
                          dropdown: 'D',
                          tabs: [
                            {
                              tab: 'T',
                              menu: [
                                {
                                  item: 'I',
                                  groups: [
                                    {
                                      group: 'G',
                                      pages: [
                                        './GET /x',
                                        { group: 'N/1', openapi: { source: './own.json', directory: '/own/' } },
                                      ],
                                    },
                                  ],
                                },
                              ],
                            },
                          ],
                        },
                      ],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  })
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

test('entries: pages, operations, webhooks', async () => {
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

test('divisions with the same label, or with none, have names of their own', async () => {
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
])('%s is a finding', async (text, code, pointer) => {
  const { findings } = await parse(text)
  expect(findings).toMatchObject([{ code, pointer, file: 'docs.json' }])
})

test('a duplicate key has the place of the last and of the first', async () => {
  const text = '{\n  "navigation": {\n    "tabs": [],\n    "tabs": []\n  }\n}\n'
  const { docsConfig, findings } = await parse(text)
  expect(docsConfig).toBeUndefined()
  const [finding] = findings
  const slice = (offsets: { start: number; end: number } | undefined) => text.slice(offsets?.start, offsets?.end)
  expect([slice(finding?.offsets), slice(finding?.related?.[0]?.offsets)]).toEqual(['"tabs"', '"tabs"'])
  expect(finding?.offsets?.start).toBeGreaterThan(finding?.related?.[0]?.offsets?.start ?? 0)
})

test('a deep value that nobody reads is a finding, as an edit could not go through it', async () => {
  const { docsConfig, findings } = await parse(`{"navigation": {}, "x": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`)
  expect(docsConfig).toBeUndefined()
  expect(findings).toMatchObject([{ code: 'too-complex', pointer: '' }])
})

test('duplicate keys of what is not read are left to others', async () => {
  expect((await parse('{"navigation": {}, "footer": 1, "footer": {"a": 1, "a": 2}}')).findings).toEqual([])
})

test('a fault of docs.json is not told in the words of an OpenAPI document', async () => {
  for (const text of ['', '{\n// x\n}']) {
    const { findings } = await parse(text)
    expect(`${findings[0]?.message} ${findings[0]?.hint}`).not.toMatch(/OpenAPI document|YAML/)
  }
})

test.each([200, 50_000])('navigation that is nested %d times is a finding', async (depth) => {
  const groups = `${'{"group": "x", "pages": ['.repeat(depth)}${']}'.repeat(depth)}`
  const { findings } = await parse(`{"navigation": {"groups": [${groups}]}}`)
  expect(findings.map(({ code }) => code)).toEqual(['too-complex'])
})
