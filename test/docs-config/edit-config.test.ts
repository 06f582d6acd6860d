import { describe, expect, test } from 'vitest'
import { editDocsConfig, setMaterialize } from '../../src/docs-config/edit-config.ts'
import type { JsonEdit } from '../../src/docs-config/edit-json.ts'
import { parseDocsConfig } from '../../src/docs-config/parse-docs-config.ts'

const mint = {
  openapi: 'a.yaml',
  tabs: [
    { name: 'API', url: 'api', openapi: 'b.yaml', version: 'v2' },
    { name: 'Empty', url: 'empty' },
  ],
  navigation: [
    { group: 'Start', pages: ['index'] },
    { group: 'One', pages: ['api/one'] },
    { group: 'Middle', pages: ['middle'] },
    { group: 'Two', pages: ['api/two'] },
    { group: 'Last', pages: ['last'] },
  ],
}

/** Returns the group names of a mint.json after edits, and its other content. */
async function edit(edits: readonly JsonEdit[], value: object = mint) {
  const { docsConfig } = await parseDocsConfig({ path: 'mint.json', text: JSON.stringify(value) })
  if (!docsConfig) throw new Error('Expected a configuration')
  const [change] = editDocsConfig(docsConfig, edits)
  // Parses the edited fixture.
  const edited = JSON.parse(change && 'content' in change ? change.content : '{}') as Partial<typeof mint>
  return { ...edited, groups: edited.navigation?.map(({ group }) => group) }
}

const newGroup = { group: 'New', pages: ['api/new'] }

describe('edits of a mint.json', () => {
  test.each<[string, JsonEdit, readonly string[]]>([
    [
      'append a group to a tab',
      { kind: 'insert', array: '/navigation/tabs/0/groups', index: 2, values: [newGroup] },
      ['Start', 'One', 'Middle', 'Two', 'New', 'Last'],
    ],
    [
      'insert a group before another one of a tab',
      { kind: 'insert', array: '/navigation/tabs/0/groups', index: 1, values: [newGroup] },
      ['Start', 'One', 'Middle', 'New', 'Two', 'Last'],
    ],
    [
      'add the first group of a tab',
      { kind: 'insert', array: '/navigation/tabs/1/groups', index: 0, values: [newGroup] },
      ['Start', 'One', 'Middle', 'Two', 'Last', 'New'],
    ],
    [
      'insert a group without a tab',
      { kind: 'insert', array: '/navigation/groups', index: 1, values: [newGroup] },
      ['Start', 'One', 'New', 'Middle', 'Two', 'Last'],
    ],
    [
      'replace a group',
      { kind: 'replace', array: '/navigation/tabs/0/groups', index: 1, value: newGroup },
      ['Start', 'One', 'Middle', 'New', 'Last'],
    ],
    [
      'reorder the groups of a tab',
      { kind: 'reorder', array: '/navigation/tabs/0/groups', order: [1, 0] },
      ['Start', 'Two', 'Middle', 'One', 'Last'],
    ],
    ['remove a group', { kind: 'remove', pointer: '/navigation/tabs/0/groups/1' }, ['Start', 'One', 'Middle', 'Last']],
    ['remove all groups of one tab', { kind: 'remove', pointer: '/navigation/tabs/0/groups' }, ['Start', 'Middle', 'Last']],
  ])('%s', async (_, change, groups) => {
    expect((await edit([change])).groups).toEqual(groups)
  })

  test('reorders two tabs at once', async () => {
    const tabs = [
      { name: 'A', url: 'api' },
      { name: 'B', url: 'b' },
    ]
    const navigation = ['api/1', 'b/1', 'api/2', 'b/2'].map((path) => ({ group: path, pages: [path] }))
    const edits = [0, 1].map((tab): JsonEdit => ({ kind: 'reorder', array: `/navigation/tabs/${tab}/groups`, order: [1, 0] }))
    expect((await edit(edits, { tabs, navigation })).groups).toEqual(['api/2', 'b/2', 'api/1', 'b/1'])
  })

  test('gives a group the version of its tab', async () => {
    const { navigation } = await edit([{ kind: 'insert', array: '/navigation/tabs/0/groups', index: 2, values: [newGroup] }])
    expect(navigation?.[4]).toEqual({ group: 'New', version: 'v2', pages: ['api/new'] })
  })

  test('creates a missing navigation', async () => {
    const { navigation } = await edit([{ kind: 'insert', array: '/navigation/tabs/0/groups', index: 0, values: [newGroup] }], {
      tabs: mint.tabs,
    })
    expect(navigation).toEqual([newGroup])
  })

  test('writes `openapi` at the top level', async () => {
    expect(await edit([{ kind: 'remove', pointer: '/navigation/tabs/0/openapi' }])).toMatchObject({
      tabs: [{ name: 'API', url: 'api', version: 'v2' }, {}],
    })
    expect((await edit([{ kind: 'set', object: '/navigation/tabs/0', key: 'openapi', value: 'c' }])).tabs?.[0]?.openapi).toBe('c')
    expect((await edit([{ kind: 'set', object: '/api', key: 'openapi', value: ['a', 'b'] }])).openapi).toEqual(['a', 'b'])
    expect((await edit([{ kind: 'set', object: '', key: 'api', value: { openapi: 'b' } }], { navigation: [] })).openapi).toBe('b')
    expect(await edit([{ kind: 'remove', pointer: '/api' }], { ...mint, api: { baseUrl: 'x' } })).toMatchObject({
      api: { baseUrl: 'x' },
    })
    expect(await edit([{ kind: 'remove', pointer: '/api' }])).not.toHaveProperty('openapi')
  })

  test('writes redirects and keeps everything else', async () => {
    const redirects = [{ source: '/a', destination: '/b' }]
    expect(await edit([{ kind: 'set', object: '', key: 'redirects', value: redirects }])).toMatchObject({ ...mint, redirects })
  })
})

