import { expect, test } from 'vitest'
import type { UnlocatedChange } from '../../../src/openapi/changes/types.ts'
import { propertyRuns, seed } from '../../support/properties.ts'
import { createRandom } from '../../support/random.ts'
import { type BehaviorPair, comparePair, directions, makePairs } from './behavior.ts'

function isCompatible(changes: readonly UnlocatedChange[], direction: string): boolean {
  return changes.every(
    ({ level, operations }) => level === 'compatible' || operations.every(({ path }) => path !== `/${direction}`),
  )
}

test('two compatible changes are compatible together', async () => {
  const unexpected: unknown[] = []
  let composed = 0
  for (let index = 0; index < propertyRuns(500); index++) {
    const pairs = makePairs(createRandom(seed + index * 1_000_003))
    for (const [position, first] of pairs.entries()) {
      const second = pairs[position + 1]
      if (!second) continue
      const both: BehaviorPair = {
        ...second,
        base: first.base,
        statusCodes: [first.statusCodes[0], second.statusCodes[1]],
      }
      const [one, other] = [await comparePair(first), await comparePair(second)]
      for (const direction of directions) {
        if (!isCompatible(one, direction) || !isCompatible(other, direction)) continue
        composed++
        const together = await comparePair(both)
        if (isCompatible(together, direction)) continue
        const codes = together.flatMap(({ code, level }) => (level === 'compatible' ? [] : [`${level} ${code}`]))
        unexpected.push({ direction, codes, base: first.base, between: second.base, revision: second.revision })
      }
    }
  }
  // The second change can bring back what the first one hid.
  if (unexpected.length > composed / 1_000) expect(unexpected.slice(0, 3)).toEqual([])
  // Otherwise, the test does not test anything.
  expect(composed).toBeGreaterThan(0)
})
