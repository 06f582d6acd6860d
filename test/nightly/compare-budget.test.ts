import { expect, test } from 'vitest'
import { compareContents } from '../../src/changes/compare/compare.ts'
import { countCalls } from '../support/count-calls.ts'
import { makeLargest, multiplyingShapes } from './multiplying-shapes.ts'

const shape = multiplyingShapes.find(({ name }) => name === 'alternatives that one property tells apart, with another keyword')
const compare = (bytes: number) => compareContents(...makeLargest(shape ?? { name: '', make: () => ({}) }, bytes))

test('says that parts of a document were not compared, as a risky change, and stops working', async () => {
  const small = await compare(9_500)
  expect(small.changes.map(({ message }) => message).join()).not.toContain('not compared')
  let changes: (typeof small)['changes'] = []
  const countOf = (bytes: number) =>
    countCalls(async () => {
      const compared = await compare(bytes)
      changes = compared.changes
    })
  const counts = [await countOf(30_000), await countOf(60_000)]
  expect(changes.filter(({ message }) => message.startsWith('Parts were not compared'))).toMatchObject([
    { level: 'risky', method: null, path: null, revision: { pointer: '' } },
  ])
  expect((counts[1] ?? 0) / (counts[0] ?? 1)).toBeLessThan(2)
})
