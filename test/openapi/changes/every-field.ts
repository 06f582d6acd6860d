/**
 * Descriptions that use every field of the objects of OpenAPI, with values that differ from the default, so that each change of a value has
 * an effect.
 */

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const text = { title: 'Title', description: 'Text', externalDocs: { description: 'Docs', url: 'https://a.example/docs' } }

const stringSchema = {
  ...text,
  type: 'string',
  minLength: 1,
  maxLength: 9,
  pattern: '^a',
  format: 'email',
  default: 'a@a.example',
  example: 'a',
  examples: ['a'],
  $comment: 'Text',
  deprecated: true,
  'x-sunset': '2030-01-01',
  'x-stability-level': 'beta',
  'x-extensible-enum': ['a', 'b'],
}

const objectSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: stringSchema,
    secret: { type: 'string', writeOnly: true },
    id: { type: ['string', 'null'], readOnly: true },
    size: { type: 'integer', minimum: 1, maximum: 9, multipleOf: 3 },
    weight: { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 9 },
    color: { enum: ['red', 'blue'] },
    kind: { const: 'pet' },
    pairs: {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: { type: 'boolean' },
      minItems: 2,
      maxItems: 5,
      uniqueItems: true,
    },
    marks: { type: 'array', contains: { type: 'integer', minimum: 1 }, minContains: 2, maxContains: 4 },
    rest: { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: { type: 'integer' } },
    file: {
      type: 'string',
      contentEncoding: 'base64',
      contentMediaType: 'application/json',
      contentSchema: { type: 'object', maxProperties: 7 },
    },
    labels: {
      type: 'object',
      patternProperties: { '^x': { type: 'string' } },
      additionalProperties: { type: 'integer' },
      propertyNames: { maxLength: 8 },
      minProperties: 1,
      maxProperties: 4,
    },
    sealed: {
      allOf: [{ $ref: '#/components/schemas/Named' }, { properties: { age: { type: 'integer' } } }],
      unevaluatedProperties: { type: 'string' },
    },
    either: {
      anyOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    },
    node: { $dynamicRef: '#node' },
    old: { dependencies: { a: ['b'] }, $recursiveRef: '#' },
    defined: {
      $defs: { Inner: { type: 'string' } },
      definitions: { Older: { type: 'integer' } },
      $ref: '#/components/schemas/Named',
    },
  },
  if: { required: ['size'] },
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
  then: { required: ['weight'] },
  else: { required: ['color'] },
  not: { required: ['labels', 'marks'] },
  dependentRequired: { pairs: ['marks'] },
  dependentSchemas: { file: { required: ['rest'] } },
}

