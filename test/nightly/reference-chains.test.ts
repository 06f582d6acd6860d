import { expect, test } from 'vitest'
import { documentOf, referenceOf } from '../site/reference/reference-of.ts'
import { countCalls } from '../support/count-calls.ts'

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const pet = { $ref: '#/components/schemas/Pet' }

// However long a chain of references is, each of them is followed once.

test.each([
  ['references', {}, 'object'],
  ['references with words', { description: 'A pet' }, 'object'],
  ['references with their own choices', { oneOf: [{ required: ['pet'] }, {}], discriminator: { propertyName: 'pet' } }, 'object'],
  ['references in a circle', {}, 'first'],
] as const)('reads twice as many %s with twice the work', async (_, more, end) => {
  const readAll = async (length: number) => {
    const reference = await referenceOf(toChain(length, more, end))
    let uses = 0
    for (const name of reference.schemaNames) uses += reference.schemaView(name)?.usedBy.length ?? 0
    return uses
  }
  // Code that is loaded on demand is not part of the work.
  const uses = await readAll(150)
  const work = [await countCalls(() => readAll(150)), await countCalls(() => readAll(300))]
  expect(uses).toBeGreaterThan(150)
  expect((work[1] ?? 0) / (work[0] ?? 1)).toBeLessThan(2.5)
  expect((await readAll(300)) / uses).toBeLessThan(2.5)
})

/** References one after another: to the last schema, or around to the first one. */
function toChain(length: number, more: object, end: 'object' | 'first') {
  const to = (index: number) => ({ $ref: `#/components/schemas/S${index}`, ...more })
  const links = Array.from({ length }, (_, index) => [`S${index}`, to(index + 1)] as const)
  const last = end === 'first' ? to(0) : { type: 'object', properties: { pet } }
  const schemas = { ...Object.fromEntries(links), [`S${length}`]: last, Pet: { type: 'object' } }
  return { 'a.json': documentOf(schemas, { paths: { '/pets': { get: { responses: {}, requestBody: json(to(0)) } } } }) }
}
