import { describe, expect, test } from 'vitest'
import { visitMatches } from '../../../src/rules/path/visit-matches.ts'
import { parse } from './select.ts'

/** Walks with a limit and returns the steps and matches. */
function count(document: unknown, expressions: readonly string[], most = 1_000_000): { steps: number; matches: number } {
  let steps = 0
  let matches = 0
  const onMatch = () => matches++
  visitMatches(
    document,
    expressions.map((expression) => ({ path: parse(expression), onMatch })),
    {
      originOf: () => undefined,
      spend: (more) => {
        steps += more
        if (steps > most) throw new Error('over the limit')
      },
    },
  )
  return { steps, matches }
}

/** Objects that all contain each other. */
function createNet(size: number): object {
  const objects = Array.from({ length: size }, (): Record<string, unknown> => ({}))
  for (const from of objects) for (const [index, to] of objects.entries()) from[`to${index}`] = to
  return objects
}

/** Two keys with the same object, which has two keys with the same object, and so on: as many paths as 2 to the power of `levels`. */
function createPaths(levels: number): object {
  let object: object = {}
  for (let level = 0; level < levels; level++) object = { a: object, b: object }
  return object
}

/** Objects in each other. */
function createChain(length: number): object {
  let object: object = { end: true }
  for (let level = 0; level < length; level++) object = { next: object }
  return object
}

describe('visits each value once in', () => {
  test('a document of which all objects contain each other', () => {
    // Each of the 100 keys of 100 objects, and the list.
    expect(count(createNet(100), ['$..*']).matches).toBe(100 * 100 + 100)
    expect(count(createNet(100), ['$..to1']).matches).toBe(100)
    expect(count(createNet(100), [`$${'..*'.repeat(20)}`]).steps).toBeLessThan(500_000)
  })

  test('a document with very many paths', () => {
    expect(count(createPaths(50), ['$..a', '$..b^', '$..[?(@.a)].b']).matches).toBe(50 + 50 + 49)
  })

  test('a very deep document', () => {
    expect(count(createChain(100_000), ['$..end', '$..end^']).matches).toBe(2)
  })
})

test('ends a query that has to follow very many paths', () => {
  expect(() => count(createChain(10_000), [`$..next${'^'.repeat(400)}`])).toThrow('over the limit')
  expect(() => count(createPaths(50), ['$..[?(@path)]'])).toThrow('over the limit')
})

test('takes time in proportion to the steps of a path', () => {
  const document = createChain(100)
  const short = count(document, [`$${'..next'.repeat(50)}`]).steps
  const long = count(document, [`$${'..next'.repeat(100)}`]).steps
  expect(long).toBeLessThan(4 * short)
})

test('shares a walk between 10,000 queries', () => {
  const expressions = Array.from({ length: 10_000 }, (_, index) => `$..next.next${index}`)
  const { steps, matches } = count(createChain(10), expressions)
  expect(matches).toBe(0)
  expect(steps).toBeLessThan(500_000)
})

test('counts the values that a path in a condition visits', () => {
  expect(() => count(createNet(100), ['$..[?count(@..*) > 1]'])).toThrow('over the limit')
})

test('takes slices of any size', () => {
  const most = Number.MAX_SAFE_INTEGER
  expect(count([1, 2, 3], [`$[0:${most}]`, `$[-${most}:${most}:${most}]`, `$[${most}::-${most}]`, `$[::0]`]).matches).toBe(
    3 + 1 + 1,
  )
})

test.each([
  ['joins', '(@root.text + @root.text + @root.text)'],
  ['replaces', '(@root.text.replace("", @root.text))'],
  ['joins the list', '(@root.list == "a")'],
])('gives up a condition that %s very long texts', (_, condition) => {
  const text = 'a'.repeat(500_000)
  expect(count({ text, list: [text, text, text] }, [`$[?${condition}]`]).matches).toBe(0)
})

test('converts a list that contains itself', () => {
  const list: unknown[] = ['a']
  list.push(list)
  expect(count({ list }, ['$.list[?(@ == "a")]']).matches).toBe(1)
})