const choice = {
  oneOf: [{ $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Cat' }],
  discriminator: {
    propertyName: 'type',
    mapping: { dog: '#/components/schemas/Dog', cat: '#/components/schemas/Cat' },
    defaultMapping: 'Dog',
  },
}

const operationText = { summary: 'Summary', ...text, title: undefined }

const callback = {
  '{$request.body#/url}': {
    post: {
      summary: 'Summary',
      operationId: 'finished',
      deprecated: true,
      tags: ['events'],
      security: [{ key: [] }],
      requestBody: { required: true, ...json({ type: 'object', properties: { done: { type: 'boolean' } } }) },
      responses: { 200: { description: 'OK' } },
    },
  },
}

const document32 = {
  openapi: '3.2.0',
  $self: 'https://a.example/openapi.json',
  jsonSchemaDialect: 'https://spec.openapis.org/oas/3.2/dialect/2025-09-17',
  info: {
    title: 'Pets',
    summary: 'Summary',
    description: 'Text',
    termsOfService: 'https://a.example/terms',
    contact: { name: 'Ann', url: 'https://a.example', email: 'a@a.example' },
    license: { name: 'MIT', identifier: 'MIT', url: 'https://a.example/license' },
    version: '1.0.0',
  },
  servers: [
    {
      url: 'https://{region}.a.example',
      name: 'Main',
      description: 'Text',
      variables: { region: { enum: ['eu', 'us'], default: 'eu', description: 'Text' } },
    },
    { url: 'https://b.example' },
  ],
  security: [{ key: [] }, { login: ['read'], basic: [] }],
  tags: [
    { name: 'pets', summary: 'Pets', description: 'Text', parent: 'animals', kind: 'nav', externalDocs: text.externalDocs },
    { name: 'animals' },
  ],
  externalDocs: text.externalDocs,
  paths: {
    '/pets/{id}': {
      summary: 'Summary',
      description: 'Text',
      servers: [{ url: 'https://c.example' }],
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        ...operationText,
        operationId: 'getPet',
        tags: ['pets', 'animals'],
        deprecated: true,
        'x-sunset': '2030-01-01',
        'x-stability-level': 'beta',
        security: [{ login: ['read', 'write'] }, {}],
        servers: [{ url: 'https://d.example' }],
        parameters: [
          {
            name: 'fields',
            in: 'query',
            description: 'Text',
            required: true,
            deprecated: true,
            'x-sunset': '2030-01-01',
            allowEmptyValue: true,
            style: 'spaceDelimited',
            explode: true,
            allowReserved: true,
            schema: { type: 'array', items: { type: 'string' }, default: ['a'] },
            example: ['a'],
          },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' }, examples: { a: { $ref: '#/components/examples/Short' } } },
          { name: 'filter', in: 'query', content: { 'application/json': { schema: { type: 'object', required: ['a'] } } } },
          { $ref: '#/components/parameters/Session' },
        ],
        responses: {
          200: {
            summary: 'Summary',
            description: 'Pet',
            headers: {
              'X-Rate': {
                description: 'Text',
                required: true,
                deprecated: true,
                style: 'simple',
                explode: true,
                schema: { type: 'object', properties: { used: { type: 'integer' } } },
                example: {},
              },
              'X-Other': { content: { 'application/json': { schema: { type: 'integer' } } }, examples: {} },
              'X-Shared': { $ref: '#/components/headers/Shared' },
            },
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Pet' }, example: {}, description: 'Text' },
              'application/xml': {
                schema: {
                  type: 'object',
                  properties: {
                    name: {
                      type: 'string',
                      xml: { name: 'n', namespace: 'https://a.example/xml', prefix: 'a', nodeType: 'attribute' },
                    },
                    tags: { type: 'array', items: { type: 'string' }, xml: { wrapped: true, attribute: true } },
                  },
                },
                examples: {},
              },
              'application/jsonl': { itemSchema: { type: 'object', required: ['line'] } },
              'application/vnd.shared+json': { $ref: '#/components/mediaTypes/Shared' },
            },
            links: {
              owner: {
                operationId: 'getOwner',
                parameters: { id: '$response.body#/owner' },
                requestBody: '$response.body',
                description: 'Text',
                server: { url: 'https://e.example' },
              },
              other: { operationRef: '#/paths/~1owners/post' },
              shared: { $ref: '#/components/links/Shared' },
            },
          },
          404: { $ref: '#/components/responses/Missing' },
          '5XX': { description: 'Error', ...json({ type: 'object', required: ['code'] }) },
          default: { description: 'Other', ...json({ type: 'object', required: ['text'] }) },
        },
      },
      query: { responses: { 200: { description: 'OK' } } },
      additionalOperations: { COPY: { responses: { 200: { description: 'OK' } } } },
      put: { responses: { 204: { description: 'Done' } }, requestBody: { $ref: '#/components/requestBodies/Shared' } },
      delete: { responses: { 204: { description: 'Done' } } },
      options: { responses: { 204: { description: 'Done' } } },
      head: { responses: { 204: { description: 'Done' } } },
      patch: { responses: { 204: { description: 'Done' } } },
      trace: { responses: { 204: { description: 'Done' } } },
    },
    '/owners': {
      get: { operationId: 'getOwner', responses: { 200: { description: 'OK' } } },
      post: {
        parameters: [
          {
            name: 'all',
            in: 'querystring',
            content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', required: ['q'] } } },
          },
        ],
        requestBody: {
          description: 'Text',
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Pet' } },
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } },
              encoding: { list: { style: 'spaceDelimited', explode: true, allowReserved: true } },
            },
            'multipart/form-data': {
              schema: { type: 'object', properties: { photo: { type: 'string' }, nested: { type: 'object' } } },
              encoding: {
                photo: {
                  contentType: 'image/png',
                  headers: { 'X-Size': { description: 'Text', required: true, schema: { type: 'integer' } } },
                },
                nested: { contentType: 'multipart/mixed', encoding: { part: { contentType: 'text/plain' } } },
              },
            },
            'multipart/mixed': {
              itemSchema: { type: 'object', required: ['part'] },
              prefixEncoding: [{ contentType: 'text/plain' }],
              itemEncoding: {
                contentType: 'image/png',
                prefixEncoding: [{ contentType: 'a/b' }],
                itemEncoding: { contentType: 'c/d' },
              },
            },
          },
        },
        responses: { 204: { description: 'Done' } },
        callbacks: { done: callback, shared: { $ref: '#/components/callbacks/Shared' } },
      },
    },
    '/shared': { $ref: '#/components/pathItems/Shared' },
  },
  webhooks: {
    added: {
      post: {
        summary: 'Summary',
        operationId: 'added',
        requestBody: json({ type: 'object', required: ['id'] }),
        responses: { 200: { description: 'OK' } },
      },
    },
  },
  components: {
    schemas: {
      Pet: { type: 'object', required: ['name'] },
    },
    parameters: { Session: { name: 'session', in: 'cookie', required: true, schema: { type: 'string' } } },
    headers: { Shared: { required: true, schema: { type: 'integer' } } },
    responses: { Missing: { description: 'Missing', ...json({ type: 'object', required: ['text'] }) } },
    requestBodies: { Shared: { required: true, ...json({ type: 'object', required: ['name'] }) } },
    mediaTypes: { Shared: { schema: { type: 'object', required: ['a'] } } },
    examples: { Short: { summary: 'Summary', description: 'Text', dataValue: 'a', serializedValue: 'a' } },
    links: { Shared: { operationId: 'getOwner' } },
    callbacks: { Shared: { '{$url}': { post: { responses: { 200: { description: 'OK' } } } } } },
    pathItems: { Shared: { get: { responses: { 204: { description: 'Done' } } } } },
    securitySchemes: {
      key: { type: 'apiKey', name: 'X-Key', in: 'header', description: 'Text', deprecated: true },
      basic: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', deprecated: true },
      tls: { type: 'mutualTLS', deprecated: true },
      open: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/id', deprecated: true },
      login: {
        type: 'oauth2',
        deprecated: true,
        oauth2MetadataUrl: 'https://a.example/metadata',
        flows: {
          implicit: {
            authorizationUrl: 'https://a.example/1',
            refreshUrl: 'https://a.example/2',
            scopes: { read: 'Read', write: 'Write' },
          },
          password: { tokenUrl: 'https://a.example/3', refreshUrl: 'https://a.example/11', scopes: { read: 'Read' } },
          clientCredentials: { tokenUrl: 'https://a.example/4', scopes: { read: 'Read' } },
          authorizationCode: {
            authorizationUrl: 'https://a.example/5',
            tokenUrl: 'https://a.example/6',
            refreshUrl: 'https://a.example/7',
            scopes: { read: 'Read' },
          },
          deviceAuthorization: {
            deviceAuthorizationUrl: 'https://a.example/8',
            tokenUrl: 'https://a.example/9',
            refreshUrl: 'https://a.example/10',
            scopes: { read: 'Read' },
          },
        },
      },
    },
  },
}

