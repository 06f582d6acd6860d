import { describe, expect, test } from 'vitest'
import { openapiFunctions } from '../../../src/rules/functions/openapi/openapi-functions.ts'
import { pointersOf, runFunction } from './run-function.ts'

const inPath = (name: string, required = true) => ({ name, in: 'path', required })

test.each<[name: string, operations: object, places: readonly string[]]>([
  ['unique', { '/a': { get: { operationId: 'a' }, put: { operationId: 'b' } }, '/b': { get: {} } }, []],
  ['duplicate', { '/a': { get: { operationId: 'a' } }, '/b': { put: { operationId: 'a' } } }, ['/b/put/operationId']],
  ['method that Spectral does not read', { '/a': { get: { operationId: 'a' }, query: { operationId: 'a' } } }, []],
])('oasOpIdUnique: %s', (_title, paths, places) => {
  expect(pointersOf('oasOpIdUnique', paths, null, { path: ['paths'] })).toEqual(places)
})

test.each<[title: string, parameters: unknown, places: readonly string[]]>([
  ['different locations', [inPath('a'), { name: 'a', in: 'query' }], []],
  ['duplicates', [inPath('a'), inPath('a'), inPath('a')], ['1', '2']],
  ['references', [{ $ref: '#/a' }, { $ref: '#/a' }], []],
  ['bodies of Swagger 2.0', [{ in: 'body', name: 'a' }, { in: 'body', name: 'b' }, { in: 'formData' }], ['.', '1']],
  ['not a list', {}, []],
])('oasOpParams: %s', (_title, parameters, places) => {
  expect(pointersOf('oasOpParams', parameters, null)).toEqual(places)
})

test.each<[responses: unknown, places: readonly string[]]>([
  [{ 200: {} }, []],
  [{ 302: {} }, []],
  [{ '2XX': {}, 404: {} }, []],
  [{ 404: {}, default: {} }, ['.']],
  [{}, ['.']],
  [undefined, []],
])('oasOpSuccessResponse: %j', (responses, places) => {
  expect(pointersOf('oasOpSuccessResponse', responses, null)).toEqual(places)
})

test('oasTagDefined reports tags of operations that the document does not declare', () => {
  const document = { tags: [{ name: 'a' }], paths: { '/x': { get: { tags: ['a', 'b'] }, put: { tags: ['c'] } } } }
  expect(pointersOf('oasTagDefined', document, null, { path: [] })).toEqual(['/paths//x/get/tags/1', '/paths//x/put/tags/0'])
})

test('uniquenessTags reports later tags with the same name', () => {
  expect(pointersOf('uniquenessTags', [{ name: 'a' }, { name: 'b' }, { name: 'a' }], null)).toEqual(['2/name'])
  expect(pointersOf('uniquenessTags', [{ name: 'a' }, { name: 'a' }, {}], null)).toEqual([])
})

describe('oasPathParam', () => {
  test.each<[title: string, paths: object, places: readonly string[]]>([
    ['defined by the operation', { '/a/{id}': { get: { parameters: [inPath('id')] } } }, []],
    ['defined by the path', { '/a/{id}': { parameters: [inPath('id')], get: {} } }, []],
    ['missing', { '/a/{id}': { get: {}, put: {} } }, ['/a/{id}/get', '/a/{id}/put']],
    ['not in the path', { '/a': { get: { parameters: [inPath('id')] } } }, ['/a/get/parameters/0']],
    [
      'not in the path, for each operation',
      { '/a': { parameters: [inPath('id')], get: {}, put: {} } },
      ['/a/parameters/0', '/a/parameters/0'],
    ],
    ['not required', { '/a/{id}': { get: { parameters: [inPath('id', false)] } } }, ['/a/{id}/get/parameters/0']],
    ['twice', { '/a/{id}': { get: { parameters: [inPath('id'), inPath('id')] } } }, ['/a/{id}/get/parameters/1']],
    ['twice in the path', { '/a/{id}/{id}': { get: { parameters: [inPath('id')] } } }, ['/a/{id}/{id}']],
    ['equal paths', { '/a/{id}': {}, '/a/{name}': {} }, ['/a/{name}']],
    ['names with operators', { '/a/{;b}/{?c}/{d*}': { get: { parameters: [inPath('b'), inPath('c'), inPath('d')] } } }, []],
  ])('%s', (_title, paths, places) => {
    expect(pointersOf('oasPathParam', paths, null, { path: ['paths'] })).toEqual(places)
  })
})

