import { expect, test } from 'vitest'
import { initialValues } from '../../../src/playground/form/form-values.ts'
import type { HttpRequest } from '../../../src/playground/request/http-request.ts'
import { readOperation } from '../../../src/playground/request/read-operation.ts'
import * as others from '../../../src/playground/request/request-body.ts'
import { toRequest } from '../../../src/playground/send/to-request.ts'
import { makeSampleRequest } from '../../../src/site/reference/code-samples.ts'
import { fc, propertyRuns } from '../../support/properties.ts'
import { documentOf, referenceOf } from './reference-of.ts'

const texts = fc.constantFrom('a', 'b c', 'é&=', '1')
const scalar = fc.oneof(
  fc.record({ type: fc.constant('string'), example: texts }),
  fc.record({ type: fc.constant('string'), enum: fc.uniqueArray(texts, { minLength: 1 }) }),
  fc.record({ type: fc.constant('integer'), default: fc.integer({ min: 0, max: 9 }) }),
  fc.constant({ type: 'string' }),
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: 'string', format: 'binary' }),
)
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({
      type: fc.constant('object'),
      required: fc.constantFrom([], ['p'], ['p', 'q']),
      properties: fc.record({ p: tie('schema'), q: tie('schema') }),
    }),
  ),
}))
const parameter = fc.oneof(
  fc.record({
    in: fc.constant('query'),
    style: fc.constantFrom('form', 'deepObject', 'pipeDelimited'),
    explode: fc.boolean(),
    schema,
  }),
  fc.record({ in: fc.constantFrom('header', 'cookie'), explode: fc.boolean(), schema }),
  fc.record({ in: fc.constant('query'), content: fc.record({ 'application/json': fc.record({ schema }) }) }),
)
const mediaTypes = [
  ...['application/json', 'application/xml', 'text/csv', 'application/yaml', 'text/plain', 'application/x-ndjson'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data', 'application/vnd.acme', 'application/octet-stream'],
]
const operation = fc.record({
  parameters: fc
    .array(fc.tuple(parameter, fc.boolean()), { maxLength: 4 })
    .map((all) => all.map(([one, required], index) => ({ ...one, name: `n${index}`, required }))),
  requestBody: fc.record({
    required: fc.boolean(),
    content: fc.constantFrom(...mediaTypes).chain((mediaType) =>
      fc.record({
        [mediaType]: fc.record({ schema, example: fc.option(fc.constantFrom<unknown>('a', { p: 'b' }), { nil: undefined }) }),
      }),
    ),
  }),
})

/** The request of a page's sample, and that of the playground which opens beside it. */
async function makeBoth(described: object): Promise<readonly HttpRequest[]> {
  const paths = {
    '/a': { post: { ...described, responses: { 200: { description: 'x', content: { 'application/json': {} } } } } },
  }
  const reference = await referenceOf({ 'a.json': documentOf({}, { servers: [{ url: 'https://a.example' }], paths }, '3.1.0') })
  const page = reference.describe('POST /a')
  const read = page && readOperation(JSON.parse(page.json), JSON.parse(JSON.stringify(page.generated)))
  if (!page?.operation || !read) throw new Error('no operation')
  const settings = { slice: '', withCookies: false, prefill: true, defaults: 'all', languages: undefined } as const
  const options = { base: 'https://docs.example', purpose: 'show', others } as const
  return [makeSampleRequest(page.operation, 'all'), toRequest(read, initialValues(read, settings), options).request]
}

test('the sample of a page and the playground beside it send the same request', async () => {
  await fc.assert(
    fc.asyncProperty(operation, async (described) => {
      const [sample, playground] = await makeBoth(described)
      expect(playground).toEqual(sample)
    }),
    { numRuns: propertyRuns(60) },
  )
})