test('edits the file that a `$ref` includes', async () => {
  const parts: Record<string, string> = { 'tab.json': '{ "tab": "A", "groups": [] }', 'list.json': '["x"]' }
  const text =
    '{ "navigation": { "tabs": [{ "$ref": "tab.json", "icon": "x" }, { "tab": "B", "pages": { "$ref": "list.json" } }] } }'
  const { docsConfig } = await parseDocsConfig({ path: 'docs.json', text }, async (path) => ({ path, text: parts[path] ?? '' }))
  if (!docsConfig) throw new Error('Expected a configuration')
  const changes = editDocsConfig(docsConfig, [
    { kind: 'set', object: '/navigation/tabs/0', key: 'icon', value: 'y' },
    { kind: 'set', object: '/navigation/tabs/0', key: 'new', value: 1 },
    { kind: 'insert', array: '/navigation/tabs/1/pages', index: 1, values: ['y'] },
    { kind: 'set', object: '', key: 'redirects', value: [] },
  ])
  expect(changes.map((change) => [change.path, 'content' in change ? JSON.parse(change.content) : undefined])).toEqual([
    [
      'docs.json',
      {
        navigation: {
          tabs: [
            { $ref: 'tab.json', icon: 'y' },
            { tab: 'B', pages: { $ref: 'list.json' } },
          ],
        },
        redirects: [],
      },
    ],
    ['tab.json', { tab: 'A', groups: [], new: 1 }],
    ['list.json', ['x', 'y']],
  ])
})

test.each([
  ['materialize: true\n', 'yaml', 'materialize:\n  API: false\n'],
  ['{ "materialize": { "API": true } }', 'json', '{ "materialize": { "API": false } }'],
] as const)('changes the setting with the spelling of the file: %s', (text, syntax, expected) => {
  expect(setMaterialize(text, syntax, 'API', false)).toBe(expected)
})
