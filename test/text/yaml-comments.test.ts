import { expect, test } from 'vitest'
import { findYamlComments } from '../../src/text/yaml-comments.ts'

const find = (text: string) =>
  findYamlComments({ path: 'a', text }, 'mark').map(({ text: found, pointers }) => [found, ...pointers])

test.each<[name: string, text: string, ...expected: string[][]]>([
  ['before a key', 'a:\n  c: 2\n  # mark x\n  b: 1\n', ['x', '/a/b']],
  ['before the first key of a mapping', 'a:\n  # mark x\n  b: 1\n', ['x', '/a', '/a/b']],
  ['before a list entry', 'a:\n  - 1\n  # mark x\n  - 2\n', ['x', '/a/1']],
  ['before a list entry that is a mapping', 'a:\n  - 1\n  # mark x\n  - b: 2\n    c: 3\n', ['x', '/a/1', '/a/1/b']],
  ['before a line with several values', 'a: 1\n# mark x\nb: { c: 1, d/e: [2] }\n', ['x', '/b', '/b/c', '/b/d~1e', '/b/d~1e/0']],
  ['at the end of a line', 'a: # mark x\n  b: 1\n', ['x', '/a', '/a/b']],
  ['before blank lines and comments', 'a: 1\n#mark x\n\n  # other\n# mark y\n\nb: 1\n', ['x', '/b'], ['y', '/b']],
  ['with Windows line ends', 'a: 1\r\n# mark x  \r\nb: 1\r\n', ['x', '/b']],
  ['at the end of the file', 'a: 1\n# mark x', ['x']],
  ['without text', 'a: 1\n# mark\nb: 1\n', ['', '/b']],
  ['after a bracket with too little indentation', 'a: [\n  1\n]\n# mark x\nb: 1\n', ['x', '/b']],
])('finds a comment %s', (_, text, ...expected) => {
  expect(find(text)).toEqual(expected)
})

test.each([
  ['a block of text', 'a: |\n  # mark x\n  b: 1\nc: 1\n'],
  ['a block of text that ends with it', 'a: >-\n  text\n\n  # mark x\nc: 1\n'],
  ['quotes', 'a: "one\n  # mark x"\nb: 1\n'],
  ['a plain value', 'a: one# mark x\nb: 1\n'],
  ['another word', 'a: 1\n# marker x\nb: 1\n'],
  ['another comment', 'a: 1\n# the mark x\nb: 1\n'],
  ['invalid YAML', 'a: 1\n# mark x\n b: [\n'],
])('ignores the marker in %s', (_, text) => {
  expect(find(text)).toEqual([])
})

test('gives the place of a comment', () => {
  expect(findYamlComments({ path: 'a', text: 'a:\n  # mark x\n  b: 1\n' }, 'mark')).toMatchObject([
    { offsets: { start: 5, end: 13 }, nextLine: { start: 14, end: 20 } },
  ])
})
