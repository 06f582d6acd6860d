import { expect, test } from 'vitest'
import { formatTree } from '../../src/cli/format-tree.ts'
import { plainPalette } from '../../src/diagnostic/format-text.ts'

test('shows files under their folders, folders first', () => {
  const changes = [
    { path: 'docs.json', kind: 'modify' },
    { path: 'api/pets/list.mdx', kind: 'add' },
    { path: 'api/pets/::x\x1b.mdx', kind: 'delete' },
    { path: 'api/index.mdx', kind: 'add' },
  ] as const
  expect(formatTree(changes, plainPalette).split('\n')).toEqual([
    '├─ api/',
    '│  ├─ pets/',
    '│  │  ├─ + list.mdx',
    '│  │  └─ − \\u003a:x\\u001b.mdx',
    '│  └─ + index.mdx',
    '└─ ~ docs.json',
    '',
  ])
})

test('shows nothing for nothing', () => {
  expect(formatTree([], plainPalette)).toBe('')
})
