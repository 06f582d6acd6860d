import { expect, test } from 'vitest'
import { readSlice, toPlace } from '../../../src/model/api.ts'
import { readOperation } from '../../../src/playground/request/read-operation.ts'
import { readSchema } from '../../../src/playground/request/read-schema.ts'
import { hostileStrings } from '../../support/hostile-strings.ts'

const slice = (operation: unknown, more: object = {}, item: object = {}) => ({
  openapi: '3.1.0',
  paths: { '/pets/{id}': { ...item, get: operation } },
  ...more,
})

test('reads an operation with its path item and document', () => {
  const operation = readOperation(
    slice(
      {
        summary: 'Get a pet',
        security: [{ key: [] }, {}],
        parameters: [
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { $ref: '#/components/parameters/Tags' },
          { name: 'filter', in: 'query', content: { 'application/json': { schema: {}, example: { a: 1 } } } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Pet' } },
            'text/plain': { examples: { a: { summary: 'A', value: 'x' }, b: { value: 'y' } } },
          },
        },
        responses: { default: { content: { 'application/problem+json': {} } }, 200: { content: { 'application/json': {} } } },
      },
      {
        servers: [{ url: 'https://{host}', variables: { host: { default: 'a', enum: ['a', 'b'] } } }],
        components: {
          schemas: { Pet: { type: 'object', example: { name: 'Rex' } } },
          parameters: {
            Tags: { name: 'tags', in: 'query', schema: { type: 'array', items: {} }, explode: false, example: ['x'] },
          },
          securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k' } },
        },
      },
      { parameters: [{ name: 'x-trace', in: 'header', schema: { type: 'integer' } }] },
    ),
  )
  const { follow: _, ...data } = operation ?? {}
  expect(data).toMatchObject({
    method: 'GET',
    path: '/pets/{id}',
    title: 'Get a pet',
    servers: [{ url: 'https://{host}', variables: [{ name: 'host', default: 'a', enum: ['a', 'b'] }] }],
    security: [[{ name: 'key', scheme: { type: 'apiKey', in: 'query', parameterName: 'k' }, scopes: [] }], []],
    isBodyRequired: true,
    accepts: ['application/json', 'application/problem+json'],
    bodies: [
      { mediaType: 'application/json', examples: [{ name: '', value: { name: 'Rex' } }] },
      {
        mediaType: 'text/plain',
        examples: [
          { name: 'a', summary: 'A', value: 'x' },
          { name: 'b', value: 'y' },
        ],
      },
    ],
  })
  expect(
    operation?.parameters.map(({ name, in: location, required, style, explode, contentType, example }) => [
      name,
      location,
      required,
      style,
      explode,
      contentType,
      example,
    ]),
  ).toEqual([
    // An undeclared path parameter.
    ['id', 'path', true, 'simple', false, undefined, undefined],
    ['tags', 'query', false, 'form', false, undefined, ['x']],
    ['filter', 'query', false, 'form', true, 'application/json', { a: 1 }],
    ['X-Trace', 'header', false, 'simple', false, undefined, undefined],
  ])
})

test('reads additional methods and the servers of the operation', () => {
  const operation = readOperation({
    paths: { '/a': { additionalOperations: { COPY: { servers: [{ url: '/v2' }] } } } },
    servers: [{ url: '/v1' }],
  })
  expect([operation?.method, operation?.title, operation?.servers[0]?.url]).toEqual(['COPY', 'COPY /a', '/v2'])
  expect(readOperation({ paths: { '/a': { query: {} } } })?.method).toBe('QUERY')
})

test('follows references within the slice, ends circular ones and memoizes schemas', () => {
  const circle = { $ref: '#/components/schemas/A' }
  const { follow } = readSlice({
    components: {
      schemas: { A: { $ref: '#/components/schemas/B' }, B: circle, C: { type: 'string' }, 'D/E ü': { type: 'null' } },
    },
  })
  const read = ($ref: string, beside = {}) => readSchema(toPlace({ $ref, ...beside }), follow)
  expect(readSchema(toPlace(circle), follow).types).toEqual([])
  expect(read('#/components/schemas/C', { description: 'Mine' }).keywords).toEqual({ type: 'string', description: 'Mine' })
  expect(read('#/components/schemas/C')).toBe(read('#/components/schemas/C'))
  expect(read('#/components/schemas/D~1E%20%C3%BC').keywords).toEqual({ type: 'null' })
  for (const $ref of ['#/constructor', 'https://example.com/a.json']) expect(read($ref).keywords).toEqual({})
  expect(readSchema(toPlace(false), follow).keywords).toEqual({})
})

const odd: readonly unknown[] = [undefined, null, 0, '', 'text', [], [null], {}, { $ref: 1 }, { $ref: '#' }, true]

test('never throws for invalid documents', () => {
  expect(odd.map((value) => readOperation(value))).toEqual(odd.map(() => undefined))
  expect(odd.map((paths) => readOperation({ paths }))).toEqual(odd.map(() => undefined))
  const keys = ['parameters', 'requestBody', 'responses', 'security', 'servers', 'summary']
  for (const value of [...odd, ...hostileStrings]) {
    for (const key of keys) {
      const operation = readOperation(slice({ [key]: value }, { [key]: value, components: value }, { [key]: value }))
      expect(operation?.servers.length).toBeGreaterThan(0)
    }
    for (const key of ['name', 'in', 'schema', 'content', 'style', 'explode', 'example', 'examples'])
      expect(readOperation(slice({ parameters: [{ name: 'a', in: 'query', [key]: value }] }))?.method).toBe('GET')
    for (const key of ['schema', 'examples', 'encoding', 'example'])
      expect(readOperation(slice({ requestBody: { content: { 'a/b': { [key]: value } } } }))?.bodies).toHaveLength(1)
  }
})

test('ignores a body that cannot contain anything unless it is required', () => {
  const nothing = { type: 'object', properties: {}, additionalProperties: false }
  const bodiesOf = (schema: unknown, required = false) =>
    readOperation(slice({ requestBody: { required, content: { 'application/x-www-form-urlencoded': { schema } } } }))?.bodies
      .length
  expect(bodiesOf(nothing)).toBe(0)
  expect(bodiesOf(nothing, true)).toBe(1)
  expect(bodiesOf({ type: 'object', properties: {} })).toBe(1)
  expect(bodiesOf({ ...nothing, properties: { a: {} } })).toBe(1)
  expect(bodiesOf({ ...nothing, patternProperties: { a: {} } })).toBe(1)
})

test('reads the encodings of a form that is the whole query', () => {
  const content = { 'application/x-www-form-urlencoded': { schema: {}, encoding: { ids: { style: 'pipeDelimited' } } } }
  const operation = readOperation(slice({ parameters: [{ name: 'form', in: 'querystring', content }] }))
  expect(operation?.parameters.find(({ name }) => name === 'form')?.encodings).toMatchObject([
    { property: 'ids', serialization: { style: 'pipeDelimited' } },
  ])
})
