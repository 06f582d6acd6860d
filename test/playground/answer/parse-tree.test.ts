import { expect, test } from 'vitest'
import { findNodes, listRows, parseTree, type TreeNode, toPath } from '../../../src/playground/answer/parse-tree.ts'

function parse(text: string): TreeNode {
  const root = parseTree(text)
  if (!root) throw new Error(`Unexpected ${text}, expected JSON`)
  return root
}

const rowsOf = (root: TreeNode) =>
  listRows(
    root,
    () => true,
    () => true,
    1000,
  ).map(([node]) => `${toPath(node)} ${node.kind} ${node.text}`.trim())

test('keeps the digits of numbers, the order of keys and duplicate keys', () => {
  expect(rowsOf(parse('{"b": 12345678901234567890, "1": 1.50, "b": -0e1, "t": [true, null, ""]}'))).toEqual([
    '$ object',
    '$.b number 12345678901234567890',
    "$['1'] number 1.50",
    '$.b number -0e1',
    '$.t array',
    '$.t[0] word true',
    '$.t[1] word null',
    '$.t[2] string',
  ])
})

test.each(['', '{', '{"a":1,}', 'undefined', '[1] 2', "{'a':1}"])('returns no tree for %j', (text) => {
  expect(parseTree(text)).toBeUndefined()
})

test.each([
  ['{"a b":1}', "$['a b']"],
  [`{"it's \\\\":1}`, "$['it\\'s \\\\']"],
  ['{"a\\nb":1}', "$['a\\u000ab']"],
  ['{"__proto__":1}', '$.__proto__'],
  ['[[1]]', '$[0]'],
])('returns the JSONPath of a value: %s', (text, path) => {
  const [child] = parse(text).children
  expect(child && toPath(child)).toBe(path)
})

test('each node has the range of its source text', () => {
  const source = '{"a": [1, {"b": "}]"}] , "c": 2}'
  const [list] = parse(source).children
  expect(source.slice(list?.start, list?.end)).toBe('[1, {"b": "}]"}]')
})

test('handles any depth and long lists', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  // Some JSON parsers reject this depth.
  const root = parseTree(deep)
  if (root)
    expect(
      listRows(
        root,
        () => true,
        () => true,
        50,
      ),
    ).toHaveLength(50)
  const long = parse(JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index)))
  const rows = listRows(
    long,
    () => true,
    () => true,
    300,
  )
  expect(rows).toHaveLength(300)
  expect(rows.at(-1)?.[0].text).toBe('298')
})

test('a search finds keys, values and their ancestors', () => {
  const root = parse('{"users": [{"name": "Ann"}, {"name": "Bob"}], "Annex": 1}')
  const { hits, above } = findNodes(root, 'ann')
  expect([...hits].map(toPath)).toEqual(['$.users[0].name', '$.Annex'])
  expect([...above].map(toPath).sort()).toEqual(['$', '$.users', '$.users[0]'])
})
