import { describe, expect, test } from 'vitest'
import { compareDescriptions, toComparable } from '../../src/changes/compare/compare.ts'
import { siteOfDocument } from '../site/make/site-of.ts'
import { checkFiles } from '../site/reference/reference-of.ts'
import { countCalls } from '../support/count-calls.ts'
import { expandingShapes } from './expanding-shapes.ts'

// A few kilobytes can describe more than a machine can list. The work of every reader must grow at most with the square of the document.

const sizes = [5, 10, 20, 40] as const

/** Fails if twice the size needs more than four times the work, with space for what budgets allow at small sizes. */
function expectSquare(counts: readonly number[]): void {
  const [first = 0] = counts
  const limits = sizes.map((size) => Math.max(first, 1_500_000) * (size / sizes[0]) ** 2)
  expect(counts.map((count, index) => (count <= (limits[index] ?? 0) ? 'fits' : count))).toEqual(sizes.map(() => 'fits'))
}

describe.each(expandingShapes)('$name', ({ make }) => {
  const leaf = { type: 'string' }

  test('builds a site', async () => {
    const counts = []
    for (const size of sizes)
      counts.push(await countCalls(() => siteOfDocument('openapi.json', JSON.stringify(make(size, leaf)))))
    expectSquare(counts)
  })

  test('is compared', async () => {
    const read = async (document: object) => {
      const comparable = toComparable(await checkFiles({ 'openapi.json': document }))
      if (!comparable) throw new Error('The description could not be read')
      return comparable
    }
    const counts = []
    for (const size of sizes) {
      const [base, revision] = [await read(make(size, leaf)), await read(make(size, { type: 'integer' }))]
      counts.push(await countCalls(async () => compareDescriptions(base, revision, { today: '2026-06-15' })))
    }
    expectSquare(counts)
  })
})
