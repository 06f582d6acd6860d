import { describe, expect, test } from 'vitest'
import { compareDocuments, summarize } from './compare-documents.ts'

const head = 'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\n'

describe('operations', () => {
  test('reports added and removed operations', async () => {
    const base = `${head}paths: {/pets: {get: {responses: {'200': {description: Pets}}}}}`
    const revision = `${head}paths: {/pets: {post: {responses: {'200': {description: Pets}}}}}`
    expect(summarize(await compareDocuments(base, revision))).toEqual([
      'breaking get /pets: operation-removed',
      'compatible post /pets: operation-added',
    ])
  })

  test('ignores the names of path parameters', async () => {
    const toDocument = (name: string) => {
      const parameter = `{name: ${name}, in: path, required: true, schema: {type: string}}`
      return `${head}paths: {'/pets/{${name}}': {get: {parameters: [${parameter}], responses: {'200': {description: Pet}}}}}`
    }
    expect(await compareDocuments(toDocument('id'), toDocument('petId'))).toEqual([])
  })
})

test('does not compare a request body or response whose reference cannot be resolved', async () => {
  const toDocument = (body: string, response: string) =>
    `openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {/pets: {post: {requestBody: ${body}, responses: {'200': ${response}}}}}\n`
  const content = 'content: {application/json: {schema: {type: object}}}'
  const [body, response] = [`{required: true, ${content}}`, `{description: Pet, headers: {Link: {schema: {}}}, ${content}}`]
  const none = "{$ref: '#/components/none'}"
  for (const unresolved of [toDocument(none, response), toDocument(body, none)]) {
    expect(summarize(await compareDocuments(toDocument(body, response), unresolved))).toEqual([])
    expect(summarize(await compareDocuments(unresolved, toDocument(body, response)))).toEqual([])
  }
})

test('a default has no effect in a parameter that is always sent', async () => {
  const toDocument = (fields: string, value: number) =>
    `${head}paths: {/pets: {get: {parameters: [{name: limit, in: query, ${fields} schema: {type: integer, default: ${value}}}], responses: {}}}}`
  const optional = await compareDocuments(toDocument('', 1), toDocument('', 2))
  expect(summarize(optional)).toEqual(['breaking get /pets: parameter-default-changed'])
  const required = await compareDocuments(toDocument('required: true,', 1), toDocument('required: true,', 2))
  expect(summarize(required)).toEqual(['compatible get /pets: parameter-default-changed'])
})

test('the default of a component has an effect where it is optional', async () => {
  const toDocument = (value: number) => `${head}paths:
  /pets: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {size: {$ref: '#/components/schemas/Size'}}}}}}, responses: {}}}
  /cats: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [size], properties: {size: {$ref: '#/components/schemas/Size'}}}}}}, responses: {}}}
components: {schemas: {Size: {type: integer, default: ${value}}}}`
  const changes = await compareDocuments(toDocument(1), toDocument(2))
  expect(summarize(changes)).toEqual(['risky [post /pets]: default-changed'])
})
