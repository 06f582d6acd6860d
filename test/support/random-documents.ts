import { fc } from './properties.ts'

const names = ['Red', 'Green', 'Blue', 'Gray'] as const
const word = fc.integer({ min: 1_000, max: 999_999 }).map((number) => `w${number}`)
const text = fc.oneof(
  word,
  fc.tuple(word, word).map(([first, second]) => `**${first}** \`${second}\`.\n\n- [${second}](https://example.com)`),
)
const name = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon')
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

const isTrue = optional(fc.constant(true))
const words = fc.record({ title: optional(word), description: optional(text), deprecated: isTrue })
/** The options of choices that are shown in one line. */
const plain = fc.oneof(
  fc.constantFrom({ type: 'string' }, { type: 'integer' }),
  word.map((value) => ({ const: value })),
)
const scalar = fc
  .record({
    type: fc.constantFrom('string', 'integer', 'boolean', ['string', 'null']),
    default: optional(word),
    pattern: optional(word),
    minLength: optional(fc.integer({ min: 1, max: 5_000 })),
    enum: optional(fc.uniqueArray(word, { minLength: 1, maxLength: 20 })),
    examples: optional(fc.uniqueArray(word, { minLength: 1, maxLength: 5 })),
  })
  .map((schema) => ({ ...schema }))

/** Schemas that refer to each other in every way, also circular. */
const { schema, nested } = fc.letrec<{ schema: object; nested: object }>((tie) => ({
  schema: fc
    .tuple(
      words,
      fc.oneof(
        { maxDepth: 3, depthIdentifier: 'schema' },
        scalar,
        fc.constantFrom(...names).map((one) => ({ $ref: `#/components/schemas/${one}` })),
        tie('nested'),
      ),
    )
    .map(([more, inner]) => ({ ...more, ...inner })),
  nested: fc.oneof(
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(name, tie('schema'), { minKeys: 1, maxKeys: 4 }),
      required: optional(fc.uniqueArray(name, { maxLength: 2 })),
      additionalProperties: optional(fc.oneof(tie('schema'), fc.constant(false))),
    }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), maxItems: optional(fc.integer({ min: 1, max: 99 })) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), nullable: isTrue }),
    fc.record({ oneOf: fc.array(plain, { minLength: 1, maxLength: 3 }), nullable: isTrue }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 2, maxLength: 2 }), not: tie('schema') }),
    // An object literal with `then` could be mistaken for a promise.
    fc
      .tuple(tie('schema'), tie('schema'))
      .map((pair) => Object.fromEntries(pair.map((one, index) => [index === 0 ? 'if' : 'then', one]))),
  ),
}))

const texts = fc.constantFrom('a', 'b c', 'é&=', '1')
/** What a parameter or a body has in a request. */
const { sent, nestedSent } = fc.letrec<{ sent: object; nestedSent: object }>((tie) => ({
  sent: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.constant('string'), example: texts }),
    fc.record({ type: fc.constant('string'), enum: fc.uniqueArray(texts, { minLength: 1 }) }),
    fc.record({ type: fc.constant('integer'), default: fc.integer({ min: 0, max: 9 }) }),
    fc.constantFrom({ type: 'string' }, { type: 'boolean' }, { type: 'string', format: 'binary' }),
    tie('nestedSent'),
  ),
  nestedSent: fc.oneof(
    fc.record({ type: fc.constant('array'), items: tie('sent') }),
    fc.record({
      type: fc.constant('object'),
      required: fc.constantFrom([], ['p'], ['p', 'q']),
      properties: fc.record({ p: tie('sent'), q: tie('sent') }),
    }),
  ),
}))
const json = fc.record({ 'application/json': fc.record({ schema: sent }) })
const parameter = fc.oneof(
  fc.record({
    in: fc.constant('query'),
    style: fc.constantFrom('form', 'deepObject', 'pipeDelimited'),
    explode: fc.boolean(),
    schema: sent,
  }),
  fc.record({ in: fc.constantFrom('header', 'cookie'), explode: fc.boolean(), schema: sent }),
  fc.record({ in: fc.constant('query'), content: json }),
)
const mediaTypes = [
  ...['application/json', 'application/xml', 'text/csv', 'application/yaml', 'text/plain', 'application/x-ndjson'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data', 'application/vnd.acme', 'application/octet-stream'],
]
const request = fc.record({
  parameters: fc
    .array(fc.tuple(parameter, fc.boolean()), { maxLength: 4 })
    .map((all) => all.map(([one, required], index) => ({ ...one, name: `n${index}`, required }))),
  requestBody: fc.record({
    required: fc.boolean(),
    content: fc.constantFrom(...mediaTypes).chain((mediaType) => {
      // A text is a whole body as its author wrote it, which may not be of its media type.
      const isParsed = /json|xml/.test(mediaType)
      const body = isParsed ? { schema: nestedSent } : { schema: sent, example: optional(fc.constant('a')) }
      return fc.record({ [mediaType]: fc.record(body) })
    }),
  }),
})

/** Documents whose schemas refer to each other in every way, with requests of every kind. */
export const randomDocument = fc
  .record({
    body: schema,
    response: schema,
    parameter: scalar,
    request,
    schemas: fc.tuple(nested, nested, nested, scalar),
    description: text,
  })
  .map(({ body, response, parameter, request, schemas, description }) => ({
    openapi: '3.1.0',
    info: { title: 'Random', version: '1', description },
    paths: {
      '/x': {
        post: {
          summary: 'Send it',
          description,
          parameters: [{ name: 'zeta', in: 'query', description, schema: parameter }],
          requestBody: { content: { 'application/json': { schema: body } } },
          responses: { 200: { description, content: { 'application/json': { schema: response } } } },
        },
        put: { summary: 'Replace it', ...request, responses: { 204: { description } } },
      },
    },
    components: { schemas: Object.fromEntries(names.map((one, index) => [one, schemas[index]])) },
  }))