test.each<[requirement: unknown, places: readonly string[]]>([
  [{ key: [] }, []],
  [{ oauth: ['read'] }, []],
  [{ oauth: ['read', 'write'] }, ['oauth/1']],
  [{ other: [] }, ['other']],
  [{ other: 'read' }, []],
])('oasSecurityDefined: %j', (requirement, places) => {
  const securitySchemes = { key: { type: 'apiKey' }, oauth: { type: 'oauth2', flows: { implicit: { scopes: { read: '' } } } } }
  const unresolved = { components: { securitySchemes } }
  expect(pointersOf('oasSecurityDefined', requirement, { oasVersion: 3 }, { unresolved })).toEqual(places)
})

test.each<[schema: unknown, release: string, places: readonly string[]]>([
  [{ type: 'string', enum: ['a', 1, null] }, '3.1.0', ['enum/1', 'enum/2']],
  [{ type: ['integer', 'null'], enum: [1, null, 1.5] }, '3.1.0', ['enum/2']],
  [{ type: 'string', nullable: true, enum: [null] }, '3.0.3', []],
  [{ type: 'string', nullable: true, enum: [null] }, '3.1.0', ['enum/0']],
  [{ type: 'number', enum: [1, 1.5] }, '3.1.0', []],
  [{ type: 1, enum: [1] }, '3.1.0', []],
])('typedEnum: %j in OpenAPI %s', (schema, openapi, places) => {
  expect(pointersOf('typedEnum', schema, null, { unresolved: { openapi } })).toEqual(places)
})

test('refSiblings reports each field beside a reference', () => {
  const unresolved = { a: { $ref: '#/b', summary: '', x: 1 }, b: { $ref: '#/c' } }
  expect(pointersOf('refSiblings', '#/b', null, { path: ['a', '$ref'], unresolved })).toEqual(['/a/summary', '/a/x'])
  expect(pointersOf('refSiblings', '#/c', null, { path: ['b', '$ref'], unresolved })).toEqual([])
})

test('oasUnusedComponent reports components that are not referenced', () => {
  const components = { schemas: { A: { $ref: '#/components/schemas/B' }, B: {} }, headers: { C: {} }, securitySchemes: { D: {} } }
  const places = pointersOf('oasUnusedComponent', { components }, null, { path: [], unresolved: { components } })
  expect(places).toEqual(['/components/schemas/A', '/components/headers/C'])
})

describe('serverVariables', () => {
  const all = { checkSubstitutions: true, requireDefault: true }
  test.each<[url: string, variables: unknown, places: readonly string[]]>([
    ['https://{a}.example.com', { a: { default: 'x' } }, []],
    ['https://example.com', undefined, []],
    ['https://{a}.example.com', undefined, ['variables']],
    ['https://{a}.example.com', { a: { default: 'x' }, b: { default: 'y' } }, ['variables/b']],
    ['https://{a}.example.com', { a: {} }, ['variables/a']],
    ['https://{a}.example.com', { a: { default: 'x', enum: ['y'] } }, ['variables/a/default']],
    ['https://{a}.example.com', { a: { default: 1 } }, ['.']],
    ['https://{a}.example.com', { a: { default: 'x', 'x-note': 1 } }, []],
    ['/{version}', { version: { default: 'v1' } }, ['variables']],
    ['https://example.com:{port}', { port: { default: '80', enum: ['80', 'x'] } }, ['variables']],
  ])('%s with %j', (url, variables, places) => {
    const server = variables === undefined ? { url } : { url, variables }
    expect(pointersOf('serverVariables', server, all)).toEqual(places)
  })

  test('tries values only until some URLs are invalid', () => {
    const digits = { default: '0', enum: [...'0123456789'] }
    const variables = Object.fromEntries([...'abcdefghij'].map((name) => [name, digits]))
    const url = `/${Object.keys(variables)
      .map((name) => `{${name}}`)
      .join('')}`
    const [problem] = runFunction('serverVariables', { url, variables }, all)
    expect(problem?.message).toContain('`/0000000004` and possibly more')
  })
})

