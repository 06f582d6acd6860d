import { describe, expect, test } from 'vitest'
import { suggest } from '../../../src/text/plain/suggest.ts'
import { fc } from '../../support/properties.ts'

const fields = ['summary', 'description', 'operationId', 'parameters', 'in', 'get', 'put', '$ref']

describe('suggest', () => {
  test.each([
    ['sumary', 'summary'],
    ['smumary', 'summary'],
    ['operationID', 'operationId'],
    ['OPERATIONID', 'operationId'],
    ['paramaters', 'parameters'],
    ['desc', undefined],
    ['ref', '$ref'],
    ['gte', 'get'],
    ['IN', 'in'],
    ['on', undefined],
    ['x', undefined],
    ['', undefined],
    ['headers', undefined],
  ])('%s → %s', (word, expected) => {
    expect(suggest(word, fields)).toBe(expected)
  })

  test('prefers the nearest, then the first', () => {
    expect(suggest('pett', ['bett', 'pet', 'pest'])).toBe('bett')
    expect(suggest('pett', ['peeett', 'pet'])).toBe('pet')
  })

  test('prefers the same word in the same case', () => {
    expect(suggest('Pet', ['pet', 'PET', 'Pet'])).toBe('pet')
  })

  test('gives up on very long words', () => {
    expect(suggest('a'.repeat(201), ['a'.repeat(200)])).toBeUndefined()
  })

  test('finds what a slow search finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'C'), maxLength: 9 })
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 6 }), (typed, candidates) => {
        const distances = candidates.map((candidate) => slowDistance(typed.toLowerCase(), candidate.toLowerCase()))
        const near = candidates
          .map((candidate, index) => ({ candidate, distance: distances[index] ?? 0 }))
          .filter(({ candidate, distance }) => distance <= Math.floor(Math.max(typed.length, candidate.length) / 3))
        const best = Math.min(...near.map(({ distance }) => distance))
        expect(suggest(typed, candidates)).toBe(near.find(({ distance }) => distance === best)?.candidate)
      }),
    )
  })
})

/** Optimal string alignment distance, by its recursive definition. */
function slowDistance(left: string, right: string, known = new Map<string, number>()): number {
  if (left === '' || right === '') return left.length + right.length
  const key = `${left} ${right}`
  const before = known.get(key)
  if (before !== undefined) return before
  const rest = (a: number, b: number) => slowDistance(left.slice(a), right.slice(b), known)
  const choices = [rest(1, 0) + 1, rest(0, 1) + 1, rest(1, 1) + (left[0] === right[0] ? 0 : 1)]
  if (left.length > 1 && right.length > 1 && left[0] === right[1] && left[1] === right[0]) choices.push(rest(2, 2) + 1)
  const distance = Math.min(...choices)
  known.set(key, distance)
  return distance
}
