import { readOwn } from '../../source/is-object.ts'
import type { ChangeCode } from './change-codes.ts'

/** Fields that must be beside the one with the example. */
const required: { readonly [key: string]: string } = { '"200"': 'description: OK', login: 'type: oauth2' }

const inside =
  (...keys: readonly string[]) =>
  (...lines: readonly string[]): string => {
    const around = keys.flatMap((key, depth) => {
      const field = readOwn(required, key)
      return [`${'  '.repeat(depth)}${key}:`, ...(field === undefined ? [] : [`${'  '.repeat(depth + 1)}${field}`])]
    })
    const within = lines.map((line) => `${line.slice(0, 1)}${'  '.repeat(keys.length)}${line.slice(1)}`)
    return [...around.map((line) => ` ${line}`), ...within].map((line) => `${line}\n`).join('')
  }

const inDocument = inside()
const inPaths = inside('paths')
const inOperation = inside('paths', '/pets', 'get')
const inParameters = inside('paths', '/pets', 'get', 'parameters')
const inBody = inside('paths', '/pets', 'post', 'requestBody')
const inResponses = inside('paths', '/pets', 'get', 'responses')
const inHeaders = inside('paths', '/pets', 'get', 'responses', '"200"', 'headers')
const inLinks = inside('paths', '/pets', 'get', 'responses', '"200"', 'links')
const inRequest = inside('paths', '/pets', 'post', 'requestBody', 'content', 'application/json', 'schema')
const inResponse = inside('paths', '/pets', 'get', 'responses', '"200"', 'content', 'application/json', 'schema')
const inSchemes = inside('components', 'securitySchemes')
const inOauth = inside('components', 'securitySchemes', 'login', 'flows')

const mapping = (...lines: readonly string[]) => [
  ' oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]',
  ' discriminator:',
  '   propertyName: kind',
  '   mapping:',
  ...lines.map((line) => `${line.slice(0, 1)}    ${line.slice(1)}`),
]
const catsAndDogs = inside('components', 'schemas')(
  ' Cat: { type: object, required: [kind], properties: { kind: { type: string } } }',
  ' Dog: { type: object, required: [kind], properties: { kind: { type: string } } }',
)

/**
 * A change of each code as the differing lines of two versions: `-` before a line that only the base has, `+` before one that only the
 * revision has, and a space before the others. If the level depends on the direction, it is the one with the more severe level. Examples
 * omit the fields `openapi`, `info` and `paths` where they do not matter.
 */
