import { expect, test } from 'vitest'
import { editDocsConfig } from '../../../src/docs/navigation/edit-docs-config.ts'
import { parseDocsConfig } from '../../../src/docs/navigation/parse-docs-config.ts'

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
