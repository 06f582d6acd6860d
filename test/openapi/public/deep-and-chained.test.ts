import { expect, test } from 'vitest'
import { filterDocument } from '../../../src/openapi/public/filter-description.ts'
import { noGroups } from '../../../src/openapi/public/restriction-marks.ts'
import { limitBounds } from '../../../src/text/plain/limits.ts'
import { runInFolder } from '../../cli/run-in-folder.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const admins = { 'x-mint': { groups: ['admin'] }, 'x-internal': true }

/** How a schema is nested, and how many levels of lists and mappings that adds. */
const nestings: readonly (readonly [string, number, (schema: object) => object])[] = [
  ['not', 1, (schema) => ({ not: schema })],
  ['allOf', 2, (schema) => ({ allOf: [schema] })],
  ['not and allOf', 3, (schema) => ({ not: { allOf: [schema] } })],
  ['oneOf with a discriminator', 2, (schema) => ({ oneOf: [schema], discriminator: { propertyName: 'secretCode' } })],
  ['if', 1, (schema) => ({ if: schema, else: { required: ['secretCode'] } })],
  ['properties', 2, (schema) => ({ properties: { inner: schema }, required: ['inner', 'secretCode'] })],
  ['items', 1, (schema) => ({ items: schema })],
  ['dependentSchemas', 2, (schema) => ({ dependentSchemas: { inner: schema } })],
]

function nest(levels: number, perLevel: number, wrap: (schema: object) => object) {
  let schema: object = { properties: { secretCode: { type: 'string', ...admins }, open: { type: 'string' } } }
  for (let depth = 0; depth + perLevel <= levels; depth += perLevel) schema = wrap(schema)
  let example: unknown = { secretCode: 'a' }
  for (let depth = 0; depth < levels; depth++) example = [example]
  return {
    openapi: '3.1.0',
    info: { title: 'Deep', version: '1' },
    paths: { '/a': { get: { summary: 'Get', responses: { 200: { description: 'Good' } } } } },
    components: { schemas: { Deep: { ...schema, example } } },
  }
}

test.each(nestings)('parts are removed from a document at the limit of nesting, with %s', async (_name, perLevel, wrap) => {
  // More than the limit leaves enough of the stack to a caller.
  for (const levels of [limitBounds.nesting.most - 20, 1.5 * limitBounds.nesting.most]) {
    const { value, parts, leftovers } = filterDocument(nest(levels, perLevel, wrap), { restricted: noGroups })
    expect([parts.length, leftovers]).toEqual([1, []])
    expect(JSON.stringify(value).includes('secretCode')).toBe(false)
  }
})

/** A chain of callbacks: each one has the expression of a property that only the previous one uses. */
function chain(length: number) {
  const schema = (index: number) => ({ type: 'object', properties: { [`secretCode${index}`]: { type: 'string' } } })
  const operation = (index: number) => ({
    requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/S${index}` } } } },
    responses: { 200: { description: 'Good' } },
  })
  const indexes = Array.from({ length: length + 1 }, (_, index) => index)
  return {
    openapi: '3.1.0',
    info: { title: 'Chain', version: '1' },
    paths: {
      '/a': { get: { ...operation(0), ...admins } },
      '/b': {
        post: {
          responses: { 200: { description: 'Good' } },
          callbacks: Object.fromEntries(
            indexes
              .slice(1)
              .map((index) => [`c${index}`, { [`{$request.body#/secretCode${index - 1}}`]: { post: operation(index) } }]),
          ),
        },
      },
    },
    components: { schemas: Object.fromEntries(indexes.map((index) => [`S${index}`, schema(index)])) },
  }
}

test.each([1, 5, 9])('a chain of %s callbacks on removed parts goes', (length) => {
  const { value, leftovers } = filterDocument(chain(length), { restricted: noGroups })
  expect(leftovers).toEqual([])
  expect(JSON.stringify(value).includes('secretCode')).toBe(false)
})

test.each([11, 30])('a chain of %s callbacks is a problem with the name, and stops the build', async (length) => {
  const { leftovers } = filterDocument(chain(length), { restricted: noGroups })
  expect(leftovers).toContainEqual(expect.objectContaining({ name: expect.stringContaining('secretCode') }))
  const folder = makeTemporaryFolder({ 'openapi.json': JSON.stringify(chain(length)) })
  const { exitCode, stdout, stderr } = await runInFolder(folder, ['build', 'openapi.json'])
  expect(exitCode).not.toBe(0)
  expect(stdout + stderr).toContain('secretCode')
})
