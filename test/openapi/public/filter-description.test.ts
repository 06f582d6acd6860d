import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { filterDocument } from '../../../src/openapi/public/filter-description.ts'
import type { FilterRules } from '../../../src/openapi/public/restriction-marks.ts'
import { isObject, type JsonObject } from '../../../src/text/json/json-values.ts'
import { checkValue } from '../../support/check-text.ts'

function filter(text: string, options: FilterRules): JsonObject {
  const value = load(text)
  const { value: filtered } = filterDocument(value, options)
  return isObject(filtered) ? filtered : {}
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
      discriminator: {propertyName: type, mapping: {cat: Cat, secret: SecretAlias, secret2: '#/components/schemas/SecretOwner'}, defaultMapping: SecretAlias}
    Cat: {type: object, required: [type], properties: {type: {type: string}}}
    SecretAlias: {$ref: '#/components/schemas/SecretOwner'}
    SecretOwner: {type: object, x-internal: true, properties: {part: {type: string}}}
    UsedBySecret: {type: string, title: secret}
`

test('a public description has no trace of internal parts, and no errors', async () => {
  const filtered = filter(document, { internal: true })
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

test.each<[FilterRules, string[], string[]]>([
  [{}, ['/a get', '/ab get', '/ab post', '/none get'], ['a', 'b']],
  [{ internal: true }, ['/a get', '/ab get', '/ab post', '/none get'], ['a', 'b']],
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

test('a tag whose parent is internal is kept without it, and a parent whose children are all left out is not', () => {
  const tags = `
openapi: 3.2.0
tags:
  - {name: inner, x-internal: true}
  - {name: child, parent: inner}
  - {name: emptied}
  - {name: gone, parent: emptied}
  - {name: around}
  - {name: middle, parent: around}
  - {name: used, parent: middle}
paths:
  /a: {get: {tags: [child, used]}, put: {tags: [gone], x-internal: true}, post: {tags: [middle], x-internal: true}}
  /b: {get: {tags: [inner]}}
`
  const filtered = filter(tags, { internal: true })
  expect(filtered['tags']).toEqual([
    { name: 'child' },
    { name: 'around' },
    { name: 'middle', parent: 'around' },
    { name: 'used', parent: 'middle' },
  ])
  expect(Object.keys(filtered['paths'] as object)).toEqual(['/a'])
})

test('a name that a kept part declares too stays, where it is that of the kept part', () => {
  const account = (more: object) => ({ type: 'object', required: ['name', 'email'], properties: { name: {}, email: more } })
  const content = (name: string) => ({
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example: { name: 'Ada', email: 'a@example.com' } },
    },
  })
  const samples = [{ lang: 'js', source: 'post({ email: 1 })' }]
  const value = {
    paths: {
      '/open': { post: { requestBody: content('Open'), 'x-codeSamples': samples } },
      '/part': { post: { requestBody: content('Part'), 'x-codeSamples': samples } },
    },
    components: { schemas: { Open: account({ type: 'string' }), Part: account({ 'x-internal': true }) } },
  }
  const { paths, components } = filter(JSON.stringify(value), { internal: true })
  expect(paths).toEqual({
    '/open': value.paths['/open'],
    '/part': {
      post: {
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Part' }, example: { name: 'Ada' } } },
        },
        'x-codeSamples': [],
      },
    },
  })
  expect(components).toEqual({
    schemas: { Open: value.components.schemas.Open, Part: { type: 'object', required: ['name'], properties: { name: {} } } },
  })
})

test('words of the specification and of texts stay, although a removed property has the same name', () => {
  const names = ['type', 'date', 'name', 'get', 'Order', 'active', 'description']
  const value = {
    openapi: '3.1.0',
    info: { title: 'Order', version: '1' },
    tags: [{ name: 'Order', description: 'active' }],
    paths: {
      '/a': {
        get: {
          tags: ['Order'],
          summary: 'Order',
          responses: {
            200: { description: 'active', content: { 'text/plain': { example: 'The order is active, of this type' } } },
          },
        },
      },
    },
    components: { schemas: { Day: { type: 'string', format: 'date', title: 'Order' } } },
  }
  const secret = {
    post: {
      requestBody: { content: { a: { schema: { properties: Object.fromEntries(names.map((name) => [name, {}])) } } } },
      'x-internal': true,
    },
  }
  expect(filter(JSON.stringify({ ...value, paths: { ...value.paths, '/b': secret } }), { internal: true })).toEqual(value)
})

test('a name of a removed part that cannot be removed is found', () => {
  const part = { post: { operationId: 'secret_operation', 'x-internal': true } }
  const { leftovers } = filterDocument(
    { paths: { '/a': part }, unknown: { secret_operation: 1, list: ['secret_operation'] } },
    { internal: true },
  )
  expect(leftovers).toEqual([
    { file: '', pointer: '/unknown/secret_operation', name: 'secret_operation' },
    { file: '', pointer: '/unknown/list/0', name: 'secret_operation' },
  ])
})
