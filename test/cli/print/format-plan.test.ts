import { describe, expect, test } from 'vitest'
import { formatDiff, formatTree } from '../../../src/cli/print/format-plan.ts'
import { plainPalette } from '../../../src/diagnostics/format-text.ts'
import type { FileChange } from '../../../src/text/plain/source-file.ts'

test('lists files in their folders, folders first', () => {
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

test('is empty without changes', () => {
  expect(formatTree([], plainPalette)).toBe('')
})

const lines = (...words: string[]) => `${words.join('\n')}\n`

describe('formatDiff', () => {
  test.each<[string, FileChange, string[]]>([
    [
      'a new file',
      { kind: 'add', path: 'x', content: 'a\nb\n' },
      ['--- /dev/null', '+++ b/docs/x', '@@ -0,0 +1,2 @@', '+a', '+b'],
    ],
    ['a deleted file', { kind: 'delete', path: 'x', before: 'a\n' }, ['--- a/docs/x', '+++ /dev/null', '@@ -1,1 +0,0 @@', '-a']],
    [
      'a changed file',
      { kind: 'modify', path: 'x', before: lines('1', '2', '3', '4', '5', '6'), content: lines('1', '2', '3', '4', 'five', '6') },
      ['--- a/docs/x', '+++ b/docs/x', '@@ -2,5 +2,5 @@', ' 2', ' 3', ' 4', '-5', '+five', ' 6'],
    ],
    [
      'no final line end',
      { kind: 'modify', path: 'x', before: 'a', content: 'b' },
      [
        '--- a/docs/x',
        '+++ b/docs/x',
        '@@ -1,1 +1,1 @@',
        '-a',
        '\\ No newline at end of file',
        '+b',
        '\\ No newline at end of file',
      ],
    ],
    [
      'what a terminal or a CI system would obey',
      { kind: 'modify', path: 'x', before: '::a\nb\n', content: '::a\n\x1b[2J\t##[group]\r\n' },
      ['--- a/docs/x', '+++ b/docs/x', '@@ -1,2 +1,2 @@', ' \\u003a:a', '-b', '+\\u001b[2J    #\\u0023[group]'],
    ],
  ])('%s', (_, change, expected) => {
    expect(formatDiff(change, 'docs/x', plainPalette).split('\n')).toEqual([...expected, ''])
  })

  test('gives up on very different texts', () => {
    const text = (word: string) => Array.from({ length: 60_000 }, (_, index) => `${word}${index}\n`).join('')
    const change: FileChange = { kind: 'modify', path: 'x', before: text('a'), content: text('b') }
    expect(formatDiff(change, 'x', plainPalette)).toContain(
      'too many differences to show: 60,000 lines before, 60,000 lines after\n',
    )
  })
})
