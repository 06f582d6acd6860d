import { expect, test } from 'vitest'
import { fc, propertyRuns } from '../../support/properties.ts'
import { randomDocument } from '../../support/random-documents.ts'
import { listLostFacts } from './lost-in-site.ts'

test('sites of random documents show everything', async () => {
  await fc.assert(
    fc.asyncProperty(randomDocument, async (value) => {
      expect((await listLostFacts('openapi.json', JSON.stringify(value))).lost).toEqual([])
    }),
    { numRuns: propertyRuns(100) },
  )
})
