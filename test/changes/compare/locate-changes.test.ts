import { expect, test } from 'vitest'
import { placeInRevision } from '../../../src/changes/compare/locate-changes.ts'
import { toSourceFile } from '../../../src/text/plain/source-file.ts'
import { exampleChange, exampleComparison } from '../example-comparison.ts'

const text = `openapi: 3.1.0
paths:
  /pets:
    get:
      parameters:
        - name: limit
`
const range = { start: { line: 9, column: 1 }, end: { line: 9, column: 5 } }

async function place(pointer: string, file = 'old.yaml'): Promise<string> {
  const comparison = exampleComparison([exampleChange({ base: { file, pointer, range }, revision: null })])
  const source = toSourceFile('openapi.yaml', new TextEncoder().encode(text))
  const placed = (await placeInRevision(comparison, new Map([['openapi.yaml', source]]))).changes[0]?.surrounding
  return placed ? `${placed.file}:${placed.range.start.line}:${placed.range.start.column} ${placed.pointer}` : 'no place'
}

test.each([
  ['an item of a list', '/paths/~1pets/get/parameters/1', 'openapi.yaml:5:7 /paths/~1pets/get/parameters'],
  ['an operation', '/paths/~1pets/post', 'openapi.yaml:3:3 /paths/~1pets'],
  ['a path', '/paths/~1owners', 'openapi.yaml:2:1 /paths'],
  ['a field of a removed path', '/paths/~1owners/get/responses/200', 'openapi.yaml:2:1 /paths'],
  ['a part of the document that no longer exists', '/components/schemas/Pet', 'openapi.yaml:1:1 '],
])('places %s that was removed at the nearest object that exists', async (_name, pointer, expected) => {
  expect(await place(pointer)).toBe(expected)
})

test('has no place for a file that was removed', async () => {
  expect(await place('/get', 'pets.yaml')).toBe('no place')
})

test('keeps the place of a change in the revision', async () => {
  const comparison = exampleComparison([exampleChange(), exampleChange({ base: null })])
  expect(await placeInRevision(comparison, new Map())).toEqual(comparison)
})
