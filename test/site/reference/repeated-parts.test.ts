import { expect, test } from 'vitest'
import { documentOf, referenceOf } from './reference-of.ts'

const numbered = (count: number, make: (index: number) => unknown, name = '/a') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, make(index)]))
const parameters = Array.from({ length: 60 }, (_, index) => ({ name: `p${index}`, in: 'query', schema: { type: 'string' } }))
const operation = { parameters, responses: { 200: { description: 'ok' } } }
const pathItem = { get: operation, put: operation, post: operation, delete: operation }

test.each([2, 20])('all operations are shown of a path item that %i paths have', async (count) => {
  const paths = numbered(count, () => ({ $ref: '#/components/pathItems/A' }))
  const reference = await referenceOf({ 'a.json': documentOf({}, { paths, components: { pathItems: { A: pathItem } } }) })
  expect(reference.operations.size).toBe(4 * count)
})

test('path items with many parameters of operations, and callbacks, are left out if too many others have them', async () => {
  const paths = {
    ...numbered(400, () => ({ $ref: '#/components/pathItems/A' })),
    ...numbered(400, () => ({ get: { callbacks: { a: { $ref: '#/components/callbacks/C' } } } }), '/b'),
  }
  const callbacks = { C: numbered(4, () => pathItem, '{$request.body#/u}') }
  const reference = await referenceOf({
    'a.json': documentOf({}, { paths, components: { callbacks, pathItems: { A: pathItem } } }),
  })
  expect(reference.operations.size).toBeLessThan(1_000)
  const shown = [0, 399].map((index) => reference.operationView(`GET /b${index}`)?.callbacks[0])
  expect(shown.map((callback) => [callback?.operations.length, callback?.isShortened])).toEqual([
    [16, false],
    [0, true],
  ])
})

test('schemas in a chain list the conditions of a few others, and say how many more there are', async () => {
  const schemas = numbered(100, (index) => ({ allOf: [{ $ref: `#/components/schemas/S${index + 1}` }], items: {}, not: {} }), 'S')
  const reference = await referenceOf({ 'a.json': documentOf({ ...schemas, S100: {} }) })
  const conditions = reference.schemaView('S0')?.schema.conditions ?? []
  expect([conditions.length, conditions.at(-1)?.left]).toEqual([41, 158])
})