describe('oasExample', () => {
  const media = { oasVersion: 3, schemaField: 'schema', type: 'media' }
  const own = { oasVersion: 3, schemaField: '$', type: 'schema' }
  const text = { type: 'string' }

  test.each<[value: object, options: object, places: readonly string[], openapi?: string]>([
    [{ schema: text, example: 'a' }, media, []],
    [{ schema: text, example: 1, examples: { a: { value: 2 } } }, media, ['example']],
    [
      { schema: text, examples: { a: { value: 1 }, b: { externalValue: 'x' }, c: { value: 'c' }, d: {} } },
      media,
      ['examples/a/value', 'examples/d/value'],
    ],
    [{ schema: { items: text }, example: ['a', 1] }, media, ['example/1']],
    [{ schema: { type: 'object', required: ['a'] }, example: {} }, media, ['example']],
    [{ ...text, example: 1, default: 2 }, own, ['example', 'default']],
    [{ type: 'string', nullable: true, example: null }, own, [], '3.0.3'],
    [{ type: 'integer', minimum: 1, exclusiveMinimum: true, example: 1 }, own, ['example'], '3.0.3'],
    [{ type: 'integer', exclusiveMinimum: 1, example: 1 }, own, ['example'], '3.1.0'],
  ])('%j', (value, options, places, openapi = '3.1.0') => {
    expect(pointersOf('oasExample', value, options, { unresolved: { openapi } })).toEqual(places)
  })

  test.each<[place: string, missing: readonly string[]]>([
    ['paths//a/post/requestBody/content/x', ['example: `writeOnly`']],
    ['paths//a/post/responses/200/content/x', ['example: `readOnly`']],
    ['components/requestBodies/A/content/x', ['example: `writeOnly`']],
    ['components/responses/A/content/x', ['example: `readOnly`']],
    ['components/parameters/A', ['example: `readOnly`']],
  ])('requires properties by their direction in %s', (place, missing) => {
    const properties = { readOnly: { readOnly: true }, writeOnly: { writeOnly: true } }
    const schema = { required: ['readOnly', 'writeOnly'], properties }
    const path = place
      .replace('//', '/~')
      .split('/')
      .map((step) => step.replace('~', '/'))
    const problems = runFunction('oasExample', { schema, example: {} }, media, { path })
    expect(problems.map((problem) => `${problem.path?.at(-1)}: ${/`[a-zA-Z]+Only`/.exec(problem.message)?.[0]}`)).toEqual(missing)
  })

  test('reads schemas that contain themselves, and skips references that are left', () => {
    const schema: Record<string, unknown> = { type: 'string' }
    schema['properties'] = { self: schema }
    expect(pointersOf('oasExample', { schema, example: 1 }, media)).toEqual(['example'])
    expect(pointersOf('oasExample', { schema: { type: 'string', not: { $ref: '#/a' } }, example: 'a' }, media)).toEqual([])
  })

  test('skips examples that are references to files which are not read', () => {
    expect(pointersOf('oasExample', { schema: text, example: { $ref: 'example.yaml' } }, media)).toEqual([])
    expect(pointersOf('oasExample', { schema: text, example: { $ref: '#/example' } }, media)).toEqual(['example'])
  })

  test('takes the dialect of the document', () => {
    const unresolved = { openapi: '3.1.0', jsonSchemaDialect: 'http://json-schema.org/draft-07/schema#' }
    const value = { schema: { prefixItems: [text] }, example: [1] }
    expect(pointersOf('oasExample', value, media)).toEqual(['example/0'])
    expect(pointersOf('oasExample', value, media, { unresolved })).toEqual([])
  })
})

test('oasSchema matches a value in the dialect of the document', () => {
  const options = { schema: { type: 'array', uniqueItems: true } }
  expect(pointersOf('oasSchema', ['a', 'b', 'a'], options)).toEqual(['.'])
  expect(pointersOf('oasSchema', ['a', 1, '1', null], options)).toEqual([])
})

test('oasDocumentSchema leaves the structure of documents to the checks', () => {
  expect(runFunction('oasDocumentSchema', { openapi: '3.1.0', unknown: 1 }, null)).toEqual([])
})

test('no function fails on values of any type', () => {
  const values = [undefined, null, true, 0, '', 'a', [], [null], {}, { a: null }, { tags: {}, paths: [], components: [] }]
  for (const name of openapiFunctions.keys()) {
    for (const value of values) expect(Array.isArray(runFunction(name, value, {}, { path: [] }))).toBe(true)
  }
})
