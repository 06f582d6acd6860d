import { describe, expect, test } from 'vitest'
import { locatePointers } from '../../src/text/locate-pointers.ts'

async function startOf(text: string, pointer: string): Promise<string> {
  const place = (await locatePointers({ path: 'a', text }, [pointer])).get(pointer)
  return text.slice(place?.value.start)
}

describe('locatePointers', () => {
  test.each([
    ['a value of JSON', '{"a": {"b": 1}}', '/a/b', '1}}'],
    ['a value of YAML', 'a:\n  b: 1', '/a/b', '1'],
    ['the nearest ancestor of a missing key', '{"a": {"b": 1}}', '/a/c/d', '{"b": 1}}'],
    ['the mapping that merges a key in', 'x: &x {k: 1}\na:\n  <<: *x\n', '/a/k', '<<: *x\n'],
    ['the alias above a value', 'x: &x {k: 1}\na: *x\n', '/a/k', '*x\n'],
    ['the start of a text without a value', '# nothing', '/a', '# nothing'],
    ['the start of a broken text', 'a: [', '/a', 'a: ['],
    ['a pointer with a `~` that is not escaped', '{"a~b": {"c": 7}}', '/a~b/c', '7}}'],
  ])('%s', async (_, text, pointer, expected) => {
    expect(await startOf(text, pointer)).toBe(expected)
  })

  test('answers for every pointer that was asked', async () => {
    const pointers = ['', '/a', '/a/0', '/a/1/x', '/missing']
    const places = await locatePointers({ path: 'a', text: '{"a": [1, {"x": 2}]}' }, pointers)
    expect(pointers.map((pointer) => places.get(pointer)?.value.start)).toEqual([0, 6, 7, 16, 0])
    expect(places.get('/other')).toBeUndefined()
  })
})
