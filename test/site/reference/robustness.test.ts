import { expect, test } from 'vitest'
import { makeSampleRequest, toCodeSamples } from '../../../src/site/reference/code-samples.ts'
import { createReference } from '../../../src/site/reference/create-reference.ts'
import { sliceDescription } from '../../../src/site/reference/slice-description.ts'
import { mutatedDocument } from '../../openapi/mutated-document.ts'
import { fc, propertyRuns } from '../../support/properties.ts'
import { checkFiles } from './reference-of.ts'

const runs = propertyRuns(40)

test('views, samples and slices of an invalid document never throw and are deterministic', async () => {
  await fc.assert(
    fc.asyncProperty(mutatedDocument, async ({ document }) => {
      const reference = await createReference(await checkFiles({ 'a.json': document }))
      if (!reference) return
      const make = () => {
        const operations = [...reference.operations].map(([target, operation]) => {
          const view = reference.operationView(target)
          const described = reference.describe(target)?.operation
          const request = described && makeSampleRequest(described, 'all')
          const samples = view && request && toCodeSamples(view, request, { languages: undefined, autogenerate: true })
          return [view, samples, sliceDescription({ kind: 'operation', operation }, reference.context).json]
        })
        const webhooks = [...reference.webhooks].map(([name, methods]) => [
          reference.webhookViews(name),
          sliceDescription({ kind: 'webhook', name, operations: methods }, reference.context).json,
        ])
        return JSON.stringify([operations, webhooks, reference.schemaNames.map((name) => reference.schemaView(name))])
      }
      expect(make()).toBe(make())
    }),
    { numRuns: runs },
  )
})