export const changeExamples: { readonly [code in ChangeCode]: string } = {
  // Operations
  'operation-added': inPaths(' /pets:', '   get: {}', '+  post: {}'),
  'operation-removed': inPaths(' /pets:', '   get: {}', '-  delete: {}'),
  'operation-removed-early': inPaths(' /pets:', '   get: {}', '-  delete:', '-    deprecated: true', '-    x-sunset: 2099-12-31'),
  'operation-removed-deprecated': inPaths(
    ' /pets:',
    '   get: {}',
    '-  delete:',
    '-    deprecated: true',
    '-    x-sunset: 2025-12-31',
  ),
  'operation-moved': inPaths('-/pets:', '+/animals:', '   get:', '     operationId: listPets'),
  'operation-deprecated': inOperation(' operationId: listPets', '+deprecated: true'),
  'operation-reactivated': inOperation(' operationId: listPets', '-deprecated: true'),
  'operation-id-changed': inOperation('-operationId: getPets', '+operationId: listPets'),
  'tag-added': inOperation('-tags: [pets]', '+tags: [pets, animals]'),
  'tag-removed': inOperation('-tags: [pets, animals]', '+tags: [pets]'),
  'webhook-added': inDocument(' webhooks:', '   petAdded:', '     post: {}', '+  petSold:', '+    post: {}'),
  'webhook-removed': inDocument(' webhooks:', '   petAdded:', '     post: {}', '-  petSold:', '-    post: {}'),
  'callback-added': inOperation(
    ' operationId: watchPets',
    '+callbacks:',
    '+  petAdded:',
    '+    "{$request.query.url}":',
    '+      post: {}',
  ),
  'callback-removed': inOperation(
    ' operationId: watchPets',
    '-callbacks:',
    '-  petAdded:',
    '-    "{$request.query.url}":',
    '-      post: {}',
  ),
  // Lifecycle of operations, parameters and properties
  'sunset-missing': inOperation(' operationId: listPets', '+deprecated: true'),
  'sunset-too-soon': inOperation(' operationId: listPets', '+deprecated: true', '+x-sunset: 2026-06-30'),
  'sunset-moved-up': inOperation(' deprecated: true', '-x-sunset: 2099-12-31', '+x-sunset: 2099-06-30'),
  'sunset-removed': inOperation(' deprecated: true', '-x-sunset: 2099-12-31'),
  'sunset-added': inOperation(' deprecated: true', '+x-sunset: 2099-12-31'),
  'sunset-postponed': inOperation(' deprecated: true', '-x-sunset: 2099-06-30', '+x-sunset: 2099-12-31'),
  'sunset-invalid': inOperation(' deprecated: true', '-x-sunset: 2099-12-31', '+x-sunset: next year'),
  'stability-lowered': inOperation(' operationId: listPets', '-x-stability-level: stable', '+x-stability-level: beta'),
  'stability-raised': inOperation(' operationId: listPets', '-x-stability-level: beta', '+x-stability-level: stable'),
  'stability-invalid': inOperation(' operationId: listPets', '-x-stability-level: stable', '+x-stability-level: mature'),
  // Security, servers
  'security-tightened': inDocument(
    ' paths:',
    '   /pets:',
    '     get:',
    '-      security: [{}, { key: [] }]',
    '+      security: [{ key: [] }]',
    ' components:',
    '   securitySchemes:',
    '     key: { type: apiKey, in: header, name: X-API-Key }',
  ),
  'security-loosened': inDocument(
    ' paths:',
    '   /pets:',
    '     get:',
    '-      security: [{ key: [] }]',
    '+      security: [{ key: [] }, { token: [] }]',
    ' components:',
    '   securitySchemes:',
    '     key: { type: apiKey, in: header, name: X-API-Key }',
    '     token: { type: http, scheme: bearer }',
  ),
  'security-changed': inDocument(
    ' paths:',
    '   /pets:',
    '     get:',
    '-      security: [{}]',
    '+      security: [{}, { key: [] }]',
    ' components:',
    '   securitySchemes:',
    '     key: { type: apiKey, in: header, name: X-API-Key }',
  ),
  'security-scheme-replaced': inDocument(
    ' paths:',
    '   /pets:',
    '     get:',
    '-      security: [{ user: [] }]',
    '+      security: [{ admin: [] }]',
    ' components:',
    '   securitySchemes:',
    '     user: { type: http, scheme: bearer }',
    '     admin: { type: http, scheme: bearer }',
  ),
  'security-scheme-renamed': inDocument(
    ' paths:',
    '   /pets:',
    '     get:',
    '-      security: [{ key: [] }]',
    '+      security: [{ apiKey: [] }]',
    ' components:',
    '   securitySchemes:',
    '-    key: { type: apiKey, in: header, name: X-API-Key }',
    '+    apiKey: { type: apiKey, in: header, name: X-API-Key }',
  ),
  'security-scheme-added': inSchemes(
    ' key: { type: apiKey, in: header, name: X-API-Key }',
    '+token: { type: http, scheme: bearer }',
  ),
  'security-scheme-removed': inSchemes(
    ' key: { type: apiKey, in: header, name: X-API-Key }',
    '-token: { type: http, scheme: bearer }',
  ),
  'security-scheme-changed': inSchemes(
    '-key: { type: apiKey, in: header, name: X-API-Key }',
    '+key: { type: apiKey, in: header, name: Pets-Key }',
  ),
  'security-scheme-url-changed': inOauth(
    ' clientCredentials:',
    '-  tokenUrl: https://example.com/token',
    '+  tokenUrl: https://login.example.com/token',
    '   scopes: {}',
  ),
  'security-scheme-deprecated': inDocument(
    ' openapi: 3.2.0',
    ' components:',
    '   securitySchemes:',
    '     key:',
    '       type: apiKey',
    '       in: header',
    '       name: X-API-Key',
    '+      deprecated: true',
  ),
  'security-scheme-reactivated': inDocument(
    ' openapi: 3.2.0',
    ' components:',
    '   securitySchemes:',
    '     key:',
    '       type: apiKey',
    '       in: header',
    '       name: X-API-Key',
    '-      deprecated: true',
  ),
  'security-flow-added': inOauth(
    ' clientCredentials:',
    '   tokenUrl: https://example.com/token',
    '   scopes: {}',
    '+password:',
    '+  tokenUrl: https://example.com/token',
    '+  scopes: {}',
  ),
  'security-flow-removed': inOauth(
    ' clientCredentials:',
    '   tokenUrl: https://example.com/token',
    '   scopes: {}',
    '-password:',
    '-  tokenUrl: https://example.com/token',
    '-  scopes: {}',
  ),
  'security-scope-added': inOauth(
    ' clientCredentials:',
    '   tokenUrl: https://example.com/token',
    '   scopes:',
    '     "pets:read": Read pets',
    '+    "pets:write": Change pets',
  ),
  'security-scope-removed': inOauth(
    ' clientCredentials:',
    '   tokenUrl: https://example.com/token',
    '   scopes:',
    '     "pets:read": Read pets',
    '-    "pets:write": Change pets',
  ),
  'server-added': inDocument(' servers:', '   - url: https://eu.example.com', '+  - url: https://us.example.com'),
  'server-removed': inDocument(' servers:', '   - url: https://eu.example.com', '-  - url: https://us.example.com'),
  'server-values-removed': inDocument(
    ' servers:',
    '   - url: https://{region}.example.com',
    '     variables:',
    '       region:',
    '         default: eu',
    '-        enum: [eu, us]',
    '+        enum: [eu]',
  ),
  'server-changed': inDocument(
    ' servers:',
    '   - url: https://{region}.example.com',
    '     variables:',
    '       region:',
    '         default: eu',
    '-        enum: [eu]',
    '+        enum: [eu, us]',
  ),
  'base-path-moved': inDocument(
    ' servers:',
    '-  - url: https://example.com/v1',
    '+  - url: https://example.com',
    ' paths:',
    '-  /pets:',
    '+  /v1/pets:',
    '     get: {}',
  ),
  // Parameters
  'required-parameter-added': inOperation(
    ' operationId: listPets',
    '+parameters:',
    '+  - name: kind',
    '+    in: query',
    '+    required: true',
    '+    schema: { type: string }',
  ),
  'optional-parameter-added': inOperation(
    ' operationId: listPets',
    '+parameters:',
    '+  - name: kind',
    '+    in: query',
    '+    schema: { type: string }',
  ),
  'parameter-removed': inOperation(
    ' operationId: listPets',
    '-parameters:',
    '-  - name: kind',
    '-    in: query',
    '-    schema: { type: string }',
  ),
  'parameter-removed-early': inOperation(
    ' operationId: listPets',
    '-parameters:',
    '-  - name: kind',
    '-    in: query',
    '-    deprecated: true',
    '-    x-sunset: 2099-12-31',
    '-    schema: { type: string }',
  ),
  'parameter-removed-deprecated': inOperation(
    ' operationId: listPets',
    '-parameters:',
    '-  - name: kind',
    '-    in: query',
    '-    deprecated: true',
    '-    schema: { type: string }',
  ),
  'parameter-became-required': inParameters(' - name: kind', '   in: query', '+  required: true', '   schema: { type: string }'),
  'parameter-became-optional': inParameters(' - name: kind', '   in: query', '-  required: true', '   schema: { type: string }'),
  'parameter-default-changed': inParameters(
    ' - name: limit',
    '   in: query',
    '-  schema: { type: integer, default: 20 }',
    '+  schema: { type: integer, default: 100 }',
  ),
  'parameter-serialization-changed': inParameters(
    ' - name: ids',
    '   in: query',
    '-  style: form',
    '+  style: pipeDelimited',
    '   explode: false',
    '   schema: { type: array, items: { type: integer } }',
  ),
  'empty-value-allowed': inDocument(
    ' webhooks:',
    '   petAdded:',
    '     post:',
    '       parameters:',
    '         - name: urgent',
    '           in: query',
    '+          allowEmptyValue: true',
    '           schema: { type: boolean }',
  ),
  'empty-value-forbidden': inParameters(
    ' - name: sold',
    '   in: query',
    '-  allowEmptyValue: true',
    '   schema: { type: boolean }',
  ),
  'parameter-deprecated': inParameters(' - name: kind', '   in: query', '+  deprecated: true', '   schema: { type: string }'),
  'parameter-reactivated': inParameters(' - name: kind', '   in: query', '-  deprecated: true', '   schema: { type: string }'),
  // Bodies, responses, headers
  'required-body-added': inside('paths', '/pets', 'post')(
    ' operationId: addPet',
    '+requestBody:',
    '+  required: true',
    '+  content:',
    '+    application/json:',
    '+      schema: { type: object }',
  ),
  'optional-body-added': inside('paths', '/pets', 'post')(
    ' operationId: addPet',
    '+requestBody:',
    '+  content:',
    '+    application/json:',
    '+      schema: { type: object }',
  ),
  'body-removed': inside('paths', '/pets', 'post')(
    ' operationId: addPet',
    '-requestBody:',
    '-  content:',
    '-    application/json:',
    '-      schema: { type: object }',
  ),
  'body-became-required': inBody('+required: true', ' content:', '   application/json:', '     schema: { type: object }'),
  'body-became-optional': inBody('-required: true', ' content:', '   application/json:', '     schema: { type: object }'),
  'response-added': inResponses(' "200": { description: Pets }', '+"404": { description: No pets }'),
  'response-removed': inResponses(' "200": { description: Pets }', '-"202": { description: Pets follow later }'),
  'error-response-removed': inResponses(' "200": { description: Pets }', '-"404": { description: No pets }'),
  'header-added': inResponses(' "200":', '   description: Pets', '+  headers:', '+    X-Total: { schema: { type: integer } }'),
  'required-header-removed': inResponses(
    ' "200":',
    '   description: Pets',
    '-  headers:',
    '-    X-Total: { required: true, schema: { type: integer } }',
  ),
  'optional-header-removed': inResponses(
    ' "200":',
    '   description: Pets',
    '-  headers:',
    '-    X-Total: { schema: { type: integer } }',
  ),
  'header-became-required': inHeaders(' X-Total:', '+  required: true', '   schema: { type: integer }'),
  'header-became-optional': inHeaders(' X-Total:', '-  required: true', '   schema: { type: integer }'),
  'header-serialization-changed': inHeaders(
    ' X-Sizes:',
    '-  explode: false',
    '+  explode: true',
    '   schema: { type: object, properties: { small: { type: integer } } }',
  ),
  'header-deprecated': inHeaders(' X-Total:', '+  deprecated: true', '   schema: { type: integer }'),
  'header-reactivated': inHeaders(' X-Total:', '-  deprecated: true', '   schema: { type: integer }'),
  'link-added': inResponses(' "200":', '   description: Pets', '+  links:', '+    again: { operationId: listPets }'),
  'link-removed': inResponses(' "200":', '   description: Pets', '-  links:', '-    again: { operationId: listPets }'),
  'link-changed': inLinks('-again: { operationId: listPets }', '+again: { operationId: listPets, parameters: { limit: 10 } }'),
  'media-type-added': inBody(
    ' content:',
    '   application/json: { schema: { type: object } }',
    '+  application/yaml: { schema: { type: object } }',
  ),
  'media-type-removed': inBody(
    ' content:',
    '   application/json: { schema: { type: object } }',
    '-  application/yaml: { schema: { type: object } }',
  ),
  'media-type-widened': inResponses(
    ' "200":',
    '   description: Photo of a pet',
    '   content:',
    '-    image/png: {}',
    '+    image/*: {}',
  ),
  'media-type-narrowed': inBody(' content:', '-  image/*: {}', '+  image/png: {}'),
  'media-type-schema-added': inBody(' content:', '-  application/json: {}', '+  application/json: { schema: { type: object } }'),
  'media-type-schema-removed': inResponses(
    ' "200":',
    '   description: Pets',
    '   content:',
    '-    application/json: { schema: { type: object } }',
    '+    application/json: {}',
  ),
  'encoding-changed': inBody(
    ' content:',
    '   multipart/form-data:',
    '     schema: { type: object, properties: { photo: { type: string } } }',
    '-    encoding: { photo: { contentType: image/png } }',
    '+    encoding: { photo: { contentType: image/jpeg } }',
  ),
  // Types
  'type-widened': inResponse('-type: string', '+type: [string, integer]'),
  'type-narrowed': inRequest('-type: [string, integer]', '+type: string'),
  'type-changed': inRequest('-type: string', '+type: integer'),
  'type-uncertain': inParameters(
    ' - name: filter',
    '   in: query',
    '   style: deepObject',
    '   schema:',
    '     type: object',
    '     properties:',
    '-      age: { type: integer }',
    '+      age: { type: string }',
  ),
  'format-widened': inResponse(' type: integer', '-format: int32', '+format: int64'),
  'format-narrowed': inRequest(' type: integer', '-format: int64', '+format: int32'),
  'format-changed': inRequest(' type: string', '-format: uuid', '+format: email'),
  'became-nullable': inResponse('-type: string', '+type: [string, "null"]'),
  'became-not-nullable': inRequest('-type: [string, "null"]', '+type: string'),
  // Values
  'enum-added': inRequest(' type: string', '+enum: [cat, dog]'),
  'enum-removed': inResponse(' type: string', '-enum: [cat, dog]'),
  'enum-value-added': inResponse(' type: string', '-enum: [cat, dog]', '+enum: [cat, dog, fish]'),
  'enum-value-removed': inRequest(' type: string', '-enum: [cat, dog, fish]', '+enum: [cat, dog]'),
  'extensible-enum-value-removed': inRequest(
    ' type: string',
    '-x-extensible-enum: [cat, dog, fish]',
    '+x-extensible-enum: [cat, dog]',
  ),
  'extensible-enum-changed': inRequest(' type: string', '-x-extensible-enum: [cat, dog]', '+x-extensible-enum: [cat, dog, fish]'),
  'const-added': inRequest(' type: string', '+const: cat'),
  'const-changed': inRequest(' type: string', '-const: cat', '+const: dog'),
  'const-removed': inResponse(' type: string', '-const: cat'),
  'limit-added': inRequest(' type: string', '+maxLength: 100'),
  'limit-tightened': inRequest(' type: string', '-maxLength: 100', '+maxLength: 50'),
  'limit-loosened': inResponse(' type: string', '-maxLength: 50', '+maxLength: 100'),
  'limit-removed': inResponse(' type: string', '-maxLength: 100'),
  'pattern-added': inRequest(' type: string', '+pattern: "^[a-z]+$"'),
  'pattern-changed': inRequest(' type: string', '-pattern: "^[a-z]+$"', '+pattern: "^[a-z0-9]+$"'),
  'pattern-widened': inResponse(' type: string', '-pattern: "^[a-z]+$"', '+pattern: ".*"'),
  'pattern-removed': inResponse(' type: string', '-pattern: "^[a-z]+$"'),
  'default-changed': inRequest(
    ' type: object',
    ' properties:',
    '-  kind: { type: string, default: cat }',
    '+  kind: { type: string, default: dog }',
  ),
  'content-encoding-changed': inRequest(' type: string', '-contentEncoding: base64', '+contentEncoding: base64url'),
  'xml-changed': inside(
    'paths',
    '/pets',
    'post',
    'requestBody',
    'content',
    'application/xml',
    'schema',
  )(' type: object', '-xml: { name: pet }', '+xml: { name: animal }'),
  // Properties
  'required-property-added': inRequest(
    ' type: object',
    '-required: [name]',
    '+required: [name, kind]',
    ' properties:',
    '   name: { type: string }',
    '+  kind: { type: string }',
  ),
  'optional-property-added': inRequest(' type: object', ' properties:', '   name: { type: string }', '+  kind: { type: string }'),
  'property-added-to-closed-object': inResponse(
    ' type: object',
    ' properties:',
    '   name: { type: string }',
    '+  kind: { type: string }',
    ' additionalProperties: false',
  ),
  'property-removed-from-closed-object': inRequest(
    ' type: object',
    ' properties:',
    '   name: { type: string }',
    '-  kind: { type: string }',
    ' additionalProperties: false',
  ),
  'required-property-removed': inResponse(
    ' type: object',
    '-required: [name, kind]',
    '+required: [name]',
    ' properties:',
    '   name: { type: string }',
    '-  kind: { type: string }',
  ),
  'optional-property-removed': inResponse(
    ' type: object',
    ' properties:',
    '   name: { type: string }',
    '-  kind: { type: string }',
  ),
  'property-became-required': inRequest(' type: object', '+required: [name]', ' properties:', '   name: { type: string }'),
  'property-became-optional': inResponse(' type: object', '-required: [name]', ' properties:', '   name: { type: string }'),
  'property-deprecated': inRequest(
    ' type: object',
    ' properties:',
    '-  kind: { type: string }',
    '+  kind: { type: string, deprecated: true }',
  ),
  'property-reactivated': inRequest(
    ' type: object',
    ' properties:',
    '-  kind: { type: string, deprecated: true }',
    '+  kind: { type: string }',
  ),
  'read-only-changed': inRequest(
    ' type: object',
    ' properties:',
    '-  id: { type: string }',
    '+  id: { type: string, readOnly: true }',
  ),
  'write-only-changed': inRequest(
    ' type: object',
    ' properties:',
    '-  secret: { type: string }',
    '+  secret: { type: string, writeOnly: true }',
  ),
  'required-property-no-longer-read-only': inRequest(
    ' type: object',
    ' required: [id]',
    ' properties:',
    '-  id: { type: string, readOnly: true }',
    '+  id: { type: string }',
  ),
  'required-property-returned': inResponse(
    ' type: object',
    ' required: [secret]',
    ' properties:',
    '-  secret: { type: string, writeOnly: true }',
    '+  secret: { type: string }',
  ),
  'additional-properties-forbidden': inRequest(
    ' type: object',
    ' properties:',
    '   name: { type: string }',
    '+additionalProperties: false',
  ),
  'additional-properties-allowed': inResponse(
    ' type: object',
    ' properties:',
    '   name: { type: string }',
    '-additionalProperties: false',
  ),
  // Combined and conditional schemas
  'alternative-added': inResponse(
    ' oneOf:',
    '   - { type: object, title: Cat, required: [meow], properties: { meow: { type: string } } }',
    '+  - { type: object, title: Dog, required: [bark], properties: { bark: { type: string } } }',
  ),
  'alternative-removed': inRequest(
    ' oneOf:',
    '   - { type: object, title: Cat, required: [meow], properties: { meow: { type: string } } }',
    '-  - { type: object, title: Dog, required: [bark], properties: { bark: { type: string } } }',
  ),
  'alternatives-replaced': inRequest(
    '-type: object',
    '-properties: { name: { type: string } }',
    '+oneOf:',
    '+  - { type: object, required: [meow] }',
    '+  - { type: object, required: [bark] }',
  ),
  'constraint-added': inRequest(' type: object', ' properties: { id: {} }', '+not: { required: [id] }'),
  'constraint-removed': inResponse(' type: object', ' properties: { id: {} }', '-not: { required: [id] }'),
  'constraint-changed': inRequest(
    ' type: object',
    ' properties: { kind: { type: string } }',
    '-if: { properties: { kind: { const: cat } } }',
    '+if: { properties: { kind: { const: dog } } }',
    ' then: { maxProperties: 5 }',
  ),
  'dependent-required-changed': inRequest(
    ' type: object',
    '-dependentRequired: { street: [city] }',
    '+dependentRequired: { street: [postcode] }',
  ),
  'tuple-item-added': inResponse(
    ' type: array',
    '-prefixItems: [{ type: number }]',
    '+prefixItems: [{ type: number }, { type: number }]',
    ' items: false',
  ),
  'tuple-item-removed': inRequest(
    ' type: array',
    '-prefixItems: [{ type: number }, { type: number }]',
    '+prefixItems: [{ type: number }]',
    ' items: false',
  ),
  'composition-changed': inRequest(
    ' type: object',
    ' required: [name]',
    ' properties: { name: { type: string } }',
    '+anyOf: [{ required: [name] }, { required: [id] }]',
  ),
  'discriminator-value-removed': inRequest(...mapping(' cat: Cat', ' dog: Dog', '-puppy: Dog')).concat(catsAndDogs),
  'discriminator-value-renamed': inRequest(...mapping(' cat: Cat', '-puppy: Dog', '+dog: Dog')).concat(catsAndDogs),
  'discriminator-value-added': inResponse(...mapping(' cat: Cat', ' dog: Dog', '+puppy: Dog')).concat(catsAndDogs),
  'discriminator-target-changed': inRequest(...mapping(' cat: Cat', ' dog: Dog', '-pet: Cat', '+pet: Dog')).concat(catsAndDogs),
  'discriminator-changed': inRequest(
    ' type: object',
    ' required: [kind]',
    ' properties: { kind: { type: string } }',
    '+discriminator: { propertyName: kind }',
  ),
}

/** The base (`-`) or the revision (`+`) of an example, as YAML. */
export function readVersion(example: string, side: '-' | '+'): string {
  const lines = example.split('\n').filter((line) => line.startsWith(' ') || line.startsWith(side))
  return lines.map((line) => `${line.slice(1)}\n`).join('')
}
