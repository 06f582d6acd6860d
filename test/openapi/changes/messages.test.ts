import { describe, expect, test } from 'vitest'
import { compareDocuments } from './compare-documents.ts'

/** A document with one operation, whose response has a schema. */
function toDocument(schema: string, schemas = '', release = '3.1.0'): string {
  return `openapi: ${release}
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      responses: {'200': {description: Pets, content: {application/json: {schema: ${schema}}}}}
components: {schemas: {${schemas}}}
`
}

async function listMessages(base: string, revision: string): Promise<string[]> {
  const changes = await compareDocuments(base, revision)
  return changes.map(({ message, method }) => `${method ?? 'component'}: ${message}`)
}

describe('names of alternatives', () => {
  test('uses a component that only one alternative has in its `allOf`', async () => {
    const schemas = 'Cat: {type: object}, Dog: {type: object}, Base: {type: object}'
    const alternative = (name: string) => `{allOf: [{$ref: "#/components/schemas/${name}"}, {$ref: "#/components/schemas/Base"}]}`
    const base = toDocument(`{oneOf: [${alternative('Cat')}]}`, schemas)
    const revision = toDocument(`{oneOf: [${alternative('Dog')}, ${alternative('Cat')}]}`, schemas)
    expect(await listMessages(base, revision)).toEqual(['get: Alternative `Dog` was added to response `200`'])
  })

  test('uses a type that only one alternative has', async () => {
    const base = toDocument('{type: string, minLength: 1}')
    const revision = toDocument('{oneOf: [{type: string, minLength: 1}, {type: integer, minimum: 1}]}')
    expect(await listMessages(base, revision)).toEqual(['get: Alternative `integer` was added to response `200`'])
  })
})

describe('places', () => {
  test('points to `nullable` in OpenAPI 3.0', async () => {
    const [change] = await compareDocuments(
      toDocument('{type: string}', '', '3.0.3'),
      toDocument('{type: string, nullable: true}', '', '3.0.3'),
    )
    expect(change?.base?.pointer).toMatch(/\/schema\/type$/)
    expect(change?.revision?.pointer).toMatch(/\/schema\/nullable$/)
  })
})
