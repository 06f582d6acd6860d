import { expect, test } from 'vitest'
import { findDuplicateKeys } from '../../../src/text/json/duplicate-keys.ts'
import { parseSource } from '../../../src/text/parse-source.ts'
import { toSourceFile } from '../../../src/text/plain/source-file.ts'
import { fc } from '../../support/properties.ts'
import { printWithPlaces, type Tree, trees } from '../print-with-places.ts'

/** The second of equal keys and the first, as they stand in the text. */
function find(text: string): string[] {
  const places = findDuplicateKeys(toSourceFile('a.json', Buffer.from(text)), JSON.parse(text))
  return places.map(
    ({ offsets, related }) => `${offsets.start}:${text.slice(offsets.start, offsets.end)} ${related?.offsets.start}`,
  )
}

test.each([
  ['{"a": 1, "b": {"a": 2}}', []],
  ['[{"a": 1}, {"a": 1}]', []],
  ['{"a": ":", "b:": "\\":"}', []],
  ['{"a": 1, "a": 2}', ['9:"a" 1']],
  ['{"a": 1, "b": 0, "a": 2, "a": 3}', ['17:"a" 1', '25:"a" 1']],
  ['{"a": 1, "\\u0061": 2}', ['9:"\\u0061" 1']],
  ['{"é😀": 1, "é😀" \n : 2}', ['11:"é😀" 1']],
  ['{"a": [{"x": 1, "x": 2}], "b": "x"}', ['16:"x" 8']],
  ['{"__proto__": 1, "__proto__": 2}', ['17:"__proto__" 1']],
  ['{"1": 1, "1": 2}', ['9:"1" 1']],
])('%s', (text, expected) => {
  expect(find(text)).toEqual(expected)
})

test('finds as many as a printer put there', () => {
  const count = (tree: Tree): number => {
    if (typeof tree !== 'object' || tree === null) return 0
    if ('list' in tree) return tree.list.reduce<number>((sum, entry) => sum + count(entry), 0)
    const keys = tree.pairs.map(([key]) => key)
    return tree.pairs.reduce((sum, [, entry]) => sum + count(entry), keys.length - new Set(keys).size)
  }
  fc.assert(
    fc.property(trees, (tree) => {
      const { text } = printWithPlaces(tree, { blank: () => ' ', string: JSON.stringify })
      // A value whose key comes again is not in the parsed value, but its own keys are in the text.
      expect(find(text)).toHaveLength(count(tree))
    }),
  )
})

test('a file of more than 1 MiB is not looked through', async () => {
  const text = (size: number) => `{"a": 1, "a": "${'x'.repeat(size)}"}`
  const faultsOf = async (size: number) =>
    (await parseSource(toSourceFile('a', Buffer.from(text(size))))).faults.map(({ code }) => code)
  expect(await faultsOf(1_000_000)).toEqual(['duplicate-key'])
  expect(await faultsOf(1_100_000)).toEqual([])
})

test('nesting deeper than the stack is no trouble', () => {
  expect(find(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toEqual([])
})

test('names the value of the last of equal keys', () => {
  const text = '{"a/b": [0, {"x": 1}, {"y": [], "z": {"y": 1, "y": 2}, "y": 3}], "a/b": 1}'
  const faults = findDuplicateKeys(toSourceFile('a.json', Buffer.from(text)), JSON.parse(text))
  expect(faults.map(({ pointer }) => pointer)).toEqual(['/a~1b/2/z/y', '/a~1b/2/y', '/a~1b'])
})

test('looks at all entries of a list with more entries than a call can have arguments', () => {
  expect(find(`{"pages": [${'"page", '.repeat(200_000)}1], "a": 1, "a": 2}`)).toEqual(['1600023:"a" 1600015'])
})
