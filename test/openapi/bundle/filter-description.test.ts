import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { type DescriptionFilter, filterDescription } from '../../../src/openapi/bundle/filter-description.ts'
import { isObject, type JsonObject } from '../../../src/source/is-object.ts'
import { checkValue } from '../../support/check-text.ts'

function filter(text: string, options: Partial<DescriptionFilter>): JsonObject {
  const value = load(text)
  return filterDescription(isObject(value) ? value : {}, { audience: 'internal', includeTags: [], excludeTags: [], ...options })
}

/** A document with the word `secret` in every kind of internal element, and in what only these use. */
const document = `
openapi: 3.1.0
info: {title: A, version: '1'}
servers: [{url: https://example.com}, {url: https://secret.example.com, x-internal: true}]
tags:
  - {name: pets}
  - {name: secret-team, x-internal: true}
  - {name: secret-empty}
x-tagGroups: [{name: All, tags: [pets, secret-team]}, {name: Secret, tags: [secret-empty]}]
security: [{key: []}, {secretKey: []}]
paths:
  /pets/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
    get:
      operationId: getPet
      tags: [pets]
      parameters:
        - {name: secret, in: query, x-internal: true, schema: {type: string}}
        - {$ref: '#/components/parameters/SecretHeader'}
      responses:
        '200':
          description: OK
          content:
            application/json: {schema: {$ref: '#/components/schemas/Pet'}}
          links:
            secret: {operationId: secretDelete}
            secretRef: {operationRef: '#/paths/~1secret/get'}
            self: {operationId: getPet}
        '500': {description: secret, x-internal: true}
    delete:
      operationId: secretDelete
      summary: secret
      x-internal: true
      responses: {'204': {$ref: '#/components/responses/OnlySecret'}}
  /secret:
    get: {x-internal: true, tags: [secret-empty], responses: {'200': {description: secret}}}
  /secret-path: {x-internal: true, get: {responses: {'200': {description: secret}}}}
  /secret-by-tag:
    get: {tags: [pets, secret-team], responses: {'200': {description: secret}}}
webhooks:
  secretHook: {post: {x-internal: true, responses: {'200': {description: secret}}}}
components:
  parameters:
    SecretHeader: {name: X-Secret, in: header, x-internal: true, schema: {type: string}}
  responses:
    OnlySecret: {description: secret, content: {application/json: {schema: {$ref: '#/components/schemas/UsedBySecret'}}}}
  securitySchemes:
    key: {type: http, scheme: bearer}
    secretKey: {type: http, scheme: basic, x-internal: true}
  schemas:
    Pet:
      type: object
      required: [name, secretName]
      properties:
        name: {type: string}
        secretName: {type: string, x-internal: true}
        secretOwner: {$ref: '#/components/schemas/SecretOwner'}
        secretPart: {$ref: '#/components/schemas/SecretOwner/properties/part'}
        kind: {$ref: '#/components/schemas/Kind'}
      allOf: [{required: [secretName]}]
    Kind:
      type: object
      required: [type]
      properties: {type: {type: string}}
      oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/SecretAlias'}]
      discriminator: {propertyName: type, mapping: {cat: Cat, secret: SecretAlias, secret2: '#/components/schemas/SecretOwner'}}
    Cat: {type: object, required: [type], properties: {type: {type: string}}}
    SecretAlias: {$ref: '#/components/schemas/SecretOwner'}
    SecretOwner: {type: object, x-internal: true, properties: {part: {type: string}}}
    UsedBySecret: {type: string, title: secret}
`

test('a public description has no trace of internal parts, and no errors', async () => {
  const filtered = filter(document, { audience: 'public' })
  expect(JSON.stringify(filtered).match(/.{0,60}secret.{0,20}/gi)).toBeNull()
  expect((await checkValue(filtered)).findings).toEqual([])
  expect(filtered['tags']).toEqual([{ name: 'pets' }])
  expect(JSON.stringify(filtered)).toContain('"self":{"operationId":"getPet"}')
})

const tagged = `
openapi: 3.1.0
info: {title: A, version: '1'}
tags: [{name: a}, {name: b}]
paths:
  /a: {get: {tags: [a], x-internal: false, responses: {'200': {description: A}}}}
  /ab: {get: {tags: [a, b], responses: {'200': {description: AB}}}, post: {tags: [b], responses: {'200': {description: B}}}}
  /none: {get: {responses: {'200': {description: None}}}}
`

test.each<[Partial<DescriptionFilter>, string[], string[]]>([
  [{}, ['/a get', '/ab get', '/ab post', '/none get'], ['a', 'b']],
  [{ audience: 'public' }, ['/a get', '/ab get', '/ab post', '/none get'], ['a', 'b']],
  [{ includeTags: ['a'] }, ['/a get', '/ab get'], ['a', 'b']],
  [{ excludeTags: ['b'] }, ['/a get', '/none get'], ['a']],
  [{ includeTags: ['a'], excludeTags: ['b'] }, ['/a get'], ['a']],
  [{ includeTags: ['gone'] }, [], []],
])('%j keeps %j', (options, operations, tags) => {
  const filtered = filter(tagged, options)
  const paths = isObject(filtered['paths']) ? Object.entries(filtered['paths']) : []
  expect(paths.flatMap(([path, item]) => Object.keys(item as object).map((method) => `${path} ${method}`))).toEqual(operations)
  expect((filtered['tags'] as { name: string }[]).map(({ name }) => name)).toEqual(tags)
})