/** The keywords of schemas, in a request and in a response. */
const schemas32 = {
  openapi: '3.2.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets': {
      post: {
        requestBody: json({ $ref: '#/components/schemas/Everything' }),
        responses: {
          200: {
            description: 'OK',
            ...json({ anyOf: [choice, { type: 'array', items: { $ref: '#/components/schemas/Everything' } }] }),
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Everything: objectSchema,
      Named: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      Dog: { type: 'object', required: ['type', 'bark'], properties: { type: { const: 'dog' }, bark: { type: 'boolean' } } },
      Cat: { type: 'object', required: ['type'], properties: { type: { const: 'cat' }, lives: { type: 'integer' } } },
    },
  },
}

const document30 = {
  openapi: '3.0.4',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets': {
      post: {
        requestBody: {
          ...json({
            type: 'object',
            properties: {
              a: { type: 'integer', nullable: true, minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
              b: { type: 'object', additionalProperties: false },
              c: { allOf: [{ $ref: '#/components/schemas/Named' }], nullable: true },
            },
          }),
        },
        responses: { 204: { description: 'Done' } },
      },
    },
  },
  components: { schemas: { Named: { type: 'object', properties: { name: { type: 'string' } } } } },
}

/** The descriptions as plain values. */
export const everyField: readonly unknown[] = [document32, schemas32, document30].map((document) =>
  JSON.parse(JSON.stringify(document)),
)
